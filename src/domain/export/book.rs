//! The cells of the address book, in the columns of an import.

use super::cells::Cell;
use crate::domain::book::file::{contact_cells, label_cells};
use crate::domain::book::{BookEntry, Label};

pub use crate::domain::book::file::BOOK_COLUMNS;

/// Entries, then labels.
pub fn book_rows<'a>(
    entries: impl Iterator<Item = &'a BookEntry>,
    labels: &[Label],
) -> impl Iterator<Item = [Cell; BOOK_COLUMNS.len()]> {
    let cells = |cells: [String; BOOK_COLUMNS.len()]| cells.map(|cell| Some(cell).filter(|cell| !cell.is_empty()));
    let contacts = entries.map(|entry| contact_cells(&entry.contact));
    contacts.chain(labels.iter().map(label_cells)).map(cells)
}
