//! What can go wrong, as data.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

/// One way for a service to go wrong with a request.
///
/// Where a variant says `executed`, the ledger has done what the request asks before anything goes wrong; otherwise it
/// never hears of it. Who asks sees the same in both cases, and that is the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: the request passes as it is.
    None,
    /// Connections are refused, and those that stand are cut.
    Down,
    /// The connection is cut before an answer, after the request was executed.
    HangsUp,
    /// No answer ever comes, and the connection stays.
    Hangs {
        /// Whether the request is executed first.
        executed: bool,
    },
    /// An answer with this status, in place of the right one.
    Status {
        /// The HTTP status.
        status: u16,
        /// What its body is.
        told: Told,
        /// Whether the request is executed first.
        executed: bool,
    },
    /// 401.
    KeyRejected,
    /// 403.
    Forbidden,
    /// 503 with `Retry-After`.
    Busy {
        /// What `Retry-After` says.
        retry_after: Duration,
    },
    /// 429 with `Retry-After`.
    TooMany {
        /// What `Retry-After` says.
        retry_after: Duration,
    },
    /// 429 with a `Retry-After` that names the moment and not the time until then.
    TooManyUntil {
        /// How far away that moment is.
        retry_after: Duration,
    },
    /// Sent elsewhere: `Location` names the same path at another address.
    Redirect {
        /// 301, 302, 303, 307 or 308.
        status: u16,
        /// Where to.
        to: SocketAddr,
        /// Whether the request is executed first.
        executed: bool,
    },
    /// The request is executed at once and its answer comes late.
    Late(Duration),
    /// The answer ends in its middle, after the request was executed.
    Truncated,
    /// The answer ends after so many bytes of its body, after the request was executed. A body that is not longer stays
    /// whole.
    CutAt(usize),
    /// The answer comes byte by byte with a pause after each, after the request was executed.
    Drips(Duration),
    /// 200 with a page for people; nothing is executed.
    Html,
    /// 200 with a body of 256 MiB.
    Huge,
    /// 200 with a compressed body of one megabyte that is 157 MiB when it is unpacked.
    Bomb,
    /// 200 with a body of a million brackets, one in the other.
    Deep,
    /// Every value of the answer has another type than the specification says.
    OddlyTyped,
    /// One value of the answer is null, missing, there twice, of another type, in another case, or a word that nobody
    /// knows. The number says which and how.
    Mutated(u64),
    /// Every text of the answer carries control characters and escape sequences. Identifiers, times and amounts are
    /// spared, since a spoilt one would hide all that follows from it.
    EscapeSequences,
    /// The answer is the one that the last change of the same path got since the faults were set. The first one passes.
    OldAnswer {
        /// Whether the request is executed first.
        executed: bool,
    },
    /// The request is executed as it stands, and its answer says another thing was done.
    Echo(Part),
    /// Outgoing transactions are said to have failed and to be confirmed, both at once.
    FailedConfirmed,
    /// Outgoing transactions are called by another word, and said to be confirmed or not.
    Called {
        /// The word.
        status: &'static str,
        /// Whether they are said to be confirmed.
        confirmed: bool,
    },
    /// Transactions that were asked for since the faults were set are told as if another thing had been done.
    RowsTell(Part),
    /// What was asked for since the faults were set does not appear among the transactions. Only a read from which
    /// something was left out counts.
    RowsHidden,
    /// The same in a list that lags behind as a whole: nor is it counted, and the pages follow each other without a gap.
    RowsLag,
    /// A batch that was asked for since the faults were set stands among the transactions as one row for each of its
    /// recipients, of whom so many get nothing in the end.
    RowsSplit {
        /// How many, the last ones of the request.
        failed: usize,
    },
    /// Every page of a list is its first, and of the usual length.
    IgnoresPaging,
    /// The rows of a list are spoilt, each in the same way.
    RowsSpoilt(Spoilt),
    /// The rows of each page of a list stand in the opposite order.
    Reversed,
    /// The rows of each page of a list stand in no order, and in another one each time.
    Shuffled,
    /// Each page of a list but the first begins with the last row of the page before, as when a row came in between.
    Shifts,
    /// Each page of a list holds its first row twice.
    Repeats,
    /// Quotes give less than they do, by so many hundredths of a percent.
    QuotesLess(u16),
    /// Quotes speak of another coin than the one that was asked for.
    QuotesOther,
    /// What a swap gave is told less by so many hundredths of a percent: in its answer and in the history.
    SwapsLess(u16),
    /// The answer to a swap says that it is done already.
    SwapsDone,
    /// A list has no end: behind each page stands another one, of rows with identifiers that were not there before.
    Endless,
    /// Answers call their network by a word that nobody knows, and chains do not say whether they are for tests.
    NetworkUnheardOf,
    /// The two forms of every amount contradict each other.
    AmountsDisputed,
}

/// How the rows of a list are spoilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoilt {
    /// Each row is null.
    Nulls,
    /// The values of each row but its identifier stand under each other's names.
    Scrambled,
    /// Half of the fields of each row are left out, its identifier not among them.
    Halved,
    /// No row has an identifier.
    Nameless,
    /// Each word of a row is one that nobody knows.
    UnknownWords,
}

/// What the body of an answer with a wrong status is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The common error body.
    Properly,
    /// The common error body, which says that the idempotency key was used before.
    KeyUsed,
    /// The common error body, with another status in it.
    OtherStatus,
    /// Nothing.
    Nothing,
    /// A page for people.
    Page,
    /// JSON that says `success: false` and why.
    Unsuccessful,
    /// JSON of somebody else.
    Foreign,
}

