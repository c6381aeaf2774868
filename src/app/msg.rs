//! What comes in, and what is asked for.

mod effect;
mod snapshot;
mod store_query;

pub use effect::Effect;
pub use snapshot::Snapshot;
pub use store_query::{Answer, HistoryList, StoreQuery};

use super::Key;
use super::book::BookSnapshot;
use super::charts::{ChartQuery, ChartResult};
use super::export::{ExportProgress, ExportRows, Target};
use super::forms::batch::CheckedBatch;
use super::prices::QuoteRequest;
use super::sandbox;
use crate::domain::book::Contact;
use crate::domain::directory::ImportSummary;
use crate::domain::history::Scope;
use crate::domain::intent::{ServiceAddresses, State};
use crate::domain::v1::Quote;
use crate::domain::{Draft, Failure, Hints, Order, OrderId, ReceivedQuote, Skew, Text, Timestamp, UserId};
use crate::guard::{ContactReview, GuardFacts};

/// Counts the requests of one kind; an answer carries the turn that it answers, and a stale one is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct RequestId(pub u64);

impl RequestId {
    /// Moves on and gives the new turn.
    #[must_use = "the request must carry it"]
    pub fn advance(&mut self) -> Self {
        self.0 = self.0.wrapping_add(1);
        *self
    }
}

/// The size of the screen, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// What is read from the service, each at most once at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Dataset {
    /// The newest rows of the history.
    Latest,
    /// The next stretch of the first read of the history.
    Backfill,
    /// Accounts, wallets and users, where the service lists them.
    Lists {
        /// Whether version 1 may be asked too.
        v1: bool,
    },
    /// What else than balances is told of one user.
    User {
        /// Whom.
        user: UserId,
        /// Whether version 1 is asked too.
        v1: bool,
    },
    /// Balances of the users of a scope, those read longest ago first, a few at a time.
    Balances(Scope),
    /// Balances of those that watches look at.
    WatchedBalances(Vec<Scope>),
    /// Counts of the whole workspace.
    Stats,
    /// Tokens and their blockchains.
    Markets,
    /// The pairs that the service swaps.
    Pairs,
    /// What swaps would give now.
    Quotes(Vec<QuoteRequest>),
    /// What became of the orders that are open: the outgoing history back to where it was known before the oldest of
    /// them, looked through for their keys and references.
    Orders,
}

/// An intent as it was recorded, with what the operator needs to judge it.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedOrder {
    /// The intent; nothing has been sent.
    pub intent: Order,
    /// What its frozen bytes say, read back from them.
    pub draft: Draft,
    /// What is known around a payment; `None` for what moves no money.
    pub facts: Option<GuardFacts>,
    /// Names in the request that the specification does not show.
    pub undocumented_names: Vec<Text>,
}

