//! What the store is asked for, and what it answers.

use crate::app::users::Kept;
use crate::domain::history::{HistoryRow, Known, Query, Scope, Span, Window};
use crate::domain::since::{Mark, Since};
use crate::domain::watch::{Looked, Watch};
use crate::domain::{Account, FinalWords, Holding, Text, Token, TokenKey, User, UserId, Wallet, WalletId};
use crate::guard::{Estimate, Own};

/// The lists of history rows on screen, each with a window of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HistoryList {
    /// The pane of the Overview.
    Recent,
    /// The Transactions page.
    Page,
}

/// A question to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Every account.
    Accounts,
    /// Wallets of which another address was told, at which nobody has looked.
    Contradicted,
    /// The addresses that are known, by words of the service that are final.
    KnownAddresses(FinalWords),
    /// A window of wallets.
    Wallets {
        /// Whose.
        scope: Scope,
        /// What name, address or chain must contain.
        filter: String,
        /// The rank of the first row.
        first: u64,
        /// How many rows at most.
        rows: u32,
    },
    /// What the store knows of one user.
    User(UserId),
    /// A window of users.
    Users {
        /// What name, reference, address for mail or identifier must contain.
        filter: String,
        /// The rank of the first row.
        first: u64,
        /// How many rows at most.
        rows: u32,
        /// Who is to be among them, wherever they stand, if they are listed at all.
        kept: Option<UserId>,
        /// Whether those whose names came late are to be put in their places first.
        arranged: bool,
    },
    /// What a scope holds.
    Holdings(Scope),
    /// What watches look at.
    Watched(Vec<Watch>),
    /// How the history stands.
    Mark,
    /// What happened since it stood so.
    Since(Box<Mark>),
    /// A window of the history.
    History(HistoryList, Span),
    /// Every token.
    Markets,
    /// Which of these rows, by their places, a query does not find.
    LeftOut(HistoryList, Query, Vec<i64>),
    /// Certain rows, by their places, as they are now.
    Rows(Vec<i64>),
    /// The first wallets whose name, address or chain contains a text.
    Payers {
        /// The text.
        filter: String,
        /// How many rows at most.
        rows: u32,
    },
    /// What one wallet holds.
    Held(WalletId),
    /// What past payments of a token, under its symbol, cost.
    Fee(Text, TokenKey),
}

/// The store's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every account.
    Accounts(Vec<Known<Account>>),
    /// Wallets of which another address was told, at which nobody has looked.
    Contradicted(Vec<Known<Wallet>>),
    /// The addresses that are known.
    KnownAddresses {
        /// Of one's own wallets.
        own: Vec<Own>,
        /// Of those whom settled payments of the history paid.
        paid: Vec<Text>,
    },
    /// A window of wallets, and whose they are.
    Wallets(Scope, Window<Known<Wallet>>),
    /// What the store knows of one user.
    User(UserId, Box<Kept>),
    /// A window of users.
    Users(Window<Known<User>>),
    /// What a scope holds.
    Holdings {
        /// Of whom.
        scope: Scope,
        /// All of it.
        all: Vec<Holding>,
        /// How many users' balances are in it.
        users: u64,
    },
    /// What each watch looks at, in their order.
    Watched(Vec<Looked>),
    /// How the history stands.
    Mark(Box<Mark>),
    /// What happened since.
    Since(Since),
    /// A window of the history.
    History(HistoryList, Query, Window<HistoryRow>),
    /// Which of the rows asked for a query does not find.
    LeftOut(HistoryList, Query, Vec<i64>),
    /// The rows asked for.
    Rows(Vec<HistoryRow>),
    /// Every token.
    Markets(Vec<Token>),
    /// The first wallets that contain a text.
    Payers(String, Window<Known<Wallet>>),
    /// What one wallet holds.
    Held(WalletId, Vec<Holding>),
    /// What past payments of a token cost.
    Fee(TokenKey, Option<Estimate>),
}
