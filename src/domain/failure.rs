//! Why a request failed, and whether it may have taken effect all the same.

use std::fmt;
use std::time::Duration;

use super::Text;

/// Whether a failed request may have changed something all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MayHaveHappened {
    /// Nothing was changed: the request never left, or it was a read.
    No,
    /// The request left, and nothing received shows what became of it.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FailureReason {
    /// No connection: name not found, refused, no route, TLS not agreed.
    Unreachable,
    TimedOut,
    ConnectionLost,
    /// 401, or an error that means the same: the key is missing, unknown or revoked.
    KeyRejected,
    /// 403: the key may not do this, or not from this address.
    Forbidden,
    NotFound,
    /// 429 or 503, with the wait that the service asked for, if any.
    Busy {
        /// Whether it was 429, which limits the key whatever the request. A 503 concerns only what was requested.
        too_many: bool,
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    Refused {
        status: u16,
    },
    /// A redirect, which is never followed.
    Redirected,
    TooLarge,
    NotUnderstood,
    /// The console's own part failed: reading or writing its store, for example.
    Local,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    pub may_have_happened: MayHaveHappened,
    pub reason: FailureReason,
    /// The service's or the system's message, for the log and the detail view.
    pub detail: Text,
}

impl Failure {
    /// A failed read, which cannot have changed anything.
    pub fn from_read(reason: FailureReason, detail: &str) -> Self {
        Self { may_have_happened: MayHaveHappened::No, reason, detail: Text::clean(detail) }
    }

    /// Whether repeating the request later, unchanged, can help.
    pub fn is_retryable(&self) -> bool {
        !matches!(self.reason, FailureReason::KeyRejected | FailureReason::Forbidden)
    }
}

impl fmt::Display for FailureReason {
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
            // The message comes from the keyring, the journal or the guard, and is a whole sentence already.
            FailureReason::Local if !self.detail.is_empty() => write!(f, "{}", self.detail),
            _ if self.detail.is_empty() => write!(f, "{}", self.reason),
            _ => write!(f, "{}: {}", self.reason, self.detail),
        }
    }
}

impl std::error::Error for Failure {}
