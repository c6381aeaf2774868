//! ```text
//! ┌ Import ───────────────────────────── Enter imports, Esc closes ┐
//! │ user ID [NAME]             a user, or a sub-wallet of version 1│
//! │ …                                                              │
//! │ > wallets.csv                                                  │
//! │ nothing was imported, 2 rows are wrong:                        │
//! │ line 4: id is missing; …                                       │
//! └────────────────────────────────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{BOOK_FORMATS, DRAFT_FORMATS, ENTRY_FORMATS, ImportKind, ImportPrompt, VISITOR_FORMATS};
use crate::app::input::path_completions::path_lines;
use crate::app::pages::group_thousands;
use crate::app::pages::orders::prompt::view::draw_input_line;
use crate::domain::csv_table::ImportFailure;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

/// Largest width of the box, and width of the formats.
const MAX_BOX_WIDTH: u16 = 76;
const FORMAT_WIDTH: u16 = 27;

pub fn view(theme: &Theme, importing: &ImportPrompt, area: Rect, buf: &mut Buffer) {
    let width = MAX_BOX_WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let lines = message_lines(importing, room);
    let may_be_typed = match (importing.kind, importing.is_visit) {
        (ImportKind::Book, _) => &BOOK_FORMATS[..],
        (ImportKind::Draft, _) => &DRAFT_FORMATS[..],
        (ImportKind::Directory, false) => &ENTRY_FORMATS[..],
        (ImportKind::Directory, true) => &VISITOR_FORMATS[..],
    };
    let forms = u16::try_from(may_be_typed.len()).unwrap_or(0);
    let needed_height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(forms + 3);
    let height = needed_height.min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let complete = if importing.is_visit { "" } else { "Tab completes, " };
    let notes = vec![(format!("{complete}{}", importing.kind.key_hint()), theme.dim)];
    chrome::draw_box(
        buf,
        frame,
        false,
        &PaneTitle { title: importing.kind.title().into(), notes, focused: true },
        theme,
    );
    let inner = Rect::new(frame.x + 2, frame.y + 1, room, height.saturating_sub(2));
    // Where room is short the formats give way, not the input and its faults.
    let form_rows = if height == needed_height { forms } else { 0 };
    for (y, (typed, about)) in (inner.y..inner.y + form_rows).zip(may_be_typed) {
        paint::put(buf, inner.x, y, FORMAT_WIDTH.min(room), typed, theme.key);
        paint::put(buf, inner.x + FORMAT_WIDTH, y, room.saturating_sub(FORMAT_WIDTH), about, theme.dim);
    }
    let line = Rect { y: inner.y + form_rows, height: 1, ..inner };
    draw_input_line(theme, &importing.input, !importing.is_busy, line, buf);
    let is_quiet = importing.is_busy || !importing.completions.matches.is_empty();
    let below = (line.y + 1..inner.bottom()).zip(&lines);
    for (y, error_line) in below {
        paint::put(buf, inner.x, y, room, error_line, if is_quiet { theme.dim } else { theme.bad });
    }
}

fn message_lines(importing: &ImportPrompt, room: u16) -> Vec<String> {
    if importing.is_busy {
        return vec!["reading…".into()];
    }
    if !importing.completions.matches.is_empty() {
        return path_lines(&importing.completions, room);
    }
    let ImportFailure { errors, notes, refused } = &importing.failure;
    let Some(first) = errors.first() else { return Vec::new() };
    let outcome = importing.kind.past_tense();
    let head = match errors.len() {
        1 => format!("nothing was {outcome}: {first}"),
        many => format!(
            "nothing was {outcome}, {} rows are wrong:",
            group_thousands(u64::try_from(many).unwrap_or(u64::MAX))
        ),
    };
    let rows = errors.iter().skip(usize::from(errors.len() == 1));
    let save = refused.as_ref().map(|_| "Ctrl+s writes the wrong rows with their reasons to a new file beside it");
    let reading_note = (!notes.is_empty()).then(|| format!("how the file was read: {}", notes.join("; ")));
    let lines = std::iter::once(head).chain(save.map(str::to_owned)).chain(rows.cloned()).chain(reading_note);
    lines.flat_map(|message| wrap(&message, room)).collect()
}
