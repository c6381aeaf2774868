//! What the store is asked for, and what it answers.

use crate::app::users::UserDetails;
use crate::domain::history::{HistoryRow, Query, Scope, Sourced, Span, Window};
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff};
use crate::domain::watch::{ScopedReading, Watch};
use crate::domain::{Account, FinalStatuses, Holding, Text, Token, TokenKey, User, UserId, Wallet, WalletId};
use crate::guard::{ExpectedFee, OwnAddress};

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
pub enum StoreQuery {
    /// Every account.
    Accounts,
    /// Wallets of which another address was told, at which nobody has looked.
    AddressConflicts,
    /// The addresses that are known, by words of the service that are final.
    KnownAddresses(FinalStatuses),
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
        rearrange: bool,
    },
    /// What a scope holds.
    Holdings(Scope),
    /// What watches look at.
    WatchedData(Vec<Watch>),
    /// How the history stands.
    HistoryMark,
    /// What happened since it stood so.
    ChangesSince(Box<HistoryCheckpoint>),
    /// A window of the history.
    History(HistoryList, Span),
    /// Every token.
    Tokens,
    /// Which of these rows, by their places, a query does not find.
    LeftOut(HistoryList, Query, Vec<i64>),
    /// Certain rows, by their places, as they are now.
    Rows(Vec<i64>),
    /// The first wallets whose name, address or chain contains a text.
    PayerWallets {
        /// The text.
        filter: String,
        /// How many rows at most.
        rows: u32,
    },
    /// What one wallet holds.
    WalletHoldings(WalletId),
    /// What past payments of a token, under its symbol, cost.
    FeeEstimate(Text, TokenKey),
}

/// The store's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every account.
    Accounts(Vec<Sourced<Account>>),
    /// Wallets of which another address was told, at which nobody has looked.
    AddressConflicts(Vec<Sourced<Wallet>>),
    /// The addresses that are known.
    KnownAddresses {
        /// Of one's own wallets.
        own: Vec<OwnAddress>,
        /// Of those whom settled payments of the history paid.
        paid: Vec<Text>,
    },
    /// A window of wallets, and whose they are.
    Wallets(Scope, Window<Sourced<Wallet>>),
    /// What the store knows of one user.
    User(UserId, Box<UserDetails>),
    /// A window of users.
    Users(Window<Sourced<User>>),
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
    WatchedData(Vec<ScopedReading>),
    /// How the history stands.
    HistoryMark(Box<HistoryCheckpoint>),
    /// What happened since.
    ChangesSince(HistoryDiff),
    /// A window of the history.
    History(HistoryList, Query, Window<HistoryRow>),
    /// Which of the rows asked for a query does not find.
    LeftOut(HistoryList, Query, Vec<i64>),
    /// The rows asked for.
    Rows(Vec<HistoryRow>),
    /// Every token.
    Tokens(Vec<Token>),
    /// The first wallets that contain a text.
    PayerWallets(String, Window<Sourced<Wallet>>),
    /// What one wallet holds.
    WalletHoldings(WalletId, Vec<Holding>),
    /// What past payments of a token cost.
    FeeEstimate(TokenKey, Option<ExpectedFee>),
}
