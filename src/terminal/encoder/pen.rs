//! The terminal's current style, and the shortest change from one to the next.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// Modifiers that show even on a blank cell.
pub(super) const SHOWS_ON_BLANK: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// Each modifier with the SGR parameters that switch it on and off. One parameter may switch off two.
const MODIFIER_PARAMETERS: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

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
        if cell.symbol() == " " && !cell.modifier.intersects(SHOWS_ON_BLANK) {
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
        self.differences(to, out);
        let middle = out.len();
        from_plain(to, out);
        if out.len() - middle < middle - start {
            out.drain(start..middle);
        } else {
            out.truncate(middle);
        }
        *self = to;
    }

    fn differences(self, to: Self, out: &mut Vec<u8>) {
        let mut list = SgrParameters::open(out);
        let gone = self.modifier.difference(to.modifier);
        let mut left = self.modifier;
        for (modifier, _, off) in MODIFIER_PARAMETERS {
            // The second of two that share a parameter is off already.
            if gone.contains(modifier) && left.contains(modifier) {
                list.number(off);
                for (other, _, same) in MODIFIER_PARAMETERS {
                    if same == off {
                        left.remove(other);
                    }
                }
            }
        }
        for (modifier, on, _) in MODIFIER_PARAMETERS {
            if to.modifier.contains(modifier) && !left.contains(modifier) {
                list.number(on);
            }
        }
        if self.foreground != to.foreground {
            list.color(to.foreground, 30);
        }
        if self.background != to.background {
            list.color(to.background, 40);
        }
        list.close();
    }
}

fn from_plain(to: CellStyle, out: &mut Vec<u8>) {
    let mut list = SgrParameters::open(out);
    if to != CellStyle::PLAIN {
        list.number(0);
        for (modifier, on, _) in MODIFIER_PARAMETERS {
            if to.modifier.contains(modifier) {
                list.number(on);
            }
        }
        if to.foreground != Color::Reset {
            list.color(to.foreground, 30);
        }
        if to.background != Color::Reset {
            list.color(to.background, 40);
        }
    }
    list.close();
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

    fn number(&mut self, number: u8) {
        if !self.empty {
            self.out.push(b';');
        }
        self.empty = false;
        super::push_number(self.out, usize::from(number));
    }

    fn numbers(&mut self, numbers: &[u8]) {
        for number in numbers {
            self.number(*number);
        }
    }

    /// `base` is 30 for the foreground and 40 for the background.
    fn color(&mut self, color: Color, base: u8) {
        match color {
            Color::Reset => self.number(base + 9),
            Color::Black => self.number(base),
            Color::Red => self.number(base + 1),
            Color::Green => self.number(base + 2),
            Color::Yellow => self.number(base + 3),
            Color::Blue => self.number(base + 4),
            Color::Magenta => self.number(base + 5),
            Color::Cyan => self.number(base + 6),
            Color::Gray => self.number(base + 7),
            Color::DarkGray => self.number(base + 60),
            Color::LightRed => self.number(base + 61),
            Color::LightGreen => self.number(base + 62),
            Color::LightYellow => self.number(base + 63),
            Color::LightBlue => self.number(base + 64),
            Color::LightMagenta => self.number(base + 65),
            Color::LightCyan => self.number(base + 66),
            Color::White => self.number(base + 67),
            Color::Indexed(index) => self.numbers(&[base + 8, 5, index]),
            Color::Rgb(red, green, blue) => self.numbers(&[base + 8, 2, red, green, blue]),
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
        let both =
            CellStyle { background: Color::Rgb(1, 2, 3), modifier: Modifier::BOLD | Modifier::DIM, ..CellStyle::PLAIN };
        assert_eq!(change(both, CellStyle { modifier: Modifier::BOLD, ..both }), "ESC[22;1m");
    }
}
