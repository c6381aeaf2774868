//! Balances, and how surely they are known.

use super::{ReportedAmount, Text, Timestamp, TokenKey, UserId};

/// A balance of a user in one token, as the service reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedBalance {
    pub user: UserId,
    pub token: TokenKey,
    pub symbol: Text,
    pub name: Option<Text>,
    pub amount: ReportedAmount,
    /// `mainnet` or `testnet`.
    pub environment: Option<Text>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

/// How surely a figure is known, the surest first. A sum is as sure as its weakest part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceBasis {
    Reported,
    /// Reported for the user, where this wallet is the user's only known wallet on that chain.
    Assumed,
    /// Summed up from the history, which was read to its end.
    Derived,
    /// Shown as a dash, never as zero.
    Unknown,
}

impl BalanceBasis {
    /// In files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reported => "stated",
            Self::Assumed => "assumed",
            Self::Derived => "derived",
            Self::Unknown => "unknown",
        }
    }
}

/// The balance of a wallet or an account in one token, from all sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    pub token: TokenKey,
    pub symbol: Text,
    pub name: Option<Text>,
    /// `None` where it is not known.
    pub amount: Option<ReportedAmount>,
    pub basis: BalanceBasis,
    /// When its oldest part was read.
    pub as_of: Option<Timestamp>,
    /// Whether the token imitates a listed one or hides characters: shown only on demand, never summed.
    pub suspicious: bool,
}
