//! What is to be done: plain data, which somebody else performs.

#[cfg(doc)]
use super::Msg;
use super::{Dataset, ExportRows, RequestId, StoreQuery, Target};
use crate::app::charts::ChartQuery;
use crate::app::forms::batch::BatchCheck;
use crate::app::lock::SecretInput;
use crate::domain::book::{BookChange, Contact};
use crate::domain::history::Sourced;
use crate::domain::intent::{Because, Confirmation};
use crate::domain::watch::Alert;
use crate::domain::{Amount, Book, Direction, Draft, Format, OrderId, Sender, Text, TransactionId, UserId, Wallet};

/// Something to be done; each is answered by one message, or, for a history filter, by one for the first screenful
/// and one for the exact count, and, for sums of many wallets, by what they were at an earlier time and what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read from the service. Answered by [`Msg::Loaded`].
    Load {
        /// What.
        dataset: Dataset,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Ask the store. Answered by [`Msg::StoreAnswered`].
    QueryStore {
        /// What.
        query: StoreQuery,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Work a picture out from the store, aside from its questions. Answered by [`Msg::ChartLoaded`].
    ComputeChart {
        /// What.
        query: ChartQuery,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Freeze a draft into the bytes of its request and record them. Sends nothing. Answered by [`Msg::Prepared`].
    Prepare {
        /// What is wanted.
        draft: Draft,
        /// The paying side, for a payment.
        sender: Option<Sender>,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Look anew at what is known around a payment; a stale balance is read again first. Answered by [`Msg::FactsLoaded`].
    LoadFacts {
        /// Of which intent.
        intent: OrderId,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Record the confirmation, if this is the first time; record the attempt; send exactly the recorded bytes; record
    /// the answer. Answered by [`Msg::Orders`] and [`Msg::Sent`]; a swap whose quote has moved, by
    /// [`Msg::Requoted`] alone.
    Send {
        /// Which intent.
        intent: OrderId,
        /// Why.
        reason: Because,
        /// What the operator confirmed; `None` when it was confirmed before.
        confirmation: Option<Confirmation>,
    },
    /// Give up an intent of which nothing was sent. Answered by [`Msg::Orders`].
    Abandon(OrderId),
    /// Close an intent whose fate stays unknown. Answered by [`Msg::Orders`].
    WriteOff {
        /// Which intent.
        intent: OrderId,
        /// Why, in the operator's words.
        reason: Text,
    },
    /// Record whether the service at an earlier address of the profile is the same. Answered by [`Msg::Addresses`].
    RecordServiceAddress {
        /// The earlier address.
        other: Text,
        /// What the operator said.
        is_same: bool,
    },
    /// Record that this address is the wallet's own, of those that the service told. Answered by [`Msg::AddressResolved`].
    ResolveAddress {
        /// The wallet, with what was told of it.
        wallet: Box<Sourced<Wallet>>,
        /// The address.
        address: Text,
    },
    /// Bring into the directory what a line names: an entry, or a file of them. Answered by [`Msg::Imported`].
    Import(String),
    /// Read the recipients of a batch, and judge each of them. Answered by [`Msg::BatchChecked`].
    CheckBatch {
        /// Which, and for what batch.
        check: Box<BatchCheck>,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Look for paths that complete a typed one. Answered by [`Msg::PathsFound`].
    CompletePath {
        /// What is typed.
        prefix: String,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Judge whom somebody wants to enter into the address book. Answered by [`Msg::ContactJudged`].
    JudgeContact {
        /// Whom.
        contact: Box<Contact>,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Record a change of the address book. Answered by [`Msg::Book`] and [`Msg::BookChanged`].
    ChangeBook {
        /// What.
        change: Box<BookChange>,
        /// Dangers that were overridden, in the words that were typed.
        overridden: Vec<Text>,
        /// The book by which it was judged: should it be another by now, nothing is recorded.
        judged_book: Box<Book>,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Bring the rows of a file into the address book, all or none. Answered by [`Msg::Book`] and [`Msg::BookImported`].
    ImportBook(String),
    /// Read what the sandbox of version 1 holds. Answered by [`Msg::Sandbox`].
    LoadSandbox {
        /// Of which sub-wallet; of all of them, where absent.
        sub_wallet: Option<UserId>,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Read the journal. Answered by [`Msg::Orders`].
    ReadJournal,
    /// Write rows into a new file, or as a text for the clipboard. Answered by [`Msg::ExportProgress`], several times while it
    /// goes on.
    Export {
        /// Which rows.
        rows: ExportRows,
        /// Where to.
        target: Target,
        /// How rows are written.
        format: Format,
        /// The turn that the answers must carry.
        turn: RequestId,
    },
    /// Stop the export that is under way. Answered by its own last answer.
    StopExport,
    /// Read a transaction as the service writes it. Answered by [`Msg::RawLoaded`].
    LoadRaw {
        /// Its place in the store, which tells where in the service's list it stands.
        seq: i64,
        /// Its identifier.
        id: TransactionId,
        /// In which list it stands.
        direction: Direction,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Put a text on the terminal's clipboard. Nobody answers: no terminal does.
    Copy(String),
    /// Call the operator, who may look elsewhere. It is not answered.
    Alert {
        /// How.
        alert: Alert,
        /// What there is to tell.
        words: String,
    },
    /// Ask what a swap would give. Answered by [`Msg::Quoted`].
    LoadQuote {
        /// The coin that is sold.
        from: Text,
        /// How much of it.
        amount: Amount,
        /// The coin that is bought.
        to: Text,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Hold what was typed to unlock paying against what is right. Answered by [`Msg::Unlocked`].
    Unlock {
        /// What was typed; it is shown by nothing, and wiped.
        secret: SecretInput,
        /// The turn that the answer must carry.
        turn: RequestId,
    },
    /// Stop the program as a shell's job; on return the screen is painted anew.
    Suspend,
    /// End this console and open another profile in its place.
    OpenProfile(Text),
    /// End the program.
    Quit,
}
