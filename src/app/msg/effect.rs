//! What is to be done: plain data, which somebody else performs.

#[cfg(doc)]
use super::Msg;
use super::{Dataset, Question, Rows, Target, Turn};
use crate::app::forms::batch::Checking;
use crate::app::lock::Typed;
use crate::app::pictures::Picture;
use crate::domain::book::{Change, Contact};
use crate::domain::history::Known;
use crate::domain::intent::{Because, Confirmation};
use crate::domain::watch::Alert;
use crate::domain::{Amount, Book, Direction, Draft, Format, IntentId, Sender, Text, TransactionId, UserId, Wallet};

/// Something to be done; each is answered by one message, or, for a history filter, by one for the first screenful
/// and one for the exact count, and, for sums of many wallets, by what they were at an earlier time and what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read from the service. Answered by [`Msg::Loaded`].
    Load {
        /// What.
        what: Dataset,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Ask the store. Answered by [`Msg::Answered`].
    Ask {
        /// What.
        question: Question,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Work a picture out from the store, aside from its questions. Answered by [`Msg::Pictured`].
    Picture {
        /// What.
        what: Picture,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Freeze a draft into the bytes of its request and record them. Sends nothing. Answered by [`Msg::Prepared`].
    Prepare {
        /// What is wanted.
        draft: Draft,
        /// The paying side, for a payment.
        sender: Option<Sender>,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Look anew at what is known around a payment; a stale balance is read again first. Answered by [`Msg::Known`].
    Know {
        /// Of which intent.
        intent: IntentId,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Record the confirmation, if this is the first time; record the attempt; send exactly the recorded bytes; record
    /// the answer. Answered by [`Msg::Orders`] and [`Msg::Sent`]; a swap whose quote has moved, by
    /// [`Msg::Requoted`] alone.
    Send {
        /// Which intent.
        intent: IntentId,
        /// Why.
        because: Because,
        /// What the operator confirmed; `None` when it was confirmed before.
        confirmation: Option<Confirmation>,
    },
    /// Give up an intent of which nothing was sent. Answered by [`Msg::Orders`].
    Abandon(IntentId),
    /// Close an intent whose fate stays unknown. Answered by [`Msg::Orders`].
    WriteOff {
        /// Which intent.
        intent: IntentId,
        /// Why, in the operator's words.
        reason: Text,
    },
    /// Record whether the service at an earlier address of the profile is the same. Answered by [`Msg::Addresses`].
    AnswerAddress {
        /// The earlier address.
        other: Text,
        /// What the operator said.
        is_same: bool,
    },
    /// Record that this address is the wallet's own, of those that the service told. Answered by [`Msg::AddressSettled`].
    SettleAddress {
        /// The wallet, with what was told of it.
        wallet: Box<Known<Wallet>>,
        /// The address.
        own: Text,
    },
    /// Bring into the directory what a line names: an entry, or a file of them. Answered by [`Msg::Imported`].
    Import(String),
    /// Read the recipients of a batch, and judge each of them. Answered by [`Msg::BatchChecked`].
    CheckBatch {
        /// Which, and for what batch.
        checking: Box<Checking>,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Look for paths that complete a typed one. Answered by [`Msg::Paths`].
    Paths {
        /// What is typed.
        typed: String,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Judge whom somebody wants to enter into the address book. Answered by [`Msg::ContactJudged`].
    JudgeContact {
        /// Whom.
        contact: Box<Contact>,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Record a change of the address book. Answered by [`Msg::Book`] and [`Msg::BookChanged`].
    ChangeBook {
        /// What.
        change: Box<Change>,
        /// Dangers that were overridden, in the words that were typed.
        overridden: Vec<Text>,
        /// The book by which it was judged: should it be another by now, nothing is recorded.
        judged: Box<Book>,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Bring the rows of a file into the address book, all or none. Answered by [`Msg::Book`] and [`Msg::BookImported`].
    ImportBook(String),
    /// Read what the sandbox of version 1 holds. Answered by [`Msg::Sandbox`].
    Sandbox {
        /// Of which sub-wallet; of all of them, where absent.
        whose: Option<UserId>,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Read the journal. Answered by [`Msg::Orders`].
    Orders,
    /// Write rows into a new file, or as a text for the clipboard. Answered by [`Msg::Exported`], several times while it
    /// goes on.
    Export {
        /// Which rows.
        rows: Rows,
        /// Where to.
        target: Target,
        /// How rows are written.
        format: Format,
        /// The turn that the answers must carry.
        turn: Turn,
    },
    /// Stop the export that is under way. Answered by its own last answer.
    StopExport,
    /// Read a transaction as the service writes it. Answered by [`Msg::Raw`].
    Raw {
        /// Its place in the store, which tells where in the service's list it stands.
        seq: i64,
        /// Its identifier.
        id: TransactionId,
        /// In which list it stands.
        direction: Direction,
        /// The turn that the answer must carry.
        turn: Turn,
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
    Quote {
        /// The coin that is sold.
        from: Text,
        /// How much of it.
        amount: Amount,
        /// The coin that is bought.
        to: Text,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Hold what was typed to unlock paying against what is right. Answered by [`Msg::Unlocked`].
    Unlock {
        /// What was typed; it is shown by nothing, and wiped.
        typed: Typed,
        /// The turn that the answer must carry.
        turn: Turn,
    },
    /// Stop the program as a shell's job; on return the screen is painted anew.
    Suspend,
    /// End this console and open another profile in its place.
    OpenProfile(Text),
    /// End the program.
    Quit,
}
