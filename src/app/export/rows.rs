//! The rows that an export writes.

use crate::app::events::Event;
use crate::app::prices::Quoted;
use crate::app::users::KnownAddress;
use crate::domain::history::{Query, Scope, Sourced};
use crate::domain::v1::{Asset, Deposit, SwapPair, Transfer};
use crate::domain::{Account, Blockchain, Holding, Order, Text, Timestamp, Token, UserId, book};

/// Which rows are written. Of what the store holds it is the question; what the screen holds whole is here as it was
/// when somebody asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRows {
    /// The transactions that a query finds.
    Matching(Query),
    /// These transactions, by their places.
    Marked(Vec<i64>),
    /// The wallets of a scope that contain each word of a filter.
    Wallets(Scope, String),
    /// The users that contain each word of a filter.
    Users(String),
    /// Accounts.
    Accounts(Vec<Sourced<Account>>),
    /// What a scope of this name holds.
    Balances(Scope, Option<Text>, Vec<Holding>),
    /// What version 1 tells that a user holds.
    Assets(UserRows<Asset>),
    /// Where a user can be paid.
    Addresses(UserRows<KnownAddress>),
    /// Deposits of a user, as version 1 tells them.
    Deposits(UserRows<Deposit>),
    /// Transfers of a user, as version 1 tells them.
    Transfers(UserRows<Transfer>),
    /// Orders.
    Orders(Vec<Order>),
    /// Listed tokens.
    Tokens(Vec<Token>),
    /// The blockchains of the token of this symbol.
    Chains(Text, Vec<Blockchain>),
    /// Pairs, each with what was quoted for it last.
    Pairs(Vec<(SwapPair, Option<Quoted>)>),
    /// What happened while the console ran.
    Events(Vec<Event>),
    /// Entries of the address book, as a file that `bursar book import` takes.
    Book(Vec<book::BookEntry>),
}

/// What was told of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRows<T> {
    /// Whom.
    pub user: Option<UserId>,
    /// What they are called, where that is known.
    pub name: Option<Text>,
    /// When version 1 told it; `None` where it is known from elsewhere.
    pub as_of: Option<Timestamp>,
    /// Coins among the rows that look like listed ones and are spelt otherwise.
    pub imitations: Vec<Text>,
    /// The rows.
    pub rows: Vec<T>,
}
