//! What a full disk looks like through SQLite, which keeps the journal, the caches and the ledgers.

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// Whether something could not be written for want of room on the disk. What the connections to a file share has an
/// error of its own for that.
pub(crate) fn is_full(error: &rusqlite::Error) -> bool {
    let shared = |known: &rusqlite::ffi::Error| known.extended_code == SQLITE_IOERR_SHMSIZE;
    error.sqlite_error_code() == Some(ErrorCode::DiskFull) || error.sqlite_error().is_some_and(shared)
}
