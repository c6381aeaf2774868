//! The content of the mark, and its comparison with the files.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use super::digest::{self, Digest};
use super::wal::{self, WalCommit};

/// State of the write-ahead log, as the mark states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordedLogState {
    /// The log may have any content: a start was begun, and no request was answered since.
    Open,
    /// The log has acknowledged commits up to this one that the file lacks.
    Needed(WalCommit),
    /// The file contains all that was acknowledged, up to this commit. The log is empty, restarted, or continues behind
    /// it.
    Done(WalCommit),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MarkContent {
    pub(super) page_size: usize,
    /// Pages of the file without the log.
    pub(super) pages: u32,
    /// The digest of the file with the first `digested_frames` frames of the log laid over it.
    pub(super) digest: Digest,
    pub(super) digested_frames: u32,
    pub(super) log: RecordedLogState,
}

const OPEN: &str = "open";
const NEEDED: &str = "needed";
const DONE: &str = "done";

impl MarkContent {
    pub(super) fn text(&self) -> String {
        let (word, commit) = match self.log {
            RecordedLogState::Open => (OPEN, WalCommit::default()),
            RecordedLogState::Needed(commit) => (NEEDED, commit),
            RecordedLogState::Done(commit) => (DONE, commit),
        };
        let WalCommit { salt, frames, checksum: sum } = commit;
        let (size, pages, digest, over) = (self.page_size, self.pages, self.digest.to_hex(), self.digested_frames);
        let [one, other] = salt;
        let [first, second] = sum;
        format!("ledger {size} {pages} {digest} {over} {word} {frames} {one} {other} {first} {second}")
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.strip_prefix("ledger ")?.split(' ');
        let page_size = words.next()?.parse().ok()?;
        let pages = words.next()?.parse().ok()?;
        let digest = Digest::from_hex(words.next()?)?;
        let over = words.next()?.parse().ok()?;
        let word = words.next()?;
        let mut number = || words.next()?.parse().ok();
        let frames = number()?;
        let (salt, sum) = ([number()?, number()?], [number()?, number()?]);
        let commit = WalCommit { salt, frames, checksum: sum };
        let log = match word {
            OPEN => RecordedLogState::Open,
            NEEDED => RecordedLogState::Needed(commit),
            DONE => RecordedLogState::Done(commit),
            _ => return None,
        };
        Some(Self { page_size, pages, digest, digested_frames: over, log })
    }

    /// What is wrong with the log, and which of its pages lie over the file.
    ///
    /// `SQLite` applies any log it finds, however old, as far as it is readable. So even a log that is no longer needed
    /// must be the one that was left, or old pages would hide newer ones.
    pub(super) fn compare_log(&self, log: Option<&File>) -> io::Result<(Option<String>, HashMap<u32, u32>)> {
        let (RecordedLogState::Needed(last) | RecordedLogState::Done(last)) = self.log else {
            return Ok((None, HashMap::new()));
        };
        let mut is_whole = false;
        let tail = match log {
            Some(log) => wal::read_tail(log, WalCommit::default(), |commit| is_whole |= *commit == last)?,
            None => None,
        };
        let wrong = match (self.log, &tail) {
            (RecordedLogState::Needed(_), _) if !is_whole => {
                Some("ledger.db-wal is cut off or changed: the changes acknowledged last are missing")
            }
            (RecordedLogState::Done(_), Some(tail)) if !is_whole && !tail.last_commit.is_of_next_log(&last) => Some(
                "ledger.db-wal is not the log that was left: it was changed, or is from another time; nothing that was \
                 acknowledged is missing in ledger.db",
            ),
            _ => None,
        };
        let frames = tail.map(|tail| tail.frames).unwrap_or_default();
        let over = frames.into_iter().filter(|(_, frame)| *frame <= self.digested_frames).collect();
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
        let file_length = main.metadata()?.len();
        if self.digested_frames == 0 && file_length != length {
            return Ok(Some(format!("ledger.db has {file_length} bytes and had {length} when it was left")));
        }
        let is_right = digest::digest_file(main, self.page_size, log.map(|log| (log, over)))? == self.digest;
        Ok((!is_right)
            .then(|| "ledger.db is not what was written: bytes were changed, or an earlier state was put back".into()))
    }
}
