//! Rows of lists: the marker and the background of the selected row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Theme, paint};

#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The first column after the marker.
    pub x: u16,
    pub y: u16,
    /// The column after the last one.
    pub right: u16,
    /// The style of its text.
    pub base: Style,
    selected: bool,
}

impl Row {
    /// Paints the marker and the background of a row.
    pub fn new(buf: &mut Buffer, theme: &Theme, area: Rect, index: u16, selected: bool, focused: bool) -> Self {
        let y = area.y + index;
        let base = match (selected, focused) {
            (true, true) => theme.selected,
            (true, false) => theme.selected_elsewhere,
            (false, _) => theme.text,
        };
        if selected {
            paint::tint(buf, Rect::new(area.x, y, area.width, 1), base);
            paint::put(buf, area.x, y, 1, "▌", with_background_of(base, theme.accent));
        }
        Self { x: area.x + 1, y, right: area.right(), base, selected }
    }

    /// The same for lists that scroll over the full width of the screen: only the first columns are marked, so that
    /// moving the selection repaints few cells.
    pub fn new_slim(
        buf: &mut Buffer,
        theme: &Theme,
        area: Rect,
        index: u16,
        selected: bool,
        focused: bool,
        columns: u16,
    ) -> Self {
        let first = Rect { width: columns.min(area.width), ..area };
        let row = Self::new(buf, theme, first, index, selected, focused);
        Self { right: area.right(), selected: false, ..row }
    }

    /// A style on this row. On the selected row only its text colour counts.
    pub fn style_over(&self, style: Style) -> Style {
        if self.selected { with_background_of(self.base, style) } else { style }
    }
}

/// A style with the background of another one.
pub fn with_background_of(ground: Style, style: Style) -> Style {
    let mut mixed = ground.patch(style);
    mixed.bg = ground.bg;
    mixed
}
