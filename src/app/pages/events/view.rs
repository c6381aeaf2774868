//! ```text
//!  UTC       About    What
//! ▌12:03:20  order    withdrawal of 25 USDC to 0x3f2A…9c1D: accepted
//!  12:01:40  link     slow: answers are late (×3)
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{event_detail_lines, event_text, shown_event};
use crate::app::model::Model;
use crate::app::pages::transactions::format_time;
use crate::app::pages::view::{NOTHING_MATCHES, new_pane_title, scroll_position, tone_style};
use crate::app::screen::Pane;
use crate::domain::history::RowCount;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

/// Left edges of the kind of event, and of its words.
const KIND_COLUMN: u16 = 11;
const TEXT_COLUMN: u16 = 20;

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Events, "Events".into());
    if !model.events.filter.is_empty() {
        head.notes.push((format!("/{}", model.events.filter), theme.accent));
    }
    head.notes.extend(scroll_position(&model.events.listing).map(|note| (note, theme.dim)));
    head.notes.push(("since this console was opened".into(), theme.dim));
    head
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.events.listing;
    if listing.count() == RowCount::Exact(0) {
        let nothing = if model.events.filter.is_empty() { "nothing has happened yet" } else { NOTHING_MATCHES };
        return paint::put_centered(buf, area, nothing, theme.dim);
    }
    for (x, title) in [(1, model.zone.column_heading()), (KIND_COLUMN, "About"), (TEXT_COLUMN, "What")] {
        paint::put(buf, area.x + x, area.y, area.width.saturating_sub(x), title, theme.dim);
    }
    let focused = model.focus() == Pane::Events;
    for (index, (id, selected)) in (1..area.height).zip(listing.visible_rows()) {
        let Some(event) = model.events.find(*id) else { continue };
        let row = Row::new_slim(buf, theme, area, index, selected, focused, TEXT_COLUMN);
        let ground = if selected { row.base } else { theme.dim };
        paint::put(buf, row.x, row.y, KIND_COLUMN - 2, &format_time(&model.zone, event.at, model.now, false), ground);
        paint::put(
            buf,
            area.x + KIND_COLUMN,
            row.y,
            TEXT_COLUMN - KIND_COLUMN - 1,
            event.kind.label(),
            if selected { row.base } else { theme.text },
        );
        let room = row.right.saturating_sub(area.x + TEXT_COLUMN);
        paint::put(buf, area.x + TEXT_COLUMN, row.y, room, &event_text(event), tone_style(theme, event.tone));
    }
}

/// The details of the shown event, beside or below the list.
pub fn draw_detail(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let title = if model.events.listing.selected_key().is_some() { "Selected" } else { "Newest" };
    chrome::draw_box(buf, area, false, &PaneTitle { title: title.into(), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    let Some(event) = shown_event(model) else { return paint::put_centered(buf, inner, "—", theme.dim) };
    let lines = event_detail_lines(model, event, inner.width.saturating_sub(2));
    for (y, (line, meaning)) in (inner.y..inner.bottom()).zip(lines) {
        paint::put(buf, inner.x + 1, y, inner.width.saturating_sub(2), &line, tone_style(theme, meaning));
    }
}
