//! What can go wrong with the journal, in words for the person who has to mend it.

use std::io;
use std::path::PathBuf;

use crate::disk::is_full;
use crate::domain::intent::Illegal;
use crate::domain::{Failure, MayHaveHappened, OrderId, Reason, Text, Timestamp};

/// Why the journal could not be opened, read or written. Whatever it is, nothing was sent, and whoever has no journal
/// does not pay; watching goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The folder cannot be made or entered.
    #[error("cannot use {} as the folder of the journal: {source}; correct its permissions, or name another data folder", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else stands where the folder should.
    #[error("{} is a file; the folder of the journal must be a folder", path.display())]
    NotAFolder {
        /// What stands there.
        path: PathBuf,
    },
    /// The journal cannot be written, so that nothing can be sent.
    #[error("the journal in {} cannot be written, so nothing is sent; make the folder and its files writable", path.display())]
    Unwritable {
        /// Which folder.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no room left on the disk of the journal, so nothing is sent; make room and try again")]
    Full,
    /// Another program has held the journal for longer than anybody should.
    #[error(
        "another program has locked the journal for {seconds} seconds; nothing was recorded and nothing was sent; end that program, or try again"
    )]
    Busy {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The journal is being replaced, or is in use where it must not be.
    #[error("the journal in {} is in use by another bursar; end that one first", path.display())]
    InUse {
        /// Which folder.
        path: PathBuf,
    },
    /// What stands in the file cannot have been written there.
    #[error(
        "the journal is damaged{}: {detail}; nothing was changed and nothing is sent; `bursar journal verify` shows \
         more, and `bursar journal restore` brings back a backup",
        at_record(*.record)
    )]
    Damaged {
        /// At which record, where that can be said.
        record: Option<u64>,
        /// What was found.
        detail: String,
    },
    /// A record is whole and says something that this version does not know.
    #[error(
        "record {record} of the journal cannot be understood by this version of bursar; use the newer version that wrote it"
    )]
    NotUnderstood {
        /// Which.
        record: u64,
    },
    /// The journal was written by a newer version.
    #[error("the journal {} has format {found}, but this version of bursar knows formats only up to {known}; use the newer version", path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format that this version knows.
        known: i64,
    },
    /// It is another program's file, or none that SQLite knows.
    #[error("{} is not a journal of bursar", path.display())]
    NotAJournal {
        /// Which file.
        path: PathBuf,
    },
    /// It is a backup, put where a journal belongs.
    #[error("{} is a backup, not a journal in use; move it away and bring it back with `bursar journal restore`", path.display())]
    Backup {
        /// Which file.
        path: PathBuf,
    },
    /// It is no backup.
    #[error("{} is a journal in use, not a backup; make one with `bursar journal backup`", path.display())]
    NotABackup {
        /// Which file.
        path: PathBuf,
    },
    /// Something stands where a new file should.
    #[error("{} exists already; name a new file", path.display())]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// The folder of a new file is not there.
    #[error("there is no folder {}; create it first, or name a file in another folder", path.display())]
    NoFolder {
        /// Which folder.
        path: PathBuf,
    },
    /// There is no such file.
    #[error("there is no file {}", path.display())]
    Missing {
        /// Which file.
        path: PathBuf,
    },
    /// A journal with records stands where one should be restored.
    #[error(
        "there is a journal {} in {}, and two journals cannot be merged; name another data folder, or move \
         journal.sqlite and the files beside it away",
        held(*.records),
        path.display()
    )]
    NotEmpty {
        /// Which folder.
        path: PathBuf,
        /// How many records; `None` where it cannot be read.
        records: Option<u64>,
    },
    /// Orders would be open in two places.
    #[error(
        "{open} {} open when this backup was made at {at} on {host}, and would be open in two places; end the console \
         there for good, then pass --take-over: open orders are then looked up here, and never sent from here",
        if *.open == 1 { "order was" } else { "orders were" }
    )]
    OpenElsewhere {
        /// How many orders.
        open: u64,
        /// The machine that made the backup.
        host: Text,
        /// When.
        at: Timestamp,
    },
    /// The order came with a backup, and may have been sent from where it was made.
    #[error(
        "this order was open when the journal was copied from {host} at {at}, and may have been sent from there since; \
         it is looked up here and can be closed here, but not sent from here"
    )]
    FromBackup {
        /// The machine that made the backup.
        host: Text,
        /// When.
        at: Timestamp,
    },
    /// It may not happen to this order now.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The address book is another than the one that a change of it was judged by.
    #[error(
        "somebody else changed the address book in the meantime, and nothing was recorded; check the book and try again"
    )]
    BookChanged,
    /// The journal holds no such order.
    #[error("the journal holds no order {0}")]
    NoSuchOrder(OrderId),
    /// The database refused for another reason.
    #[error("the journal failed, so nothing is sent: {0}")]
    Database(#[source] rusqlite::Error),
}

fn at_record(record: Option<u64>) -> String {
    record.map_or_else(String::new, |record| format!(" at record {record}"))
}

fn held(records: Option<u64>) -> String {
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
                // A column of another type than was written there.
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
    /// What was read cannot have been written by us.
    pub(super) fn damaged(record: Option<u64>, detail: &str) -> Self {
        Self::Damaged { record, detail: detail.to_owned() }
    }

    /// What the database said while a record was read.
    pub(super) fn from_record(record: u64, error: rusqlite::Error) -> Self {
        match Self::from(error) {
            Self::Damaged { record: None, detail } => Self::Damaged { record: Some(record), detail },
            other => other,
        }
    }

    /// Whether the journal itself cannot be trusted any more, so that nobody should pay by it.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::NotUnderstood { .. })
    }
}

/// Nothing has happened at the service: what the journal refuses is not sent.
impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self { effect: MayHaveHappened::No, reason: Reason::Local, detail: Text::clean(&error.to_string()) }
    }
}
