//! ```text
//! ┌ Unlock paying ───────────────── Enter unlocks, Esc closes ┐
//! │ Paying locked since 12:18:20Z; monitoring continues.      │
//! │ Passphrase (not shown)                                    │
//! │ > ••••••••                                                │
//! └───────────────────────────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{UNLOCK_WORD, UnlockMethod, UnlockPrompt};
use crate::app::model::Model;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

const WIDTH: u16 = 70;

pub fn view(model: &Model, theme: &Theme, line: &UnlockPrompt, area: Rect, buf: &mut Buffer) {
    let width = WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let mut prompt_lines: Vec<(String, Style)> = Vec::new();
    let mut say =
        |text: &str, style: Style| prompt_lines.extend(wrap(text, room).into_iter().map(|line| (line, style)));
    if let Some(since) = model.session.lock.locked_since() {
        let since = model.console.zone.format_with_offset(since, "%H:%M:%S");
        say(&format!("Paying locked since {since}; monitoring continues."), theme.text);
    }
    match model.session.lock.unlock_method() {
        UnlockMethod::Passphrase => say("Passphrase (not shown)", theme.dim),
        UnlockMethod::Word => {
            let how = if model.console.is_visit { "" } else { " (bursar key lock set)" };
            say(&format!("No passphrase is set{how}: anybody at this keyboard can unlock paying."), theme.warn);
            say(&format!("Type {UNLOCK_WORD}"), theme.dim);
        }
    }
    let above = u16::try_from(prompt_lines.len()).unwrap_or(u16::MAX);
    let status = if line.busy { Some("checking…") } else { line.error.as_deref() };
    let below = status.map(|text| wrap(text, room)).unwrap_or_default();
    let needed_height = above.saturating_add(3).saturating_add(u16::try_from(below.len()).unwrap_or(u16::MAX));
    let height = needed_height.min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let notes = vec![("Enter unlocks, Esc closes".into(), theme.dim)];
    chrome::draw_box(buf, frame, false, &PaneTitle { title: "Unlock paying".into(), notes, focused: true }, theme);
    let inner = Rect::new(frame.x + 2, frame.y + 1, room, height.saturating_sub(2));
    // Where room is short the sentences give way, not the input line and the error.
    let prompt_rows = if height == needed_height { above } else { 0 };
    for (y, (text, style)) in (inner.y..inner.y + prompt_rows).zip(&prompt_lines) {
        paint::put(buf, inner.x, y, room, text, *style);
    }
    let y = inner.y + prompt_rows;
    let typed = line.secret.len().min(usize::from(room.saturating_sub(3)));
    paint::put(buf, inner.x, y, room, &format!("> {}", "•".repeat(typed)), theme.text);
    let cursor = inner.x + 2 + u16::try_from(typed).unwrap_or(0);
    if !line.busy && cursor < inner.right() {
        paint::tint(buf, Rect::new(cursor, y, 1, 1), theme.cursor);
    }
    for (y, text) in (y + 1..inner.bottom()).zip(&below) {
        paint::put(buf, inner.x, y, room, text, if line.busy { theme.dim } else { theme.bad });
    }
}
