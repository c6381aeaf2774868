//! The texts of pages: what they mean, and how they write counts.

use crate::domain::amount::insert_thousands_separators;

pub fn group_thousands(count: u64) -> String {
    insert_thousands_separators(&count.to_string())
}

/// The meaning of a text; views give it a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Text,
    Dim,
    /// Seen first.
    Accent,
    /// Received, or done.
    Good,
    /// Pending, or to be checked.
    Warn,
    /// Failed, or alarming.
    Bad,
}
