//! The repeated parts of transactions, each kept once and named by a number.
//!
//! A transaction tells three things that many others tell too: where it happened (wallet, account, user, chain, …), what
//! kind it was (direction, token, …) and how far it has come. Each is one *phrase*: its fields joined into a line.
//! Twenty thousand wallets make a few megabytes of phrases, of which a page of 64 lines is loaded when it is needed.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;

mod shared;

pub(super) use shared::{ReadGuard, Shared};

/// Between the fields of a line. No text from outside holds it: `Text` takes control characters out.
pub(super) const FIELD: char = '\u{1f}';
/// A field that was not told, which is not the same as an empty one.
pub(super) const ABSENT: &str = "\u{1}";

const LINES: usize = 64;

/// The number of a phrase; 0 is none.
pub(super) type Code = u32;

/// Every phrase, as far as loaded.
pub(super) struct Dictionary {
    pages: Vec<Option<Page>>,
    len: usize,
    /// Hash of a line to its code, complete once somebody wrote; a taken hash is passed on to the next number.
    index: Option<HashMap<u64, Code>>,
    hasher: RandomState,
}

struct Page {
    text: String,
    /// Where each line ends, its line break not counted.
    ends: Vec<u32>,
}

impl Page {
    fn read(text: String) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| u32::try_from(end).unwrap_or(u32::MAX));
        Self { ends: ends.collect(), text }
    }

    fn line(&self, at: usize) -> Option<&str> {
        let start = match at.checked_sub(1) {
            Some(before) => usize::try_from(*self.ends.get(before)?).ok()? + 1,
            None => 0,
        };
        self.text.get(start..usize::try_from(*self.ends.get(at)?).ok()?)
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        self.text.push('\n');
    }
}

fn place_of(code: Code) -> Option<(usize, usize)> {
    let at = usize::try_from(code.checked_sub(1)?).ok()?;
    Some((at / LINES, at % LINES))
}

fn code_at(page: usize, line: usize) -> Code {
    u32::try_from(page * LINES + line + 1).unwrap_or(0)
}

