//! What the journal, the caches and the ledgers have in common on the disk: what a full one looks like through SQLite, and
//! lines that show whether they are whole.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use sha2::{Digest, Sha256};

/// Whether something could not be written for want of room on the disk. What the connections to a file share has an
/// error of its own for that.
pub(crate) fn is_full(error: &rusqlite::Error) -> bool {
    let shared = |sqlite_error: &rusqlite::ffi::Error| sqlite_error.extended_code == SQLITE_IOERR_SHMSIZE;
    error.sqlite_error_code() == Some(ErrorCode::DiskFull) || error.sqlite_error().is_some_and(shared)
}

/// Makes an empty file that nobody else may read, where there is none: SQLite makes one that whoever may by the habits of
/// the process, and gives what it lays beside a file the permissions of that file.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// A line of words that ends with their digest, so that a part of it, or a changed one, is not taken for it.
pub(crate) fn signed_line(text: &str) -> String {
    format!("{text} {}\n", hex::encode(Sha256::digest(text.as_bytes())))
}

/// The words of such a line; `None` where it is not whole.
pub(crate) fn verified_text(line: &str) -> Option<&str> {
    let (text, _) = line.strip_suffix('\n')?.rsplit_once(' ')?;
    (line == signed_line(text)).then_some(text)
}
