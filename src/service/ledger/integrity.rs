//! Whether the ledger's files hold what was left in them.
//!
//! ```text
//!   commit ─▶ log (chained by SQLite, frame by frame) ─▶ mark: where the log ends     before anybody is answered
//!   checkpoint: mark: what the file will hold, synced ─▶ pages into the file ─▶ mark: the log is not needed, synced
//! ```
//!
//! `SQLite` alone notices no such loss: it takes the first frame that does not fit for the end of its log, and a page
//! that reads as a page for that page. So a mark beside the ledger says up to which frame of which log commits were
//! acknowledged, and what the digest of all the file's pages is. Every bit of the file, of the log up to the mark and of
//! the mark is covered. The mark is written after each commit and before its answers, and synced with each checkpoint:
//! a process that is killed loses nothing of it, and a power cut makes it notice less, never more.
//!
//! A start compares the log and the mark before `SQLite` sees them. The file itself is compared there as well where it is
//! small, and by the writer's thread before its first change where it is large: reads go on meanwhile.

mod digest;
mod extent;
mod wal;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::service::mark_file::{Mark, MarkFile};

use digest::Digest;
use extent::Extent;
use wal::Commit;

/// From how many frames in the log on they are written into the file.
const LONGEST_LOG: u32 = 2_000;

/// A file of up to so many bytes is compared before the start is done.
pub(super) const SMALL: u64 = 16 * 1024 * 1024;

/// What a mark says where nothing is known yet: it stands before the ledger is made or brought up to this format.
const NEW: &str = "new";

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

/// What stands in a folder in which a ledger is to be opened.
#[derive(Debug)]
pub(super) enum Condition {
    /// A ledger that is as it was left, as far as was looked.
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
pub(super) struct ClosedLedger {
    main: File,
    marks: MarkFile,
    extent: Extent,
    is_proven: bool,
}

/// Compares what stands in a folder with its mark, before `SQLite` sees it: a file of up to so many bytes as well.
pub(super) fn look(folder: &Path, small: u64) -> io::Result<Condition> {
    if !mark_of(folder).try_exists()? {
        return Ok(Condition::Unmarked);
    }
    let (marks, mark) = MarkFile::open(&mark_of(folder))?;
    let text = match mark {
        Mark::Absent => return Ok(Condition::Unmarked),
        Mark::Illegible => return Ok(Condition::Altered(ILLEGIBLE.into())),
        Mark::Words { text, is_alone } => {
            if is_alone {
                tracing::warn!(folder = %folder.display(), "{ALONE}");
            }
            text
        }
    };
    if text == NEW {
        return Ok(Condition::Begun);
    }
    let Some(extent) = Extent::read(&text) else { return Ok(Condition::Altered(ILLEGIBLE.into())) };
    // Closed only after SQLite has closed its own: what a process locks of a file goes with any of its descriptors.
    let main = File::open(main_of(folder))?;
    let log = log_of(folder)?;
    let (wrong, over) = extent.compare_log(log.as_ref())?;
    if let Some(wrong) = wrong {
        return Ok(Condition::Altered(wrong));
    }
    let is_small = main.metadata()?.len() <= small;
    if is_small && let Some(wrong) = extent.compare_file(&main, log.as_ref(), &over)? {
        return Ok(Condition::Altered(wrong));
    }
    Ok(Condition::AsLeft(Box::new(ClosedLedger { main, marks, extent, is_proven: is_small })))
}

const ILLEGIBLE: &str = "ledger.mark cannot be read";
const ALONE: &str =
    "one of the two copies in ledger.mark cannot be read: a write was cut off, or its bytes were changed";

/// Whether a ledger stood in a folder.
pub(super) fn is_marked(folder: &Path) -> bool {
    match MarkFile::hold(&mark_of(folder)) {
        Ok((_, Mark::Absent)) => false,
        Ok((_, Mark::Words { text, .. })) => text != NEW,
        Ok((_, Mark::Illegible)) | Err(_) => true,
    }
}

/// Says that nothing is known of the ledger yet: before it is made or brought up to this format, or where it is taken as it
/// stands.
pub(super) fn begin(folder: &Path) -> io::Result<()> {
    MarkFile::open(&mark_of(folder))?.0.write_twice(NEW)
}

/// Everything that differs between a ledger and its mark, as it stands at one moment, whoever writes it: no page moves until
/// what is given beside is dropped. `None` where there is no mark.
pub(super) fn differences(folder: &Path) -> io::Result<Option<(Vec<String>, Option<File>)>> {
    let (hold, mark) = MarkFile::hold(&mark_of(folder))?;
    let mut wrong = Vec::new();
    let text = match mark {
        Mark::Absent => return Ok(None),
        Mark::Illegible => {
            wrong.push(ILLEGIBLE.into());
            return Ok(Some((wrong, hold)));
        }
        Mark::Words { text, is_alone } => {
            wrong.extend(is_alone.then(|| ALONE.into()));
            text
        }
    };
    if text != NEW {
        match Extent::read(&text) {
            None => wrong.push(ILLEGIBLE.into()),
            Some(extent) => {
                let (main, log) = (File::open(main_of(folder))?, log_of(folder)?);
                let (odd, over) = extent.compare_log(log.as_ref())?;
                let is_log_whole = odd.is_none();
                wrong.extend(odd);
                if is_log_whole || extent.over == 0 {
                    wrong.extend(extent.compare_file(&main, log.as_ref(), &over)?);
                }
            }
        }
    }
    Ok(Some((wrong, hold)))
}

/// Keeps the mark of an open ledger, and has its log written into its file.
#[derive(Debug)]
pub(super) struct Integrity {
    folder: PathBuf,
    main: File,
    log: Option<File>,
    marks: MarkFile,
    extent: Extent,
    /// Up to where the log was read.
    place: Commit,
    /// Pages of the log that the digest counts in, by the number of their newest frame.
    counted: HashMap<u32, u32>,
    /// Those behind them.
    uncounted: HashMap<u32, u32>,
    /// Frames behind which the log is written into the file at the latest.
    longest: u32,
    is_proven: bool,
    /// Whether the mark says less than is so, for want of room.
    is_behind: bool,
}

impl Integrity {
    /// Keeps up the mark of a ledger that was just opened. Where nothing was known of it, it is taken as it stands.
    pub(super) fn keep(folder: &Path, found: Option<Box<ClosedLedger>>, connection: &Connection) -> io::Result<Self> {
        let (main, marks, known, is_proven) = match found {
            Some(found) => (found.main, found.marks, Some(found.extent), found.is_proven),
            None => (File::open(main_of(folder))?, MarkFile::open(&mark_of(folder))?.0, None, true),
        };
        let page_size = page_size(connection)?;
        let fresh = Extent { page_size, pages: 0, digest: Digest::default(), over: 0, last: None };
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
            is_proven,
            is_behind: false,
        };
        let over = if known.is_some() { this.extent.over } else { u32::MAX };
        this.read_log()?;
        this.sort_log(over)?;
        if known.is_none() {
            this.extent.over = this.place.frames;
            this.extent.pages = page_count(connection)?;
            let log = this.log.as_ref().map(|log| (log, &this.counted));
            this.extent.digest = digest::of_file(&this.main, page_size, log)?;
        }
        this.extent.last = (this.place.frames > 0).then_some(this.place);
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

