//! A ledger that nobody has opened yet: whether its files are as its mark says.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::extent::{Log, MarkContent};
use super::{log_of, main_of, mark_of};
use crate::service::integrity_mark::{MarkFile, StoredMark};

/// What a mark says where nothing is known yet: it stands before the ledger is made or brought up to this format.
const NEW: &str = "new";

/// What stands in a folder in which a ledger is to be opened.
#[derive(Debug)]
pub(in super::super) enum LedgerState {
    /// A ledger that is as it was left.
    AsLeft(Box<ClosedLedger>),
    /// No ledger, or one without a mark.
    Unmarked,
    /// The making of the ledger, or its change into this format, was begun and cut off.
    Begun,
    /// Something else than what was left.
    Altered(String),
}

/// A ledger that was compared with its mark and is not open yet.
#[derive(Debug)]
pub(in super::super) struct ClosedLedger {
    pub(super) main: File,
    pub(super) marks: MarkFile,
    pub(super) extent: MarkContent,
}

impl ClosedLedger {
    /// Says that the log may be any from now on: `SQLite` is about to begin one. Nobody is answered before [`Integrity::keep`]
    /// has said which.
    pub(in super::super) fn open_log(&mut self) -> io::Result<()> {
        if let Log::Done(_) = self.extent.log {
            self.extent.log = Log::Open;
            self.marks.write_twice(&self.extent.text())?;
        }
        Ok(())
    }
}

/// Compares what stands in a folder with its mark, before `SQLite` sees it.
pub(in super::super) fn inspect(folder: &Path) -> io::Result<LedgerState> {
    if !mark_of(folder).try_exists()? {
        return Ok(LedgerState::Unmarked);
    }
    let (marks, mark) = MarkFile::open(&mark_of(folder))?;
    let text = match mark {
        StoredMark::Absent => return Ok(LedgerState::Unmarked),
        StoredMark::Unreadable => return Ok(LedgerState::Altered(ILLEGIBLE.into())),
        StoredMark::Content { text, is_alone } => {
            if is_alone {
                tracing::warn!(folder = %folder.display(), "{ALONE}");
            }
            text
        }
    };
    if text == NEW {
        return Ok(LedgerState::Begun);
    }
    let Some(extent) = MarkContent::read(&text) else { return Ok(LedgerState::Altered(ILLEGIBLE.into())) };
    // Closed only after SQLite has closed its own: what a process locks of a file goes with any of its descriptors.
    let main = File::open(main_of(folder))?;
    Ok(match compare(folder, &extent, &main)?.into_iter().next() {
        Some(wrong) => LedgerState::Altered(wrong),
        None => LedgerState::AsLeft(Box::new(ClosedLedger { main, marks, extent })),
    })
}

/// What differs between the files of a folder and what its mark says of them.
fn compare(folder: &Path, extent: &MarkContent, main: &File) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    // SQLite writes whatever it finds there into the file. The service never has one: its changes stand in the log.
    if fs::metadata(folder.join("ledger.db-journal")).is_ok_and(|about| about.len() > 0) {
        wrong.push("there is a ledger.db-journal beside ledger.db that the service did not write".into());
    }
    let log = log_of(folder)?;
    let (odd, over) = extent.compare_log(log.as_ref())?;
    let is_log_whole = odd.is_none();
    wrong.extend(odd);
    if is_log_whole || extent.over == 0 {
        wrong.extend(extent.compare_file(main, log.as_ref(), &over)?);
    }
    Ok(wrong)
}

const ILLEGIBLE: &str = "ledger.mark cannot be read";
const ALONE: &str =
    "one of the two copies in ledger.mark cannot be read: a write was cut off, or its bytes were changed";

/// Whether a ledger stood in a folder.
pub(in super::super) fn is_marked(folder: &Path) -> bool {
    match MarkFile::open_locked(&mark_of(folder)) {
        Ok((_, StoredMark::Absent)) => false,
        Ok((_, StoredMark::Content { text, .. })) => text != NEW,
        Ok((_, StoredMark::Unreadable)) | Err(_) => true,
    }
}

/// Lays aside what `SQLite` would write into the ledger's file though it is none of it: the file is taken as it stands.
pub(in super::super) fn set_aside(folder: &Path) -> io::Result<()> {
    let (hold, mark) = MarkFile::open_locked(&mark_of(folder))?;
    let extent = match mark {
        StoredMark::Content { text, .. } => MarkContent::read(&text),
        StoredMark::Absent | StoredMark::Unreadable => None,
    };
    let mut foreign = Vec::new();
    foreign.extend(extent.is_some().then_some("ledger.db-journal"));
    if let Some(extent) = extent.filter(|extent| matches!(extent.log, Log::Done(_)))
        && extent.compare_log(log_of(folder)?.as_ref())?.0.is_some()
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
    drop(hold);
    Ok(())
}

/// Says that nothing is known of the ledger yet: before it is made or brought up to this format, or where it is taken as it
/// stands.
pub(in super::super) fn begin(folder: &Path) -> io::Result<()> {
    MarkFile::open(&mark_of(folder))?.0.write_twice(NEW)
}

/// Everything that differs between a ledger and its mark, as it stands at one moment, whoever writes it: no page moves until
/// what is given beside is dropped. `None` where there is no mark.
pub(in super::super) fn differences(folder: &Path) -> io::Result<Option<(Vec<String>, Option<File>)>> {
    let (hold, mark) = MarkFile::open_locked(&mark_of(folder))?;
    let mut wrong = Vec::new();
    let text = match mark {
        StoredMark::Absent => return Ok(None),
        StoredMark::Unreadable => {
            wrong.push(ILLEGIBLE.into());
            return Ok(Some((wrong, hold)));
        }
        StoredMark::Content { text, is_alone } => {
            wrong.extend(is_alone.then(|| ALONE.into()));
            text
        }
    };
    if text != NEW {
        match MarkContent::read(&text) {
            None => wrong.push(ILLEGIBLE.into()),
            Some(extent) => wrong.extend(compare(folder, &extent, &File::open(main_of(folder))?)?),
        }
    }
    Ok(Some((wrong, hold)))
}
