//! The part of a frame that a smaller window shows.
//!
//! ```text
//!   ┌───────────────── frame ┐
//!   │    ‹ the visible part ›│  a mark at the edge of each line that continues beyond it
//!   └────────────────────────┘
//! ```

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::{Theme, paint};

/// Marks of a line that continues to the right, and to the left.
const CONTINUES_RIGHT: &str = "›";
const CONTINUES_LEFT: &str = "‹";

/// The offset of the visible part from the frame's top left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ViewOffset {
    left: u16,
    top: u16,
}

impl ViewOffset {
    /// Clamps the offset so that an area of this size does not reach beyond the frame.
    fn clamped_to(self, frame: Rect, area: Rect) -> Self {
        Self {
            left: self.left.min(frame.width.saturating_sub(area.width)),
            top: self.top.min(frame.height.saturating_sub(area.height)),
        }
    }

    /// Moves by half an area in the direction of a key; `None` if the key has none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
    pub(super) fn moved_by_key(self, key: KeyCode, frame: Rect, area: Rect) -> Option<Self> {
        let (across, down) = (area.width.div_ceil(2), area.height.div_ceil(2));
        let Self { left, top } = self.clamped_to(frame, area);
        let new_offset = match key {
            KeyCode::Left | KeyCode::Char('h') => Self { left: left.saturating_sub(across), top },
            KeyCode::Right | KeyCode::Char('l') => Self { left: left.saturating_add(across), top },
            KeyCode::Up | KeyCode::Char('k') => Self { left, top: top.saturating_sub(down) },
            KeyCode::Down | KeyCode::Char('j') => Self { left, top: top.saturating_add(down) },
            _ => return None,
        };
        Some(new_offset.clamped_to(frame, area))
    }

    /// Paints a frame, centred, or the visible part of it. Returns a description of the part; `None` if all is visible.
    pub(super) fn draw_visible_part(
        self,
        frame: &Buffer,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Option<String> {
        let Self { left, top } = self.clamped_to(frame.area, area);
        let (width, height) = (frame.area.width.min(area.width), frame.area.height.min(area.height));
        let x = area.x + (area.width - width) / 2;
        let y = area.y + (area.height - height) / 2;
        for row in 0..height {
            let line = FrameLine { frame, y: frame.area.y + top + row };
            line.draw_columns(theme, (left, left + width), (x, y + row), buf);
        }
        if (width, height) == (frame.area.width, frame.area.height) {
            return None;
        }
        let (right, bottom) = (left + width, top + height);
        Some(format!("columns {}–{right}, rows {}–{bottom}", left + 1, top + 1))
    }
}

struct FrameLine<'a> {
    frame: &'a Buffer,
    y: u16,
}

impl FrameLine<'_> {
    /// Paints the columns of a span. Half a figure would read as a whole one, so an edge that cuts a line is marked.
    fn draw_columns(&self, theme: &Theme, (from, to): (u16, u16), (x, y): (u16, u16), buf: &mut Buffer) {
        let (cut_before, cut_behind) = (self.has_text_before(from), self.has_text_from(to));
        let first = from + u16::from(cut_before);
        let last = to.saturating_sub(u16::from(cut_behind));
        for column in first..last {
            let cell = self.frame.cell((self.frame.area.x + column, self.y));
            if let (Some(source), Some(cell)) = (cell, buf.cell_mut((x + column - from, y))) {
                cell.clone_from(source);
                // A wide character whose second column is cut off would shift the line.
                if column + paint::text_width(source.symbol()) > last {
                    cell.set_char(' ');
                }
            }
        }
        if cut_before && from < to {
            paint::put(buf, x, y, 1, CONTINUES_LEFT, theme.accent);
        }
        if cut_behind && first < to {
            paint::put(buf, x + last - from, y, 1, CONTINUES_RIGHT, theme.accent);
        }
    }

    fn symbol(&self, column: u16) -> &str {
        self.frame.cell((self.frame.area.x + column, self.y)).map_or(" ", |cell| cell.symbol())
    }

    /// Whether the line has text before a column.
    fn has_text_before(&self, column: u16) -> bool {
        (0..column).any(|before| self.symbol(before) != " ")
    }

    /// Whether the line has text from a column on, including the second half of a wide character.
    fn has_text_from(&self, column: u16) -> bool {
        let width = self.frame.area.width;
        let is_astride = column > 0 && column < width && paint::text_width(self.symbol(column - 1)) > 1;
        is_astride || (column..width).any(|behind| self.symbol(behind) != " ")
    }
}
