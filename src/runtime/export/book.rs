//! The cells of an entry of the address book, in the columns that it is brought in by.

use super::table::{Cell, words};
use crate::domain::book::{BookEntry, Contact};

pub use crate::domain::book::file::COLUMNS;

/// Cells of an entry.
pub fn cells(known: &BookEntry) -> [Cell; COLUMNS.len()] {
    let Contact { name, address, blockchain, tag, note } = &known.contact;
    let told = |text: &crate::domain::Text| Some(text.to_string());
    [told(name), told(address), told(blockchain), words(tag.as_ref()), words(note.as_ref())]
}
