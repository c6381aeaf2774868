//! Errors of the cache, worded for the person who has to fix the cause.

use std::io;
use std::path::PathBuf;

use crate::disk::is_full;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot use {} as a data folder: {source}; name another one, or correct its permissions", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{} is a file; the data folder must be a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("cannot write in {}; the data folder must be writable", path.display())]
    ReadOnly { path: PathBuf },
    #[error("another bursar uses the cache in {}; end that one, or name another data folder", path.display())]
    Locked { path: PathBuf },
    #[error(
        "the cache {} has format {format}, but this version of bursar knows formats only up to {newest_format}; use the newer version, or remove \
         the file: the cache is read again from the service",
        path.display()
    )]
    Newer { path: PathBuf, format: i64, newest_format: i64 },
    /// The data is invalid. The next start sets the cache aside and builds a new one.
    #[error("the cache is damaged ({detail}); it is rebuilt at the next start")]
    Damaged { detail: String },
    #[error("no room left on the disk of the cache; make room, or name another data folder")]
    Full,
    /// The remaining disk space is reserved for the journal.
    #[error("only {} KiB left on the disk of the cache, reserved for orders; make room", free_bytes / 1024)]
    Scarce { free_bytes: u64 },
    #[error("the cache failed: {0}")]
    Database(#[source] rusqlite::Error),
    #[error("cancelled before it was answered")]
    Cancelled,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            _ if is_full(&error) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { detail: error.to_string() },
            _ => match error {
                // A column has another type than the cache writes.
                rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..) => {
                    Self::Damaged { detail: error.to_string() }
                }
                other => Self::Database(other),
            },
        }
    }
}

impl StoreError {
    /// For data that this program cannot have written.
    pub(super) fn damaged(detail: &str) -> Self {
        Self::Damaged { detail: detail.to_owned() }
    }
}
