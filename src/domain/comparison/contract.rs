//! Compares the contract by which a token is known: a symbol may be anybody's.

use std::fmt;

use super::is_same_address;
use crate::domain::{Chain, Text, TokenKey, Transaction};

/// The contract of a token, as far as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldContract {
    /// It has none: it is the chain's own coin.
    OwnCoin,
    /// It has this one.
    At(Text),
    /// It has one, which is not told.
    Some,
}

impl ToldContract {
    /// That of a token that is to be paid; `None` where it is not known.
    pub fn of(token: &TokenKey) -> Option<Self> {
        match &token.contract {
            None => Some(Self::OwnCoin),
            Some(contract) => is_contract(contract).then(|| Self::At(contract.clone())),
        }
    }

    /// That of the token of a row. A row that says nothing of the contract may still be of the chain's own coin, for all
    /// that its symbol says, only where nobody knows the chain.
    pub fn by(row: &Transaction) -> Option<Self> {
        match &row.token.contract {
            Some(contract) => is_contract(contract).then(|| Self::At(contract.clone())),
            None => (Chain::find(&row.token.blockchain).is_some() && !row.symbol.is_empty()).then_some(Self::OwnCoin),
        }
    }

    /// Whether both may be of one token.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::At(one), Self::At(other)) => is_same_address(one, other.trim()),
            (Self::OwnCoin, Self::OwnCoin) | (Self::Some, Self::At(_) | Self::Some) | (Self::At(_), Self::Some) => true,
            (Self::OwnCoin, _) | (_, Self::OwnCoin) => false,
        }
    }
}

/// A token without an address that is not the chain's own coin is known by words in its place.
fn is_contract(contract: &str) -> bool {
    !contract.contains(' ')
}

impl fmt::Display for ToldContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OwnCoin => f.write_str("the chain's own coin"),
            Self::At(contract) => f.write_str(contract),
            Self::Some => f.write_str("a token that is not the chain's own coin"),
        }
    }
}
