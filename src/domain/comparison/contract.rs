//! Compares a token's contract, which identifies it: any token may take a symbol.

use std::fmt;

use super::is_same_address_or_hex;
use crate::domain::{Chain, Text, TokenKey, Transaction};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedContract {
    /// No contract: the chain's own coin.
    NativeCoin,
    Address(Text),
    /// A contract that is not reported.
    Unspecified,
}

impl ReportedContract {
    /// The contract of a token to be paid; `None` where it is not known.
    pub fn from_token(token: &TokenKey) -> Option<Self> {
        match &token.contract {
            None => Some(Self::NativeCoin),
            Some(contract) => is_address_rather_than_words(contract).then(|| Self::Address(contract.clone())),
        }
    }

    /// The contract of a row's token; `None` where it is not known. A row without a contract is of the chain's own
    /// coin, unless the chain is unknown or the row has no symbol.
    pub fn from_row(row: &Transaction) -> Option<Self> {
        match &row.token.contract {
            Some(contract) => is_address_rather_than_words(contract).then(|| Self::Address(contract.clone())),
            None => {
                (Chain::find(&row.token.blockchain).is_some() && !row.symbol.is_empty()).then_some(Self::NativeCoin)
            }
        }
    }

    pub(super) fn may_be_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Address(one), Self::Address(other)) => is_same_address_or_hex(one, other.trim()),
            (Self::NativeCoin, Self::NativeCoin)
            | (Self::Unspecified, Self::Address(_) | Self::Unspecified)
            | (Self::Address(_), Self::Unspecified) => true,
            (Self::NativeCoin, _) | (_, Self::NativeCoin) => false,
        }
    }
}

/// Some services write words in place of a contract, for a token that is not the chain's own coin.
fn is_address_rather_than_words(contract: &str) -> bool {
    !contract.contains(' ')
}

impl fmt::Display for ReportedContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NativeCoin => f.write_str("the chain's own coin"),
            Self::Address(contract) => f.write_str(contract),
            Self::Unspecified => f.write_str("a token that is not the chain's own coin"),
        }
    }
}
