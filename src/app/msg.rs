//! Messages, effects and queries of the console.

mod effect;
mod store_query;

pub use effect::Effect;
pub(in crate::app) use effect::EffectRisk;
pub use store_query::{StoreQuery, StoreResult};

use crossterm::event::KeyEvent;

use super::data::analyses::{AnalysisQuery, AnalysisResult};
use super::data::poll::{Dataset, Snapshot};
use super::data::proposals::ProposalReport;
use super::forms::batch::CheckedBatch;
use super::overlays::export::ExportProgress;
use super::overlays::movement_search::MovementSearchResult;
use super::overlays::record::sandbox;
use super::pages::book::BookSnapshot;
use super::pages::users::MovementPage;
use super::request_id::RequestId;
use super::screen::Size;
use crate::domain::approval::StatementKind;
use crate::domain::attention::Acknowledgements;
use crate::domain::book::Contact;
use crate::domain::csv_table::ImportFailure;
use crate::domain::directory::ImportSummary;
use crate::domain::draft_file::DraftFile;
use crate::domain::order::{AddressRelations, OrderState};
use crate::domain::saved_view::ViewChange;
use crate::domain::v1::Quote;
use crate::domain::watch::WatchEdit;
use crate::domain::{Draft, Failure, Order, OrderId, ReceivedQuote, Skew, Text, Timestamp, WebhookHints};
use crate::guard::{ContactReview, GuardFacts, LimitUsage};

