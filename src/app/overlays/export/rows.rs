//! The rows that an export writes.

use crate::app::pages::users::DepositAddress;
use crate::app::session::events::Event;
use crate::domain::draft_file::DraftFile;
use crate::domain::history::{Query, Scope};
use crate::domain::receipt::ReceiptSubject;
use crate::domain::report::ReportTable;
use crate::domain::sourced::Sourced;
use crate::domain::v1::{Asset, Deposit, SwapPair, Transfer};
use crate::domain::{
    Account, Blockchain, DatedRate, ExportFormat, FileFormat, Holding, Order, Text, Timestamp, Token, UserId, book,
};

/// Rows to write: a query where the store holds them, a copy as of the key press where the screen holds all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRows {
    Matching(Query),
    /// Transactions by their `seq`.
    Marked(Vec<i64>),
    /// The wallets of a scope that match each word of a filter.
    Wallets(Scope, String),
    Users(String),
    Accounts(Vec<Sourced<Account>>),
    /// The holdings of a scope, and its name.
    Balances(Scope, Option<Text>, Vec<Holding>),
    Assets(UserRows<Asset>),
    /// A user's deposit addresses.
    Addresses(UserRows<DepositAddress>),
    Deposits(UserRows<Deposit>),
    Withdrawals(UserRows<Deposit>),
    Transfers(UserRows<Transfer>),
    Orders(Vec<Order>),
    Tokens(Vec<Token>),
    Chains(Text, Vec<Blockchain>),
    /// Pairs, each with its last quote.
    Pairs(Vec<(SwapPair, Option<DatedRate>)>),
    Events(Vec<Event>),
    Report(Box<ReportTable>),
    Receipt(Box<ReceiptSubject>),
    Draft(Box<DraftFile>),
    /// Entries and labels of the address book, in the format that `bursar book import` reads.
    Book(Vec<book::BookEntry>, Vec<book::Label>),
}

impl ExportRows {
    /// What its parts are called, one and several.
    pub(super) fn nouns(&self) -> [&'static str; 2] {
        #[expect(clippy::wildcard_enum_match_arm, reason = "all others have rows")]
        match self {
            Self::Receipt(_) => ["receipt", "receipts"],
            Self::Draft(_) => ["draft", "drafts"],
            _ => ["row", "rows"],
        }
    }

    /// The formats in which these rows can be written.
    pub fn formats(&self) -> &'static [FileFormat] {
        match self {
            Self::Matching(_) | Self::Marked(_) => FileFormat::TABLES_AND_BOOKS,
            Self::Receipt(_) => FileFormat::RECEIPTS,
            Self::Draft(_) => &[FileFormat::Table(ExportFormat::Json)],
            Self::Wallets(..)
            | Self::Users(_)
            | Self::Accounts(_)
            | Self::Balances(..)
            | Self::Assets(_)
            | Self::Addresses(_)
            | Self::Deposits(_)
            | Self::Withdrawals(_)
            | Self::Transfers(_)
            | Self::Orders(_)
            | Self::Tokens(_)
            | Self::Chains(..)
            | Self::Pairs(_)
            | Self::Events(_)
            | Self::Report(_)
            | Self::Book(..) => FileFormat::TABLES,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRows<T> {
    pub user: Option<UserId>,
    pub name: Option<Text>,
    /// When version 1 reported them; `None` for rows from elsewhere.
    pub as_of: Option<Timestamp>,
    /// Coins among the rows that imitate the spelling of listed ones.
    pub imitations: Vec<Text>,
    pub rows: Vec<T>,
}
