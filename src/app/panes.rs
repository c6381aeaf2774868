//! One file per pane: what it shows and how.

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

use crate::domain::amount::group;

/// A count with its thousands grouped.
pub fn group_thousands(count: u64) -> String {
    group(&count.to_string())
}

/// What a piece of text means to its reader; views give it a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    Text,
    /// It matters less.
    Dim,
    /// What the eye is to find first.
    Accent,
    /// It came in, it is done.
    Good,
    /// It waits, look at it.
    Warn,
    /// It failed.
    Bad,
}
