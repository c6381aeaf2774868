//! The content of the mark, and its comparison with the files.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use super::digest::{self, Digest};
use super::wal::{self, Commit};

/// State of the write-ahead log, as the mark states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    /// The log may have any content: a start was begun, and no request was answered since.
    Open,
    /// The log has acknowledged commits up to this one that the file lacks.
    Needed(Commit),
    /// The file contains all that was acknowledged, up to this commit. The log is empty, restarted, or continues behind
    /// it.
    Done(Commit),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MarkContent {
    pub(super) page_size: usize,
    /// Pages of the file without the log.
    pub(super) pages: u32,
    /// The digest of the file with the first `over` frames of the log laid over it.
    pub(super) digest: Digest,
    pub(super) over: u32,
    pub(super) log: Log,
}

const OPEN: &str = "open";
const NEEDED: &str = "needed";
const DONE: &str = "done";

impl MarkContent {
    pub(super) fn text(&self) -> String {
        let (word, commit) = match self.log {
            Log::Open => (OPEN, Commit::default()),
            Log::Needed(commit) => (NEEDED, commit),
            Log::Done(commit) => (DONE, commit),
        };
        let Commit { salt, frames, sum } = commit;
        let (size, pages, digest, over) = (self.page_size, self.pages, self.digest.to_hex(), self.over);
        let [one, other] = salt;
        let [first, second] = sum;
        format!("ledger {size} {pages} {digest} {over} {word} {frames} {one} {other} {first} {second}")
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.strip_prefix("ledger ")?.split(' ');
        let page_size = words.next()?.parse().ok()?;
        let pages = words.next()?.parse().ok()?;
        let digest = Digest::of_hex(words.next()?)?;
        let over = words.next()?.parse().ok()?;
        let word = words.next()?;
        let mut number = || words.next()?.parse().ok();
        let frames = number()?;
        let (salt, sum) = ([number()?, number()?], [number()?, number()?]);
        let commit = Commit { salt, frames, sum };
        let log = match word {
            OPEN => Log::Open,
            NEEDED => Log::Needed(commit),
            DONE => Log::Done(commit),
            _ => return None,
        };
        Some(Self { page_size, pages, digest, over, log })
    }

    /// What is wrong with the log, and which of its pages lie over the file.
    ///
    /// `SQLite` applies any log it finds, however old, as far as it is readable. So even a log that is no longer needed
    /// must be the one that was left, or old pages would hide newer ones.
    pub(super) fn compare_log(&self, log: Option<&File>) -> io::Result<(Option<String>, HashMap<u32, u32>)> {
        let (Log::Needed(last) | Log::Done(last)) = self.log else { return Ok((None, HashMap::new())) };
        let mut is_whole = false;
        let tail = match log {
            Some(log) => wal::tail(log, Commit::default(), |commit| is_whole |= *commit == last)?,
            None => None,
        };
        let wrong = match (self.log, &tail) {
            (Log::Needed(_), _) if !is_whole => {
                Some("ledger.db-wal is cut off or changed: the changes acknowledged last are missing")
            }
            (Log::Done(_), Some(tail)) if !is_whole && !tail.last.follows(&last) => Some(
                "ledger.db-wal is not the log that was left: it was changed, or is from another time; nothing that was \
                 acknowledged is missing in ledger.db",
            ),
            _ => None,
        };
        let frames = tail.map(|tail| tail.frames).unwrap_or_default();
        let over = frames.into_iter().filter(|(_, frame)| *frame <= self.over).collect();
        Ok((wrong.map(str::to_owned), over))
    }

    /// What is wrong with the file.
    pub(super) fn compare_file(
        &self,
        main: &File,
        log: Option<&File>,
        over: &HashMap<u32, u32>,
    ) -> io::Result<Option<String>> {
        let length = u64::from(self.pages) * u64::try_from(self.page_size).unwrap_or(u64::MAX);
        let found = main.metadata()?.len();
        if self.over == 0 && found != length {
            return Ok(Some(format!("ledger.db has {found} bytes and had {length} when it was left")));
        }
        let is_right = digest::of_file(main, self.page_size, log.map(|log| (log, over)))? == self.digest;
        Ok((!is_right)
            .then(|| "ledger.db is not what was written: bytes were changed, or an earlier state was put back".into()))
    }
}
