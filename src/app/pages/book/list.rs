//! The list of entries, rebuilt when its rows change.

use super::{BookSnapshot, rows};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::session::events::EventKind;
use crate::domain::book::BookEntry;
use crate::domain::history::Window;
use crate::domain::{Failure, Timestamp};

/// Takes the result of reading the address book from the journal.
pub(in crate::app) fn apply_book(model: &mut Model, result: Result<Box<BookSnapshot>, Failure>) {
    let page = &mut model.pages.book;
    match result {
        Ok(snapshot) => {
            let BookSnapshot { book, policy, final_statuses: final_words, last_editors: by, paid_dues } = *snapshot;
            (page.failure, page.is_loaded) = (None, true);
            let journal = &mut model.journal;
            (journal.policy, journal.final_statuses, journal.last_editors) = (policy, final_words, by);
            if model.journal.book != book {
                model.data.analyses.look_alikes.invalidate_known_addresses();
            }
            (model.journal.book, model.journal.paid_dues) = (book, paid_dues);
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
    model.pages.book.revision = model.pages.book.revision.wrapping_add(1);
}

/// Rebuilds outdated rows.
pub(in crate::app) fn rebuild_list(model: &mut Model) {
    let inputs = (model.pages.book.revision, model.pages.book.filter.clone(), model.pages.book.sort);
    if model.pages.book.listed_inputs.as_ref() != Some(&inputs) {
        let rows = rows::build_rows(model);
        model.pages.book.listing.apply_window(Window::whole(rows));
        model.pages.book.listed_inputs = Some(inputs);
    }
}

pub fn selected_entry(model: &Model) -> Option<&BookEntry> {
    model.pages.book.listing.selected().map(|line| &line.entry)
}

/// When an entry's cooling-off period ends; `None` once the entry is trusted.
pub fn cooling_until(model: &Model, entry: &BookEntry) -> Option<Timestamp> {
    let cooling = model.journal.policy.cooling;
    (!entry.has_cooled(cooling, model.now)).then(|| entry.cooling_ends_at(cooling))
}
