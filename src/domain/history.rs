//! Queries to the history and the directory, and the row windows that answer them.
//!
//! History is never in memory as a whole: a view requests a window of rows, and gets the total count with it.

use super::filter::Filter;
use super::{AccountId, Amount, Direction, Text, Timestamp, Transaction, UserId, WalletId};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Scope {
    #[default]
    All,
    Account(AccountId),
    Wallet(WalletId),
    User(UserId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// By time, newest first: pending rows on top, the first seen of them last, then all other rows.
    #[default]
    Newest,
    Oldest,
    /// Largest first: by value where prices are known, unpriced rows last; else by the amount, whatever the token.
    Largest,
    Smallest,
    Listed,
}

impl Sort {
    pub const NAMES: [(&str, Self); 5] = [
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("largest", Self::Largest),
        ("smallest", Self::Smallest),
        ("listed", Self::Listed),
    ];

    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, sort)| *sort == self).map_or("", |(name, _)| name)
    }
}

/// Token prices at the time of a query that sorts by value. They are part of the query, since rows must not move with
/// every new quote.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PriceList {
    /// The symbol of the token in which everything is valued.
    pub token: Text,
    /// The time of the oldest price; `None` where no price was needed.
    pub at: Option<Timestamp>,
    /// The price of one whole token, by symbol.
    pub prices: Vec<(Text, Amount)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    pub scope: Scope,
    pub filter: Filter,
    pub sort: Sort,
    /// The prices for sorting by value; without any, rows are sorted by their bare amounts.
    pub prices: PriceList,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowAnchor {
    /// At the row of this rank, counted from 0.
    Rank(u64),
    /// `above` rows before this row, or before its position if it is not in the result.
    Row {
        seq: i64,
        /// How many rows of the window come before it.
        above: u32,
    },
    /// The window ends with the last row.
    End,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WindowRequest {
    pub query: Query,
    pub anchor: WindowAnchor,
    pub rows: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowCount {
    Exact(u64),
    /// At least this many; counting goes on.
    AtLeast(u64),
}

impl RowCount {
    pub fn number(self) -> u64 {
        match self {
            Self::Exact(number) | Self::AtLeast(number) => number,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window<T> {
    /// The rank of the first row, counted from 0.
    pub first: u64,
    pub rows: Vec<T>,
    /// The number of rows in the whole result.
    pub count: RowCount,
}

impl<T> Window<T> {
    /// A window that contains the whole list.
    pub fn whole(rows: Vec<T>) -> Self {
        let count = RowCount::Exact(u64::try_from(rows.len()).unwrap_or(u64::MAX));
        Self { first: 0, rows, count }
    }
}

impl<T> Default for Window<T> {
    fn default() -> Self {
        Self { first: 0, rows: Vec::new(), count: RowCount::Exact(0) }
    }
}

/// The times of a row at this console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowTimes {
    /// When this console first read it.
    pub seen_at: Timestamp,
    /// The time that the service reports. A row without one has that of its neighbours in the service's order, and
    /// while it is pending that at which it was first read.
    pub time: Timestamp,
}

/// A transaction as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    /// Its position in the service's order: higher is newer. It never changes while the store exists.
    pub seq: i64,
    /// When this console first read it.
    pub seen_at: Timestamp,
    /// See [`RowTimes::time`].
    pub time: Timestamp,
    pub transaction: Transaction,
    /// The name of its wallet, where the directory has one.
    pub wallet_name: Option<Text>,
    /// Whether its token imitates a listed one or hides characters.
    pub suspicious: bool,
    /// Whether it is a movement between own wallets.
    pub internal: bool,
}

/// How far the history has been read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncProgress {
    pub rows: u64,
    /// The most rows there can be, by the reported page counts.
    pub expected: Option<u64>,
    /// Whether the initial sync has reached the end of both lists.
    pub complete: bool,
    /// Whether a list is being rescanned for rows that are missing or were unreadable.
    pub is_rescanning: bool,
    pub unreadable: u64,
    /// Final rows that lack what a sum needs.
    pub incomplete: u64,
    /// When unreadable rows are requested again, while that is pending.
    pub retry_at: Option<Timestamp>,
    pub pending: u64,
    /// Why the history may be incomplete, if so: the service ignores paging, or its filter.
    pub partial: Option<Text>,
}

/// What observation has shown of a property that the specification does not state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PropertyEvidence {
    #[default]
    Unknown,
    /// The property holds.
    Confirmed,
    /// The property does not hold.
    Refuted,
}

/// What was observed of how a service lists its transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListingProperties {
    /// Pages follow each other without a gap.
    pub paging: PropertyEvidence,
    /// A list holds exactly what its filter asks for.
    pub filter: PropertyEvidence,
    /// The newest row comes first.
    pub order: PropertyEvidence,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The readable entries, in the order received.
    pub items: Vec<T>,
    pub unreadable: u64,
    /// The page's number, counted from 1, where it is reported.
    pub page_no: Option<u64>,
    /// The most entries of a page, where it is reported.
    pub page_limit: Option<u64>,
    /// How many pages there are, where it is reported.
    pub total_page: Option<u64>,
}

/// Names a page of one of the two transaction lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionPageRequest {
    pub direction: Direction,
    /// Counted from 1.
    pub page_no: u64,
}
