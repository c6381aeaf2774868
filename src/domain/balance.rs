//! What is held, and how surely it is known.

use super::{ReportedAmount, Text, Timestamp, TokenKey, UserId};

/// A balance of a user in one token, as the service stated it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// Whose it is.
    pub user: UserId,
    /// Of which token.
    pub token: TokenKey,
    /// The token's symbol, for people.
    pub symbol: Text,
    /// The token's name, for people.
    pub name: Option<Text>,
    /// How much.
    pub amount: ReportedAmount,
    /// `mainnet` or `testnet`.
    pub environment: Option<Text>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

/// How surely a figure is known, the surest first. A sum is as sure as its weakest part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The service stated it.
    Reported,
    /// The service stated it of the user, and this wallet is the only known one of that user on that chain.
    Assumed,
    /// Summed up from the history, which was read to its end.
    Derived,
    /// Not known. Shown as a dash, never as zero.
    Unknown,
}

/// What a wallet or an account holds of one token, from all that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// Of which token.
    pub token: TokenKey,
    /// The token's symbol, for people.
    pub symbol: Text,
    /// The token's name, for people.
    pub name: Option<Text>,
    /// How much; `None` where it is not known.
    pub amount: Option<ReportedAmount>,
    /// How surely that is known.
    pub basis: Basis,
    /// When its oldest part was read.
    pub as_of: Option<Timestamp>,
    /// Whether it imitates a listed token or hides characters: shown only on demand, never summed.
    pub suspicious: bool,
}
