//! ```text
//!  Status          pending 3✓
//!  Amount          +250 USDT
//!  From            0x3f2A…            (in full)
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Fact, NAMES};
use crate::app::Model;
use crate::app::panes::view::tone;
use crate::domain::history::HistoryRow;
use crate::ui::{Theme, paint};

/// From a first line on.
pub fn view(model: &Model, theme: &Theme, row: &HistoryRow, top: u16, area: Rect, buf: &mut Buffer) {
    lines(theme, &super::lines(model, row, area.width), top, area, buf);
}

/// Facts that are broken into lines already, from a first line on.
pub fn lines(theme: &Theme, facts: &[Fact], top: u16, area: Rect, buf: &mut Buffer) {
    for (y, fact) in (area.y..area.bottom()).zip(facts.iter().skip(usize::from(top))) {
        paint::put(buf, area.x + 1, y, NAMES, fact.name, theme.dim);
        paint::put(
            buf,
            area.x + 1 + NAMES,
            y,
            area.width.saturating_sub(NAMES + 2),
            &fact.value,
            tone(theme, fact.tone),
        );
    }
}
