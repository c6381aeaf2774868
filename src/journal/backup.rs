//! Backups: copies a journal to one file, and restores a journal from one.
//!
//! An order must not be open on two machines, since either could send it or give it up without the other knowing. So a
//! backup ends with a record of where and when it was made, and cannot be used as a journal as it is. One with open
//! orders is restored only when the operator states that the source is no longer in use; orders open at that time can
//! be looked up and closed after the restore, but are never sent from there.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::file::{JournalFile, NewRecord};
use super::location::{self, JournalFolder};
use super::record::Body;
use super::snapshot::{JournalSnapshot, VerifyReport};
use super::{JournalError, schema, tail_marker};
use crate::domain::order::ConsoleIdentity;
use crate::domain::{Text, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopySummary {
    pub records: u64,
    pub open_orders: u64,
    /// The machine that made the backup.
    pub host: Text,
    /// When the backup was made.
    pub at: Timestamp,
}

/// Copies a journal, which may be in use, to a new file; `journal` is its folder or its file.
///
/// # Errors
/// [`JournalError::Exists`] where the new file exists; [`JournalError::Damaged`] where the journal is not whole, since
/// such a copy could not be restored. No new file is left then.
pub fn backup(journal: &Path, to: &Path, by: &ConsoleIdentity, at: Timestamp) -> Result<CopySummary, JournalError> {
    let source = JournalSnapshot::open(journal)?;
    let verified = verify_source(&source)?;
    if verified.backup.is_some() {
        return Err(JournalError::Backup { path: source.path().to_owned() });
    }
    location::create_new_file(to)?;
    let copy_result = copy_journal(&source, to, Body::Copied { open: verified.open }, by, at);
    if copy_result.is_err() {
        discard_copy(to);
    }
    copy_result?;
    Ok(CopySummary { records: verified.records, open_orders: verified.open, host: by.host.clone(), at })
}

/// Restores a journal from a backup, in a folder without a journal or with an empty one.
///
/// # Errors
/// [`JournalError::OpenElsewhere`] where orders were open and `take_over` does not state that the source is no longer
/// in use; [`JournalError::NotEmpty`] where the folder has a journal with records; [`JournalError::InUse`] where a
/// console has it open. The folder is then unchanged.
pub fn restore(
    backup: &Path,
    folder: &Path,
    take_over: bool,
    by: &ConsoleIdentity,
    at: Timestamp,
) -> Result<CopySummary, JournalError> {
    let source = JournalSnapshot::open(backup)?;
    let verified = verify_source(&source)?;
    let Some((host, made_at)) = verified.backup else {
        return Err(JournalError::NotABackup { path: source.path().to_owned() });
    };
    if verified.open > 0 && !take_over {
        return Err(JournalError::OpenElsewhere { open: verified.open, host, at: made_at });
    }
    let home = JournalFolder::open_exclusive(folder)?;
    refuse_to_replace(&home)?;
    let fresh = folder.join("journal.restoring");
    // Left behind by an earlier attempt that was killed.
    discard_copy(&fresh);
    location::create_new_file(&fresh)?;
    let restore_result = copy_journal(&source, &fresh, Body::Restored { open: verified.open }, by, at).and_then(|()| {
        let trouble = |source| location::folder_error(folder, source);
        // An empty journal may have left a log or a tail marker, which must not be taken for the new journal's.
        for old in sqlite_companion_files(&home.file()).into_iter().chain(tail_marker::path(&home.file())) {
            remove_if_exists(&old).map_err(trouble)?;
        }
        fs::rename(&fresh, home.file()).map_err(trouble)?;
        sync_folder(folder)
    });
    if restore_result.is_err() {
        discard_copy(&fresh);
    }
    restore_result?;
    Ok(CopySummary { records: verified.records, open_orders: verified.open, host, at: made_at })
}

fn verify_source(source: &JournalSnapshot) -> Result<VerifyReport, JournalError> {
    let mut verified = source.verify();
    if verified.faults.is_empty() {
        return Ok(verified);
    }
    let first = verified.faults.remove(0);
    Err(JournalError::Damaged { record: first.record, detail: first.message })
}

/// Copies a journal into an empty file and ends the copy with a record about it. Once this returns, the copy is on the
/// disk, all in one file, and was read back.
fn copy_journal(
    source: &JournalSnapshot,
    to: &Path,
    last: Body,
    by: &ConsoleIdentity,
    at: Timestamp,
) -> Result<(), JournalError> {
    let mut target = schema::open_writer(to)?;
    // The copy may go to a disk that cannot hold the shared memory of a log.
    target.execute_batch("PRAGMA locking_mode = EXCLUSIVE;")?;
    Backup::new(source.connection(), &mut target)?.run_to_completion(i32::MAX, std::time::Duration::ZERO, None)?;
    merge_log(&target)?;
    let mut journaled = JournalFile::read(target)?;
    let (kind, entry) = match last {
        Body::Restored { .. } => ("restored", NewRecord { order: None, destination: None, body: last }),
        other => ("copied", NewRecord { order: None, destination: None, body: other }),
    };
    journaled.write_record(kind, at, by, |_, _| Ok(Some(entry)))?;
    drop(journaled);
    verify_source(&JournalSnapshot::open(to)?)?;
    File::open(to).and_then(|file| file.sync_all()).map_err(|source| location::folder_error(to, source))?;
    sync_folder(to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

fn merge_log(connection: &Connection) -> Result<(), JournalError> {
    let mode: String = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode == "delete" {
        Ok(())
    } else {
        Err(JournalError::damaged(None, &format!("the copy keeps a log of its own ({mode})")))
    }
}

/// Only an empty journal is replaced.
fn refuse_to_replace(home: &JournalFolder) -> Result<(), JournalError> {
    if !home.file().exists() {
        return Ok(());
    }
    match JournalSnapshot::open(&home.file()) {
        Ok(present) => match schema::read_head(present.connection())?.seq {
            0 => Ok(()),
            records => Err(JournalError::NotEmpty { path: home.folder().to_owned(), records: Some(records) }),
        },
        Err(JournalError::Missing { .. }) => Ok(()),
        // An unreadable file is not for us to remove: it may be what is left of a journal.
        Err(_) => Err(JournalError::NotEmpty { path: home.folder().to_owned(), records: None }),
    }
}

/// Files that SQLite keeps beside a database.
fn sqlite_companion_files(file: &Path) -> Vec<PathBuf> {
    let beside = |suffix: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    vec![beside("-wal"), beside("-shm"), beside("-journal")]
}

fn remove_if_exists(file: &Path) -> std::io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes an unfinished copy. If that fails too, the copy is still no backup: its last record does not make it one.
fn discard_copy(file: &Path) {
    for path in sqlite_companion_files(file).into_iter().chain([file.to_owned()]) {
        let _ = remove_if_exists(&path);
    }
}

/// Syncs the folder: a new name lasts only once its folder was written too.
fn sync_folder(folder: &Path) -> Result<(), JournalError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| location::folder_error(folder, source))
}
