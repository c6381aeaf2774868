//! ```text
//!  Everywhere
//!   ?                show or close this help
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::{HelpLine, KEY_WIDTH, chapter_lines};
use crate::app::model::Model;
use crate::manual::Chapter;
use crate::manual::layout::Line;
use crate::manual::markdown::Emphasis;
use crate::ui::{Theme, paint};

/// Draws a chapter from line `top` on.
pub fn draw_chapter(model: &Model, theme: &Theme, chapter: Chapter, top: u16, area: Rect, buf: &mut Buffer) {
    let lines = chapter_lines(model, chapter, area.width);
    for (y, line) in (area.y..area.bottom()).zip(lines.into_iter().skip(usize::from(top))) {
        match line {
            HelpLine::Title(title) => paint::put(buf, area.x + 1, y, area.width, title, theme.accent),
            HelpLine::Pair(name, description) => {
                paint::put(buf, area.x + 2, y, KEY_WIDTH - 3, &name, theme.key);
                paint::put(buf, area.x + KEY_WIDTH, y, area.width.saturating_sub(KEY_WIDTH), &description, theme.text)
            }
            HelpLine::Prose(line) => draw_prose(theme, &line, Rect { y, height: 1, ..area }, buf),
            HelpLine::Blank => 0,
        };
    }
}

/// Draws a line with its emphasis, and returns where it ends.
fn draw_prose(theme: &Theme, line: &Line, area: Rect, buf: &mut Buffer) -> u16 {
    let mut x = area.x + 1 + line.indent;
    for span in &line.spans {
        let style = match span.emphasis {
            _ if line.is_heading => theme.title_focused,
            Emphasis::Plain => theme.text,
            Emphasis::Code => theme.key,
            Emphasis::Strong => theme.tab.remove_modifier(Modifier::UNDERLINED),
            Emphasis::Link => theme.accent,
        };
        x += paint::put(buf, x, area.y, area.right().saturating_sub(x), &span.text, style);
    }
    x
}
