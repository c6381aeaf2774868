//! ```text
//!  Name              Chain      Address        Tag        Trusted    Paid  Last
//! ▌Norrland Freight  Ethereum   0x3f2A…9c1D               yes          4×  2d
//!  Exchange          XRP Ledger rHb9…yTh       104735891  in 31h        —
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::page::BookLogic;
use super::pane::BookPane;
use super::{BookRow, cooling_until, facts};
use crate::app::model::Model;
use crate::app::overlays::detail;
use crate::app::pages::page::view::{PageView, detail_title};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::chain::chain_display_name;
use crate::domain::duration;
use crate::domain::history::RowCount;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

/// A column of the address book.
type ContactColumn<'a> = Column<'a, &'a BookRow>;

impl PaneView for BookPane {
    fn name(&self) -> &'static str {
        "Address book"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Book, "Address book".into());
        if !model.pages.book.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.book.filter), theme.accent));
        }
        head.notes.extend(scroll_position(&model.pages.book.listing).map(|note| (note, theme.dim)));
        if model.pages.book.failure.is_some() {
            head.notes.push(("ALARM: cannot be read".into(), theme.bad));
        }
        head.notes.push((format!("by {}", model.pages.book.sort.label()), theme.dim));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if let Some(failure) = &model.pages.book.failure {
            let message = format!("No payment uses this address book, and none of it is shown: {failure}");
            return paint::put_centered(buf, area, &message, theme.bad);
        }
        let listing = &model.pages.book.listing;
        if !model.pages.book.is_loaded {
            let message = match &model.console.read_only {
                Some(reason) if !reason.can_read_journal() => {
                    "this console cannot read the journal, and so not its address book"
                }
                Some(_) if model.console.is_visit => "this console is read-only and does not open the book",
                Some(_) | None => "reading…",
            };
            return paint::put_centered(buf, area, message, theme.dim);
        }
        if listing.count() == RowCount::Exact(0) {
            let message = match (model.pages.book.filter.is_empty(), model.console.is_visit) {
                (true, false) => "the address book is empty; n adds an entry, i imports a file",
                (true, true) => "the address book is empty; n adds an entry",
                (false, _) => "no entry matches; Esc clears the filter",
            };
            return paint::put_centered(buf, area, message, theme.dim);
        }
        let has_notes = listing.visible_rows().any(|(line, _)| line.entry.contact.note.is_some());
        let short = model.short_addresses();
        let rows: Vec<_> = listing.visible_rows().collect();
        let columns = [
            ContactColumn::left("Name", 14)
                .grow_to(30)
                .cell(|line, _| Cell::text(line.entry.contact.name.as_str(), theme.accent)),
            ContactColumn::left("Chain", 10)
                .rank(1)
                .cell(|line, _| Cell::text(chain_display_name(&line.entry.contact.blockchain), theme.text)),
            ContactColumn::left("Address", 11).grow_whole_to(44).cell(|line, _| {
                let address = &line.entry.contact.address;
                Cell::address("", address.as_str(), short.shorten(address), theme.text)
            }),
            ContactColumn::left("Tag", 10)
                .rank(4)
                .cell(|line, _| Cell::text(line.entry.contact.tag.as_deref().unwrap_or_default(), theme.text)),
            ContactColumn::left("Trusted", 8).rank(2).cell(|line, _| match cooling_until(model, &line.entry) {
                None => Cell::text("yes", theme.dim),
                Some(until) => Cell::text(format!("in {}", duration::format_age(model.now.age(until))), theme.warn),
            }),
            ContactColumn::right("Paid", 5).rank(3).cell(|line, _| {
                let count = if line.payments == 0 { "—".to_owned() } else { format!("{}×", line.payments) };
                Cell::text(count, theme.text)
            }),
            ContactColumn::right("Last", 4).rank(3).cell(|line, _| {
                let last = line.last_paid.map(|last| duration::format_age(last.age(model.now)));
                Cell::text(last.unwrap_or_default(), theme.dim)
            }),
            ContactColumn::left("Note", 16)
                .rank(5)
                .grow_to(60)
                .used_if(has_notes && area.width >= MIN_WIDTH_WITH_NOTES)
                .cell(|line, _| Cell::text(line.entry.contact.note.as_deref().unwrap_or_default(), theme.dim)),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Book, listing),
            buf,
        );
    }
}

/// In a narrower list, notes would leave no room for whole addresses.
const MIN_WIDTH_WITH_NOTES: u16 = 135;

impl PageView for BookLogic {
    fn detail_title(&self, model: &Model) -> String {
        detail_title(model.pages.book.listing.selected().is_some(), false)
    }

    /// The selected entry, or the first on screen.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let listing = &model.pages.book.listing;
        let line = listing.selected().or_else(|| listing.visible_rows().next().map(|(line, _)| line));
        let Some(line) = line.filter(|_| model.pages.book.failure.is_none()) else { return false };
        let mut facts = facts::contact_facts(model, line);
        facts.extend(facts::payment_facts(model, &line.entry));
        detail::view::draw_lines(theme, &detail::wrap_detail_lines(facts, area.width), 0, area, buf);
        true
    }
}