/// A part of a payment that an answer repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// How much, in both forms of it.
    Amount,
    /// To whom.
    Address,
    /// Of which token.
    Token,
    /// On which chain.
    Blockchain,
    /// Out of which wallet.
    Wallet,
    /// Under which idempotency key.
    Key,
    /// The business's own reference.
    Reference,
    /// The contract of its token.
    Contract,
    /// Whether it came in or went out.
    Direction,
    /// What it took: as much as was paid.
    Fee,
}

impl Fault {
    /// An answer with a status and the common error body; nothing is executed.
    pub const fn refuses(status: u16) -> Self {
        Self::Status { status, told: Told::Properly, executed: false }
    }

    /// The same after the request was executed.
    pub const fn executes_and_says(status: u16) -> Self {
        Self::Status { status, told: Told::Properly, executed: true }
    }

    /// What it is, for the name of a scenario.
    pub fn sentence(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = |executed: bool| if executed { "executes the request and " } else { "" };
        let fixed = match *self {
            Self::None => "the service works",
            Self::Down => "the service is down",
            Self::HangsUp => "the service executes the request and hangs up before it answers",
            Self::Hangs { executed } => return write!(f, "the service {}never answers", after(executed)),
            Self::Status { status, told, executed } => {
                return write!(f, "the service {}answers {status} with {}", after(executed), told.words());
            }
            Self::KeyRejected => "the service rejects the key",
            Self::Forbidden => "the service forbids it to the key",
            Self::Busy { .. } => "the service is busy",
            Self::TooMany { .. } => "the service wants fewer requests",
            Self::TooManyUntil { .. } => "the service wants fewer requests until a moment that it names",
            Self::Redirect { status, executed, .. } => {
                return write!(f, "the service {}sends elsewhere with {status}", after(executed));
            }
            Self::Late(_) => "the service answers late",
            Self::Truncated => "the service's answers are truncated",
            Self::CutAt(bytes) => return write!(f, "the service's answers end after {bytes} bytes"),
            Self::Drips(_) => "the service's answers drip",
            Self::Html => "the service answers with a page for people",
            Self::Huge => "the service's answers are huge",
            Self::Bomb => "the service's answers are huge once they are unpacked",
            Self::Deep => "the service's answers are deeper than anyone can follow",
            Self::OddlyTyped => "the service's answers are oddly typed",
            Self::Mutated(_) => "one value of the service's answers is not as it should be",
            Self::EscapeSequences => "the service's texts carry escape sequences",
            Self::OldAnswer { executed } => {
                return write!(f, "the service {}repeats the answer to another request", after(executed));
            }
            Self::Echo(part) => return write!(f, "the service answers as if {} had been another", part.words()),
            Self::RowsTell(part) => return write!(f, "payments are told as if {} had been another", part.words()),
            Self::FailedConfirmed => "payments are said to have failed and to be confirmed",
            Self::Called { status, confirmed } => {
                let confirmed = if confirmed { "confirmed" } else { "not confirmed" };
                return write!(f, "payments are called {status} and {confirmed}");
            }
            Self::RowsHidden => "payments do not appear in the history for a while",
            Self::RowsLag => "the history lags behind for a while",
            Self::RowsSplit { failed } => {
                return write!(f, "batches are told recipient by recipient, and {failed} of them get nothing");
            }
            Self::IgnoresPaging => "every page of a list is its first",
            Self::RowsSpoilt(how) => return write!(f, "the rows of lists are {}", how.words()),
            Self::Reversed => "the pages of lists stand in the opposite order",
            Self::Shuffled => "the pages of lists stand in no order",
            Self::Shifts => "lists move on while their pages are read",
            Self::Repeats => "the pages of lists hold a row twice",
            Self::QuotesLess(_) => "quotes give less than they do",
            Self::QuotesOther => "quotes speak of other coins",
            Self::SwapsLess(_) => "swaps give less than was quoted",
            Self::SwapsDone => "swaps are said to be done at once",
            Self::Endless => "lists have no end",
            Self::NetworkUnheardOf => "the service calls its network by a word that nobody knows",
            Self::AmountsDisputed => "the two forms of amounts contradict each other",
        };
        f.write_str(fixed)
    }
}

impl Told {
    fn words(self) -> &'static str {
        match self {
            Self::Properly => "its error body",
            Self::KeyUsed => "the word that the key was used",
            Self::OtherStatus => "an error body of another status",
            Self::Nothing => "no body",
            Self::Page => "a page for people",
            Self::Unsuccessful => "the word that it did not succeed",
            Self::Foreign => "a body of somebody else",
        }
    }
}

impl Spoilt {
    fn words(self) -> &'static str {
        match self {
            Self::Nulls => "null",
            Self::Scrambled => "scrambled",
            Self::Halved => "told by half",
            Self::Nameless => "without identifiers",
            Self::UnknownWords => "told in words that nobody knows",
        }
    }
}

impl Part {
    fn words(self) -> &'static str {
        match self {
            Self::Amount => "the amount",
            Self::Address => "the recipient",
            Self::Token => "the token",
            Self::Blockchain => "the chain",
            Self::Wallet => "the wallet",
            Self::Key => "the idempotency key",
            Self::Reference => "the reference",
            Self::Contract => "the token's contract",
            Self::Direction => "the direction",
            Self::Fee => "the fee",
        }
    }
}