impl Dictionary {
    /// Learns how many phrases there are, and reads none.
    pub(super) fn open(connection: &Connection) -> Result<Self, StoreError> {
        let last: Option<(i64, String)> = connection
            .query_row("SELECT page, lines FROM phrase ORDER BY page DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let mut phrases = Self { pages: Vec::new(), len: 0, index: None, hasher: RandomState::new() };
        if let Some((number, text)) = last {
            let number = usize::try_from(number).map_err(|_| StoreError::damaged("a page of phrases below 0"))?;
            let page = Page::read(text);
            phrases.len = number * LINES + page.ends.len();
            phrases.pages.resize_with(number, || None);
            phrases.pages.push(Some(page));
        }
        Ok(phrases)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The line of a code, if it is loaded.
    pub(super) fn line(&self, code: Code) -> Option<&str> {
        let (page, line) = place_of(code)?;
        self.pages.get(page)?.as_ref()?.line(line)
    }

    /// Which pages hold these codes and are not loaded yet.
    pub(super) fn missing(&self, codes: impl Iterator<Item = Code>) -> Vec<usize> {
        let mut missing: Vec<usize> = codes
            .filter_map(place_of)
            .filter_map(|(page, _)| matches!(self.pages.get(page), Some(None)).then_some(page))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Which pages are not loaded yet.
    pub(super) fn unloaded(&self) -> Vec<usize> {
        self.pages.iter().enumerate().filter_map(|(page, loaded)| loaded.is_none().then_some(page)).collect()
    }

    /// Reads pages from the disk.
    pub(super) fn read(connection: &Connection, pages: &[usize]) -> Result<Vec<(usize, String)>, StoreError> {
        let mut statement = connection.prepare_cached("SELECT lines FROM phrase WHERE page = ?1")?;
        pages
            .iter()
            .map(|&page| Ok((page, statement.query_row([i64::try_from(page).unwrap_or(i64::MAX)], |row| row.get(0))?)))
            .collect()
    }

    /// Takes pages in; one that was loaded meanwhile stays as it is.
    pub(super) fn load(&mut self, pages: Vec<(usize, String)>) {
        for (number, text) in pages {
            if let Some(slot @ None) = self.pages.get_mut(number) {
                *slot = Some(Page::read(text));
            }
        }
    }

    /// Builds the index by which lines are found. Every page must be loaded.
    pub(super) fn index(&mut self) {
        if self.index.is_some() {
            return;
        }
        let mut index = HashMap::with_capacity(self.len);
        for (number, page) in self.pages.iter().enumerate() {
            let Some(page) = page else { continue };
            for at in 0..page.ends.len() {
                let mut hash = self.hasher.hash_one(page.line(at).unwrap_or(""));
                while index.contains_key(&hash) {
                    hash = hash.wrapping_add(1);
                }
                index.insert(hash, code_at(number, at));
            }
        }
        self.index = Some(index);
    }

    /// The code of a line, if it has one.
    pub(super) fn find(&self, line: &str) -> Option<Code> {
        let index = self.index.as_ref()?;
        let mut hash = self.hasher.hash_one(line);
        while let Some(&code) = index.get(&hash) {
            if self.line(code) == Some(line) {
                return Some(code);
            }
            hash = hash.wrapping_add(1);
        }
        None
    }

    /// Gives a line that has none a code.
    pub(super) fn add_line(&mut self, line: &str) -> Code {
        let (number, at) = (self.len / LINES, self.len % LINES);
        if at == 0 {
            self.pages.push(Some(Page { text: String::new(), ends: Vec::new() }));
        }
        if let Some(Some(page)) = self.pages.get_mut(number) {
            page.push(line);
        }
        self.len += 1;
        let code = code_at(number, at);
        if let Some(index) = &mut self.index {
            let mut hash = self.hasher.hash_one(line);
            while index.contains_key(&hash) {
                hash = hash.wrapping_add(1);
            }
            index.insert(hash, code);
        }
        code
    }

    /// Writes the pages that hold phrases from number `from` on.
    pub(super) fn save(&self, connection: &Connection, from: usize) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO phrase (page, lines) VALUES (?1, ?2)")?;
        for (number, page) in self.pages.iter().enumerate().skip(from / LINES) {
            if let Some(page) = page {
                statement.execute(params![i64::try_from(number).unwrap_or(i64::MAX), page.text])?;
            }
        }
        Ok(())
    }

    /// Forgets what was coined since there were so many: the batch that coined it was not kept.
    pub(super) fn truncate(&mut self, len: usize) {
        self.pages.truncate(len.div_ceil(LINES));
        if let (Some(Some(page)), kept @ 1..) = (self.pages.last_mut(), len % LINES) {
            page.ends.truncate(kept);
            let end = page.ends.last().and_then(|end| usize::try_from(*end).ok()).map_or(0, |end| end + 1);
            page.text.truncate(end);
        }
        self.len = len;
        self.index = None;
    }

    /// Calls back for every phrase whose page, in lower case, holds the needle somewhere: a quick first sieve.
    pub(super) fn each_containing(&self, needle: &str, mut found: impl FnMut(Code, &str)) {
        let finder = memchr::memmem::Finder::new(needle.as_bytes());
        for (number, page) in self.pages.iter().enumerate() {
            let Some(page) = page else { continue };
            if page.text.is_ascii() {
                let folded = page.text.to_ascii_lowercase();
                let mut from = 0;
                while let Some(hit) = finder.find(&folded.as_bytes()[from..]) {
                    let hit = from + hit;
                    let at = page.ends.partition_point(|end| usize::try_from(*end).is_ok_and(|end| end < hit));
                    let Some(line) = page.line(at) else { break };
                    found(code_at(number, at), line);
                    from = usize::try_from(page.ends[at]).unwrap_or(usize::MAX).saturating_add(1).min(folded.len());
                }
            } else {
                for at in 0..page.ends.len() {
                    found(code_at(number, at), page.line(at).unwrap_or(""));
                }
            }
        }
    }

    /// Calls back for every phrase.
    pub(super) fn each(&self, mut found: impl FnMut(Code, &str)) {
        for (number, page) in self.pages.iter().enumerate() {
            let Some(page) = page else { continue };
            for at in 0..page.ends.len() {
                found(code_at(number, at), page.line(at).unwrap_or(""));
            }
        }
    }
}
