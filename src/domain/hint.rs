//! Hints: that something happened at the service, so that it is worth reading now. They say nothing that is believed.

use std::collections::BTreeMap;
use std::fmt;

use super::Text;

/// What came in where hints are listened for, since that was last told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// How many were taken.
    pub received: u32,
    /// What they were about, as far as that was signed: a few different words, cleaned.
    pub topics: Vec<Text>,
    /// How many were refused, and why.
    pub rejected: BTreeMap<HintRejection, u32>,
}

impl Hints {
    /// The most topics that are kept.
    const TOPICS: usize = 4;

    /// Takes in one more, and what it was about.
    pub fn record(&mut self, topic: Option<Text>) {
        self.received = self.received.saturating_add(1);
        if let Some(topic) = topic.filter(|topic| !self.topics.contains(topic))
            && self.topics.len() < Self::TOPICS
        {
            self.topics.push(topic);
        }
    }

    /// Counts one that was refused.
    pub fn record_rejection(&mut self, why: HintRejection) {
        let count = self.rejected.entry(why).or_default();
        *count = count.saturating_add(1);
    }

    /// Whether nothing came in.
    pub fn is_empty(&self) -> bool {
        self.received == 0 && self.rejected.is_empty()
    }
}

/// Why a hint was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HintRejection {
    /// It is for another path, or not a POST.
    WrongPath,
    /// A browser sent it, for some page.
    Browser,
    /// It is not signed, or does not say when it was.
    Unsigned,
    /// Its signature is not that of the secret.
    WrongSignature,
    /// It was signed too long ago, or in the future.
    Expired,
    /// It is longer than any event.
    TooLong,
    /// There were too many of late.
    TooMany,
    /// It broke off, or took too long.
    Incomplete,
}

impl fmt::Display for HintRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongPath => "for another path, or not a POST",
            Self::Browser => "sent by a browser",
            Self::Unsigned => "not signed",
            Self::WrongSignature => "wrong signature",
            Self::Expired => "signed too long ago, or by a clock that is off",
            Self::TooLong => "too long",
            Self::TooMany => "too many at once",
            Self::Incomplete => "incomplete",
        })
    }
}
