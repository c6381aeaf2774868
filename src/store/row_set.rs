//! Small sets: of the rows of a segment, and of phrases.

use super::dictionary::PhraseCode;
use super::segment::ROWS_PER_SEGMENT;

const WORDS_PER_SET: usize = ROWS_PER_SEGMENT / 64;

/// A set of rows of one segment, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowSet([u64; WORDS_PER_SET]);

impl RowSet {
    pub(super) const NONE: Self = Self([0; WORDS_PER_SET]);
    pub(super) const ALL: Self = Self([u64::MAX; WORDS_PER_SET]);

    /// The rows whose item satisfies a condition, by position.
    pub(super) fn of_matches<T>(items: &[T], is_match: impl Fn(&T) -> bool) -> Self {
        let mut rows = Self::NONE;
        for (word, items) in rows.0.iter_mut().zip(items.chunks(64)) {
            // Without a branch for each row.
            *word = items.iter().rev().fold(0, |word, item| word << 1 | u64::from(is_match(item)));
        }
        rows
    }

    pub(super) fn insert(&mut self, position: usize) {
        if let Some(word) = self.0.get_mut(position / 64) {
            *word |= 1 << (position % 64);
        }
    }

    pub(super) fn has(&self, position: usize) -> bool {
        self.0.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }

    pub(super) fn or(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }

    pub(super) fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    pub(super) fn count_before(&self, position: usize) -> u32 {
        let whole: u32 = self.0.iter().take(position / 64).map(|word| word.count_ones()).sum();
        let rest = self.0.get(position / 64).map_or(0, |word| (word & ((1_u64 << (position % 64)) - 1)).count_ones());
        whole + rest
    }

    /// Ascending.
    pub(super) fn positions(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = usize::try_from(word.trailing_zeros()).ok()?;
                word &= word - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct CodeSet {
    words: Vec<u64>,
}

impl CodeSet {
    pub(super) fn insert(&mut self, code: PhraseCode) {
        let Ok(code) = usize::try_from(code) else { return };
        if self.words.len() <= code / 64 {
            self.words.resize(code / 64 + 1, 0);
        }
        self.words[code / 64] |= 1 << (code % 64);
    }

    pub(super) fn union_with(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn has(&self, code: PhraseCode) -> bool {
        usize::try_from(code)
            .ok()
            .and_then(|code| Some(self.words.get(code / 64)? >> (code % 64) & 1 == 1))
            .unwrap_or(false)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
