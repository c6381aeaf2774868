//! ```text
//!  Since     About                What
//! ▌11:40:12  ▲ payment failed     out 23,880.50 USDC on Base to Zebra Stores, ref inv-2210
//!  10:02:51  ▲ watch raised       USDC of Treasury below 10,000: 9,812.40
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::page::AttentionLogic;
use super::panes::{AttentionPane, WatchesPane};
use super::{item_lines, severity_tone};
use crate::app::model::Model;
use crate::app::overlays::detail;
use crate::app::pages::page::view::PageView;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{draw_mentioned_order, draw_toned_lines, new_pane_title, scroll_position, tone_style};
use crate::app::screen::Pane;
use crate::app::transaction_text::format_list_time;
use crate::domain::Timestamp;
use crate::domain::attention::{AttentionItem, AttentionTarget, Severity};
use crate::domain::history::RowCount;
use crate::domain::watch::WatchStanding;
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

/// Left edges of the kind and of the words.
const KIND_COLUMN: u16 = 11;
const TEXT_COLUMN: u16 = 32;
/// Left edges of a watch's state and of its words.
const STATE_COLUMN: u16 = 2;
const WATCH_COLUMN: u16 = 14;

impl PaneView for AttentionPane {
    fn name(&self) -> &'static str {
        "Needs you"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Attention, "Needs you".into());
        let attention = &model.pages.attention;
        head.notes.extend(scroll_position(&attention.listing).map(|note| (note, theme.dim)));
        let acknowledged = attention.items.len() - attention.open_count();
        if acknowledged > 0 {
            let label = if attention.hides_acknowledged { "acknowledged hidden" } else { "acknowledged" };
            head.notes.push((format!("{acknowledged} {label}"), theme.dim));
        }
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let listing = &model.pages.attention.listing;
        if listing.count() == RowCount::Exact(0) {
            return paint::put_centered(buf, area, &empty_text(model), theme.dim);
        }
        for (x, title) in [(1, "Since"), (KIND_COLUMN, "About"), (TEXT_COLUMN, "What")] {
            paint::put(buf, area.x + x, area.y, area.width.saturating_sub(x), title, theme.dim);
        }
        let focused = model.focus() == Pane::Attention;
        for (index, (id, selected)) in (1..area.height).zip(listing.visible_rows()) {
            let Some(item) = model.pages.attention.find(id) else { continue };
            let row = Row::new_slim(buf, theme, area, index, selected, focused, TEXT_COLUMN - 1);
            draw_item(model, theme, item, (area.x, row.y, row.right), row.base, buf);
        }
    }
}

/// What the list says while nothing needs a person, and whether that is certain.
fn empty_text(model: &Model) -> String {
    match &model.pages.attention.findings {
        None => "the history has not been examined yet".into(),
        Some(findings) if model.pages.attention.items.is_empty() => {
            let rows = crate::app::pages::group_thousands(findings.rows);
            format!("nothing needs you: orders, watches and the newest {rows} transactions were examined")
        }
        Some(_) => "all of it is acknowledged; h shows it".into(),
    }
}

fn draw_item(
    model: &Model,
    theme: &Theme,
    item: &AttentionItem,
    (left, y, right): (u16, u16, u16),
    ground: Style,
    buf: &mut Buffer,
) {
    let is_known = model.pages.attention.acknowledgement(&item.id).is_some();
    let style = if is_known { theme.dim } else { tone_style(theme, severity_tone(item)) };
    let since = since_text(model, item.since);
    let mut put = |column: u16, room: u16, text: &str, style: Style| {
        paint::put(buf, left + column, y, room.min(right.saturating_sub(left + column)), text, style);
    };
    let patched = |style: Style| crate::ui::row::with_background_of(ground, style);
    put(1, KIND_COLUMN - 2, &since, patched(theme.dim));
    let mark = if is_known { "✓ " } else { severity_glyph(item) };
    put(KIND_COLUMN, TEXT_COLUMN - KIND_COLUMN - 1, &format!("{mark}{}", item.kind.label()), patched(style));
    put(TEXT_COLUMN, right, &item.subject, if is_known { theme.dim } else { theme.text });
}