    /// Compares the whole file with the mark, where that was not done yet. To be called before the first change.
    pub(super) fn prove(&mut self) -> Result<(), String> {
        if self.is_proven {
            return Ok(());
        }
        self.is_proven = true;
        match self.extent.compare_file(&self.main, self.log.as_ref(), &self.counted) {
            Ok(None) => Ok(()),
            Ok(Some(wrong)) => Err(wrong),
            Err(error) => Err(format!("ledger.db cannot be read: {error}")),
        }
    }

    /// Says what could not be said before, where that is so. To be called before each change.
    pub(super) fn catch_up(&mut self) -> io::Result<()> {
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
            self.extent.last = (self.place.frames > 0).then_some(self.place);
            self.is_behind = true;
            self.marks.write(&self.extent.text())?;
            self.is_behind = false;
        }
        Ok(())
    }

    /// Where the ledger lies.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is anything in the log that does not stand in the file.
    pub(super) fn has_log(&self) -> bool {
        self.extent.last.is_some()
    }

    /// Whether the log is so long that it should be written into the file.
    pub(super) fn is_long(&self) -> bool {
        self.has_log() && self.place.frames >= self.longest
    }

    /// Writes the log into the file. It does no harm where that cannot be done now: all of it is on the disk already.
    pub(super) fn checkpoint(&mut self, connection: &Connection) -> io::Result<()> {
        self.longest = self.place.frames.saturating_add(LONGEST_LOG);
        let Self { main, log, marks, extent, counted, uncounted, place, .. } = self;
        let Some(log) = log.as_ref() else { return Ok(()) };
        let checkpoint = |marks: &mut MarkFile| -> io::Result<bool> {
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
            let after = Extent { pages, digest, over: place.frames, ..extent.clone() };
            marks.write(&after.text())?;
            marks.sync()?;
            *extent = after;
            counted.extend(uncounted.drain());
            let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
            });
            done.map_err(io::Error::other)
        };
        if marks.alone(checkpoint).transpose()? != Some(true) {
            return Ok(());
        }
        // From here on SQLite may begin the log anew, and what the mark says must not need it.
        self.counted.clear();
        (self.extent.over, self.extent.last, self.is_behind, self.longest) = (0, None, true, LONGEST_LOG);
        self.catch_up()
    }

    /// Leaves the ledger with an empty log, where nobody else is reading it.
    pub(super) fn close(mut self, connection: Connection) -> io::Result<()> {
        if self.has_log() {
            self.checkpoint(&connection)?;
        }
        self.catch_up()?;
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
                return Err(io::Error::other("another program began the log of the ledger anew"));
            }
            self.uncounted.clear();
            self.longest = LONGEST_LOG;
        }
        self.place = tail.last;
        self.uncounted.extend(tail.frames);
        Ok(())
    }
}

fn page_count(connection: &Connection) -> io::Result<u32> {
    connection.query_row("PRAGMA page_count", [], |row| row.get(0)).map_err(io::Error::other)
}

fn page_size(connection: &Connection) -> io::Result<usize> {
    let size: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(io::Error::other)?;
    usize::try_from(size).map_err(io::Error::other)
}
