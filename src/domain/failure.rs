//! What went wrong, and the question that money asks first: may it have taken effect?

use std::fmt;
use std::time::Duration;

use super::Text;

/// Whether a request that did not succeed may have changed something all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MayHaveHappened {
    /// Nothing was changed: the request never left, or it was a read.
    No,
    /// The request left, and nothing that came back says what became of it.
    Unknown,
}

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No connection: name not found, refused, no route, TLS not agreed.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// The connection broke before the answer was whole.
    ConnectionLost,
    /// 401, or an error that says the same: the key is missing, unknown or revoked.
    KeyRejected,
    /// 403: the key may not do this, or not from this address.
    Forbidden,
    /// 404: no such object or route.
    NotFound,
    /// 429 or 503, with the time the service asked for, if it did.
    Busy {
        /// Whether it was 429: the key asked too often, whatever it asked for. A 503 speaks of what was asked alone.
        too_many: bool,
        /// What `Retry-After` said.
        retry_after: Option<Duration>,
    },
    /// Any other refusal, by its status.
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// A redirect, which is never followed.
    Redirected,
    /// The answer is larger than any that makes sense.
    TooLarge,
    /// The answer is not what the specification describes.
    NotUnderstood,
    /// The console could not do its own part: read or write its store, for example.
    Local,
}

/// A request that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// May it have taken effect?
    pub effect: MayHaveHappened,
    /// Why it did not succeed.
    pub reason: Reason,
    /// What the service or the system said, for the log and the detail view.
    pub detail: Text,
}

impl Failure {
    /// A read that failed: nothing can have happened.
    pub fn from_read(reason: Reason, detail: &str) -> Self {
        Self { effect: MayHaveHappened::No, reason, detail: Text::clean(detail) }
    }

    /// Whether asking again later, unchanged, can help.
    pub fn is_retryable(&self) -> bool {
        !matches!(self.reason, Reason::KeyRejected | Reason::Forbidden)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("service unreachable"),
            Self::TimedOut => f.write_str("no answer in time"),
            Self::ConnectionLost => f.write_str("connection lost"),
            Self::KeyRejected => f.write_str("API key rejected"),
            Self::Forbidden => f.write_str("API key not allowed to do this"),
            Self::NotFound => f.write_str("not found"),
            Self::Busy { retry_after: Some(wait), .. } => write!(f, "service busy, asks to wait {} s", wait.as_secs()),
            Self::Busy { retry_after: None, .. } => f.write_str("service busy"),
            Self::Refused { status } => write!(f, "service answered {status}"),
            Self::Redirected => f.write_str("service redirects; not followed"),
            Self::TooLarge => f.write_str("answer too large"),
            Self::NotUnderstood => f.write_str("answer not understood"),
            Self::Local => f.write_str("this console's own store failed"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            // It may be the keyring, the journal or the guard that said no, and each does so in whole words.
            Reason::Local if !self.detail.is_empty() => write!(f, "{}", self.detail),
            _ if self.detail.is_empty() => write!(f, "{}", self.reason),
            _ => write!(f, "{}: {}", self.reason, self.detail),
        }
    }
}

impl std::error::Error for Failure {}
