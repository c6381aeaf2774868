//! Effects: plain data, which the runtime performs.

use std::sync::Arc;

#[cfg(doc)]
use super::Msg;
use super::{RequestId, StoreQuery};
use crate::app::data::analyses::AnalysisQuery;
use crate::app::data::poll::Dataset;
use crate::app::forms::batch::BatchCheck;
use crate::app::input::path_completions::PathKind;
use crate::app::overlays::export::{ExportRows, ExportTarget};
use crate::app::overlays::movement_search::MovementSearch;
use crate::app::pages::users::MovementList;
use crate::app::session::lock::SecretInput;
use crate::domain::address_names::AddressNames;
use crate::domain::approval::StatementKind;
use crate::domain::attention::AcknowledgementChange;
use crate::domain::book::{BookChange, Contact};
use crate::domain::csv_table::RefusedRows;
use crate::domain::entry_source::Sourced;
use crate::domain::order::{Confirmation, SendReason};
use crate::domain::saved_view::ViewChange;
use crate::domain::template::TemplateUse;
use crate::domain::watch::{AlertChannels, WatchEdit, WatchNotice};
use crate::domain::{
    AddressBook, Amount, Direction, Draft, FileFormat, OrderId, Sender, Text, TransactionId, UserId, Wallet,
};

/// A request to the runtime. Each is answered by one message, with two exceptions: a history filter by the first
/// screenful and then the exact count, and sums of many wallets by their cached values and then the present ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Reads from the service. Answered by [`Msg::Loaded`].
    Load {
        dataset: Dataset,
        request_id: RequestId,
    },
    /// Queries the store. Answered by [`Msg::StoreAnswered`].
    QueryStore {
        query: StoreQuery,
        request_id: RequestId,
    },
    /// Runs a slow query of the store, in parallel to the others. Answered by [`Msg::AnalysisLoaded`].
    RunAnalysis {
        query: AnalysisQuery,
        request_id: RequestId,
    },
    /// Serialises a draft into the bytes of its request and records them. Sends nothing. Answered by [`Msg::Prepared`].
    Prepare {
        draft: Draft,
        sender: Option<Sender>,
        /// What the form was filled in from.
        template: Option<TemplateUse>,
        request_id: RequestId,
    },
    /// Collects the guard's facts again; a stale balance is read first. Answered by [`Msg::FactsLoaded`].
    LoadFacts {
        order_id: OrderId,
        request_id: RequestId,
    },
    /// Records the confirmation, if this is the first attempt; records the attempt; sends exactly the recorded bytes;
    /// records the answer. Answered by [`Msg::Orders`] and [`Msg::Sent`]; for a swap whose quote has moved, by
    /// [`Msg::Requoted`] alone.
    Send {
        order_id: OrderId,
        reason: SendReason,
        /// What the operator confirmed; `None` for an order confirmed before.
        confirmation: Option<Confirmation>,
    },
    /// Records the confirmation and signs a proposal of the order; sends nothing. Answered by [`Msg::Orders`],
    /// [`Msg::Proposals`] and [`Msg::Proposed`].
    Propose {
        order_id: OrderId,
        confirmation: Confirmation,
    },
    /// Opens a proposal for review, from its bytes. Answered by [`Msg::Prepared`].
    OpenProposal {
        order_id: OrderId,
        /// Whether to send it; an order from another journal is then recorded in this one. Else to approve it.
        releases: bool,
        request_id: RequestId,
    },
    /// Signs that a proposal is approved or refused. Answered by [`Msg::Proposals`] and [`Msg::ProposalSigned`].
    SignProposal {
        order_id: OrderId,
        kind: StatementKind,
        /// Of a refusal.
        reason: Option<Text>,
    },
    /// Takes in a proposal, or signatures over it, as a text. Answered by [`Msg::Proposals`] and
    /// [`Msg::ProposalImported`].
    ImportProposal(String),
    /// Reads what waits for approval. Answered by [`Msg::Proposals`].
    ReadProposals,
    /// Abandons an order of which nothing was sent. Answered by [`Msg::Orders`].
    Abandon(OrderId),
    /// Closes an order whose outcome stays unknown. Answered by [`Msg::Orders`].
    WriteOff {
        order_id: OrderId,
        reason: Text,
    },
    /// Records whether the service at an earlier address of the profile is the same. Answered by [`Msg::Addresses`].
    RecordServiceAddress {
        /// The earlier address.
        earlier_address: Text,
        is_same: bool,
    },
    /// Records which of a wallet's reported addresses is its own. Answered by [`Msg::AddressResolved`].
    ResolveAddress {
        /// The wallet with its reported addresses.
        wallet: Box<Sourced<Wallet>>,
        address: Text,
    },
    /// Records acknowledgements of what needs a person, or their withdrawal. Answered by [`Msg::Acknowledged`].
    Acknowledge(Vec<AcknowledgementChange>),
    /// Changes the watches of the profile. Answered by [`Msg::WatchEdited`].
    EditWatch(Box<WatchEdit>),
    /// Reports a change of a watch to whoever runs the console without a screen. No answer.
    ReportWatch(Box<WatchNotice>),
    /// Imports into the directory what a line names: an entry, or a file of entries. Answered by [`Msg::Imported`].
    Import(String),
    /// Reads the recipients of a batch and judges each of them. Answered by [`Msg::BatchChecked`].
    CheckBatch {
        check: Box<BatchCheck>,
        request_id: RequestId,
    },
    /// Writes the refused rows of a file, with their reasons, to a new file beside it. Answered by
    /// [`Msg::ErrorsWritten`].
    WriteErrors(Box<RefusedRows>),
    /// Lists paths that complete a typed one. Answered by [`Msg::PathsFound`].
    CompletePath {
        prefix: String,
        kind: PathKind,
        request_id: RequestId,
    },
    /// Counts what was paid towards the limits of the policy. Answered by [`Msg::LimitsCounted`].
    CountLimits(RequestId),
    /// Judges a new entry of the address book. Answered by [`Msg::ContactJudged`].
    JudgeContact {
        contact: Box<Contact>,
        request_id: RequestId,
    },
    /// Records a change of the address book. Answered by [`Msg::Book`] and [`Msg::BookChanged`].
    ChangeBook {
        change: Box<BookChange>,
        /// Overridden warnings, in the words that the operator typed.
        overridden: Vec<Text>,
        /// The book on which the judgement is based: if it has changed since, nothing is recorded.
        judged_book: Box<AddressBook>,
        request_id: RequestId,
    },
    /// Imports the rows of a file into the address book, all or none. Answered by [`Msg::Book`] and
    /// [`Msg::BookImported`].
    ImportBook(String),
    /// Reads a draft that was written to a file. Answered by [`Msg::DraftRead`].
    ReadDraft(String),
    /// Reads the sandbox of version 1. Answered by [`Msg::Sandbox`].
    LoadSandbox {
        /// `None` for all sub-wallets together.
        sub_wallet: Option<UserId>,
        request_id: RequestId,
    },
    /// Reads a page of a user's movements by version 1. Answered by [`Msg::MovementsLoaded`].
    LoadMovements {
        list: MovementList,
        user: UserId,
        /// Counted from 1.
        page_no: u64,
        request_id: RequestId,
    },
    /// Searches version 1 for a movement. Answered by [`Msg::MovementSearched`].
    FindMovement {
        search: MovementSearch,
        request_id: RequestId,
    },
    /// Reads the journal. Answered by [`Msg::Orders`].
    ReadJournal,
    /// Exports rows to a new file, or as a text for the clipboard. Answered by [`Msg::ExportProgress`], several times.
    Export {
        rows: ExportRows,
        target: ExportTarget,
        format: FileFormat,
        /// The names beside addresses and identifiers.
        names: Arc<AddressNames>,
        request_id: RequestId,
    },
    /// Stops the running export. Answered by the last [`Msg::ExportProgress`] of that export.
    StopExport,
    /// Reads a transaction as the service sends it. Answered by [`Msg::RawLoaded`].
    LoadRaw {
        /// Its position in the store, from which its page in the service's list follows.
        seq: i64,
        id: TransactionId,
        /// Selects the service's list: incoming or outgoing.
        direction: Direction,
        request_id: RequestId,
    },
    /// Changes the saved views of the profile in the configuration. Answered by [`Msg::ViewsChanged`].
    ChangeViews(ViewChange),
    /// Copies a text to the terminal's clipboard. No answer: no terminal confirms it.
    Copy(String),
    /// Alerts the operator, who may not look at the screen. No answer.
    Alert {
        alert: AlertChannels,
        text: String,
    },
    /// Requests a quote. Answered by [`Msg::Quoted`].
    LoadQuote {
        /// The coin that is sold.
        from: Text,
        /// In `from`.
        amount: Amount,
        /// The coin that is bought.
        to: Text,
        request_id: RequestId,
    },
    /// Checks what was typed to unlock paying. Answered by [`Msg::Unlocked`].
    Unlock {
        /// Never shown, and wiped on drop.
        secret: SecretInput,
        request_id: RequestId,
    },
    /// Stops the program as a shell's job; after it continues the screen is repainted.
    Suspend,
    /// Ends this console and opens another profile in the same terminal.
    OpenProfile(Text),
    Quit,
}

