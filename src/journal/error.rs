//! Errors of the journal, worded for the person who has to fix the cause.

use std::io;
use std::path::PathBuf;

use crate::disk::is_full;
use crate::domain::order::IllegalOrderEvent;
use crate::domain::{Failure, FailureReason, MayHaveHappened, OrderId, Text, Timestamp};

/// Whatever the error, nothing was sent. A console without a journal does not pay, but goes on reading.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("cannot use {} as the folder of the journal: {source}; correct its permissions, or name another data folder", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{} is a file; the folder of the journal must be a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("the journal in {} cannot be written, so nothing is sent; make the folder and its files writable", path.display())]
    Unwritable { path: PathBuf },
    #[error("no room left on the disk of the journal, so nothing is sent; make room and try again")]
    Full,
    #[error(
        "another program has locked the journal for {seconds} seconds; nothing was recorded and nothing was sent; end that program, or try again"
    )]
    Busy {
        /// How long the console waited.
        seconds: u64,
    },
    /// The journal is being replaced, or is in use where it must not be.
    #[error("the journal in {} is in use by another bursar; end that one first", path.display())]
    InUse { path: PathBuf },
    #[error(
        "the journal is damaged{}: {detail}; nothing was changed and nothing is sent; `bursar journal verify` gives \
         details, and `bursar journal restore` restores a backup",
        at_record(*.record)
    )]
    Damaged {
        /// The record with the damage, where there is one.
        record: Option<u64>,
        detail: String,
    },
    #[error(
        "record {record} of the journal cannot be understood by this version of bursar; use the newer version that wrote it"
    )]
    NotUnderstood { record: u64 },
    #[error("the journal {} has format {format}, but this version of bursar knows formats only up to {newest_format}; use the newer version", path.display())]
    Newer { path: PathBuf, format: i64, newest_format: i64 },
    #[error("{} is not a journal of bursar", path.display())]
    NotAJournal { path: PathBuf },
    #[error("{} is a backup, not a journal in use; move it away and bring it back with `bursar journal restore`", path.display())]
    Backup { path: PathBuf },
    #[error("{} is a journal in use, not a backup; make one with `bursar journal backup`", path.display())]
    NotABackup { path: PathBuf },
    #[error("{} exists already; name a new file", path.display())]
    Exists { path: PathBuf },
    #[error("there is no folder {}; create it first, or name a file in another folder", path.display())]
    NoFolder { path: PathBuf },
    #[error("there is no file {}", path.display())]
    Missing { path: PathBuf },
    #[error(
        "there is a journal {} in {}, and two journals cannot be merged; name another data folder, or move \
         journal.sqlite and the files beside it away",
        record_count_label(*.records),
        path.display()
    )]
    NotEmpty {
        path: PathBuf,
        /// `None` where the journal cannot be read.
        records: Option<u64>,
    },
    #[error(
        "{open} {} open when this backup was made at {at} on {host}, and would be open in two places; end the console \
         there for good, then pass --take-over: open orders are then looked up here, and never sent from here",
        if *.open == 1 { "order was" } else { "orders were" }
    )]
    OpenElsewhere {
        open: u64,
        /// The machine that made the backup.
        host: Text,
        /// When the backup was made.
        at: Timestamp,
    },
    #[error(
        "this order was open when the journal was copied from {host} at {at}, and may have been sent from there since; \
         it is looked up here and can be closed here, but not sent from here"
    )]
    FromBackup {
        /// The machine that made the backup.
        host: Text,
        /// When the backup was made.
        at: Timestamp,
    },
    #[error(transparent)]
    Illegal(#[from] IllegalOrderEvent),
    #[error(
        "somebody else changed the address book in the meantime, and nothing was recorded; check the book and try again"
    )]
    BookChanged,
    #[error("the journal holds no order {0}")]
    NoSuchOrder(OrderId),
    #[error("the journal failed, so nothing is sent: {0}")]
    Database(#[source] rusqlite::Error),
}

fn at_record(record: Option<u64>) -> String {
    record.map_or_else(String::new, |record| format!(" at record {record}"))
}

fn record_count_label(records: Option<u64>) -> String {
    match records {
        None => "that cannot be read".to_owned(),
        Some(1) => "with 1 record".to_owned(),
        Some(records) => format!("with {records} records"),
    }
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            _ if is_full(&error) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::damaged(None, &error.to_string()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::Busy { seconds: super::schema::BUSY_TIMEOUT.as_secs() }
            }
            _ => match error {
                // A column has another type than the journal writes.
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::IntegralValueOutOfRange(..) => Self::damaged(None, &error.to_string()),
                other => Self::Database(other),
            },
        }
    }
}

impl JournalError {
    /// For data that this program cannot have written.
    pub(super) fn damaged(record: Option<u64>, detail: &str) -> Self {
        Self::Damaged { record, detail: detail.to_owned() }
    }

    pub(super) fn from_record(record: u64, error: rusqlite::Error) -> Self {
        match Self::from(error) {
            Self::Damaged { record: None, detail } => Self::Damaged { record: Some(record), detail },
            other => other,
        }
    }

    /// Whether the journal itself cannot be trusted any more, so that no payment may rely on it.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::NotUnderstood { .. })
    }
}

/// Nothing has happened at the service: what the journal refuses is not sent.
impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self {
            may_have_happened: MayHaveHappened::No,
            reason: FailureReason::Local,
            detail: Text::clean(&error.to_string()),
        }
    }
}
