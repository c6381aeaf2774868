//! ```text
//!  Name              Chain      Address        Tag        Trusted    Paid  Last
//! ▌Norrland Freight  Ethereum   0x3f2A…9c1D               yes          4×  2d
//!  Exchange          XRP Ledger rHb9…yTh       104735891  in 31h        —
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{BookRow, cooling_until, facts};
use crate::app::Model;
use crate::app::link;
use crate::app::panes::detail;
use crate::app::panes::view::{pane_title_of, scroll_position};
use crate::app::screen::Pane;
use crate::domain::address;
use crate::domain::chain::display_name;
use crate::domain::history::Count;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

/// Column widths; an address is shortened or whole.
const CHAIN: u16 = 10;
const SHORT: u16 = 11;
const WHOLE: u16 = 44;
const TAG: u16 = 10;
const TRUSTED: u16 = 8;
const PAID: u16 = 5;
const LAST: u16 = 4;

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = pane_title_of(model, Pane::Book, "Address book".into());
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
    if listing.count() == Count::Exact(0) {
        let words = match (model.book.filter.is_empty(), model.is_visit) {
            (true, false) => "the address book is empty; n adds an entry, i imports a file",
            (true, true) => "the address book is empty; n adds an entry",
            (false, _) => "no entry matches; Esc clears the filter",
        };
        return paint::put_centered(buf, area, words, theme.dim);
    }
    let columns = Columns::of(area);
    columns.draw_heads(theme, area, buf);
    let focused = model.focus() == Pane::Book;
    for (index, (line, selected)) in (1..area.height).zip(listing.visible()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        columns.draw(model, theme, line, row, buf);
    }
}

/// Column widths; a column of width 0 is not shown.
struct Columns {
    name: u16,
    address: u16,
    tag: u16,
    paid: u16,
}

impl Columns {
    fn of(area: Rect) -> Self {
        let (address, tag, paid) = match area.width {
            0..56 => (SHORT, 0, 0),
            56..72 => (SHORT, 0, PAID + LAST + 1),
            72..112 => (SHORT, TAG, PAID + LAST + 1),
            112.. => (WHOLE, TAG, PAID + LAST + 1),
        };
        let taken: u16 =
            [CHAIN, address, tag, TRUSTED, paid].into_iter().map(|width| if width == 0 { 0 } else { width + 1 }).sum();
        let name = area.width.saturating_sub(taken + 2).clamp(8, 40);
        Self { name, address, tag, paid }
    }

    /// The left edge of each column: name, chain, address, tag, trusted, paid.
    fn places(&self, x: u16) -> [u16; 6] {
        let mut at = x;
        [0, self.name, CHAIN, self.address, self.tag, TRUSTED].map(|before| {
            at += if before == 0 { 0 } else { before + 1 };
            at
        })
    }

    fn draw_heads(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let [name, chain, address, tag, trusted, paid] = self.places(area.x + 1);
        for (x, width, title) in [
            (name, self.name, "Name"),
            (chain, CHAIN, "Chain"),
            (address, self.address, "Address"),
            (tag, self.tag, "Tag"),
            (trusted, TRUSTED, "Trusted"),
        ] {
            paint::put(buf, x, area.y, width, title, theme.dim);
        }
        if self.paid > 0 {
            paint::put_right(buf, paid + PAID, area.y, PAID, "Paid", theme.dim);
            paint::put_right(buf, paid + self.paid, area.y, LAST, "Last", theme.dim);
        }
    }

    fn draw(&self, model: &Model, theme: &Theme, line: &BookRow, row: Row, buf: &mut Buffer) {
        let contact = &line.known.contact;
        let [name, chain, at, tag, trusted, paid] = self.places(row.x);
        paint::put(buf, name, row.y, self.name, &contact.name, row.over(theme.accent));
        paint::put(buf, chain, row.y, CHAIN, display_name(&contact.blockchain), row.over(theme.text));
        let whole = paint::width(&contact.address) <= self.address;
        let shown = if whole { contact.address.to_string() } else { address::shorten(&contact.address) };
        paint::put(buf, at, row.y, self.address, &shown, row.over(theme.text));
        paint::put(buf, tag, row.y, self.tag, contact.tag.as_deref().unwrap_or_default(), row.over(theme.text));
        let (words, style) = match cooling_until(model, &line.known) {
            None => ("yes".to_owned(), theme.good),
            Some(until) => (format!("in {}", link::words(model.now.age(until))), theme.warn),
        };
        paint::put(buf, trusted, row.y, TRUSTED, &words, row.over(style));
        if self.paid > 0 {
            let count = if line.payments == 0 { "—".to_owned() } else { format!("{}×", line.payments) };
            paint::put_right(buf, paid + PAID, row.y, PAID, &count, row.over(theme.text));
            let last = line.last_paid.map_or_else(String::new, |last| link::words(last.age(model.now)));
            paint::put_right(buf, paid + self.paid, row.y, LAST, &last, row.over(theme.dim));
        }
    }
}

/// The details of the selected entry, or of the first on screen, beside the list.
pub fn draw_detail(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.book.listing;
    let line = listing.selected().or_else(|| listing.visible().next().map(|(line, _)| line));
    let title = if listing.selected().is_some() { "Selected" } else { "First on screen" };
    chrome::draw_box(buf, area, false, &PaneTitle { title: title.into(), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    match line.filter(|_| model.book.failure.is_none()) {
        Some(line) => {
            let lines = detail::wrap_facts(facts::facts(model, line), inner.width);
            detail::view::lines(theme, &lines, 0, inner, buf);
        }
        None => paint::put_centered(buf, inner, "—", theme.dim),
    }
}
