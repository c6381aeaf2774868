//! Compares the contract by which a token is known: a symbol may be anybody's.

use std::fmt;

use super::is_same_address;
use crate::domain::{Chain, Text, TokenKey, Transaction};

/// The contract of a token, as far as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedContract {
    /// It has none: it is the chain's own coin.
    NativeCoin,
    /// It has this one.
    Address(Text),
    /// It has one, which is not told.
    Some,
}

impl ReportedContract {
    /// That of a token that is to be paid; `None` where it is not known.
    pub fn from_token(token: &TokenKey) -> Option<Self> {
        match &token.contract {
            None => Some(Self::NativeCoin),
            Some(contract) => is_contract(contract).then(|| Self::Address(contract.clone())),
        }
    }

    /// That of the token of a row. A row that says nothing of the contract may still be of the chain's own coin, for all
    /// that its symbol says, only where nobody knows the chain.
    pub fn from_row(row: &Transaction) -> Option<Self> {
        match &row.token.contract {
            Some(contract) => is_contract(contract).then(|| Self::Address(contract.clone())),
            None => {
                (Chain::find(&row.token.blockchain).is_some() && !row.symbol.is_empty()).then_some(Self::NativeCoin)
            }
        }
    }

    /// Whether both may be of one token.
    pub(super) fn may_be_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Address(one), Self::Address(other)) => is_same_address(one, other.trim()),
            (Self::NativeCoin, Self::NativeCoin)
            | (Self::Some, Self::Address(_) | Self::Some)
            | (Self::Address(_), Self::Some) => true,
            (Self::NativeCoin, _) | (_, Self::NativeCoin) => false,
        }
    }
}

/// A token without an address that is not the chain's own coin is known by words in its place.
fn is_contract(contract: &str) -> bool {
    !contract.contains(' ')
}

impl fmt::Display for ReportedContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NativeCoin => f.write_str("the chain's own coin"),
            Self::Address(contract) => f.write_str(contract),
            Self::Some => f.write_str("a token that is not the chain's own coin"),
        }
    }
}
