//! The terminal's current style, and the shortest change from one to the next.

use std::sync::LazyLock;

use crossterm::style::Attribute;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use super::shade::NAMED;

/// Modifiers that show even on a blank cell.
pub(super) const SHOWS_ON_BLANK: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// Whether two cells of normalised frames look the same. Most cells hold one byte, and are compared without a call: a
/// frame has thousands.
pub(super) fn is_same_cell(left: &Cell, right: &Cell) -> bool {
    let is_same_symbol = match (left.symbol().as_bytes(), right.symbol().as_bytes()) {
        ([left], [right]) => left == right,
        (left, right) => left == right,
    };
    is_same_symbol && left.fg == right.fg && left.bg == right.bg && left.modifier == right.modifier
}

/// Whether of a cell only the background shows.
pub(super) fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.intersects(SHOWS_ON_BLANK)
}

/// Each modifier with the SGR parameters that switch it on and off. One parameter may switch off two.
static MODIFIER_PARAMETERS: LazyLock<[(Modifier, String, String); 9]> = LazyLock::new(|| {
    [
        (Modifier::BOLD, Attribute::Bold, Attribute::NormalIntensity),
        (Modifier::DIM, Attribute::Dim, Attribute::NormalIntensity),
        (Modifier::ITALIC, Attribute::Italic, Attribute::NoItalic),
        (Modifier::UNDERLINED, Attribute::Underlined, Attribute::NoUnderline),
        (Modifier::SLOW_BLINK, Attribute::SlowBlink, Attribute::NoBlink),
        (Modifier::RAPID_BLINK, Attribute::RapidBlink, Attribute::NoBlink),
        (Modifier::REVERSED, Attribute::Reverse, Attribute::NoReverse),
        (Modifier::HIDDEN, Attribute::Hidden, Attribute::NoHidden),
        (Modifier::CROSSED_OUT, Attribute::CrossedOut, Attribute::NotCrossedOut),
    ]
    .map(|(modifier, on, off)| (modifier, on.sgr(), off.sgr()))
});

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellStyle {
    pub(super) foreground: Color,
    pub(super) background: Color,
    pub(super) modifier: Modifier,
}

impl CellStyle {
    /// The style after `CSI m`.
    pub(super) const PLAIN: Self =
        Self { foreground: Color::Reset, background: Color::Reset, modifier: Modifier::empty() };

    /// The style that a cell needs, given the current one: a blank cell changes only the background.
    pub(super) fn for_cell(self, cell: &Cell) -> Self {
        if is_blank(cell) {
            self.for_blank(cell.bg)
        } else {
            Self { foreground: cell.fg, background: cell.bg, modifier: cell.modifier }
        }
    }

    /// The style for blanks with this background, as near as possible to the current one.
    pub(super) fn for_blank(self, background: Color) -> Self {
        Self { foreground: self.foreground, background, modifier: self.modifier.difference(SHOWS_ON_BLANK) }
    }

    /// Appends the shorter change to the style `to`: only the differences, or a reset and everything.
    pub(super) fn change(&mut self, to: Self, out: &mut Vec<u8>) {
        if *self == to {
            return;
        }
        let start = out.len();
        self.differences(to, SgrParameters::open(out));
        let middle = out.len();
        let mut list = SgrParameters::open(out);
        if to != Self::PLAIN {
            list.number(0);
        }
        Self::PLAIN.differences(to, list);
        if out.len() - middle < middle - start {
            out.drain(start..middle);
        } else {
            out.truncate(middle);
        }
        *self = to;
    }

    fn differences(self, to: Self, mut list: SgrParameters<'_>) {
        let removed_modifiers = self.modifier.difference(to.modifier);
        let mut remaining = self.modifier;
        for (modifier, _, off) in &*MODIFIER_PARAMETERS {
            // The second of two that share a parameter is off already.
            if removed_modifiers.contains(*modifier) && remaining.contains(*modifier) {
                list.parameter(off);
                for (other, _, other_off) in &*MODIFIER_PARAMETERS {
                    if other_off == off {
                        remaining.remove(*other);
                    }
                }
            }
        }
        list.modifiers(to.modifier.difference(remaining));
        if self.foreground != to.foreground {
            list.color(to.foreground, 30);
        }
        if self.background != to.background {
            list.color(to.background, 40);
        }
        list.close();
    }
}

/// The parameters of one `CSI … m`.
struct SgrParameters<'out> {
    out: &'out mut Vec<u8>,
    empty: bool,
}

impl<'out> SgrParameters<'out> {
    fn open(out: &'out mut Vec<u8>) -> Self {
        out.extend_from_slice(b"\x1b[");
        Self { out, empty: true }
    }

    fn separator(&mut self) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(b';');
        }
    }

    fn parameter(&mut self, parameter: &str) {
        self.separator();
        self.out.extend_from_slice(parameter.as_bytes());
    }

    fn number(&mut self, number: u8) {
        self.separator();
        super::push_number(self.out, usize::from(number));
    }

    fn modifiers(&mut self, modifiers: Modifier) {
        MODIFIER_PARAMETERS
            .iter()
            .filter(|(modifier, ..)| modifiers.contains(*modifier))
            .for_each(|(_, on, _)| self.parameter(on));
    }

    fn numbers(&mut self, numbers: &[u8]) {
        for number in numbers {
            self.number(*number);
        }
    }

    /// `base` is 30 for the foreground and 40 for the background. crossterm's colours would depend on this process's
    /// `NO_COLOR`, which is nothing to a visitor's terminal.
    fn color(&mut self, color: Color, base: u8) {
        match color {
            Color::Reset => self.number(base + 9),
            Color::Indexed(index) => self.numbers(&[base + 8, 5, index]),
            Color::Rgb(red, green, blue) => self.numbers(&[base + 8, 2, red, green, blue]),
            named => {
                let index = (0..).zip(NAMED).find(|(_, (color, _))| *color == named).map_or(0, |(index, _)| index);
                self.number(if index < 8 { base + index } else { base + 52 + index });
            }
        }
    }

    fn close(self) {
        self.out.push(b'm');
    }
}

#[cfg(test)]
mod tests {
    use super::{CellStyle, Color, Modifier};

    fn change(from: CellStyle, to: CellStyle) -> String {
        let mut out = Vec::new();
        let mut pen = from;
        pen.change(to, &mut out);
        assert_eq!(pen, to);
        String::from_utf8_lossy(&out).replace('\x1b', "ESC")
    }

    #[test]
    fn the_shorter_way_is_taken() {
        let bold_red = CellStyle { foreground: Color::Red, modifier: Modifier::BOLD, ..CellStyle::PLAIN };
        assert_eq!(change(CellStyle::PLAIN, CellStyle::PLAIN), "");
        assert_eq!(change(CellStyle::PLAIN, bold_red), "ESC[1;31m");
        assert_eq!(change(bold_red, CellStyle::PLAIN), "ESC[m");
        assert_eq!(change(bold_red, CellStyle { foreground: Color::Green, ..bold_red }), "ESC[32m");
        assert_eq!(change(bold_red, CellStyle { modifier: Modifier::DIM, ..CellStyle::PLAIN }), "ESC[0;2m");
    }

    #[test]
    fn bold_and_dim_share_the_number_that_ends_them() {
        let style =
            CellStyle { background: Color::Rgb(1, 2, 3), modifier: Modifier::BOLD | Modifier::DIM, ..CellStyle::PLAIN };
        assert_eq!(change(style, CellStyle { modifier: Modifier::BOLD, ..style }), "ESC[22;1m");
    }
}
