//! The cells of an address book entry, in the columns of an import.

use super::table::{Cell, optional_cell};
use crate::domain::book::{BookEntry, Contact};

pub use crate::domain::book::file::CONTACT_COLUMNS;

pub fn contact_cells(known: &BookEntry) -> [Cell; CONTACT_COLUMNS.len()] {
    let Contact { name, address, blockchain, tag, note } = &known.contact;
    let told = |text: &crate::domain::Text| Some(text.to_string());
    [told(name), told(address), told(blockchain), optional_cell(tag.as_ref()), optional_cell(note.as_ref())]
}
