//! QR codes on screen: two modules a cell, one above the other, so about square; or two cells a module.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use super::QrMatrix;
use crate::domain::Glyphs;
use crate::ui::{Theme, paint};

/// Columns and rows of a code. Without half blocks a module takes two cells side by side.
pub fn drawn_size(code: &QrMatrix, glyphs: Glyphs) -> (u16, u16) {
    match glyphs {
        Glyphs::Unicode => (code.side(), code.side().div_ceil(2)),
        Glyphs::Ascii | Glyphs::AsciiOnly => (2 * code.side(), code.side()),
    }
}

/// Draws a code. Its colours do not follow the terminal's, since readers expect dark on light; without colours the
/// background is assumed to be dark.
pub fn view(theme: &Theme, glyphs: Glyphs, code: &QrMatrix, x: u16, y: u16, buf: &mut Buffer) {
    let (columns, rows) = drawn_size(code, glyphs);
    for row in 0..rows {
        for column in 0..columns {
            let (symbol, style) = match glyphs {
                Glyphs::Unicode => half_block_cell(theme, code, column, row),
                Glyphs::Ascii | Glyphs::AsciiOnly => (" ", blank_cell_style(theme, code.is_dark(column / 2, row))),
            };
            paint::put(buf, x + column, y + row, 1, symbol, style);
        }
    }
}

fn half_block_cell(theme: &Theme, code: &QrMatrix, column: u16, row: u16) -> (&'static str, Style) {
    let (upper, lower) = (code.is_dark(column, 2 * row), code.is_dark(column, 2 * row + 1));
    match (theme.code, upper, lower) {
        (Some(_), upper, lower) if upper == lower => (" ", blank_cell_style(theme, upper)),
        (Some((dark, light)), true, _) => ("▀", Style::new().fg(dark).bg(light)),
        (Some((dark, light)), false, _) => ("▄", Style::new().fg(dark).bg(light)),
        (None, true, true) => (" ", Style::new()),
        (None, true, false) => ("▄", Style::new()),
        (None, false, true) => ("▀", Style::new()),
        (None, false, false) => ("█", Style::new()),
    }
}

/// The style of a blank cell that is all dark or all light.
fn blank_cell_style(theme: &Theme, is_dark: bool) -> Style {
    match (theme.code, is_dark) {
        (Some((dark, light)), is_dark) => Style::new().bg(if is_dark { dark } else { light }),
        (None, true) => Style::new(),
        (None, false) => Style::new().add_modifier(Modifier::REVERSED),
    }
}
