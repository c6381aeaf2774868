//! The pane of the address book.

use crate::app::input::keymap::Context;
use crate::app::listing::PaneList;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::copying::items::items_of_contact;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::export::list::filter_phrase;
use crate::app::overlays::menu::MenuItem;
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::domain::export::book::{BOOK_COLUMNS, book_rows};
use crate::domain::export::cells::ExportTable;

pub struct BookPane;

impl PaneLogic for BookPane {
    shows_list!(model => model.pages.book.listing);

    fn open_row(&self) -> Option<OpenRow> {
        Some(show_selected_entry)
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.book.filter)
    }

    /// The rows are arranged after this message.
    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.book.listing.reset_position();
        Vec::new()
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        model.pages.book.listing.selected().map_or_else(Vec::new, items_of_contact)
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["entry", "entries"],
            qualifiers: format!(" of the address book{}", filter_phrase(&model.pages.book.filter)),
            rows: |model| {
                let page = &model.pages.book;
                let entries = page.listing.rows().iter().map(|line| &line.entry);
                let labels = if page.filter.is_empty() { model.journal.book.labels() } else { &[] };
                Some(ExportTable::new("book", &BOOK_COLUMNS, book_rows(entries, labels)).into())
            },
        })
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Book]
    }
}

/// Opens the details of the selected entry; where none is selected, selects the first one instead.
fn show_selected_entry(model: &mut Model) -> Vec<Effect> {
    if !model.pages.book.listing.select_first_visible()
        && let Some(line) = model.pages.book.listing.selected()
    {
        model.show_mode(Mode::Record { record: Box::new(AnyRecord::Contact(line.clone())), top: 0 });
    }
    Vec::new()
}
