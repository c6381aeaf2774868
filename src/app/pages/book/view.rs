//! ```text
//!  Name              Chain      Address        Tag        Trusted    Paid  Last
//! ▌Norrland Freight  Ethereum   0x3f2A…9c1D               yes          4×  2d
//!  Exchange          XRP Ledger rHb9…yTh       104735891  in 31h        —
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{BookRow, cooling_until, facts};
use crate::app::data::link;
use crate::app::model::Model;
use crate::app::overlays::detail;
use crate::app::pages::view::{new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::address;
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowCount;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

/// Column widths; an address is shortened or whole.
const CHAIN_WIDTH: u16 = 10;
const SHORT_ADDRESS_WIDTH: u16 = 11;
const WHOLE_ADDRESS_WIDTH: u16 = 44;
const TAG_WIDTH: u16 = 10;
const TRUSTED_WIDTH: u16 = 8;
const PAID_WIDTH: u16 = 5;
const LAST_PAID_WIDTH: u16 = 4;

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Book, "Address book".into());
    if !model.book.filter.is_empty() {
        head.notes.push((format!("/{}", model.book.filter), theme.accent));
    }
    head.notes.extend(scroll_position(&model.book.listing).map(|note| (note, theme.dim)));
    if model.book.failure.is_some() {
        head.notes.push(("ALARM: cannot be read".into(), theme.bad));
    }
    head.notes.push((format!("by {}", model.book.sort.label()), theme.dim));
    head
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if let Some(failure) = &model.book.failure {
        let words = format!("No payment uses this address book, and none of it is shown: {failure}");
        return paint::put_centered(buf, area, &words, theme.bad);
    }
    let listing = &model.book.listing;
    if !model.book.is_loaded {
        let words = match &model.read_only {
            Some(_) if model.is_visit => "this console is read-only and does not open the book",
            Some(_) => "this console is read-only and does not open the book; bursar book list shows it",
            None => "reading…",
        };
        return paint::put_centered(buf, area, words, theme.dim);
    }
    if listing.count() == RowCount::Exact(0) {
        let words = match (model.book.filter.is_empty(), model.is_visit) {
            (true, false) => "the address book is empty; n adds an entry, i imports a file",
            (true, true) => "the address book is empty; n adds an entry",
            (false, _) => "no entry matches; Esc clears the filter",
        };
        return paint::put_centered(buf, area, words, theme.dim);
    }
    let columns = ColumnWidths::for_area(area);
    columns.draw_heads(theme, area, buf);
    let focused = model.focus() == Pane::Book;
    for (index, (line, selected)) in (1..area.height).zip(listing.visible_rows()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        columns.draw_row(model, theme, line, row, buf);
    }
}

/// Column widths; a column of width 0 is not shown.
struct ColumnWidths {
    name: u16,
    address: u16,
    tag: u16,
    paid: u16,
}

impl ColumnWidths {
    fn for_area(area: Rect) -> Self {
        let (address, tag, paid) = match area.width {
            0..56 => (SHORT_ADDRESS_WIDTH, 0, 0),
            56..72 => (SHORT_ADDRESS_WIDTH, 0, PAID_WIDTH + LAST_PAID_WIDTH + 1),
            72..112 => (SHORT_ADDRESS_WIDTH, TAG_WIDTH, PAID_WIDTH + LAST_PAID_WIDTH + 1),
            112.. => (WHOLE_ADDRESS_WIDTH, TAG_WIDTH, PAID_WIDTH + LAST_PAID_WIDTH + 1),
        };
        let taken: u16 = [CHAIN_WIDTH, address, tag, TRUSTED_WIDTH, paid]
            .into_iter()
            .map(|width| if width == 0 { 0 } else { width + 1 })
            .sum();
        let name = area.width.saturating_sub(taken + 2).clamp(8, 40);
        Self { name, address, tag, paid }
    }

    /// The left edge of each column: name, chain, address, tag, trusted, paid.
    fn left_edges(&self, x: u16) -> [u16; 6] {
        let mut at = x;
        [0, self.name, CHAIN_WIDTH, self.address, self.tag, TRUSTED_WIDTH].map(|before| {
            at += if before == 0 { 0 } else { before + 1 };
            at
        })
    }

    fn draw_heads(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let [name, chain, address, tag, trusted, paid] = self.left_edges(area.x + 1);
        for (x, width, title) in [
            (name, self.name, "Name"),
            (chain, CHAIN_WIDTH, "Chain"),
            (address, self.address, "Address"),
            (tag, self.tag, "Tag"),
            (trusted, TRUSTED_WIDTH, "Trusted"),
        ] {
            paint::put(buf, x, area.y, width, title, theme.dim);
        }
        if self.paid > 0 {
            paint::put_right(buf, paid + PAID_WIDTH, area.y, PAID_WIDTH, "Paid", theme.dim);
            paint::put_right(buf, paid + self.paid, area.y, LAST_PAID_WIDTH, "Last", theme.dim);
        }
    }

    fn draw_row(&self, model: &Model, theme: &Theme, line: &BookRow, row: Row, buf: &mut Buffer) {
        let contact = &line.entry.contact;
        let [name, chain, at, tag, trusted, paid] = self.left_edges(row.x);
        paint::put(buf, name, row.y, self.name, &contact.name, row.style_over(theme.accent));
        paint::put(buf, chain, row.y, CHAIN_WIDTH, chain_display_name(&contact.blockchain), row.style_over(theme.text));
        let whole = paint::text_width(&contact.address) <= self.address;
        let shown = if whole { contact.address.to_string() } else { address::shorten_address(&contact.address) };
        paint::put(buf, at, row.y, self.address, &shown, row.style_over(theme.text));
        paint::put(buf, tag, row.y, self.tag, contact.tag.as_deref().unwrap_or_default(), row.style_over(theme.text));
        let (words, style) = match cooling_until(model, &line.entry) {
            None => ("yes".to_owned(), theme.good),
            Some(until) => (format!("in {}", link::format_age(model.now.age(until))), theme.warn),
        };
        paint::put(buf, trusted, row.y, TRUSTED_WIDTH, &words, row.style_over(style));
        if self.paid > 0 {
            let count = if line.payments == 0 { "—".to_owned() } else { format!("{}×", line.payments) };
            paint::put_right(buf, paid + PAID_WIDTH, row.y, PAID_WIDTH, &count, row.style_over(theme.text));
            let last = line.last_paid.map_or_else(String::new, |last| link::format_age(last.age(model.now)));
            paint::put_right(buf, paid + self.paid, row.y, LAST_PAID_WIDTH, &last, row.style_over(theme.dim));
        }
    }
}

/// The details of the selected entry, or of the first on screen, beside the list.
pub fn draw_detail(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.book.listing;
    let line = listing.selected().or_else(|| listing.visible_rows().next().map(|(line, _)| line));
    let title = if listing.selected().is_some() { "Selected" } else { "First on screen" };
    chrome::draw_box(buf, area, false, &PaneTitle { title: title.into(), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    match line.filter(|_| model.book.failure.is_none()) {
        Some(line) => {
            let lines = detail::wrap_detail_lines(facts::contact_facts(model, line), inner.width);
            detail::view::draw_lines(theme, &lines, 0, inner, buf);
        }
        None => paint::put_centered(buf, inner, "—", theme.dim),
    }
}
