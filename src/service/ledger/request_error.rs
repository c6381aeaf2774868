use std::io::ErrorKind;

use crate::disk::is_full;

/// Why a request was not executed. Nothing was changed, and no idempotency key was used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No such object: status 404.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// Well formed, but cannot be done: status 400.
    #[error("{0}")]
    BadRequest(String),
    /// What it asks for was executed before: status 409.
    #[error("{0}")]
    Conflict(String),
    /// Parameters missing or malformed, one sentence each: status 422.
    #[error("{}", .0.join("; "))]
    Unprocessable(Vec<String>),
    /// The ledger itself failed; the text is for the log: status 500.
    #[error("the ledger failed: {0}")]
    Internal(String),
}

impl RequestError {
    pub(crate) fn unprocessable(message: impl Into<String>) -> Self {
        Self::Unprocessable(vec![message.into()])
    }

    pub(crate) fn bad_request(reason: impl Into<String>) -> Self {
        Self::BadRequest(reason.into())
    }
}

const DISK_FULL_MESSAGE: &str = "no room left on its disk; make room and ask again";

impl RequestError {
    pub(super) fn is_disk_full(&self) -> bool {
        matches!(self, Self::Internal(reason) if reason == DISK_FULL_MESSAGE)
    }
}

impl From<rusqlite::Error> for RequestError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Internal(if is_full(&error) { DISK_FULL_MESSAGE.into() } else { error.to_string() })
    }
}

impl From<std::io::Error> for RequestError {
    fn from(error: std::io::Error) -> Self {
        Self::Internal(if error.kind() == ErrorKind::StorageFull {
            DISK_FULL_MESSAGE.into()
        } else {
            error.to_string()
        })
    }
}
