//! ```text
//! ┌ Copy ───────────────────── Esc closes ┐
//! │▌Hash      0x54ad16e534ff0fa680b37d…   │
//! │ Id        9a7b7566-e53d-4cf9-80f6-…   │
//! └───────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Menu, MenuKind};
use crate::app::overlays::qr::{self, QrMatrix};
use crate::domain::Glyphs;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

const WIDTH: u16 = 76;
/// Of a menu whose items are sentences.
const WIDE: u16 = 120;
/// Columns beside a code, below which nothing is said there.
const MIN_TEXT_WIDTH: u16 = 20;

/// Draws a box in the middle of `area`, over what is painted there; it scrolls to the highlighted item.
pub fn view(theme: &Theme, glyphs: Glyphs, menu: &Menu, area: Rect, buf: &mut Buffer) {
    if let Some(code) = &menu.code {
        draw_qr_code(theme, glyphs, code, buf);
        return;
    }
    let width = if menu.kind == MenuKind::Approvals { WIDE } else { WIDTH }.min(area.width);
    let room = width.saturating_sub(4);
    let message_lines = menu.message.as_deref().map_or_else(Vec::new, |message| wrap(message, room));
    let line_rows = u16::from(menu.line.is_some());
    let message_rows = u16::try_from(message_lines.len()).unwrap_or(u16::MAX / 4);
    let items = u16::try_from(menu.items.len()).unwrap_or(u16::MAX / 4);
    let height = items.saturating_add(message_rows).saturating_add(line_rows).saturating_add(2).min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let (title, ticks) = match menu.kind {
        MenuKind::Copy => ("Copy", false),
        MenuKind::Filter(_) => ("Filter", true),
        MenuKind::Views => ("Views", false),
        MenuKind::Drafts => ("Drafts and templates", false),
        MenuKind::Approvals => ("Proposals", false),
        MenuKind::Rest(_) => ("Pay the rest", false),
    };
    let head = PaneTitle { title: title.into(), notes: vec![("Esc closes".into(), theme.dim)], focused: true };
    chrome::draw_box(buf, frame, false, &head, theme);
    let inner = Rect::new(frame.x + 1, frame.y + 1, width.saturating_sub(2), height.saturating_sub(2));
    for (y, line) in (inner.y..inner.bottom()).zip(&message_lines) {
        paint::put(buf, inner.x + 1, y, room, line, theme.warn);
    }
    if let Some(line) = &menu.line {
        let y = inner.y + message_rows;
        paint::put(buf, inner.x + 1, y, room, line.input.value(), theme.text);
        let cursor = u16::try_from(line.input.visual_cursor()).unwrap_or(0).min(room);
        paint::tint(buf, Rect::new(inner.x + 1 + cursor, y, 1, 1), theme.cursor);
    }
    let above = message_rows + line_rows;
    let list = Rect { y: inner.y + above, height: inner.height.saturating_sub(above), ..inner };
    let names = menu.items.iter().map(|item| paint::text_width(&item.name)).max().unwrap_or(0).min(room / 2);
    let first = (menu.at + 1).saturating_sub(usize::from(list.height));
    for (index, (nth, item)) in (0..list.height).zip(menu.items.iter().enumerate().skip(first)) {
        let row = Row::new(buf, theme, list, index, nth == menu.at, true);
        let mut x = row.x + 1;
        if ticks {
            let (tick, style) = if item.is_checked { ("[x]", theme.good) } else { ("[ ]", theme.dim) };
            x += paint::put(buf, x, row.y, 3, tick, row.style_over(style)) + 1;
        }
        let name = if item.is_dim { row.style_over(theme.dim) } else { row.base };
        paint::put(buf, x, row.y, names, &item.name, name);
        x += names + 2;
        paint::put(
            buf,
            x,
            row.y,
            row.right.saturating_sub(x + 1),
            &item.payload.replace('\n', " "),
            row.style_over(theme.dim),
        );
    }
}

/// Draws a code over all but the footer, words beside it where there is room: a long text needs each row.
fn draw_qr_code(theme: &Theme, glyphs: Glyphs, code: &QrMatrix, buf: &mut Buffer) {
    let screen = *buf.area();
    let area = Rect { height: screen.height.saturating_sub(1), ..screen };
    let blank = " ".repeat(usize::from(area.width));
    for y in area.y..area.bottom() {
        paint::put(buf, area.x, y, area.width, &blank, Style::reset());
    }
    let (columns, rows) = qr::view::drawn_size(code, glyphs);
    let fits = columns <= area.width && rows <= area.height;
    let room = if fits { area.width - columns } else { area.width }.saturating_sub(2);
    let message = if fits {
        "Scan it and paste the text at the other desk. Any key closes.".to_owned()
    } else {
        format!(
            "The code needs a screen of {columns} columns and {} rows; this one has {} and {}. y copies the text. Any key \
             closes.",
            rows + 1,
            screen.width,
            screen.height
        )
    };
    if room >= MIN_TEXT_WIDTH {
        for (y, line) in (area.y + 1..area.bottom()).zip(wrap(&message, room)) {
            paint::put(buf, area.x + 1, y, room, &line, theme.text);
        }
    }
    if fits {
        qr::view::view(theme, glyphs, code, area.right() - columns, area.y, buf);
    }
}
