use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

/// A way for a service to go wrong with a request.
///
/// With `executed`, the ledger executes the request before the fault; otherwise the request never reaches the ledger.
/// The client sees the same in both cases, and that is the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The request passes unchanged.
    None,
    /// Connections are refused, and existing ones are cut.
    Down,
    /// The request is executed, then the connection is cut before the answer.
    ConnectionCut,
    /// No answer ever comes, and the connection stays open.
    NoAnswer { executed: bool },
    /// An answer with this status instead of the right one.
    Status { status: u16, body: FaultBody, executed: bool },
    /// 401.
    KeyRejected,
    /// 403.
    Forbidden,
    /// 503 with `Retry-After`.
    Busy { retry_after: Duration },
    /// 429 with `Retry-After`.
    RateLimited { retry_after: Duration },
    /// 429 with a `Retry-After` that is a date instead of seconds.
    RateLimitedUntil {
        /// Time until that date.
        retry_after: Duration,
    },
    /// A redirect to the same path at another address.
    Redirect {
        /// 301, 302, 303, 307 or 308.
        status: u16,
        to: SocketAddr,
        executed: bool,
    },
    /// The request is executed at once and answered late.
    Delayed(Duration),
    /// The request is executed, and the answer ends half-way.
    Truncated,
    /// The request is executed, and the answer's body ends after this many bytes. A shorter body stays whole.
    CutAt(usize),
    /// The request is executed and answered byte by byte, with a pause before each.
    SlowBody(Duration),
    /// 200 with an HTML page; nothing is executed.
    Html,
    /// 200 with a body of 256 MiB.
    HugeBody,
    /// 200 with a compressed body of one megabyte that unpacks to 157 MiB.
    CompressionBomb,
    /// 200 with a million nested brackets.
    DeepNesting,
    /// Every value of the answer has another type than the specification's.
    WrongTypes,
    /// One value of the answer is null, missing, duplicated, of another type, in another case, or an unknown word. The
    /// number seeds which and how.
    Mutated(u64),
    /// Every text of the answer contains control characters and escape sequences, except identifiers, times and
    /// amounts, since a damaged one would hide everything that depends on it.
    EscapeSequences,
    /// The answer is that of the last change of the same path since the faults were set. The first change passes.
    StaleAnswer { executed: bool },
    /// The request is executed correctly, and its answer reports a different payment.
    WrongEcho(PaymentField),
    /// Outgoing transactions are both failed and confirmed.
    FailedYetConfirmed,
    /// Outgoing transactions have another status word.
    StatusReplaced { status: &'static str, confirmed: bool },
    /// Rows of transactions requested since the faults were set report a different payment.
    RowsReportOtherPayment(PaymentField),
    /// Transactions requested since the faults were set are missing from the list. Only reads that lost a row count.
    RowsHidden,
    /// The same for a whole list that lags: totals exclude the missing rows, and pages follow each other without a gap.
    HistoryLags,
    /// A batch requested since the faults were set is listed as one row per recipient, some of them failed.
    RowsSplit {
        /// Number of failed rows, from the last recipient.
        failed: usize,
    },
    /// Every page of a list is its first, of the default length.
    PagingIgnored,
    /// All rows of a list are damaged in the same way.
    RowsDamaged(RowFieldDamage),
    /// The rows of each page are in reverse order.
    RowsReversed,
    /// The rows of each page are in random order, another one each time.
    RowsShuffled,
    /// Each page after the first begins with the last row of the page before, as if a row had arrived in between.
    PagesOverlap,
    /// Each page contains its first row twice.
    FirstRowRepeated,
    /// Quotes are too low by this many hundredths of a percent.
    QuoteTooLow(u16),
    /// Quotes are for another coin than requested.
    QuoteForOtherCoin,
    /// Swap proceeds are reported lower by this many hundredths of a percent, in the answer and in the history.
    SwapPaysLess(u16),
    /// The answer to a swap reports it as done.
    SwapReportedDone,
    /// A list never ends: each page is followed by another one with new identifiers.
    EndlessList,
    /// The network has an unknown name, and chains do not state whether they are test networks.
    UnknownNetwork,
    /// The two forms of every amount contradict each other.
    AmountFormsDiffer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFieldDamage {
    AllNull,
    /// The values of each row, except its identifier, are under each other's names.
    ValuesSwapped,
    /// Half of the fields of each row are missing, never its identifier.
    HalfMissing,
    NoIdentifier,
    /// Each status or type word of a row is unknown.
    UnknownWords,
}

/// Body of an answer with a wrong status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultBody {
    /// The common error body.
    ErrorBody,
    /// The common error body, which states that the idempotency key was used before.
    IdempotencyKeyUsed,
    /// The common error body with another status in it.
    OtherStatus,
    Empty,
    HtmlPage,
    /// JSON with `success: false` and a reason.
    SuccessFalse,
    /// JSON of an unrelated service.
    ForeignJson,
}

/// A field of a payment that an answer repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentField {
    /// In both forms.
    Amount,
    Address,
    Token,
    Blockchain,
    Wallet,
    Key,
    /// The business's own reference.
    Reference,
    /// The token's contract.
    Contract,
    /// Incoming or outgoing.
    Direction,
    /// The fee equals the whole amount.
    Fee,
}

impl Fault {
    /// A status with the common error body; nothing is executed.
    pub const fn with_status(status: u16) -> Self {
        Self::Status { status, body: FaultBody::ErrorBody, executed: false }
    }

    /// The same after the request is executed.
    pub const fn executed_with_status(status: u16) -> Self {
        Self::Status { status, body: FaultBody::ErrorBody, executed: true }
    }

    /// For the name of a scenario.
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
            Self::Status { status, body: fault_body, executed } => {
                return write!(f, "the service {}answers {status} with {}", after(executed), fault_body.description());
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
            Self::WrongEcho(part) => return write!(f, "the service answers as if {} had been another", part.label()),
            Self::RowsReportOtherPayment(part) => {
                return write!(f, "payments are told as if {} had been another", part.label());
            }
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
            Self::RowsDamaged(how) => return write!(f, "the rows of lists are {}", how.description()),
            Self::RowsReversed => "the pages of lists stand in the opposite order",
            Self::RowsShuffled => "the pages of lists stand in no order",
            Self::PagesOverlap => "lists move on while their pages are read",
            Self::FirstRowRepeated => "the pages of lists hold a row twice",
            Self::QuoteTooLow(_) => "quotes give less than they do",
            Self::QuoteForOtherCoin => "quotes speak of other coins",
            Self::SwapPaysLess(_) => "swaps give less than was quoted",
            Self::SwapReportedDone => "swaps are said to be done at once",
            Self::EndlessList => "lists have no end",
            Self::UnknownNetwork => "the service calls its network by a word that nobody knows",
            Self::AmountFormsDiffer => "the two forms of amounts contradict each other",
        };
        f.write_str(fixed)
    }
}

impl FaultBody {
    fn description(self) -> &'static str {
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

impl RowFieldDamage {
    fn description(self) -> &'static str {
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
    fn label(self) -> &'static str {
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
