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
use super::msg::{Effect, Turn};
use super::panes::Tone;
use super::panes::users::record::Record;
use super::update::whole;
use crate::app::events::Kind;
use crate::domain::book::Known;
use crate::domain::{Failure, FinalWords, Text, Timestamp};

pub use rows::{Line, Order};

/// The Book page.
#[derive(Debug, Clone, Default)]
pub struct BookPage {
    /// The rows on screen.
    pub listing: Listing<Line>,
    /// The filter on them, as typed.
    pub filter: String,
    /// In which order they stand.
    pub order: Order,
    /// How long an entry cools before it is trusted, if the profile says so.
    pub cooling: Option<std::time::Duration>,
    /// Which words of this service are final: they tell who of a batch got nothing.
    pub final_words: FinalWords,
    /// Who entered each entry last, and where: by address and chain.
    pub by: Vec<(Text, Text, Text)>,
    /// Whether the book was read at all.
    pub is_read: bool,
    /// Why the book could not be read, if so: among others, that somebody changed it from outside.
    pub failure: Option<Failure>,
    /// The turn of the newest question.
    pub turn: Turn,
    /// Moves with each change of the book or of the orders.
    revision: u64,
    /// What the listing shows: the revision, the filter and the order.
    arranged: Option<(u64, String, Order)>,
}

/// The book as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRead {
    /// The book.
    pub book: crate::domain::Book,
    /// How long an entry cools before it is trusted.
    pub cooling: Option<std::time::Duration>,
    /// Which words of this service are final.
    pub final_words: FinalWords,
    /// Who entered each entry last: address, chain, and the person at a machine.
    pub by: Vec<(Text, Text, Text)>,
}

/// The journal's book was read, or could not be.
pub(super) fn read(model: &mut Model, result: Result<Box<BookRead>, Failure>) {
    let page = &mut model.book;
    match result {
        Ok(read) => {
            let BookRead { book, cooling, final_words, by } = *read;
            (page.cooling, page.final_words, page.by) = (cooling, final_words, by);
            (page.failure, page.is_read) = (None, true);
            if model.forms.book != book {
                model.pictures.look_alikes.renew();
            }
            model.forms.book = book;
            changed(model);
        }
        Err(failure) => {
            let is_new = page.failure.as_ref() != Some(&failure);
            page.failure = Some(failure.clone());
            if is_new {
                model.note(Kind::Console, Tone::Bad, format!("the address book cannot be read: {failure}"));
            }
        }
    }
}

/// The book, or the orders, are others.
pub(super) fn changed(model: &mut Model) {
    model.book.revision = model.book.revision.wrapping_add(1);
}

/// Brings the list up to date. To be called after every message; only the page that is looked at costs anything.
pub(super) fn arrange(model: &mut Model) {
    if model.page != Page::Book {
        return;
    }
    let wanted = (model.book.revision, model.book.filter.clone(), model.book.order);
    if model.book.arranged.as_ref() != Some(&wanted) {
        let rows = rows::lines(model);
        model.book.listing.accept(whole(rows));
        model.book.arranged = Some(wanted);
    }
}

/// The selected entry.
pub fn selected(model: &Model) -> Option<&Known> {
    model.book.listing.selected().map(|line| &line.known)
}

/// Whether a command means something else on the page of the book than elsewhere.
pub(super) fn takes(model: &Model, command: Command) -> bool {
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
        Command::Withdraw => return forms::pay_contact(model),
        _ => {}
    }
    Vec::new()
}

/// The next order of the list.
fn sort(model: &mut Model) {
    model.book.order = model.book.order.next();
    model.notice = Some(format!("the book by {}", model.book.order.word()));
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
pub fn cools_until(model: &Model, known: &Known) -> Option<Timestamp> {
    let cooling = model.book.cooling;
    (!known.has_cooled(cooling, model.now)).then(|| known.cools_until(cooling))
}

#[cfg(test)]
mod tests;
