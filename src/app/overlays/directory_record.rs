//! An account or a wallet in full, opened from wherever one is shown.

pub mod facts;
mod masking;
pub(in crate::app) mod scope;

use crate::domain::entry_source::Sourced;
use crate::domain::history::{HistoryRow, Scope};
use crate::domain::{Account, Holding, Text, Wallet};

/// What the cache has of an account or a wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryRecord {
    pub subject: Subject,
    /// Imitation tokens among them.
    pub holdings: Vec<Holding>,
    /// The newest transactions, without those that deceive.
    pub recent: Vec<HistoryRow>,
    /// How many of the newest were left out.
    pub folded: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Account { account: Sourced<Account>, wallets: u64 },
    Wallet { wallet: Sourced<Wallet>, account_name: Option<Text>, user_name: Option<Text> },
}

/// How many of the newest transactions a record has.
pub const RECENT_ROWS: u32 = 12;

impl DirectoryRecord {
    pub fn scope(&self) -> Scope {
        match &self.subject {
            Subject::Account { account, .. } => Scope::Account(account.entry.id.clone()),
            Subject::Wallet { wallet, .. } => Scope::Wallet(wallet.entry.id.clone()),
        }
    }

    pub fn title(&self) -> &'static str {
        match self.subject {
            Subject::Account { .. } => "Account",
            Subject::Wallet { .. } => "Wallet",
        }
    }
}
