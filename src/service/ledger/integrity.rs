//! Whether the ledger's files hold what was left in them.
//!
//! ```text
//!   commit ─▶ log (chained by SQLite, frame by frame) ─▶ mark: where the log ends     before anybody is answered
//!   checkpoint: mark: what the file will hold, synced ─▶ pages into the file ─▶ mark: the log is done, synced
//!   start: mark: the log may be any, synced ─▶ a first commit ─▶ mark: this is the log, synced   before anybody is answered
//! ```
//!
//! `SQLite` alone notices no such loss: it takes the first frame that does not fit for the end of its log, and a page
//! that reads as a page for that page. So a mark beside the ledger says up to which frame of which log commits were
//! acknowledged, and what the digest of all the file's pages is. Every bit of the file, of the log up to the mark and of
//! the mark is covered. The mark is written after each commit and before its answers, and synced with each checkpoint:
//! a process that is killed loses nothing of it, and a power cut makes it notice less, never more.
//!
//! A start compares all of it before `SQLite` sees any of it, and nobody is answered before.

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

/// From how many frames in the log on they are written into the file.
const LONGEST_LOG: u32 = 2_000;

/// The files of a ledger in a folder.
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

/// Keeps the mark of an open ledger, and has its log written into its file.
#[derive(Debug)]
pub(super) struct Integrity {
    folder: PathBuf,
    main: File,
    log: Option<File>,
    marks: MarkFile,
    extent: MarkContent,
    /// Up to where the log was read.
    place: Commit,
    /// Pages of the log that the digest counts in, by the number of their newest frame.
    counted: HashMap<u32, u32>,
    /// Those behind them.
    uncounted: HashMap<u32, u32>,
    /// Frames behind which the log is written into the file at the latest.
    longest: u32,
    /// Whether the mark says less than is so, for want of room.
    is_behind: bool,
    /// Whether the log is another one than the mark speaks of: nothing more can be said of this ledger.
    is_lost: bool,
}

impl Integrity {
    /// Keeps up the mark of a ledger that was just opened. Where nothing was known of it, it is taken as it stands.
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
            // Changes nothing, and begins the log: from here on the mark says which one it is.
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

    /// Sorts the pages of the log by whether the digest counts them in: it does up to a frame.
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

    /// Says what could not be said before, where that is so. To be called before each change.
    pub(super) fn write_pending_mark(&mut self) -> io::Result<()> {
        if self.is_behind {
            self.marks.write(&self.extent.text())?;
            self.marks.sync()?;
            self.is_behind = false;
        }
        Ok(())
    }

    /// Says that the last commit is acknowledged from now on.
    pub(super) fn acknowledge(&mut self) -> io::Result<()> {
        let before = self.place;
        self.read_log()?;
        if self.place != before {
            // What was undone may have begun the log anew, and left nothing in it.
            if self.place.frames > 0 {
                self.extent.log = Log::Needed(self.place);
            }
            self.is_behind = true;
            self.marks.write(&self.extent.text())?;
            self.is_behind = false;
        }
        Ok(())
    }

    /// Whether the mark says less than is so, and will say all of it before the next change.
    pub(super) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Where the ledger lies.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is anything in the log that does not stand in the file.
    pub(super) fn has_log(&self) -> bool {
        matches!(self.extent.log, Log::Needed(_))
    }

    /// Whether the log is so long that it should be written into the file.
    pub(super) fn is_long(&self) -> bool {
        self.has_log() && self.place.frames >= self.longest
    }

    /// Writes the log into the file. It does no harm where that cannot be done now: all of it is on the disk already.
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
                // From here on SQLite may begin the log anew, and what the mark says must not need it.
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

    /// Leaves the ledger with an empty log, where nobody else is reading it.
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

    /// Reads what was committed since this was last called.
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

/// What commits without any effect.
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
