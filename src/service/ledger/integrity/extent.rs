//! How far a ledger has come, as its mark says it, and whether its files hold that.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use super::digest::{self, Digest};
use super::wal::{self, Commit};

/// What the mark says of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) page_size: usize,
    /// How many pages the file has where no frames are laid over it.
    pub(super) pages: u32,
    /// The digest of the file with the first frames of the log laid over it.
    pub(super) digest: Digest,
    /// How many frames these are.
    pub(super) over: u32,
    /// The last commit that was acknowledged, unless all of the log stands in the file.
    pub(super) last: Option<Commit>,
}

impl Extent {
    pub(super) fn text(&self) -> String {
        let Commit { salt, frames, sum } = self.last.unwrap_or_default();
        let (size, pages, digest, over) = (self.page_size, self.pages, self.digest.to_hex(), self.over);
        let [one, other] = salt;
        let [first, second] = sum;
        format!("ledger {size} {pages} {digest} {over} {frames} {one} {other} {first} {second}")
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.strip_prefix("ledger ")?.split(' ');
        let page_size = words.next()?.parse().ok()?;
        let pages = words.next()?.parse().ok()?;
        let digest = Digest::of_hex(words.next()?)?;
        let mut number = || words.next()?.parse().ok();
        let (over, frames) = (number()?, number()?);
        let (salt, sum) = ([number()?, number()?], [number()?, number()?]);
        let last = (frames > 0).then_some(Commit { salt, frames, sum });
        Some(Self { page_size, pages, digest, over, last })
    }

    /// What is wrong with the log, and which pages of it lie over the file.
    pub(super) fn compare_log(&self, log: Option<&File>) -> io::Result<(Option<String>, HashMap<u32, u32>)> {
        let Some(last) = self.last else { return Ok((None, HashMap::new())) };
        let mut is_whole = false;
        let tail = match log {
            Some(log) => wal::tail(log, Commit::default(), |commit| is_whole |= *commit == last)?,
            None => None,
        };
        let frames = tail.map(|tail| tail.frames).unwrap_or_default();
        let over = frames.into_iter().filter(|(_, frame)| *frame <= self.over).collect();
        let wrong = "ledger.db-wal is cut off or changed: what was acknowledged last is missing";
        Ok(((!is_whole).then(|| wrong.into()), over))
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
            return Ok(Some(format!("ledger.db has {found} bytes and was left with {length}")));
        }
        let is_right = digest::of_file(main, self.page_size, log.map(|log| (log, over)))? == self.digest;
        Ok((!is_right)
            .then(|| "ledger.db is not what was written: bytes were changed, or an earlier state was put back".into()))
    }
}
