//! The Book page: the list of known recipients, and adding, editing, removing and importing entries.
//!
//! ```text
//!  n, e ──▶ editing ──▶ checking ──▶ confirming ──▶ recording ──▶ the list
//!  D    ──────────────────────────▶ name typed ──┘
//! ```

pub mod entry;
pub mod facts;
mod masking;
pub mod rows;
pub mod view;

use super::Tone;
use super::users::record::AnyRecord;
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::listing::Listing;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, RequestId};
use crate::app::session::events::EventKind;
use crate::domain::book::BookEntry;
use crate::domain::history::Window;
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
    pub final_statuses: FinalStatuses,
    /// Who last entered each entry: address, chain, and the person at a machine.
    pub last_editors: Vec<(Text, Text, Text)>,
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
    pub cooling: Option<std::time::Duration>,
    pub final_statuses: FinalStatuses,
    /// Who last entered each entry: address, chain, and the person at a machine.
    pub last_editors: Vec<(Text, Text, Text)>,
}

/// Takes the result of reading the address book from the journal.
pub(in crate::app) fn apply_book(model: &mut Model, result: Result<Box<BookSnapshot>, Failure>) {
    let page = &mut model.book;
    match result {
        Ok(read) => {
            let BookSnapshot { book, cooling, final_statuses: final_words, last_editors: by } = *read;
            (page.cooling, page.final_statuses, page.last_editors) = (cooling, final_words, by);
            (page.failure, page.is_loaded) = (None, true);
            if model.forms.book != book {
                model.charts.look_alikes.recollect_known_addresses();
            }
            model.forms.book = book;
            mark_list_outdated(model);
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
pub(in crate::app) fn mark_list_outdated(model: &mut Model) {
    model.book.revision = model.book.revision.wrapping_add(1);
}

/// Rebuilds outdated rows. Called after every message; costs nothing while another page is shown.
pub(in crate::app) fn rebuild_list(model: &mut Model) {
    if model.page != Page::Book {
        return;
    }
    let wanted = (model.book.revision, model.book.filter.clone(), model.book.sort);
    if model.book.listed_inputs.as_ref() != Some(&wanted) {
        let rows = rows::build_rows(model);
        model.book.listing.apply_window(Window::whole(rows));
        model.book.listed_inputs = Some(wanted);
    }
}

pub fn selected_entry(model: &Model) -> Option<&BookEntry> {
    model.book.listing.selected().map(|line| &line.entry)
}

/// Whether a command has a meaning of its own on the Book page.
pub(in crate::app) fn handles_command(model: &Model, command: Command) -> bool {
    let of_page = matches!(command, Command::New | Command::Change | Command::Remove | Command::Sort)
        || command == Command::Withdraw && selected_entry(model).is_some();
    model.page == Page::Book && of_page
}

#[expect(clippy::wildcard_enum_match_arm, reason = "run_in_browse_mode names every command")]
pub(in crate::app) fn run_page_command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::New => entry::open_add_form(model),
        Command::Change => entry::open_edit_form(model),
        Command::Remove => entry::open_removal_form(model),
        Command::Sort => switch_sort(model),
        Command::Withdraw => return forms::open_contact_payment(model),
        _ => {}
    }
    Vec::new()
}

fn switch_sort(model: &mut Model) {
    model.book.sort = model.book.sort.next_sort();
    model.notice = Some(format!("address book sorted by {}", model.book.sort.label()));
}

/// Opens the details of the selected entry; where none is selected, selects the first one instead.
pub(in crate::app) fn open_selected_entry(model: &mut Model) -> Vec<Effect> {
    if !model.book.listing.select_first_visible()
        && let Some(line) = model.book.listing.selected()
    {
        model.mode = Mode::Record { record: Box::new(AnyRecord::Contact(line.clone())), top: 0 };
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
