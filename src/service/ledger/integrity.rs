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

mod closed;
mod digest;
mod extent;
mod wal;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::service::integrity_mark::MarkFile;

use digest::Digest;
use extent::{Log, MarkContent};
use wal::Commit;

pub(super) use closed::{ClosedLedger, LedgerState, begin, differences, inspect, is_marked, set_aside};

/// Log frames that trigger a checkpoint.
const LONGEST_LOG: u32 = 2_000;

/// The ledger's database file.
fn main_of(folder: &Path) -> PathBuf {
    folder.join("ledger.db")
}

fn log_of(folder: &Path) -> io::Result<Option<File>> {
    match File::open(folder.join("ledger.db-wal")) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn mark_of(folder: &Path) -> PathBuf {
    folder.join("ledger.mark")
}

/// Maintains the mark of an open ledger, and checkpoints its log.
#[derive(Debug)]
pub(super) struct Integrity {
    folder: PathBuf,
    main: File,
    log: Option<File>,
    marks: MarkFile,
    extent: MarkContent,
    /// The last commit that was read from the log.
    place: Commit,
    /// Log pages included in the digest, each with its newest frame.
    counted: HashMap<u32, u32>,
    /// Log pages not yet included in the digest.
    uncounted: HashMap<u32, u32>,
    /// Log frames at which the next checkpoint is due.
    longest: u32,
    /// Whether the mark lags behind the ledger, because it could not be written.
    is_behind: bool,
    /// Whether another program restarted the log: the mark can no longer vouch for this ledger.
    is_lost: bool,
}

impl Integrity {
    /// Takes over the mark of a ledger that was just opened. Without a compared state in `found`, the ledger is
    /// accepted as it is.
    pub(super) fn open(folder: &Path, found: Option<Box<ClosedLedger>>, connection: &Connection) -> io::Result<Self> {
        let (main, marks, known) = match found {
            Some(found) => (found.main, found.marks, Some(found.extent)),
            None => (File::open(main_of(folder))?, MarkFile::open(&mark_of(folder))?.0, None),
        };
        let page_size = page_size(connection)?;
        let fresh = MarkContent { page_size, pages: 0, digest: Digest::default(), over: 0, log: Log::Open };
        let mut this = Self {
            folder: folder.into(),
            main,
            log: None,
            marks,
            extent: known.clone().unwrap_or(fresh),
            place: Commit::default(),
            counted: HashMap::new(),
            uncounted: HashMap::new(),
            longest: LONGEST_LOG,
            is_behind: false,
            is_lost: false,
        };
        let over = if known.is_some() { this.extent.over } else { u32::MAX };
        this.read_log()?;
        if this.place.frames == 0 {
            // Changes nothing, but begins the log, so that the mark can identify it.
            connection.execute_batch(&begins_log(connection)?).map_err(io::Error::other)?;
            this.read_log()?;
        }
        this.sort_log(over)?;
        if known.is_none() {
            this.extent.over = this.place.frames;
            this.extent.pages = page_count(connection)?;
            let log = this.log.as_ref().map(|log| (log, &this.counted));
            this.extent.digest = digest::of_file(&this.main, page_size, log)?;
        }
        this.extent.log = Log::Needed(this.place);
        this.marks.write_twice(&this.extent.text())?;
        if this.extent.over > 0 {
            this.checkpoint(connection)?;
        }
        Ok(this)
    }

    /// Splits the pages of the log by whether the digest includes them: it does up to frame `over`.
    fn sort_log(&mut self, over: u32) -> io::Result<()> {
        self.uncounted.clear();
        let Some(log) = &self.log else { return Ok(()) };
        if let Some(tail) = wal::tail(log, Commit::default(), |_| ())? {
            for (page, frame) in tail.frames {
                if frame <= over {
                    self.counted.insert(page, frame)
                } else {
                    self.uncounted.insert(page, frame)
                };
            }
        }
        Ok(())
    }

    /// Writes what an earlier attempt could not, if anything. Call before each change.
    pub(super) fn write_pending_mark(&mut self) -> io::Result<()> {
        if self.is_behind {
            self.marks.write(&self.extent.text())?;
            self.marks.sync()?;
            self.is_behind = false;
        }
        Ok(())
    }

    /// Records the last commit in the mark: it may be acknowledged from now on.
    pub(super) fn acknowledge(&mut self) -> io::Result<()> {
        let before = self.place;
        self.read_log()?;
        if self.place != before {
            // A rolled-back transaction may have restarted the log and left it empty.
            if self.place.frames > 0 {
                self.extent.log = Log::Needed(self.place);
            }
            self.is_behind = true;
            self.marks.write(&self.extent.text())?;
            self.is_behind = false;
        }
        Ok(())
    }

    /// Whether the mark lags behind the ledger; the next change first brings it up to date.
    pub(super) fn is_behind(&self) -> bool {
        self.is_behind
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the log contains anything that the file does not.
    pub(super) fn has_log(&self) -> bool {
        matches!(self.extent.log, Log::Needed(_))
    }

    /// Whether the log is due for a checkpoint.
    pub(super) fn is_long(&self) -> bool {
        self.has_log() && self.place.frames >= self.longest
    }

    /// Checkpoints the log into the file. Failing is harmless: everything is on the disk already.
    pub(super) fn checkpoint(&mut self, connection: &Connection) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        self.longest = self.place.frames.saturating_add(LONGEST_LOG);
        let Self { main, log, marks, extent, counted, uncounted, place, is_behind, longest, .. } = self;
        let Some(log) = log.as_ref() else { return Ok(()) };
        let checkpoint = |marks: &mut MarkFile| -> io::Result<()> {
            let mut digest = extent.digest;
            let mut page = vec![0; extent.page_size];
            for (number, frame) in uncounted.iter() {
                match counted.get(number) {
                    Some(earlier) => wal::page(log, *earlier, &mut page)?,
                    None => digest::read(main, *number, &mut page)?,
                }
                digest = digest.toggled(*number, &page);
                wal::page(log, *frame, &mut page)?;
                digest = digest.toggled(*number, &page);
            }
            let pages = page_count(connection)?;
            let after = MarkContent { pages, digest, over: place.frames, ..extent.clone() };
            marks.write(&after.text())?;
            marks.sync()?;
            *extent = after;
            counted.extend(uncounted.drain());
            let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
            });
            if done.map_err(io::Error::other)? {
                // From here on `SQLite` may restart the log, so the mark must not depend on it.
                counted.clear();
                (extent.over, extent.log, *is_behind, *longest) = (0, Log::Done(*place), true, LONGEST_LOG);
                marks.write(&extent.text())?;
                marks.sync()?;
                *is_behind = false;
            }
            Ok(())
        };
        marks.try_exclusive(checkpoint).unwrap_or(Ok(()))
    }

    /// Leaves the ledger with an empty log, unless another process is reading it.
    pub(super) fn close(mut self, connection: Connection) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        if self.has_log() {
            self.checkpoint(&connection)?;
        }
        self.write_pending_mark()?;
        if !self.has_log() {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(io::Error::other)?;
        }
        self.marks.write_twice(&self.extent.text())?;
        drop(connection);
        Ok(())
    }

    /// Reads the commits since the last call.
    fn read_log(&mut self) -> io::Result<()> {
        if self.log.is_none() {
            self.log = log_of(&self.folder)?;
        }
        let Some(log) = &self.log else { return Ok(()) };
        let Some(tail) = wal::tail(log, self.place, |_| ())? else { return Ok(()) };
        if tail.is_new {
            if self.has_log() && self.place != Commit::default() {
                self.is_lost = true;
                return Err(io::Error::other("another program wrote to ledger.db and restarted its log"));
            }
            self.uncounted.clear();
            self.longest = LONGEST_LOG;
        }
        self.place = tail.last;
        self.uncounted.extend(tail.frames);
        Ok(())
    }
}

/// A commit without effect.
fn begins_log(connection: &Connection) -> io::Result<String> {
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