/// A time and no age: an age would change with every tick, and be drawn again with each.
fn since_text(model: &Model, since: Timestamp) -> String {
    format_list_time(&model.console.zone, since, model.now, false)
}

fn severity_glyph(item: &AttentionItem) -> &'static str {
    match item.kind.severity() {
        Severity::Alarm => "! ",
        Severity::Warning => "▲ ",
        Severity::Notice => "? ",
    }
}

impl PageView for AttentionLogic {
    fn detail_title(&self, _model: &Model) -> String {
        "What to do".into()
    }

    /// What to do about the shown item, and the order or the transaction that it is about.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let Some(item) = model.pages.attention.shown_item() else { return false };
        let below = draw_toned_lines(theme, &item_lines(model, item, area.width.saturating_sub(2)), area, buf);
        let Some(below) = below else { return true };
        let row = model.pages.attention.findings.as_ref().and_then(|findings| findings.row_of(&item.id));
        match (&item.target, row) {
            (AttentionTarget::Order(id), _) => draw_mentioned_order(model, theme, *id, below, buf),
            (_, Some(row)) => detail::view::view(model, theme, row, 0, below, buf),
            (_, None) => {}
        }
        true
    }
}

/// The strip on the Overview: how many items stand, and the gravest of them.
pub fn draw_attention_strip(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let count = model.pages.attention.open_count();
    let visible_count = usize::from(area.height);
    let more = count.saturating_sub(visible_count);
    for (index, (y, item)) in (area.y..area.bottom()).zip(model.pages.attention.open_items()).enumerate() {
        let style = tone_style(theme, severity_tone(item));
        let head = format!("{}{} ", severity_glyph(item), item.kind.label());
        let mut x = area.x + 1;
        x += paint::put(buf, x, y, 24, &format!("{head:<22}"), style);
        x += paint::put(buf, x, y, 10, &format!("{:<10}", since_text(model, item.since)), theme.dim);
        let note = match (index + 1 == visible_count, more) {
            (true, 1..) => format!("! shows {more} more"),
            (true, 0) => "! opens".to_owned(),
            (false, _) => String::new(),
        };
        let note_width = paint::text_width(&note);
        let right = area.right().saturating_sub(1);
        paint::put_right(buf, right, y, note_width, &note, theme.key);
        let room = right.saturating_sub(x + note_width + 2);
        paint::put(buf, x, y, room, &paint::truncate(&item.subject, room), theme.text);
    }
}

impl PaneView for WatchesPane {
    fn name(&self) -> &'static str {
        "Watches"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Watches, "Watches".into());
        let raised = model.session.watches.raised_count();
        if raised > 0 {
            head.notes.push((format!("{raised} raised"), theme.warn));
        }
        head.notes.push(("n new, Enter tries and changes".into(), theme.dim));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.session.watches.count() == 0 {
            let message = "no watches: n makes one, such as USDC below 10000";
            return paint::put_centered(buf, area, message, theme.dim);
        }
        let focused = model.focus() == Pane::Watches;
        for (index, (row, selected)) in (0..area.height).zip(model.session.watches.listing.visible_rows()) {
            let line = Row::new_slim(buf, theme, area, index, selected, focused, WATCH_COLUMN - 1);
            let Some((watch, standing)) = model.session.watches.watch_and_standing(row.index) else { continue };
            let (state, style, figure) = match &standing {
                WatchStanding::Raised { since, figure } => {
                    ("⚑ raised", theme.warn, format!("{figure}, since {}", since_text(model, *since)))
                }
                WatchStanding::Clear { figure } => ("  clear", theme.good, figure.clone()),
                WatchStanding::Unknown { reason } => ("? unknown", theme.dim, reason.clone()),
            };
            let (state, style) = if watch.is_muted { ("− muted", theme.dim) } else { (state, style) };
            let patched = crate::ui::row::with_background_of(line.base, style);
            paint::put(buf, area.x + STATE_COLUMN, line.y, WATCH_COLUMN - STATE_COLUMN - 1, state, patched);
            let right = line.right;
            let x = area.x + WATCH_COLUMN;
            let used = paint::put(buf, x, line.y, right.saturating_sub(x), &watch.full_title(), theme.text);
            let x = x + used + 2;
            paint::put(buf, x, line.y, right.saturating_sub(x), &figure, theme.dim);
        }
    }
}
