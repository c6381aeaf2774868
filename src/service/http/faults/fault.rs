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
    ConnectionCut,
    /// No answer ever comes, and the connection stays.
    NoAnswer {
        /// Whether the request is executed first.
        executed: bool,
    },
    /// An answer with this status, in place of the right one.
    Status {
        /// The HTTP status.
        status: u16,
        /// What its body is.
        told: FaultBody,
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
    RateLimited {
        /// What `Retry-After` says.
        retry_after: Duration,
    },
    /// 429 with a `Retry-After` that names the moment and not the time until then.
    RateLimitedUntil {
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
    Delayed(Duration),
    /// The answer ends in its middle, after the request was executed.
    Truncated,
    /// The answer ends after so many bytes of its body, after the request was executed. A body that is not longer stays
    /// whole.
    CutAt(usize),
    /// The answer comes byte by byte with a pause after each, after the request was executed.
    SlowBody(Duration),
    /// 200 with a page for people; nothing is executed.
    Html,
    /// 200 with a body of 256 MiB.
    HugeBody,
    /// 200 with a compressed body of one megabyte that is 157 MiB when it is unpacked.
    CompressionBomb,
    /// 200 with a body of a million brackets, one in the other.
    DeepNesting,
    /// Every value of the answer has another type than the specification says.
    WrongTypes,
    /// One value of the answer is null, missing, there twice, of another type, in another case, or a word that nobody
    /// knows. The number says which and how.
    Mutated(u64),
    /// Every text of the answer carries control characters and escape sequences. Identifiers, times and amounts are
    /// spared, since a spoilt one would hide all that follows from it.
    EscapeSequences,
    /// The answer is the one that the last change of the same path got since the faults were set. The first one passes.
    StaleAnswer {
        /// Whether the request is executed first.
        executed: bool,
    },
    /// The request is executed as it stands, and its answer says another thing was done.
    WrongEcho(PaymentField),
    /// Outgoing transactions are said to have failed and to be confirmed, both at once.
    FailedYetConfirmed,
    /// Outgoing transactions are called by another word, and said to be confirmed or not.
    StatusReplaced {
        /// The word.
        status: &'static str,
        /// Whether they are said to be confirmed.
        confirmed: bool,
    },
    /// Transactions that were asked for since the faults were set are told as if another thing had been done.
    RowsTell(PaymentField),
    /// What was asked for since the faults were set does not appear among the transactions. Only a read from which
    /// something was left out counts.
    RowsHidden,
    /// The same in a list that lags behind as a whole: nor is it counted, and the pages follow each other without a gap.
    HistoryLags,
    /// A batch that was asked for since the faults were set stands among the transactions as one row for each of its
    /// recipients, of whom so many get nothing in the end.
    RowsSplit {
        /// How many, the last ones of the request.
        failed: usize,
    },
    /// Every page of a list is its first, and of the usual length.
    PagingIgnored,
    /// The rows of a list are spoilt, each in the same way.
    RowsDamaged(RowDamage),
    /// The rows of each page of a list stand in the opposite order.
    RowsReversed,
    /// The rows of each page of a list stand in no order, and in another one each time.
    RowsShuffled,
    /// Each page of a list but the first begins with the last row of the page before, as when a row came in between.
    PagesOverlap,
    /// Each page of a list holds its first row twice.
    FirstRowRepeated,
    /// Quotes give less than they do, by so many hundredths of a percent.
    QuoteTooLow(u16),
    /// Quotes speak of another coin than the one that was asked for.
    QuoteForOtherCoin,
    /// What a swap gave is told less by so many hundredths of a percent: in its answer and in the history.
    SwapPaysLess(u16),
    /// The answer to a swap says that it is done already.
    SwapReportedDone,
    /// A list has no end: behind each page stands another one, of rows with identifiers that were not there before.
    EndlessList,
    /// Answers call their network by a word that nobody knows, and chains do not say whether they are for tests.
    NetworkUnheardOf,
    /// The two forms of every amount contradict each other.
    AmountsDisputed,
}

/// How the rows of a list are spoilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowDamage {
    /// Each row is null.
    AllNull,
    /// The values of each row but its identifier stand under each other's names.
    ValuesSwapped,
    /// Half of the fields of each row are left out, its identifier not among them.
    HalfMissing,
    /// No row has an identifier.
    NoIdentifier,
    /// Each word of a row is one that nobody knows.
    UnknownWords,
}

/// What the body of an answer with a wrong status is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultBody {
    /// The common error body.
    ErrorBody,
    /// The common error body, which says that the idempotency key was used before.
    IdempotencyKeyUsed,
    /// The common error body, with another status in it.
    OtherStatus,
    /// Nothing.
    Empty,
    /// A page for people.
    HtmlPage,
    /// JSON that says `success: false` and why.
    SuccessFalse,
    /// JSON of somebody else.
    ForeignJson,
}

