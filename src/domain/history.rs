//! Questions to the history and the directory, and the windows that answer them.
//!
//! History is never held whole: whoever shows it asks for a window of rows, and learns how many there are in all.

use super::filter::Filter;
use super::{AccountId, Amount, Direction, Text, Timestamp, Transaction, UserId, WalletId};

/// Whose rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Scope {
    /// Everybody's.
    #[default]
    All,
    /// Those of one account.
    Account(AccountId),
    /// Those of one wallet.
    Wallet(WalletId),
    /// Those of one user.
    User(UserId),
}

/// In which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// By time, the newest first: what is on its way stands on top, what was seen first below the others.
    #[default]
    Newest,
    /// The same the other way round.
    Oldest,
    /// The largest first: by value where there are prices, what has none last; else by the amount, whatever the token.
    Largest,
    /// The same the other way round.
    Smallest,
    /// As the service lists them.
    Listed,
}

/// What tokens were worth when an order by value was asked for. They are kept with the question, since rows must not change
/// places with every quote.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PriceList {
    /// The symbol of the token in which all is valued.
    pub token: Text,
    /// When the oldest of them was told; `None` where none had to be.
    pub at: Option<Timestamp>,
    /// What one whole of a token is worth, by its symbol.
    pub prices: Vec<(Text, Amount)>,
}

/// Which rows of the history, in which order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    /// Whose.
    pub scope: Scope,
    /// What they hold.
    pub filter: Filter,
    /// In which order.
    pub sort: Sort,
    /// By which prices rows are the largest or smallest, where that is asked for; without any, by their bare numbers.
    pub prices: PriceList,
}

/// Where a window begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// At the row of this rank, counted from 0.
    Rank(u64),
    /// So many rows above this one; if it is not among the rows, where it would stand.
    Row {
        /// The row.
        seq: i64,
        /// How many rows stand above it in the window.
        above: u32,
    },
    /// So that the last row is the window's last.
    End,
}

/// A window of the history that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Span {
    /// Of which rows.
    pub query: Query,
    /// Where it begins.
    pub anchor: Anchor,
    /// How many rows at most.
    pub rows: u32,
}

/// How many rows there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Count {
    /// As many.
    Exact(u64),
    /// As many so far; counting goes on.
    AtLeast(u64),
}

impl Count {
    /// The number, exact or not yet.
    pub fn number(self) -> u64 {
        match self {
            Self::Exact(number) | Self::AtLeast(number) => number,
        }
    }
}

/// Consecutive rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window<T> {
    /// The rank of the first one, counted from 0.
    pub first: u64,
    /// The rows.
    pub rows: Vec<T>,
    /// How many there are in all.
    pub count: Count,
}

impl<T> Default for Window<T> {
    fn default() -> Self {
        Self { first: 0, rows: Vec::new(), count: Count::Exact(0) }
    }
}

/// A transaction where the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    /// Its place in the service's order: higher is newer. It never changes while the store lives.
    pub seq: i64,
    /// When this console first read it.
    pub seen_at: Timestamp,
    /// The transaction.
    pub transaction: Transaction,
    /// The name of its wallet, where the directory knows one.
    pub wallet_name: Option<Text>,
    /// Whether its token imitates a listed one or hides characters.
    pub suspicious: bool,
}

/// How far the history has been read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Rows read so far.
    pub rows: u64,
    /// How many there are at most, as the numbers of pages tell.
    pub expected: Option<u64>,
    /// Whether the first read has come to the end of both lists.
    pub complete: bool,
    /// Whether a list is looked through again for rows that are missing or could not be read.
    pub again: bool,
    /// Rows that could not be read.
    pub unreadable: u64,
    /// Rows that are final and do not say enough to be counted in any sum.
    pub incomplete: u64,
    /// When what could not be read is asked for again, while that is waited for.
    pub retry_at: Option<Timestamp>,
    /// Rows that are not final yet.
    pub pending: u64,
    /// Why the history cannot be trusted to be whole, if so: the service ignores paging, or its filter.
    pub partial: Option<Text>,
}

/// What looking has shown of something that the specification does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evidence {
    /// Nothing yet: too little was seen.
    #[default]
    Unknown,
    /// It holds.
    Confirmed,
    /// It does not.
    Refuted,
}

/// What was seen of how a service lists its transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListingEvidence {
    /// Pages follow each other without a gap.
    pub paging: Evidence,
    /// A list holds what its filter asks for, and nothing else.
    pub filter: Evidence,
    /// The newest row comes first.
    pub order: Evidence,
}

/// One page of a list, as the service sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What could be read, in the order received.
    pub items: Vec<T>,
    /// Entries that could not be read at all.
    pub unreadable: u64,
    /// The page's number, counted from 1, where it was told.
    pub page_no: Option<u64>,
    /// The most entries of a page, where it was told.
    pub page_limit: Option<u64>,
    /// How many pages there are, where it was told.
    pub total_page: Option<u64>,
}

/// A page of one of the two lists of transactions that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionPageRequest {
    /// Which list.
    pub direction: Direction,
    /// Which page, counted from 1.
    pub page_no: u64,
}

/// Where an entry of the directory is known from, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// This console made it.
    Created,
    /// The operator imported it.
    Imported,
    /// The service listed it.
    Listed,
    /// It occurs in the history.
    History,
}

/// What is told of a wallet, or of an account, that money depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fact {
    /// Its address.
    Address,
    /// Its blockchain.
    Blockchain,
    /// Its network.
    Network,
    /// Its user.
    User,
    /// Its account.
    Account,
}

impl Fact {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Address, Self::Blockchain, Self::Network, Self::User, Self::Account];
}

/// A set of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Facts(u8);

impl Facts {
    /// Whether a fact is among them.
    pub fn has(self, fact: Fact) -> bool {
        self.0 & (1 << fact as u8) != 0
    }

    /// A bit for each fact, in the order of [`Fact::ALL`], the lowest for the first.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The facts of these bits.
    pub fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl FromIterator<Fact> for Facts {
    fn from_iter<I: IntoIterator<Item = Fact>>(facts: I) -> Self {
        Self(facts.into_iter().fold(0, |bits, fact| bits | 1 << fact as u8))
    }
}

/// An entry of the directory, with where it is known from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The entry.
    pub entry: T,
    /// Where it is known from.
    pub source: Source,
    /// What of it stands by an import alone: the service has not told it.
    pub imported_facts: Facts,
    /// Of a wallet: other addresses than the one that is held for its own, which the service told later.
    pub other_addresses: Vec<OtherAddress>,
}

/// Another address that the service told of a known wallet. It never takes the place of the first by itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OtherAddress {
    /// The address.
    pub address: Text,
    /// Whether somebody has looked at both, and said which of them is right.
    pub is_reviewed: bool,
}

impl<T> Sourced<T> {
    /// An address that contradicts the one that is held for the wallet's own, and at which nobody has looked.
    pub fn contradicting_address(&self) -> Option<&Text> {
        self.other_addresses.iter().find(|other| !other.is_reviewed).map(|other| &other.address)
    }
}
