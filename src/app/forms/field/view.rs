//! ```text
//!  Recipient     0x3f2A9c1D…▏
//!                ✗ an EVM address has 40 digits after 0x, this one has 39
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use super::visible_chars;
use crate::ui::{Theme, paint};

/// Width of the labels.
pub const LABEL_WIDTH: u16 = 15;

/// Draws an input line, scrolled so that its cursor is visible while it has the focus.
pub fn draw_input(buf: &mut Buffer, theme: &Theme, area: Rect, input: &Input, focused: bool) {
    let pieces: Vec<String> = visible_chars(input.value()).collect();
    let widths: Vec<u16> = pieces.iter().map(|piece| paint::text_width(piece)).collect();
    let cursor = input.cursor().min(pieces.len());
    let room = area.width.saturating_sub(1);
    let mut first = 0;
    while focused && widths.get(first..cursor).is_some_and(|before| before.iter().sum::<u16>() > room) {
        first += 1;
    }
    let mut x = area.x;
    let mut at = area.x;
    for (index, (piece, width)) in pieces.iter().zip(&widths).enumerate().skip(first) {
        if index == cursor {
            at = x;
        }
        if x + width > area.right() {
            // The cut end is marked, so that a value is never taken for a shorter one.
            paint::put(buf, area.right().saturating_sub(1), area.y, 1, "…", theme.warn);
            x = area.right();
            break;
        }
        let style = if paint::text_width(piece) > 2 { theme.bad } else { theme.text };
        x += paint::put(buf, x, area.y, *width, piece, style);
    }
    if cursor == pieces.len() {
        at = x.min(area.right().saturating_sub(1));
    }
    if first > 0 {
        paint::put(buf, area.x, area.y, 1, "…", theme.warn);
    }
    if focused {
        paint::tint(buf, Rect::new(at, area.y, 1, 1), theme.cursor);
    }
}
