//! What the views of panes share.

pub mod sum_line;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::orders::timeline::order_detail_lines;
use super::{Tone, group_thousands, orders};
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::screen::Pane;
use crate::domain::history::RowCount;
use crate::domain::{OrderId, State, Timestamp, Zone};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Theme, paint};

pub const NOTHING_MATCHES: &str = "nothing matches; Esc clears the filter";

pub fn new_pane_title(model: &Model, pane: Pane, title: String) -> PaneTitle {
    PaneTitle { title, notes: Vec::new(), focused: model.focus() == pane }
}

/// Whether a list has the focus and a selected row; while it follows its first row, that row is marked as in a list
/// without the focus.
pub fn is_list_focused<T: Keyed>(model: &Model, pane: Pane, listing: &Listing<T>) -> bool {
    model.focus() == pane && listing.selected_key().is_some()
}

/// The message of a list without rows: being read, empty, or why it could not be read.
pub fn draw_empty_message(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, loaded: bool, nothing: &str) {
    match model.data.remotes.latest.unread_reason() {
        Some(reason) => paint::put_centered(buf, area, &reason, theme.warn),
        None if loaded && model.data.remotes.latest.last_success.is_some() => {
            paint::put_centered(buf, area, nothing, theme.dim);
        }
        None => paint::put_centered(buf, area, "reading…", theme.dim),
    }
}

/// Draws lines in their tones. Returns the area below them, where there is room for more.
pub fn draw_toned_lines(theme: &Theme, lines: &[(String, Tone)], area: Rect, buf: &mut Buffer) -> Option<Rect> {
    for (y, (line, tone)) in (area.y..area.bottom()).zip(lines) {
        paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), line, tone_style(theme, *tone));
    }
    let height = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX).min(area.height);
    let below = Rect { y: area.y + height, height: area.height - height, ..area };
    (below.height >= MIN_HEIGHT_BELOW).then_some(below)
}

/// Fewer rows of further details would not say what they are of.
const MIN_HEIGHT_BELOW: u16 = 6;

pub fn tone_style(theme: &Theme, tone: Tone) -> Style {
    match tone {
        Tone::Text => theme.text,
        Tone::Dim => theme.dim,
        Tone::Accent => theme.accent,
        Tone::Good => theme.good,
        Tone::Warn => theme.warn,
        Tone::Bad => theme.bad,
    }
}

/// The day on which the service created an entry.
pub fn created_day(model: &Model, at: Option<Timestamp>) -> String {
    at.map_or_else(|| "—".into(), |at| model.console.zone.format(at, "%Y-%m-%d"))
}

/// The head of a column of times.
pub fn time_head(zone: &Zone) -> &'static str {
    if zone.is_utc() { "Time (UTC)" } else { "Time local" }
}

/// The colour of a tone in a list: what most rows have is no news, good or bad.
pub fn list_tone_style(theme: &Theme, tone: Tone) -> Style {
    if tone == Tone::Good { theme.dim } else { tone_style(theme, tone) }
}

/// The position in a list, and its number of rows.
pub fn scroll_position<T: Keyed>(listing: &Listing<T>) -> Option<String> {
    let count = match listing.count() {
        RowCount::Exact(0) => return None,
        RowCount::Exact(count) => group_thousands(count),
        RowCount::AtLeast(count) => format!("{}+", group_thousands(count)),
    };
    Some(match listing.selected_rank() {
        Some(rank) => format!("{} of {count}", group_thousands(rank + 1)),
        None => count,
    })
}

pub fn state_style(theme: &Theme, state: Option<&State>) -> Style {
    match state {
        Some(State::Inactive) => theme.warn,
        _ => theme.dim,
    }
}

/// Draws an order where another page mentions it, without the actions, whose keys do something else there.
pub fn draw_mentioned_order(model: &Model, theme: &Theme, id: OrderId, area: Rect, buf: &mut Buffer) {
    orders::view::draw_order_lines(theme, order_detail_lines(model, id, area.width, false).into_iter(), area, buf);
}
