//! Integrity of the ledger's files: whether they are as the service left them.
//!
//! ```text
//!   commit:      log (chained by SQLite, frame by frame) ─▶ mark: end of the log ─▶ answers
//!   checkpoint:  mark: the file after it, synced ─▶ pages into the file ─▶ mark: the log is done, synced
//!   start:       mark: any log, synced ─▶ a first commit ─▶ mark: this log, synced ─▶ answers
//! ```
//!
//! `SQLite` does not detect loss: it takes the first bad frame for the end of the log, and any readable page for the
//! right one. So a mark beside the ledger states the last acknowledged frame of the log, and a digest of all pages of
//! the file. It covers every bit of the file, of the log up to the mark, and of the mark. It is written after each
//! commit and before its answers, and synced at each checkpoint: a killed process loses none of it, and after a power
//! cut it may detect less, but never raises a false alarm.
//!
//! At a start all of this is compared before `SQLite` opens the files.

mod closed_ledger;
mod digest;
mod mark_content;
mod wal;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::service::integrity_mark::MarkFile;

use digest::Digest;
use mark_content::{MarkContent, RecordedLogState};
use wal::WalCommit;

pub(super) use closed_ledger::{
    ClosedLedger, LedgerState, differences_from_mark, has_mark, inspect_ledger_folder, set_aside_foreign_logs,
    unset_mark,
};

/// Log frames that trigger a checkpoint.
const LONGEST_LOG: u32 = 2_000;

/// The ledger's database file.
fn ledger_file_path(folder: &Path) -> PathBuf {
    folder.join("ledger.db")
}

