//! What can go wrong with the cache, in words for the person who has to mend it.

use std::io;
use std::path::PathBuf;

use crate::disk::is_full;

/// Why the cache could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be made or entered.
    #[error("cannot use {} as a data folder: {source}; name another one, or correct its permissions", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else stands where the folder should.
    #[error("{} is a file; the data folder must be a folder", path.display())]
    NotAFolder {
        /// What stands there.
        path: PathBuf,
    },
    /// Files in the folder cannot be written.
    #[error("cannot write in {}; the data folder must be writable", path.display())]
    ReadOnly {
        /// Which folder.
        path: PathBuf,
    },
    /// Another process works on the same cache.
    #[error("another bursar uses the cache in {}; end that one, or name another data folder", path.display())]
    Locked {
        /// Which folder.
        path: PathBuf,
    },
    /// The cache was written by a newer version.
    #[error(
        "the cache {} has format {found}, but this version of bursar knows formats only up to {known}; use the newer version, or remove \
         the file: the cache is read again from the service",
        path.display()
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format that this version knows.
        known: i64,
    },
    /// What was read makes no sense. The next start sets the cache aside and builds it anew.
    #[error("the cache is damaged ({detail}); it is rebuilt at the next start")]
    Damaged {
        /// What was found.
        detail: String,
    },
    /// The disk is full.
    #[error("no room left on the disk of the cache; make room, or name another data folder")]
    Full,
    /// What room is left on the disk is kept for the journal.
    #[error("only {} KiB left on the disk of the cache, reserved for orders; make room", left / 1024)]
    Scarce {
        /// How many bytes are left.
        left: u64,
    },
    /// The database refused.
    #[error("the cache failed: {0}")]
    Database(#[source] rusqlite::Error),
    /// The question was withdrawn before it was answered.
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
                // A column of another type than was written there.
                rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..) => {
                    Self::Damaged { detail: error.to_string() }
                }
                other => Self::Database(other),
            },
        }
    }
}

impl StoreError {
    /// What was read cannot have been written by us.
    pub(super) fn damaged(detail: &str) -> Self {
        Self::Damaged { detail: detail.to_owned() }
    }
}