/// Something came in.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// More text was pasted than anybody means to paste; it was dropped.
    PasteTooLong,
    /// The screen has a new size.
    Resized(Size),
    /// Time went on, or something was due.
    Tick(Timestamp),
    /// The terminal's window gained or lost the focus.
    Focus(bool),
    /// An answer of the service has shown how this machine's clock stands against its own. It comes where that is news.
    Clock(Skew),
    /// The service answered, or did not.
    Loaded {
        /// What had been asked.
        dataset: Dataset,
        /// The turn that this answers.
        turn: RequestId,
        /// The answer.
        result: Result<Snapshot, Failure>,
    },
    /// The store answered, or could not.
    StoreAnswered {
        /// The turn that this answers.
        turn: RequestId,
        /// The answer; an error says why the store could not be read.
        answer: Result<Answer, Failure>,
    },
    /// A draft was frozen and recorded, or could not be. Nothing was sent.
    Prepared {
        /// The turn that this answers.
        turn: RequestId,
        /// The intent.
        result: Result<Box<PreparedOrder>, Failure>,
    },
    /// What is known around a payment was looked at anew.
    FactsLoaded {
        /// The turn that this answers.
        turn: RequestId,
        /// Of which intent.
        intent: OrderId,
        /// What is known.
        result: Result<Box<GuardFacts>, Failure>,
    },
    /// A request was sent, and this came of it; an error says why nothing was sent. [`Msg::Orders`] comes before it.
    Sent {
        /// Of which intent.
        intent: OrderId,
        /// How it stands now.
        result: Result<State, Failure>,
    },
    /// Webhooks came in, or were refused. They say nothing but that it is worth reading now.
    Hints(Hints),
    /// Webhooks are listened for, at this place; or they were to be and are not, for this reason.
    Listening(Result<String, String>),
    /// A picture was worked out from the store, or could not be.
    ChartLoaded {
        /// The turn that this answers.
        turn: RequestId,
        /// What was wanted.
        query: Box<ChartQuery>,
        /// What came of it.
        result: Result<Box<ChartResult>, Failure>,
    },
    /// Entries were brought into the directory, or none of them was; an error says what is wrong, a line each.
    Imported(Result<ImportSummary, Vec<String>>),
    /// What the model showed last has reached the terminal.
    FrameDrawn,
    /// An export came further, ended or failed.
    ExportProgress {
        /// The turn that this answers.
        turn: RequestId,
        /// How far it has come.
        result: Result<ExportProgress, Failure>,
    },
    /// A transaction as the service writes it; `None` where its list does not hold it.
    RawLoaded {
        /// The turn that this answers.
        turn: RequestId,
        /// The text.
        result: Result<Option<String>, Failure>,
    },
    /// The journal was read: orders that are open, and the newest of the others, the newest first. It comes after every
    /// change of the journal, by this console or by another.
    Orders(Result<Vec<Order>, Failure>),
    /// Under which base addresses the profile stood, by the journal; before [`Msg::Orders`].
    Addresses(ServiceAddresses),
    /// The address book as the journal has it, or why it cannot be read.
    Book(Result<Box<BookSnapshot>, Failure>),
    /// Whom somebody wants to enter into the address book, and what is to be said of it.
    ContactJudged {
        /// The turn that this answers.
        turn: RequestId,
        /// What was found.
        result: Result<Box<(Contact, ContactReview)>, Failure>,
    },
    /// A change of the address book was recorded, or was not.
    BookChanged {
        /// The turn that this answers.
        turn: RequestId,
        /// Whether it was.
        result: Result<(), Failure>,
    },
    /// The rows of a file were entered into the address book, or none of them was; an error says what is wrong, a line
    /// each.
    BookImported(Result<String, Vec<String>>),
    /// It was recorded which address of a wallet is right, or was not.
    AddressResolved(Result<(), Failure>),
    /// What the sandbox of version 1 holds.
    Sandbox {
        /// The turn that this answers.
        turn: RequestId,
        /// What was told, part by part.
        told: Box<sandbox::SandboxData>,
    },
    /// The recipients of a batch were read and judged, or could not be; an error says why.
    BatchChecked {
        /// The turn that this answers.
        turn: RequestId,
        /// What came of it.
        result: Result<Box<CheckedBatch>, String>,
    },
    /// Paths that complete a typed one, folders with a slash at their end.
    PathsFound {
        /// The turn that this answers.
        turn: RequestId,
        /// The paths.
        found: Vec<String>,
    },
    /// What a swap would give was told, or could not be.
    Quoted {
        /// The turn that this answers.
        turn: RequestId,
        /// The quote.
        result: Result<Box<Quote>, Failure>,
    },
    /// A confirmed swap was not sent, since its quote, asked for right before, is worse than the review showed and the
    /// bound allows, speaks of something else, or could not be had.
    Requoted {
        /// Of which intent.
        intent: OrderId,
        /// What the swap would give now.
        result: Result<Box<ReceivedQuote>, Failure>,
    },
    /// What was typed to unlock paying was held against what is right; an error says why it could not be.
    Unlocked {
        /// The turn that this answers.
        turn: RequestId,
        /// Whether it is right.
        result: Result<bool, Failure>,
    },
}
