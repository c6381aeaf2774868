//! Pages, a folder each: what their panes hold and show.

pub mod attention;
pub mod book;
pub mod events;
pub mod holdings;
pub mod markets;
pub mod orders;
pub mod overview;
pub(in crate::app) mod page;
pub(in crate::app) mod pane;
pub(in crate::app) mod registry;
pub mod transactions;
pub mod users;
pub mod view;
pub mod welcome;

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
