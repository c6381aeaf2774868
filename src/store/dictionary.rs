//! The dictionary: repeated parts of transactions, each stored once and referenced by a number.
//!
//! A transaction shares three things with many others: the wallet (with its account, user, chain, …), the transfer
//! (direction, token, …) and the status. Each is one *phrase*: its fields joined into a line. Twenty thousand wallets
//! make a few megabytes of phrases, loaded on demand in pages of 64 lines.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;

mod phrase_cache;
mod shared;

pub(super) use phrase_cache::PhraseCache;
pub(super) use shared::{DictionaryReadGuard, SharedDictionary};

/// Separates the fields of a line. It occurs in no text from outside: `Text` removes control characters.
pub(super) const FIELD_SEPARATOR: char = '\u{1f}';
/// A field that was not reported, as opposed to an empty one.
pub(super) const ABSENT_FIELD: &str = "\u{1}";

const LINES_PER_PAGE: usize = 64;

/// The number of a phrase; 0 is none.
pub(super) type PhraseCode = u32;

/// Two dictionaries of one store and one revision have the same phrases: how often phrases were dropped, and their
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DictionaryRevision(u64, usize);

pub(super) struct Dictionary {
    pages: Vec<Option<DictionaryPage>>,
    len: usize,
    truncations: u64,
    /// Line hash to code, complete once phrases were added; a line whose hash is taken uses the next number.
    index: Option<HashMap<u64, PhraseCode>>,
    hasher: RandomState,
}

struct DictionaryPage {
    text: String,
    /// The end of each line, without its line break.
    ends: Vec<u32>,
}

impl DictionaryPage {
    fn from_text(text: String) -> Self {
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

fn page_and_line_of(code: PhraseCode) -> Option<(usize, usize)> {
    let at = usize::try_from(code.checked_sub(1)?).ok()?;
    Some((at / LINES_PER_PAGE, at % LINES_PER_PAGE))
}

fn code_of_line(page: usize, line: usize) -> PhraseCode {
    u32::try_from(page * LINES_PER_PAGE + line + 1).unwrap_or(0)
}

impl Dictionary {
    /// Reads the number of phrases, and none of them.
    pub(super) fn open(connection: &Connection) -> Result<Self, StoreError> {
        let last: Option<(i64, String)> = connection
            .query_row("SELECT page, lines FROM phrase ORDER BY page DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let mut phrases = Self { pages: Vec::new(), len: 0, truncations: 0, index: None, hasher: RandomState::new() };
        if let Some((number, text)) = last {
            let number = usize::try_from(number).map_err(|_| StoreError::damaged("a page of phrases below 0"))?;
            let page = DictionaryPage::from_text(text);
            phrases.len = number * LINES_PER_PAGE + page.ends.len();
            phrases.pages.resize_with(number, || None);
            phrases.pages.push(Some(page));
        }
        Ok(phrases)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn revision(&self) -> DictionaryRevision {
        DictionaryRevision(self.truncations, self.len)
    }

    pub(super) fn line(&self, code: PhraseCode) -> Option<&str> {
        let (page, line) = page_and_line_of(code)?;
        self.pages.get(page)?.as_ref()?.line(line)
    }

    /// The pages of these codes that are not loaded yet.
    pub(super) fn unloaded_pages_of(&self, codes: impl Iterator<Item = PhraseCode>) -> Vec<usize> {
        let mut missing: Vec<usize> = codes
            .filter_map(page_and_line_of)
            .filter_map(|(page, _)| matches!(self.pages.get(page), Some(None)).then_some(page))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    pub(super) fn unloaded_pages(&self) -> Vec<usize> {
        self.pages.iter().enumerate().filter_map(|(page, loaded)| loaded.is_none().then_some(page)).collect()
    }

    pub(super) fn read_pages(connection: &Connection, pages: &[usize]) -> Result<Vec<(usize, String)>, StoreError> {
        let mut statement = connection.prepare_cached("SELECT lines FROM phrase WHERE page = ?1")?;
        pages
            .iter()
            .map(|&page| Ok((page, statement.query_row([i64::try_from(page).unwrap_or(i64::MAX)], |row| row.get(0))?)))
            .collect()
    }

    /// Adds pages; a page loaded meanwhile stays as it is.
    pub(super) fn insert_pages(&mut self, pages: Vec<(usize, String)>) {
        for (number, text) in pages {
            if let Some(slot @ None) = self.pages.get_mut(number) {
                *slot = Some(DictionaryPage::from_text(text));
            }
        }
    }

    /// Builds the index from lines to codes. Every page must be loaded.
    pub(super) fn build_index(&mut self) {
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
                index.insert(hash, code_of_line(number, at));
            }
        }
        self.index = Some(index);
    }

    /// The code of a line, if it has one.
    pub(super) fn find_code(&self, line: &str) -> Option<PhraseCode> {
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

    pub(super) fn append_line(&mut self, line: &str) -> PhraseCode {
        let (number, at) = (self.len / LINES_PER_PAGE, self.len % LINES_PER_PAGE);
        if at == 0 {
            self.pages.push(Some(DictionaryPage { text: String::new(), ends: Vec::new() }));
        }
        if let Some(Some(page)) = self.pages.get_mut(number) {
            page.push(line);
        }
        self.len += 1;
        let code = code_of_line(number, at);
        if let Some(index) = &mut self.index {
            let mut hash = self.hasher.hash_one(line);
            while index.contains_key(&hash) {
                hash = hash.wrapping_add(1);
            }
            index.insert(hash, code);
        }
        code
    }

    /// Writes the pages with phrases from number `from` on.
    pub(super) fn save_pages(&self, connection: &Connection, from: usize) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO phrase (page, lines) VALUES (?1, ?2)")?;
        for (number, page) in self.pages.iter().enumerate().skip(from / LINES_PER_PAGE) {
            if let Some(page) = page {
                statement.execute(params![i64::try_from(number).unwrap_or(i64::MAX), page.text])?;
            }
        }
        Ok(())
    }

    /// Drops the phrases added beyond `len`, after the batch that added them was rolled back.
    pub(super) fn truncate(&mut self, len: usize) {
        self.pages.truncate(len.div_ceil(LINES_PER_PAGE));
        if let (Some(Some(page)), phrases_left @ 1..) = (self.pages.last_mut(), len % LINES_PER_PAGE) {
            page.ends.truncate(phrases_left);
            let end = page.ends.last().and_then(|end| usize::try_from(*end).ok()).map_or(0, |end| end + 1);
            page.text.truncate(end);
        }
        self.len = len;
        self.truncations += 1;
        self.index = None;
    }

    /// Calls back for every phrase in the pages whose lower-case text contains the needle: a quick first filter.
    pub(super) fn for_each_line_containing(&self, needle: &str, mut callback: impl FnMut(PhraseCode, &str)) {
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
                    callback(code_of_line(number, at), line);
                    from = usize::try_from(page.ends[at]).unwrap_or(usize::MAX).saturating_add(1).min(folded.len());
                }
            } else {
                for at in 0..page.ends.len() {
                    callback(code_of_line(number, at), page.line(at).unwrap_or(""));
                }
            }
        }
    }

    pub(super) fn for_each_line(&self, mut callback: impl FnMut(PhraseCode, &str)) {
        for (number, page) in self.pages.iter().enumerate() {
            let Some(page) = page else { continue };
            for at in 0..page.ends.len() {
                callback(code_of_line(number, at), page.line(at).unwrap_or(""));
            }
        }
    }
}
