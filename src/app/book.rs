//! The Book page: the list of known recipients, and adding, editing, removing and importing entries.
//!
//! ```text
//!  n, e ──▶ editing ──▶ checking ──▶ confirming ──▶ recording ──▶ the list
//!  D    ──────────────────────────▶ name typed ──┘
//! ```

pub mod entry;
pub mod facts;
pub mod rows;
mod veiled;
pub mod view;

use super::forms;
use super::keymap::Command;
use super::listing::Listing;
use super::model::{Mode, Model, Page};
use super::msg::{Effect, RequestId};
use super::panes::Tone;
use super::panes::users::record::Record;
use super::update::whole_window;
use crate::app::events::EventKind;
use crate::domain::book::BookEntry;
use crate::domain::{Failure, FinalStatuses, Text, Timestamp};

pub use rows::{BookRow, BookSort};

#[derive(Debug, Clone, Default)]
pub struct BookPage {
    pub listing: Listing<BookRow>,
    pub filter: String,
    pub sort: BookSort,
    /// The cooling-off period of new entries, if the profile sets one.
    pub cooling: Option<std::time::Duration>,
    /// The profile's final statuses: they decide which recipients of a batch received nothing.
    pub final_words: FinalStatuses,
    /// Who last entered each entry: address, chain, and the person at a machine.
    pub by: Vec<(Text, Text, Text)>,
    pub is_loaded: bool,
    /// Why the book could not be read, for example because it was changed from outside.
    pub failure: Option<Failure>,
    /// The newest check or change of an entry; older answers are ignored.
    pub turn: RequestId,
    /// Incremented with each change of the book or of the orders.
    revision: u64,
    /// The revision, filter and sort order that `listing` shows.
    arranged: Option<(u64, String, BookSort)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookSnapshot {
    pub book: crate::domain::Book,
    pub cooling: Option<std::time::Duration>,
    pub final_words: FinalStatuses,
    /// Who last entered each entry: address, chain, and the person at a machine.
    pub by: Vec<(Text, Text, Text)>,
}

/// Takes the result of reading the address book from the journal.
pub(super) fn apply_book(model: &mut Model, result: Result<Box<BookSnapshot>, Failure>) {
    let page = &mut model.book;
    match result {
        Ok(read) => {
            let BookSnapshot { book, cooling, final_words, by } = *read;
            (page.cooling, page.final_words, page.by) = (cooling, final_words, by);
            (page.failure, page.is_loaded) = (None, true);
            if model.forms.book != book {
                model.charts.look_alikes.renew();
            }
            model.forms.book = book;
            invalidate(model);
        }
        Err(failure) => {
            let is_new = page.failure.as_ref() != Some(&failure);
            page.failure = Some(failure.clone());
            if is_new {
                model.record_event(
                    EventKind::Console,
                    Tone::Bad,
                    format!("the address book cannot be read: {failure}"),
                );
            }
        }
    }
}

/// Marks the rows as outdated, because the book or the orders changed.
pub(super) fn invalidate(model: &mut Model) {
    model.book.revision = model.book.revision.wrapping_add(1);
}

/// Rebuilds outdated rows. Called after every message; costs nothing while another page is shown.
pub(super) fn rebuild_list(model: &mut Model) {
    if model.page != Page::Book {
        return;
    }
    let wanted = (model.book.revision, model.book.filter.clone(), model.book.sort);
    if model.book.arranged.as_ref() != Some(&wanted) {
        let rows = rows::build_rows(model);
        model.book.listing.apply_window(whole_window(rows));
        model.book.arranged = Some(wanted);
    }
}

pub fn selected(model: &Model) -> Option<&BookEntry> {
    model.book.listing.selected().map(|line| &line.known)
}

/// Whether a command has a meaning of its own on the Book page.
pub(super) fn handles_command(model: &Model, command: Command) -> bool {
    let of_page = match command {
        Command::New | Command::Change | Command::Remove | Command::Sort => true,
        Command::Withdraw => selected(model).is_some(),
        _ => false,
    };
    model.page == Page::Book && of_page
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::New => entry::add(model),
        Command::Change => entry::edit(model),
        Command::Remove => entry::remove(model),
        Command::Sort => sort(model),
        Command::Withdraw => return forms::open_contact_payment(model),
        _ => {}
    }
    Vec::new()
}

fn sort(model: &mut Model) {
    model.book.sort = model.book.sort.next_sort();
    model.notice = Some(format!("address book sorted by {}", model.book.sort.label()));
}

/// Opens the details of the selected entry; where none is selected, selects the first one instead.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if !model.book.listing.select_visible()
        && let Some(line) = model.book.listing.selected()
    {
        model.mode = Mode::Record { record: Box::new(Record::Contact(line.clone())), top: 0 };
    }
    Vec::new()
}

/// When an entry's cooling-off period ends; `None` once the entry is trusted.
pub fn cooling_until(model: &Model, known: &BookEntry) -> Option<Timestamp> {
    let cooling = model.book.cooling;
    (!known.has_cooled(cooling, model.now)).then(|| known.cooling_ends_at(cooling))
}

#[cfg(test)]
mod tests;
