//! ```text
//! ─ Palette ──────────────────────────────── Esc closes    3 actions ─
//!  : with▁
//!
//! ▌withdraw     pay from a wallet: a form, then a review             w
//!  zoom         not now: this page already has one pane              z
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Palette, PaletteEntry, matching_entries};
use crate::app::input::keymap;
use crate::app::model::Model;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

const DESCRIPTION_INDENT: u16 = 15;
const KEYS_WIDTH: u16 = 14;

pub fn view(model: &Model, theme: &Theme, palette: &Palette, area: Rect, buf: &mut Buffer) {
    let choices = matching_entries(model, palette);
    let mut notes = vec![("Esc closes".to_owned(), theme.dim)];
    let actions = if choices.len() == 1 { "action" } else { "actions" };
    notes.push((format!("{} {actions}", choices.len()), theme.dim));
    chrome::draw_rule(buf, area, &PaneTitle { title: "Palette".into(), notes, focused: true }, theme);
    let typed = palette.input.value();
    paint::put(buf, area.x + 1, area.y + 1, 2, ":", theme.key);
    let room = area.width.saturating_sub(5);
    paint::put(buf, area.x + 3, area.y + 1, room, typed, theme.text);
    let cursor = u16::try_from(palette.input.visual_cursor()).unwrap_or(0).min(room);
    paint::tint(buf, Rect::new(area.x + 3 + cursor, area.y + 1, 1, 1), theme.cursor);
    let list = Rect { y: area.y + 3, height: area.height.saturating_sub(3), ..area };
    if choices.is_empty() {
        return paint::put_centered(buf, list, "no action has this name", theme.dim);
    }
    // The highlighted action is always on screen.
    let room = list.width.saturating_sub(DESCRIPTION_INDENT + KEYS_WIDTH + 1);
    let description_rows = choices.get(palette.at).map_or(1, |choice| wrap(&entry_description(choice), room).len());
    let first = (palette.at + description_rows).saturating_sub(usize::from(list.height));
    let mut index = 0;
    for (place, choice) in choices.iter().enumerate().skip(first) {
        if index >= list.height {
            break;
        }
        let row = Row::new(buf, theme, list, index, place == palette.at, true);
        let name = if choice.refusal.is_some() { theme.dim } else { theme.text };
        paint::put(buf, row.x, row.y, DESCRIPTION_INDENT - 2, choice.name, row.style_over(name));
        let room = row.right.saturating_sub(list.x + DESCRIPTION_INDENT + KEYS_WIDTH + 1);
        let description = entry_description(choice);
        let style = if choice.refusal.is_some() { theme.warn } else { theme.dim };
        // The highlighted description is wrapped, others are cut.
        let lines = if place == palette.at { wrap(&description, room) } else { vec![description] };
        for (below, line) in (0..).zip(&lines).take_while(|(below, _)| index + below < list.height) {
            paint::put(buf, list.x + DESCRIPTION_INDENT, row.y + below, room, line, row.style_over(style));
        }
        let keys: Vec<String> = choice.keys.iter().map(|key| keymap::key_name(*key)).collect();
        paint::put_right(
            buf,
            row.right.saturating_sub(1),
            row.y,
            KEYS_WIDTH,
            &keys.join(" "),
            row.style_over(theme.key),
        );
        index += u16::try_from(lines.len()).unwrap_or(1).max(1);
    }
}

/// The description of an action, or why it is unavailable.
fn entry_description(choice: &PaletteEntry) -> String {
    match &choice.refusal {
        Some(reason) => format!("not now: {reason}"),
        None => choice.description.clone(),
    }
}