fn open_log_file(folder: &Path) -> io::Result<Option<File>> {
    match File::open(folder.join("ledger.db-wal")) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn mark_path(folder: &Path) -> PathBuf {
    folder.join("ledger.mark")
}

/// Maintains the mark of an open ledger, and checkpoints its log.
#[derive(Debug)]
pub(super) struct Integrity {
    folder: PathBuf,
    ledger_file: File,
    log: Option<File>,
    mark_file: MarkFile,
    mark_content: MarkContent,
    /// The last commit that was read from the log.
    last_commit: WalCommit,
    /// Log pages included in the digest, each with its newest frame.
    digested_pages: HashMap<u32, u32>,
    /// Log pages not yet included in the digest.
    undigested_pages: HashMap<u32, u32>,
    /// Log frames at which the next checkpoint is due.
    max_log_frames: u32,
    /// Whether the mark lags behind the ledger, because it could not be written.
    is_mark_behind: bool,
    /// Whether another program restarted the log: the mark can no longer vouch for this ledger.
    is_lost: bool,
}

impl Integrity {
    /// Takes over the mark of a ledger that was just opened. Without a compared state in `closed_ledger`, the ledger is
    /// accepted as it is.
    pub(super) fn open(
        folder: &Path,
        closed_ledger: Option<Box<ClosedLedger>>,
        connection: &Connection,
    ) -> io::Result<Self> {
        let (main, marks, recorded_content) = match closed_ledger {
            Some(closed_ledger) => {
                (closed_ledger.ledger_file, closed_ledger.mark_file, Some(closed_ledger.mark_content))
            }
            None => (File::open(ledger_file_path(folder))?, MarkFile::open(&mark_path(folder))?.0, None),
        };
        let page_size = page_size(connection)?;
        let fresh = MarkContent {
            page_size,
            pages: 0,
            digest: Digest::default(),
            digested_frames: 0,
            log: RecordedLogState::Open,
        };
        let mut state = Self {
            folder: folder.into(),
            ledger_file: main,
            log: None,
            mark_file: marks,
            mark_content: recorded_content.clone().unwrap_or(fresh),
            last_commit: WalCommit::default(),
            digested_pages: HashMap::new(),
            undigested_pages: HashMap::new(),
            max_log_frames: LONGEST_LOG,
            is_mark_behind: false,
            is_lost: false,
        };
        let over = if recorded_content.is_some() { state.mark_content.digested_frames } else { u32::MAX };
        state.read_new_commits()?;
        if state.last_commit.frames == 0 {
            // Changes nothing, but begins the log, so that the mark can identify it.
            connection.execute_batch(&empty_commit_sql(connection)?).map_err(io::Error::other)?;
            state.read_new_commits()?;
        }
        state.split_log_pages_by_digest(over)?;
        if recorded_content.is_none() {
            state.mark_content.digested_frames = state.last_commit.frames;
            state.mark_content.pages = page_count(connection)?;
            let log = state.log.as_ref().map(|log| (log, &state.digested_pages));
            state.mark_content.digest = digest::digest_file(&state.ledger_file, page_size, log)?;
        }
        state.mark_content.log = RecordedLogState::Needed(state.last_commit);
        state.mark_file.write_twice(&state.mark_content.text())?;
        if state.mark_content.digested_frames > 0 {
            state.checkpoint(connection)?;
        }
        Ok(state)
    }

    /// Splits the pages of the log by whether the digest includes them: it does up to frame `over`.
    fn split_log_pages_by_digest(&mut self, over: u32) -> io::Result<()> {
        self.undigested_pages.clear();
        let Some(log) = &self.log else { return Ok(()) };
        if let Some(tail) = wal::read_tail(log, WalCommit::default(), |_| ())? {
            for (page, frame) in tail.frames {
                if frame <= over {
                    self.digested_pages.insert(page, frame)
                } else {
                    self.undigested_pages.insert(page, frame)
                };
            }
        }
        Ok(())
    }

    /// Writes what an earlier attempt could not, if anything. Call before each change.
    pub(super) fn retry_failed_mark_write(&mut self) -> io::Result<()> {
        if self.is_mark_behind {
            self.mark_file.write(&self.mark_content.text())?;
            self.mark_file.sync()?;
            self.is_mark_behind = false;
        }
        Ok(())
    }

    /// Records the last commit in the mark: it may be acknowledged from now on.
    pub(super) fn record_last_commit(&mut self) -> io::Result<()> {
        let before = self.last_commit;
        self.read_new_commits()?;
        if self.last_commit != before {
            // A rolled-back transaction may have restarted the log and left it empty.
            if self.last_commit.frames > 0 {
                self.mark_content.log = RecordedLogState::Needed(self.last_commit);
            }
            self.is_mark_behind = true;
            self.mark_file.write(&self.mark_content.text())?;
            self.is_mark_behind = false;
        }
        Ok(())
    }

    /// Whether the mark lags behind the ledger; the next change first brings it up to date.
    pub(super) fn is_mark_behind(&self) -> bool {
        self.is_mark_behind
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the log contains anything that the file does not.
    pub(super) fn has_uncheckpointed_commits(&self) -> bool {
        matches!(self.mark_content.log, RecordedLogState::Needed(_))
    }

    /// Whether the log is due for a checkpoint.
    pub(super) fn is_checkpoint_due(&self) -> bool {
        self.has_uncheckpointed_commits() && self.last_commit.frames >= self.max_log_frames
    }

    /// Checkpoints the log into the file. Failing is harmless: everything is on the disk already.
    pub(super) fn checkpoint(&mut self, connection: &Connection) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        self.max_log_frames = self.last_commit.frames.saturating_add(LONGEST_LOG);
        let Self {
            ledger_file: main,
            log,
            mark_file: marks,
            mark_content: extent,
            digested_pages,
            undigested_pages: uncounted,
            last_commit: place,
            is_mark_behind: is_behind,
            max_log_frames: longest,
            ..
        } = self;
        let Some(log) = log.as_ref() else { return Ok(()) };
        let checkpoint = |marks: &mut MarkFile| -> io::Result<()> {
            let mut digest = extent.digest;
            let mut page = vec![0; extent.page_size];
            for (number, frame) in uncounted.iter() {
                match digested_pages.get(number) {
                    Some(earlier) => wal::read_frame_page(log, *earlier, &mut page)?,
                    None => digest::read_page(main, *number, &mut page)?,
                }
                digest = digest.toggle_page(*number, &page);
                wal::read_frame_page(log, *frame, &mut page)?;
                digest = digest.toggle_page(*number, &page);
            }
            let pages = page_count(connection)?;
            let after = MarkContent { pages, digest, digested_frames: place.frames, ..extent.clone() };
            marks.write(&after.text())?;
            marks.sync()?;
            *extent = after;
            digested_pages.extend(uncounted.drain());
            let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
            });
            if done.map_err(io::Error::other)? {
                // From here on `SQLite` may restart the log, so the mark must not depend on it.
                digested_pages.clear();
                (extent.digested_frames, extent.log, *is_behind, *longest) =
                    (0, RecordedLogState::Done(*place), true, LONGEST_LOG);
                marks.write(&extent.text())?;
                marks.sync()?;
                *is_behind = false;
            }
            Ok(())
        };
        marks.try_with_exclusive_lock(checkpoint).unwrap_or(Ok(()))
    }

    /// Leaves the ledger with an empty log, unless another process is reading it.
    pub(super) fn close(mut self, connection: Connection) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        if self.has_uncheckpointed_commits() {
            self.checkpoint(&connection)?;
        }
        self.retry_failed_mark_write()?;
        if !self.has_uncheckpointed_commits() {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(io::Error::other)?;
        }
        self.mark_file.write_twice(&self.mark_content.text())?;
        drop(connection);
        Ok(())
    }

    /// Reads the commits since the last call.
    fn read_new_commits(&mut self) -> io::Result<()> {
        if self.log.is_none() {
            self.log = open_log_file(&self.folder)?;
        }
        let Some(log) = &self.log else { return Ok(()) };
        let Some(tail) = wal::read_tail(log, self.last_commit, |_| ())? else { return Ok(()) };
        if tail.is_new {
            if self.has_uncheckpointed_commits() && self.last_commit != WalCommit::default() {
                self.is_lost = true;
                return Err(io::Error::other("another program wrote to ledger.db and restarted its log"));
            }
            self.undigested_pages.clear();
            self.max_log_frames = LONGEST_LOG;
        }
        self.last_commit = tail.last_commit;
        self.undigested_pages.extend(tail.frames);
        Ok(())
    }
}

/// A commit without effect.
fn empty_commit_sql(connection: &Connection) -> io::Result<String> {
    let format: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(io::Error::other)?;
    Ok(format!("PRAGMA user_version = {format}"))
}

fn page_count(connection: &Connection) -> io::Result<u32> {
    connection.query_row("PRAGMA page_count", [], |row| row.get(0)).map_err(io::Error::other)
}

fn page_size(connection: &Connection) -> io::Result<usize> {
    let size: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(io::Error::other)?;
    usize::try_from(size).map_err(io::Error::other)
}
