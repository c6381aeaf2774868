//! The Book page: whom the business knows by name, and how entries are made, changed, taken out, brought in and written.
//!
//! ```text
//!  n, e ──▶ filling ──▶ judging ──▶ words typed ──▶ recorded ──▶ the list
//!  D    ──────────────────────────▶ name typed  ──┘
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

/// The Book page.
#[derive(Debug, Clone, Default)]
pub struct BookPage {
    /// The rows on screen.
    pub listing: Listing<BookRow>,
    /// The filter on them, as typed.
    pub filter: String,
    /// In which order they stand.
    pub sort: BookSort,
    /// How long an entry cools before it is trusted, if the profile says so.
    pub cooling: Option<std::time::Duration>,
    /// Which words of this service are final: they tell who of a batch got nothing.
    pub final_words: FinalStatuses,
    /// Who entered each entry last, and where: by address and chain.
    pub by: Vec<(Text, Text, Text)>,
    /// Whether the book was read at all.
    pub is_loaded: bool,
    /// Why the book could not be read, if so: among others, that somebody changed it from outside.
    pub failure: Option<Failure>,
    /// The turn of the newest question.
    pub turn: RequestId,
    /// Moves with each change of the book or of the orders.
    revision: u64,
    /// What the listing shows: the revision, the filter and the order.
    arranged: Option<(u64, String, BookSort)>,
}

/// The book as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookSnapshot {
    /// The book.
    pub book: crate::domain::Book,
    /// How long an entry cools before it is trusted.
    pub cooling: Option<std::time::Duration>,
    /// Which words of this service are final.
    pub final_words: FinalStatuses,
    /// Who entered each entry last: address, chain, and the person at a machine.
    pub by: Vec<(Text, Text, Text)>,
}

/// The journal's book was read, or could not be.
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

/// The book, or the orders, are others.
pub(super) fn invalidate(model: &mut Model) {
    model.book.revision = model.book.revision.wrapping_add(1);
}

/// Brings the list up to date. To be called after every message; only the page that is looked at costs anything.
pub(super) fn arrange(model: &mut Model) {
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

/// The selected entry.
pub fn selected(model: &Model) -> Option<&BookEntry> {
    model.book.listing.selected().map(|line| &line.known)
}

/// Whether a command means something else on the page of the book than elsewhere.
pub(super) fn handles_command(model: &Model, command: Command) -> bool {
    let of_page = match command {
        Command::New | Command::Change | Command::Remove | Command::Sort => true,
        Command::Withdraw => selected(model).is_some(),
        _ => false,
    };
    model.page == Page::Book && of_page
}

/// Does what such a command means here.
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

/// The next order of the list.
fn sort(model: &mut Model) {
    model.book.sort = model.book.sort.next_sort();
    model.notice = Some(format!("address book sorted by {}", model.book.sort.label()));
}

/// Opens what is selected, whole.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if !model.book.listing.select_visible()
        && let Some(line) = model.book.listing.selected()
    {
        model.mode = Mode::Record { record: Box::new(Record::Contact(line.clone())), top: 0 };
    }
    Vec::new()
}

/// Until when an entry cools; `None` where it is trusted.
pub fn cooling_until(model: &Model, known: &BookEntry) -> Option<Timestamp> {
    let cooling = model.book.cooling;
    (!known.has_cooled(cooling, model.now)).then(|| known.cooling_ends_at(cooling))
}

#[cfg(test)]
mod tests;
