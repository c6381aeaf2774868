//! The keys that identify rows.

use crate::domain::attention::AttentionId;
use crate::domain::entry_source::Sourced;
use crate::domain::history::HistoryRow;
use crate::domain::v1::{AssetBalance, Movement, SwapPair, Transfer};
use crate::domain::{
    Account, AccountId, Blockchain, Holding, OrderId, Text, Token, TokenKey, TransactionId, User, UserId, Wallet,
    WalletId,
};

/// A row with a key that no refresh changes.
pub trait Keyed {
    type Key: Clone + PartialEq;
    /// Whether windows are requested by a row that they must contain, so that new rows never push it out.
    const ANCHORED: bool = false;
    /// Whether rows change rank with their value: then the scroll position stays, and does not follow its first row.
    const RANKED: bool = false;
    fn key(&self) -> Self::Key;
}

impl Keyed for HistoryRow {
    type Key = i64;
    const ANCHORED: bool = true;
    fn key(&self) -> i64 {
        self.seq
    }
}

impl Keyed for Sourced<Account> {
    type Key = AccountId;
    fn key(&self) -> AccountId {
        self.entry.id.clone()
    }
}

impl Keyed for Sourced<Wallet> {
    type Key = WalletId;
    fn key(&self) -> WalletId {
        self.entry.id.clone()
    }
}

impl Keyed for Sourced<User> {
    type Key = UserId;
    fn key(&self) -> UserId {
        self.entry.id.clone()
    }
}

impl Keyed for AttentionId {
    type Key = Self;
    const RANKED: bool = true;
    fn key(&self) -> Self {
        self.clone()
    }
}

impl Keyed for AssetBalance {
    type Key = Text;
    fn key(&self) -> Text {
        self.coin.clone()
    }
}

impl Keyed for Movement {
    type Key = TransactionId;
    fn key(&self) -> TransactionId {
        self.id.clone()
    }
}

impl Keyed for Transfer {
    type Key = TransactionId;
    fn key(&self) -> TransactionId {
        self.id.clone()
    }
}

impl Keyed for Holding {
    type Key = TokenKey;
    const RANKED: bool = true;
    fn key(&self) -> TokenKey {
        self.token.clone()
    }
}

impl Keyed for Token {
    type Key = String;
    fn key(&self) -> String {
        format!("{}/{}", self.symbol, self.name)
    }
}

impl Keyed for OrderId {
    type Key = Self;
    fn key(&self) -> Self {
        *self
    }
}

impl Keyed for SwapPair {
    type Key = Self;
    fn key(&self) -> Self {
        self.clone()
    }
}

impl Keyed for Blockchain {
    type Key = String;
    fn key(&self) -> String {
        self.slug.to_string()
    }
}
