//! Two modules a cell, one above the other, so that modules are about as high as wide.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::Code;
use crate::ui::{Theme, paint};

/// Columns and rows that a code takes.
pub fn size(code: &Code) -> (u16, u16) {
    (code.side(), code.side().div_ceil(2))
}

/// Paints a code. Its colours do not follow the terminal's own, since readers want dark on light; without colours the
/// ground is taken to be dark.
pub fn view(theme: &Theme, code: &Code, x: u16, y: u16, buf: &mut Buffer) {
    let (columns, rows) = size(code);
    for row in 0..rows {
        for column in 0..columns {
            let (upper, lower) = (code.is_dark(column, 2 * row), code.is_dark(column, 2 * row + 1));
            let (symbol, style) = match (theme.code, upper, lower) {
                (Some((dark, light)), upper, lower) if upper == lower => {
                    (" ", Style::new().bg(if upper { dark } else { light }))
                }
                (Some((dark, light)), true, _) => ("▀", Style::new().fg(dark).bg(light)),
                (Some((dark, light)), false, _) => ("▄", Style::new().fg(dark).bg(light)),
                (None, true, true) => (" ", Style::new()),
                (None, true, false) => ("▄", Style::new()),
                (None, false, true) => ("▀", Style::new()),
                (None, false, false) => ("█", Style::new()),
            };
            paint::put(buf, x + column, y + row, 1, symbol, style);
        }
    }
}
