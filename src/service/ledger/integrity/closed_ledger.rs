//! Compares the files of a ledger with its mark before they are opened.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::mark_content::{MarkContent, RecordedLogState};
use super::{ledger_file_path, mark_path, open_log_file};
use crate::service::integrity_mark::{MarkFile, StoredMark};

/// Text of a mark before the ledger is created, upgraded to this format, or accepted as it is.
const UNSET_TEXT: &str = "new";

/// State of a folder in which a ledger is to be opened.
#[derive(Debug)]
pub(in super::super) enum LedgerState {
    /// The files are as the service left them.
    Unchanged(Box<ClosedLedger>),
    /// No ledger, or one without a mark.
    Unmarked,
    /// The creation of the ledger, or its upgrade to this format, was interrupted.
    CreationInterrupted,
    /// The files differ from the mark.
    Altered(String),
}

/// A ledger that matches its mark and is not open yet.
#[derive(Debug)]
pub(in super::super) struct ClosedLedger {
    pub(super) ledger_file: File,
    pub(super) mark_file: MarkFile,
    pub(super) mark_content: MarkContent,
}

impl ClosedLedger {
    /// Lets the mark accept any log: `SQLite` is about to begin one. No request is answered before
    /// [`super::Integrity::open`] has recorded it.
    pub(in super::super) fn accept_any_log(&mut self) -> io::Result<()> {
        if let RecordedLogState::Done(_) = self.mark_content.log {
            self.mark_content.log = RecordedLogState::Open;
            self.mark_file.write_twice(&self.mark_content.text())?;
        }
        Ok(())
    }
}

/// Compares a folder with its mark, before `SQLite` opens the files.
pub(in super::super) fn inspect_ledger_folder(folder: &Path) -> io::Result<LedgerState> {
    if !mark_path(folder).try_exists()? {
        return Ok(LedgerState::Unmarked);
    }
    let (marks, mark) = MarkFile::open(&mark_path(folder))?;
    let text = match mark {
        StoredMark::Absent => return Ok(LedgerState::Unmarked),
        StoredMark::Unreadable => return Ok(LedgerState::Altered(ILLEGIBLE.into())),
        StoredMark::Content { text, is_only_copy: is_alone } => {
            if is_alone {
                tracing::warn!(folder = %folder.display(), "{SINGLE_COPY_MESSAGE}");
            }
            text
        }
    };
    if text == UNSET_TEXT {
        return Ok(LedgerState::CreationInterrupted);
    }
    let Some(extent) = MarkContent::parse(&text) else { return Ok(LedgerState::Altered(ILLEGIBLE.into())) };
    // Must be closed after `SQLite` closes its own descriptor: closing any descriptor of a file releases the process's
    // locks on it.
    let main = File::open(ledger_file_path(folder))?;
    Ok(match compare_with_mark(folder, &extent, &main)?.into_iter().next() {
        Some(wrong) => LedgerState::Altered(wrong),
        None => {
            LedgerState::Unchanged(Box::new(ClosedLedger { ledger_file: main, mark_file: marks, mark_content: extent }))
        }
    })
}

/// The differences between the files of a folder and their mark.
fn compare_with_mark(folder: &Path, extent: &MarkContent, main: &File) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    // `SQLite` would roll back any such journal into the file. The service never writes one: it uses a write-ahead log.
    if fs::metadata(folder.join("ledger.db-journal")).is_ok_and(|about| about.len() > 0) {
        wrong.push("there is a ledger.db-journal beside ledger.db that the service did not write".into());
    }
    let log = open_log_file(folder)?;
    let (odd, over) = extent.compare_log(log.as_ref())?;
    let is_log_whole = odd.is_none();
    wrong.extend(odd);
    if is_log_whole || extent.digested_frames == 0 {
        wrong.extend(extent.compare_file(main, log.as_ref(), &over)?);
    }
    Ok(wrong)
}

const ILLEGIBLE: &str = "ledger.mark cannot be read";
const SINGLE_COPY_MESSAGE: &str =
    "one of the two copies in ledger.mark cannot be read: a write was cut off, or its bytes were changed";

/// Whether there was a ledger in a folder.
pub(in super::super) fn has_mark(folder: &Path) -> bool {
    match MarkFile::open_under_shared_lock(&mark_path(folder)) {
        Ok((_, StoredMark::Absent)) => false,
        Ok((_, StoredMark::Content { text, .. })) => text != UNSET_TEXT,
        Ok((_, StoredMark::Unreadable)) | Err(_) => true,
    }
}

/// Before the file is accepted as it is: moves aside a journal or log that `SQLite` would apply to it although it is
/// not the service's.
pub(in super::super) fn set_aside_foreign_logs(folder: &Path) -> io::Result<()> {
    let (lock, mark) = MarkFile::open_under_shared_lock(&mark_path(folder))?;
    let extent = match mark {
        StoredMark::Content { text, .. } => MarkContent::parse(&text),
        StoredMark::Absent | StoredMark::Unreadable => None,
    };
    let mut foreign = Vec::new();
    foreign.extend(extent.is_some().then_some("ledger.db-journal"));
    if let Some(extent) = extent.filter(|extent| matches!(extent.log, RecordedLogState::Done(_)))
        && extent.compare_log(open_log_file(folder)?.as_ref())?.0.is_some()
    {
        foreign.push("ledger.db-wal");
    }
    for name in foreign {
        let (from, to) = (folder.join(name), folder.join(format!("{name}.aside")));
        match fs::rename(&from, &to) {
            Ok(()) => tracing::warn!("{} was moved to {} and is not part of the ledger", from.display(), to.display()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    drop(lock);
    Ok(())
}

/// Resets the mark: before the ledger is created or upgraded, or where it is accepted as it is.
pub(in super::super) fn unset_mark(folder: &Path) -> io::Result<()> {
    MarkFile::open(&mark_path(folder))?.0.write_twice(UNSET_TEXT)
}

/// All differences between a ledger and its mark on one snapshot. The returned file's lock stops checkpoints until it
/// is dropped. `None` without a mark.
pub(in super::super) fn differences_from_mark(folder: &Path) -> io::Result<Option<(Vec<String>, Option<File>)>> {
    let (lock, mark) = MarkFile::open_under_shared_lock(&mark_path(folder))?;
    let mut wrong = Vec::new();
    let text = match mark {
        StoredMark::Absent => return Ok(None),
        StoredMark::Unreadable => {
            wrong.push(ILLEGIBLE.into());
            return Ok(Some((wrong, lock)));
        }
        StoredMark::Content { text, is_only_copy: is_alone } => {
            wrong.extend(is_alone.then(|| SINGLE_COPY_MESSAGE.into()));
            text
        }
    };
    if text != UNSET_TEXT {
        match MarkContent::parse(&text) {
            None => wrong.push(ILLEGIBLE.into()),
            Some(extent) => wrong.extend(compare_with_mark(folder, &extent, &File::open(ledger_file_path(folder))?)?),
        }
    }
    Ok(Some((wrong, lock)))
}
