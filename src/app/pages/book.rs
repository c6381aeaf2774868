//! The Book page: the list of known recipients, and adding, editing, removing and importing entries.
//!
//! ```text
//!  n, e ──▶ editing ──▶ checking ──▶ confirming ──▶ recording ──▶ the list
//!  D    ──────────────────────────▶ name typed ──┘
//! ```

pub mod entry;
pub mod facts;
mod list;
mod masking;
pub(in crate::app) mod page;
pub mod pane;
pub mod rows;
pub mod view;

use crate::app::listing::Listing;
use crate::app::request_id::RequestId;
use crate::domain::order::PaidDues;
use crate::domain::{Failure, FinalStatuses, Policy, Text};

pub(in crate::app) use list::{apply_book, mark_list_outdated};
pub use list::{cooling_until, selected_entry};
pub use rows::{BookRow, BookSort};

#[derive(Debug, Clone, Default)]
pub struct BookPage {
    pub listing: Listing<BookRow>,
    pub filter: String,
    pub sort: BookSort,
    pub is_loaded: bool,
    /// Why the book could not be read, for example because it was changed from outside.
    pub failure: Option<Failure>,
    /// The newest check or change of an entry; older answers are ignored.
    pub request_id: RequestId,
    /// Incremented with each change of the book or of the orders.
    revision: u64,
    /// The revision, filter and sort order that `listing` shows.
    listed_inputs: Option<(u64, String, BookSort)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookSnapshot {
    pub book: crate::domain::AddressBook,
    pub policy: Policy,
    pub final_statuses: FinalStatuses,
    /// Who last entered each entry: address, chain, and the person at a machine.
    pub last_editors: Vec<(Text, Text, Text)>,
    /// The due dates of templates that are paid, or may be.
    pub paid_dues: PaidDues,
}

#[cfg(test)]
mod tests;