/// What an effect may do that the lock or the veil prevents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum EffectRisk {
    None,
    /// Shows or hands on what the veil hides.
    Reveals,
    /// Pays, or changes what a payment depends on: prevented by the lock and by the veil.
    Pays,
}

impl Effect {
    pub(in crate::app) fn risk(&self) -> EffectRisk {
        match self {
            // Orders confirmed before are still followed up.
            Self::Send { reason: SendReason::Retry, .. }
            | Self::Load { .. }
            | Self::QueryStore { .. }
            | Self::RunAnalysis { .. }
            | Self::LoadMovements { .. }
            | Self::LoadFacts { .. }
            | Self::Abandon(_)
            | Self::Acknowledge(_)
            | Self::EditWatch(_)
            | Self::ReportWatch(_)
            | Self::CheckBatch { .. }
            | Self::CompletePath { .. }
            | Self::CountLimits(_)
            | Self::ReadDraft(_)
            | Self::JudgeContact { .. }
            | Self::ReadJournal
            | Self::ReadProposals
            | Self::StopExport
            | Self::LoadQuote { .. }
            | Self::ChangeViews(_)
            | Self::Unlock { .. }
            | Self::Suspend
            | Self::Quit => EffectRisk::None,
            Self::Send { .. }
            | Self::Prepare { .. }
            | Self::Propose { .. }
            | Self::OpenProposal { .. }
            | Self::SignProposal { .. }
            | Self::ImportProposal(_)
            | Self::WriteOff { .. }
            | Self::RecordServiceAddress { .. }
            | Self::Import(_)
            | Self::ResolveAddress { .. }
            | Self::ChangeBook { .. }
            | Self::ImportBook(_)
            // The console of another profile may start open.
            | Self::OpenProfile(_) => EffectRisk::Pays,
            Self::LoadSandbox { .. }
            | Self::FindMovement { .. }
            | Self::Export { .. }
            | Self::WriteErrors(_)
            | Self::LoadRaw { .. }
            | Self::Copy(_)
            | Self::Alert { .. } => EffectRisk::Reveals,
        }
    }
}
