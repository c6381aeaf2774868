//! Draws the help of a form.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{KEYS, focus_help};
use crate::app::forms::form_state::FormState;
use crate::domain::text::wrap;
use crate::ui::{Theme, paint};

const KEY_WIDTH: u16 = 16;

/// Draws the help in the place of the form.
pub(in crate::app::forms) fn draw(theme: &Theme, form: &FormState, area: Rect, buf: &mut Buffer) {
    let room = area.width.saturating_sub(2);
    let about = focus_help(form);
    let mut y = area.y;
    for line in wrap(about, room) {
        if y < area.bottom() {
            paint::put(buf, area.x + 1, y, room, &line, theme.text);
        }
        y += 1;
    }
    y += 1;
    for (key, description) in KEYS {
        for (index, line) in wrap(description, room.saturating_sub(KEY_WIDTH)).into_iter().enumerate() {
            if y < area.bottom() {
                let key = if index == 0 { key } else { "" };
                paint::put(buf, area.x + 1, y, KEY_WIDTH, key, theme.key);
                paint::put(buf, area.x + 1 + KEY_WIDTH, y, room.saturating_sub(KEY_WIDTH), &line, theme.dim);
            }
            y += 1;
        }
    }
}