/// A part of a payment that an answer repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentField {
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
    pub const fn with_status(status: u16) -> Self {
        Self::Status { status, told: FaultBody::ErrorBody, executed: false }
    }

    /// The same after the request was executed.
    pub const fn executes_and_says(status: u16) -> Self {
        Self::Status { status, told: FaultBody::ErrorBody, executed: true }
    }

    /// What it is, for the name of a scenario.
    pub fn description(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = |executed: bool| if executed { "executes the request and " } else { "" };
        let fixed = match *self {
            Self::None => "the service works",
            Self::Down => "the service is down",
            Self::ConnectionCut => "the service executes the request and hangs up before it answers",
            Self::NoAnswer { executed } => return write!(f, "the service {}never answers", after(executed)),
            Self::Status { status, told, executed } => {
                return write!(f, "the service {}answers {status} with {}", after(executed), told.words());
            }
            Self::KeyRejected => "the service rejects the key",
            Self::Forbidden => "the service forbids it to the key",
            Self::Busy { .. } => "the service is busy",
            Self::RateLimited { .. } => "the service wants fewer requests",
            Self::RateLimitedUntil { .. } => "the service wants fewer requests until a moment that it names",
            Self::Redirect { status, executed, .. } => {
                return write!(f, "the service {}sends elsewhere with {status}", after(executed));
            }
            Self::Delayed(_) => "the service answers late",
            Self::Truncated => "the service's answers are truncated",
            Self::CutAt(bytes) => return write!(f, "the service's answers end after {bytes} bytes"),
            Self::SlowBody(_) => "the service's answers drip",
            Self::Html => "the service answers with a page for people",
            Self::HugeBody => "the service's answers are huge",
            Self::CompressionBomb => "the service's answers are huge once they are unpacked",
            Self::DeepNesting => "the service's answers are deeper than anyone can follow",
            Self::WrongTypes => "the service's answers are oddly typed",
            Self::Mutated(_) => "one value of the service's answers is not as it should be",
            Self::EscapeSequences => "the service's texts carry escape sequences",
            Self::StaleAnswer { executed } => {
                return write!(f, "the service {}repeats the answer to another request", after(executed));
            }
            Self::WrongEcho(part) => return write!(f, "the service answers as if {} had been another", part.words()),
            Self::RowsTell(part) => return write!(f, "payments are told as if {} had been another", part.words()),
            Self::FailedYetConfirmed => "payments are said to have failed and to be confirmed",
            Self::StatusReplaced { status, confirmed } => {
                let confirmed = if confirmed { "confirmed" } else { "not confirmed" };
                return write!(f, "payments are called {status} and {confirmed}");
            }
            Self::RowsHidden => "payments do not appear in the history for a while",
            Self::HistoryLags => "the history lags behind for a while",
            Self::RowsSplit { failed } => {
                return write!(f, "batches are told recipient by recipient, and {failed} of them get nothing");
            }
            Self::PagingIgnored => "every page of a list is its first",
            Self::RowsDamaged(how) => return write!(f, "the rows of lists are {}", how.words()),
            Self::RowsReversed => "the pages of lists stand in the opposite order",
            Self::RowsShuffled => "the pages of lists stand in no order",
            Self::PagesOverlap => "lists move on while their pages are read",
            Self::FirstRowRepeated => "the pages of lists hold a row twice",
            Self::QuoteTooLow(_) => "quotes give less than they do",
            Self::QuoteForOtherCoin => "quotes speak of other coins",
            Self::SwapPaysLess(_) => "swaps give less than was quoted",
            Self::SwapReportedDone => "swaps are said to be done at once",
            Self::EndlessList => "lists have no end",
            Self::NetworkUnheardOf => "the service calls its network by a word that nobody knows",
            Self::AmountsDisputed => "the two forms of amounts contradict each other",
        };
        f.write_str(fixed)
    }
}

impl FaultBody {
    fn words(self) -> &'static str {
        match self {
            Self::ErrorBody => "its error body",
            Self::IdempotencyKeyUsed => "the word that the key was used",
            Self::OtherStatus => "an error body of another status",
            Self::Empty => "no body",
            Self::HtmlPage => "a page for people",
            Self::SuccessFalse => "the word that it did not succeed",
            Self::ForeignJson => "a body of somebody else",
        }
    }
}

impl RowDamage {
    fn words(self) -> &'static str {
        match self {
            Self::AllNull => "null",
            Self::ValuesSwapped => "scrambled",
            Self::HalfMissing => "told by half",
            Self::NoIdentifier => "without identifiers",
            Self::UnknownWords => "told in words that nobody knows",
        }
    }
}

impl PaymentField {
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
