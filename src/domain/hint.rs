//! Hints: that something happened at the service, so that it is worth reading now. They say nothing that is believed.

use std::collections::BTreeMap;
use std::fmt;

use super::Text;

/// What came in where hints are listened for, since that was last told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// How many were taken.
    pub heard: u32,
    /// What they were about, as far as that was signed: a few different words, cleaned.
    pub topics: Vec<Text>,
    /// How many were refused, and why.
    pub refused: BTreeMap<Unheard, u32>,
}

impl Hints {
    /// The most topics that are kept.
    const TOPICS: usize = 4;

    /// Takes in one more, and what it was about.
    pub fn hear(&mut self, topic: Option<Text>) {
        self.heard = self.heard.saturating_add(1);
        if let Some(topic) = topic.filter(|topic| !self.topics.contains(topic))
            && self.topics.len() < Self::TOPICS
        {
            self.topics.push(topic);
        }
    }

    /// Counts one that was refused.
    pub fn refuse(&mut self, why: Unheard) {
        let count = self.refused.entry(why).or_default();
        *count = count.saturating_add(1);
    }

    /// Whether nothing came in.
    pub fn is_empty(&self) -> bool {
        self.heard == 0 && self.refused.is_empty()
    }
}

/// Why a hint was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unheard {
    /// It is for another path, or no POST.
    Elsewhere,
    /// A browser sent it, for some page.
    Browser,
    /// It is not signed, or does not say when it was.
    Unsigned,
    /// Its signature is not that of the secret.
    WrongSignature,
    /// It was signed too long ago, or in the future.
    OutOfTime,
    /// It is longer than any event.
    TooLong,
    /// There were too many of late.
    TooMany,
    /// It broke off, or took too long.
    Broken,
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elsewhere => "for another path, or no POST",
            Self::Browser => "sent by a browser",
            Self::Unsigned => "not signed",
            Self::WrongSignature => "wrongly signed",
            Self::OutOfTime => "signed too long ago, or by a clock that differs",
            Self::TooLong => "too long",
            Self::TooMany => "too many at once",
            Self::Broken => "broke off",
        })
    }
}
