//! Queries to the store, and its answers.

use crate::app::overlays::directory_record::DirectoryRecord;
use crate::app::pages::users::UserDetails;
use crate::app::screen::HistoryList;
use crate::domain::entry_source::Sourced;
use crate::domain::history::{HistoryRow, PriceList, Query, Scope, Window, WindowRequest};
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff};
use crate::domain::poison::PoisonFilter;
use crate::domain::watch::{ScopedReading, Watch};
use crate::domain::{
    Account, AddressBook, FinalStatuses, Holding, Text, Timestamp, Token, TokenKey, TotalSample, User, UserId, Wallet,
    WalletId,
};
use crate::guard::{ExpectedFee, OwnAddress};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreQuery {
    Accounts,
    /// Wallets with more than one reported address, not yet resolved.
    AddressConflicts,
    /// The known addresses, with the statuses that are final at this service.
    KnownAddresses(FinalStatuses),
    Wallets {
        scope: Scope,
        /// A text in name, address or chain.
        filter: String,
        first: u64,
        rows: u32,
    },
    User(UserId),
    Users {
        /// A text in name, reference, e-mail address or identifier.
        filter: String,
        first: u64,
        rows: u32,
        /// A user that the window must contain, whatever their rank, if they are listed at all.
        include: Option<UserId>,
        /// Whether to re-sort users whose names arrived late before the query.
        rearrange: bool,
    },
    Holdings(Scope),
    /// The holdings of all accounts together.
    Total,
    /// Earlier totals in a valuation, and one to keep with them, with the prices that it is valued by.
    TotalSamples(Text, Option<Box<(TotalSample, PriceList)>>),
    /// The data of watches; the address book names counterparties.
    WatchedData(Vec<Watch>, Box<AddressBook>),
    /// A mark of the present history, which the operator sees at this time: it is kept for the next start.
    HistoryCheckpoint(Timestamp),
    /// The mark that was kept last.
    LastVisitState,
    /// The changes of the history since a mark.
    ChangesSince(Box<HistoryCheckpoint>),
    History(HistoryList, WindowRequest),
    Tokens,
    /// Which of these rows, by `seq`, a query does not match.
    NonMatchingRows(HistoryList, Query, Vec<i64>),
    /// Present versions of rows, by `seq`.
    Rows(Vec<i64>),
    /// The first wallets with a text in name, address or chain.
    PayerWallets {
        filter: String,
        rows: u32,
    },
    WalletHoldings(WalletId),
    /// An account or a wallet with all that is known of it, without the rows that deceive.
    DirectoryRecord(Scope, PoisonFilter),
    /// The fees of past payments of a token, under its symbol.
    FeeEstimate(Text, TokenKey),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreResult {
    Accounts(Vec<Sourced<Account>>),
    AddressConflicts(Vec<Sourced<Wallet>>),
    KnownAddresses {
        /// Addresses of the business's own wallets.
        own: Vec<OwnAddress>,
        /// Recipients of settled payments in the history.
        paid: Vec<Text>,
    },
    Wallets(Scope, Window<Sourced<Wallet>>),
    User(UserId, Box<UserDetails>),
    Users(Window<Sourced<User>>),
    Holdings {
        scope: Scope,
        all: Vec<Holding>,
        /// How many users' balances the sums contain.
        users: u64,
    },
    Total {
        all: Vec<Holding>,
        users: u64,
        /// The time of the oldest balances; `None` while some have never been read.
        read_since: Option<Timestamp>,
    },
    TotalSamples(Vec<TotalSample>),
    /// The data of each watch, in the order of the query.
    WatchedData(Vec<ScopedReading>),
    HistoryCheckpoint(Box<HistoryCheckpoint>),
    LastVisitState(Option<(Timestamp, Box<HistoryCheckpoint>)>),
    ChangesSince(HistoryDiff),
    History(HistoryList, Query, Window<HistoryRow>),
    /// Which of the queried rows the query does not match.
    NonMatchingRows(HistoryList, Query, Vec<i64>),
    Rows(Vec<HistoryRow>),
    Tokens(Vec<Token>),
    /// The first wallets that match a text.
    PayerWallets(String, Window<Sourced<Wallet>>),
    WalletHoldings(WalletId, Vec<Holding>),
    /// `None` for one that is not known.
    DirectoryRecord(Option<Box<DirectoryRecord>>),
    /// The expected fee of a token, from past payments.
    FeeEstimate(TokenKey, Option<ExpectedFee>),
}
