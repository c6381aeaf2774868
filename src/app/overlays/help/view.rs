//! ```text
//!  Everywhere
//!   ?                show or close this help
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{HelpLine, KEY_WIDTH, help_lines};
use crate::app::model::Model;
use crate::ui::{Theme, paint};

/// Draws the help from line `top` on.
pub fn view(model: &Model, theme: &Theme, top: u16, area: Rect, buf: &mut Buffer) {
    for (y, line) in (area.y..area.bottom()).zip(help_lines(model, area.width).into_iter().skip(usize::from(top))) {
        match line {
            HelpLine::Title(title) => paint::put(buf, area.x + 1, y, area.width, title, theme.accent),
            HelpLine::Pair(name, words) => {
                paint::put(buf, area.x + 2, y, KEY_WIDTH - 3, &name, theme.key);
                paint::put(buf, area.x + KEY_WIDTH, y, area.width.saturating_sub(KEY_WIDTH), &words, theme.text)
            }
            HelpLine::Blank => 0,
        };
    }
}
