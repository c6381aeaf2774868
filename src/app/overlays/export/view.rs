//! ```text
//! ┌ Export ─────────────────────────────── Esc closes ┐
//! │ 1,203 transactions, filtered by dir:out           │
//! │ Folder for the new file                           │
//! │ > ~/exports                                       │
//! │ As  [csv]  json                                   │
//! └───────────────────────────────────────────────────┘
//! ```
//!
//! In a visit the clipboard takes the place of the folder, with the size of the text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{ClipboardText, ExportForm, count_with_noun, group_count_digits};
use crate::app::forms::field::view::draw_input;
use crate::app::input::path_completions::path_lines;
use crate::app::overlays::copying;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

/// Shown beside a suggested folder.
const SUGGESTED_FOLDER_HINT: &str = "type to replace, arrows to edit";

const WIDTH: u16 = 76;

pub fn view(theme: &Theme, form: &ExportForm, area: Rect, buf: &mut Buffer) {
    let width = WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let description_lines = wrap(&form.description, room);
    let description_rows = u16::try_from(description_lines.len()).unwrap_or(u16::MAX / 4);
    let error_lines = form.error.as_ref().map(|error| wrap(error, room));
    let wrong_style = if error_lines.is_some() { theme.bad } else { theme.dim };
    let error_lines = error_lines.unwrap_or_else(|| path_lines(&form.completions, room));
    let wrong_rows = u16::try_from(error_lines.len()).unwrap_or(u16::MAX / 4).max(1);
    let height = description_rows.saturating_add(5).saturating_add(wrong_rows).min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let keys = if form.folder.is_some() { "Tab completes, ↓ changes the format, Esc closes" } else { "Esc closes" };
    let head = PaneTitle { title: "Export".into(), notes: vec![(keys.into(), theme.dim)], focused: true };
    chrome::draw_box(buf, frame, false, &head, theme);
    let inner = Rect::new(frame.x + 2, frame.y + 1, room, height.saturating_sub(2));
    // Where room is short the description gives way, not the input line.
    let description_height = inner.height.saturating_sub(3 + wrong_rows).min(description_rows);
    for (y, line) in (inner.y..inner.y + description_height).zip(&description_lines) {
        paint::put(buf, inner.x, y, room, line, theme.accent);
    }
    let mut y = inner.y + description_height;
    if let Some(folder) = &form.folder {
        let label = paint::put(buf, inner.x, y, room, "Folder for the new file", theme.key);
        if form.is_suggested && room > label + paint::text_width(SUGGESTED_FOLDER_HINT) {
            paint::put_right(buf, inner.right(), y, room, SUGGESTED_FOLDER_HINT, theme.dim);
        }
        y += 1;
        let x = inner.x + paint::put(buf, inner.x, y, 2, "> ", theme.dim);
        let typed = Rect::new(x, y, room.saturating_sub(2), 1);
        draw_input(buf, theme, typed, folder, true);
        if form.is_suggested {
            let columns = paint::text_width(folder.value()).min(typed.width);
            paint::tint(buf, Rect { width: columns, ..typed }, theme.selected);
        }
    } else {
        paint::put(
            buf,
            inner.x,
            y,
            room,
            "To your terminal's clipboard, through the terminal itself (OSC 52)",
            theme.key,
        );
        y += 1;
        let (size_text, style) = clipboard_size_text(theme, form);
        paint::put(buf, inner.x, y, room, &size_text, style);
    }
    y += 1;
    let mut x = inner.x + paint::put(buf, inner.x, y, 4, "As  ", theme.key);
    for format in form.rows.formats() {
        let (chosen, word) = (*format == form.format, format.name());
        let text = if chosen { format!("[{word}]") } else { format!(" {word} ") };
        x += paint::put(buf, x, y, 12, &text, if chosen { theme.title_focused } else { theme.dim }) + 1;
    }
    for (y, size_text) in (y + 1..inner.bottom()).zip(&error_lines) {
        paint::put(buf, inner.x, y, room, size_text, wrong_style);
    }
}

/// The size of the text for the clipboard, and whether it is too large.
fn clipboard_size_text(theme: &Theme, form: &ExportForm) -> (String, Style) {
    let Some(ClipboardText { rows, bytes, text }) = &form.clipboard_text else {
        return ("counting…".into(), theme.dim);
    };
    let (rows, bytes, most) = (
        count_with_noun(*rows, form.rows.nouns()),
        group_count_digits(*bytes),
        group_count_digits(copying::MAX_CLIPBOARD_BYTES),
    );
    match text {
        Some(_) => (format!("{rows}, {bytes} bytes; terminals accept {most} at most"), theme.text),
        None => (format!("{rows}, {bytes} bytes: too much ({most} at most); filter or mark"), theme.bad),
    }
}
