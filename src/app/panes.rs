//! Panes, one file each: what a pane shows, and how.

pub mod accounts;
pub mod balances;
pub mod chart;
pub mod detail;
pub mod events;
pub mod help;
pub mod import;
pub mod markets;
pub mod orders;
pub mod receive;
pub mod transactions;
pub mod users;
pub mod view;
pub mod wallets;

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