/// A recorded order, with what the operator needs to judge it.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedOrder {
    /// Nothing has been sent yet.
    pub order: Order,
    /// Decoded from the serialised request.
    pub draft: Draft,
    /// Facts for the guard; `None` if the order moves no money.
    pub facts: Option<GuardFacts>,
    /// Names in the request that the specification does not document.
    pub undocumented_names: Vec<Text>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    Key(KeyEvent),
    Paste(String),
    /// An oversized paste was dropped.
    PasteTooLong,
    Resized(Size),
    /// Time passed, or something is due.
    Tick(Timestamp),
    /// The time of the input that follows, at which a lock or an absence begins before it.
    InputTime(Timestamp),
    /// The terminal's window gained or lost the focus.
    Focus(bool),
    /// The clock difference to the service, when it changed.
    Clock(Skew),
    /// The result of [`Effect::Load`].
    Loaded {
        dataset: Dataset,
        request_id: RequestId,
        result: Result<Snapshot, Failure>,
    },
    /// The result of [`Effect::QueryStore`].
    StoreAnswered {
        request_id: RequestId,
        answer: Result<StoreResult, Failure>,
    },
    /// The result of [`Effect::Prepare`]: the draft was serialised and recorded. Nothing was sent.
    Prepared {
        request_id: RequestId,
        result: Result<Box<PreparedOrder>, Failure>,
    },
    /// What waits for approval, and who signs at this desk.
    Proposals(Result<ProposalReport, Failure>),
    /// An order was proposed, by this rule; or why not.
    Proposed {
        order_id: OrderId,
        result: Result<Text, Failure>,
    },
    ProposalSigned {
        order_id: OrderId,
        kind: StatementKind,
        result: Result<(), Failure>,
    },
    ProposalImported(Result<OrderId, Failure>),
    /// The result of [`Effect::LoadFacts`].
    FactsLoaded {
        request_id: RequestId,
        order_id: OrderId,
        result: Result<Box<GuardFacts>, Failure>,
    },
    /// The result of [`Effect::Send`]; an error says why nothing was sent. [`Msg::Orders`] precedes it.
    Sent {
        order_id: OrderId,
        /// The new state of the order.
        result: Result<OrderState, Failure>,
    },
    /// Webhooks were received or rejected. They prove nothing but that a read is worthwhile now.
    Hints(WebhookHints),
    /// The address at which webhooks are received, or why the configured listener failed.
    Listening(Result<String, String>),
    /// The result of [`Effect::RunAnalysis`].
    AnalysisLoaded {
        request_id: RequestId,
        query: Box<AnalysisQuery>,
        result: Result<Box<AnalysisResult>, Failure>,
    },
    /// The result of [`Effect::Import`]: all entries or none.
    Imported(Result<ImportSummary, ImportFailure>),
    /// The result of [`Effect::WriteErrors`]: the path of the new file.
    ErrorsWritten(Result<String, String>),
    /// The last frame has reached the terminal.
    FrameDrawn,
    /// Progress, the end or the failure of [`Effect::Export`].
    ExportProgress {
        request_id: RequestId,
        result: Result<ExportProgress, Failure>,
    },
    /// The result of [`Effect::LoadRaw`]; `None` if the service's list does not contain the transaction.
    RawLoaded {
        request_id: RequestId,
        result: Result<Option<String>, Failure>,
    },
    /// Orders of the journal: all open ones and the newest closed ones, newest first. Follows every change of the
    /// journal, by this console or another one.
    Orders(Result<Vec<Order>, Failure>),
    /// The base addresses that the profile has had, from the journal; precedes [`Msg::Orders`].
    Addresses(AddressRelations),
    /// What needs a person and somebody takes care of, from the journal.
    Acknowledgements(Box<Acknowledgements>),
    /// The result of [`Effect::Acknowledge`].
    Acknowledged(Result<(), Failure>),
    /// The result of [`Effect::EditWatch`]; with a reason where it counts for this console alone.
    WatchEdited {
        edit: Box<WatchEdit>,
        result: Result<Option<&'static str>, Failure>,
    },
    /// The address book in the journal, or why it cannot be read.
    Book(Result<Box<BookSnapshot>, Failure>),
    /// The result of [`Effect::CountLimits`].
    LimitsCounted {
        request_id: RequestId,
        result: Result<Vec<LimitUsage>, Failure>,
    },
    /// The result of [`Effect::JudgeContact`].
    ContactJudged {
        request_id: RequestId,
        result: Result<Box<(Contact, ContactReview)>, Failure>,
    },
    /// The result of [`Effect::ChangeBook`].
    BookChanged {
        request_id: RequestId,
        result: Result<(), Failure>,
    },
    /// The result of [`Effect::ImportBook`]: all rows or none.
    BookImported(Result<String, ImportFailure>),
    /// The result of [`Effect::ReadDraft`].
    DraftRead(Result<Box<DraftFile>, String>),
    /// The result of [`Effect::ResolveAddress`].
    AddressResolved(Result<(), Failure>),
    /// The result of [`Effect::LoadSandbox`].
    Sandbox {
        request_id: RequestId,
        /// Each part may have failed by itself.
        data: Box<sandbox::SandboxData>,
    },
    /// The result of [`Effect::LoadMovements`].
    MovementsLoaded {
        request_id: RequestId,
        page_no: u64,
        result: Result<MovementPage, Failure>,
    },
    /// The result of [`Effect::FindMovement`].
    MovementSearched {
        request_id: RequestId,
        /// Each list may have failed by itself.
        result: Box<MovementSearchResult>,
    },
    /// The result of [`Effect::CheckBatch`]; an error says why the recipients could not be read or judged.
    BatchChecked {
        request_id: RequestId,
        result: Result<Box<CheckedBatch>, String>,
    },
    /// The result of [`Effect::CompletePath`]: candidates, folders with a trailing slash.
    PathsFound {
        request_id: RequestId,
        paths: Vec<String>,
    },
    /// The result of [`Effect::LoadQuote`].
    Quoted {
        request_id: RequestId,
        result: Result<Box<Quote>, Failure>,
    },
    /// A confirmed swap was not sent: its fresh quote is worse than the review showed and the slippage bound allows, is
    /// for another swap, or could not be obtained.
    Requoted {
        order_id: OrderId,
        result: Result<Box<ReceivedQuote>, Failure>,
    },
    /// The result of [`Effect::ChangeViews`]: whether the configuration has the change.
    ViewsChanged {
        change: ViewChange,
        result: Result<(), Failure>,
    },
    /// The result of [`Effect::Unlock`]; an error says why the passphrase could not be checked.
    Unlocked {
        request_id: RequestId,
        /// Whether the passphrase is right.
        result: Result<bool, Failure>,
    },
}
