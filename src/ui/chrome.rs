//! The frames of panes: boxes and rules, with a title at the left and notes at the right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Theme, paint};

#[derive(Debug, Clone, Default)]
pub struct PaneTitle {
    pub title: String,
    /// Filter, age, count and the like, with their styles. The last ones give way where room is short.
    pub notes: Vec<(String, Style)>,
    pub focused: bool,
}

/// Draws a box around an area. With `hangs`, its upper edge is the lower edge of the box above.
pub fn draw_box(buf: &mut Buffer, area: Rect, hangs: bool, head: &PaneTitle, theme: &Theme) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let (left, right, top, bottom) = (area.x, area.right() - 1, area.y, area.bottom() - 1);
    paint::draw_line(buf, left + 1, right, top, theme.rule);
    paint::draw_line(buf, left + 1, right, bottom, theme.rule);
    for y in top + 1..bottom {
        paint::put(buf, left, y, 1, "│", theme.rule);
        paint::put(buf, right, y, 1, "│", theme.rule);
    }
    let (first, last) = if hangs { ("├", "┤") } else { ("┌", "┐") };
    for (x, y, corner) in [(left, top, first), (right, top, last), (left, bottom, "└"), (right, bottom, "┘")] {
        paint::put(buf, x, y, 1, corner, theme.rule);
    }
    draw_title(buf, left + 1, right, top, head, theme);
}

/// Draws a rule over the first row of an area.
pub fn draw_rule(buf: &mut Buffer, area: Rect, head: &PaneTitle, theme: &Theme) {
    if area.height == 0 {
        return;
    }
    paint::draw_line(buf, area.x, area.right(), area.y, theme.rule);
    draw_title(buf, area.x + 1, area.right().saturating_sub(1), area.y, head, theme);
}

fn draw_title(buf: &mut Buffer, from: u16, to: u16, y: u16, head: &PaneTitle, theme: &Theme) {
    // A plain text is in the colour of text, and not in that of the line below it.
    let clear = Style::reset().patch(theme.ground);
    let style = clear.patch(if head.focused { theme.title_focused } else { theme.title });
    let room = to.saturating_sub(from);
    let title_width = paint::put(buf, from, y, room, &format!(" {} ", head.title), style);
    let mut rest = room.saturating_sub(title_width + 1);
    let mut notes = Vec::new();
    for (note, style) in &head.notes {
        let needed = paint::text_width(note) + 2;
        // A long note gives way to later ones that fit.
        if needed > rest {
            continue;
        }
        rest -= needed;
        notes.push((note, *style));
    }
    let mut right = to;
    for (note, style) in notes.into_iter().rev() {
        let text = format!(" {note} ");
        right -= paint::put_right(buf, right, y, paint::text_width(&text), &text, clear.patch(style));
    }
}
