//! Columns of exact amounts, aligned at their decimal points.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::paint;
use crate::domain::{Amount, ReportedAmount};

/// Which sign stands before an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// None: a balance.
    None,
    /// Came in.
    Plus,
    /// Went out.
    Minus,
}

impl Sign {
    fn glyph(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Plus => "+",
            Self::Minus => "−",
        }
    }
}

/// An amount cut at its point: sign and grouped whole digits, and the fraction with its point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    whole: String,
    fraction: String,
    disputed: bool,
}

impl Figure {
    /// An amount as a service stated it; a disputed one is marked.
    pub fn new(stated: &ReportedAmount, sign: Sign) -> Self {
        let mut figure = Self::of(stated.raw(), sign);
        figure.disputed = matches!(stated, ReportedAmount::Disputed { .. });
        figure
    }

    fn of(amount: Amount, sign: Sign) -> Self {
        let grouped = amount.grouped();
        let (whole, fraction) = match grouped.split_once('.') {
            Some((whole, fraction)) => (whole.to_owned(), format!(".{fraction}")),
            None => (grouped, String::new()),
        };
        let sign = if amount.is_zero() { "" } else { sign.glyph() };
        Self { whole: format!("{sign}{whole}"), fraction, disputed: false }
    }

    /// The amount in one piece.
    pub fn text(&self) -> String {
        format!("{}{}{}", self.whole, self.fraction, if self.disputed { "!" } else { "" })
    }
}

/// How a column of amounts is divided: so that all points stand below each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    whole: u16,
    fraction: u16,
}

/// Digits of a fraction that a cut leaves at least, the mark of the cut among them.
const SHORTEST: u16 = 8;

impl Column {
    /// The column for some amounts, within so many cells. Whole digits come first; fractions get what is left.
    pub fn fit<'a>(figures: impl Iterator<Item = &'a Figure>, room: u16) -> Self {
        let (mut whole, mut fraction) = (1, 0);
        for figure in figures {
            whole = whole.max(paint::width(&figure.whole));
            fraction = fraction.max(paint::width(&figure.fraction) + u16::from(figure.disputed));
        }
        let whole = whole.min(room);
        Self { whole, fraction: fraction.min(room - whole) }
    }

    /// The same column within fewer cells, with all of its whole digits and fractions cut no shorter than eight; `None`
    /// where it does not go into them.
    pub fn shrink_to(self, room: u16) -> Option<Self> {
        let least = self.whole + self.fraction.min(1 + SHORTEST);
        (least <= room).then(|| Self { fraction: self.fraction.min(room - self.whole), ..self })
    }

    /// Cells that it takes.
    pub fn width(self) -> u16 {
        self.whole + self.fraction
    }

    /// Writes an amount. One whose fraction has no room behind the point moves to the left, as far as it is whole there;
    /// only then is a fraction cut, and ends in `…`. Whole digits that do not fit are not shown at all: a number without
    /// its first or last digits would be taken for another.
    pub fn put(self, buf: &mut Buffer, x: u16, y: u16, figure: &Figure, style: Style) {
        let fraction = if figure.disputed { format!("{}!", figure.fraction) } else { figure.fraction.clone() };
        let (whole, room) = (paint::width(&figure.whole), self.width());
        let needed = paint::width(&fraction);
        if whole <= self.whole && needed <= self.fraction {
            let point = x + self.whole;
            paint::put_right(buf, point, y, self.whole, &figure.whole, style);
            paint::put(buf, point, y, self.fraction, &fraction, style);
        } else if whole + needed <= room {
            paint::put_right(buf, x + room, y, room, &figure.text(), style);
        } else if whole < room {
            // From the point of the column where that leaves at least the mark of the cut.
            let point = self.whole.max(whole).min(room - 1);
            paint::put_right(buf, x + point, y, point, &figure.whole, style);
            paint::put(buf, x + point, y, room - point, &fraction, style);
        } else {
            paint::put_right(buf, x + room, y, room, "too wide; z", style);
        }
    }

    /// Writes the mark for what is not known, where the last whole digit would stand.
    pub fn put_unknown(self, buf: &mut Buffer, x: u16, y: u16, style: Style) {
        paint::put(buf, x + self.whole.saturating_sub(1), y, 1, "—", style);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::layout::Rect;

    use super::*;

    proptest! {
        /// Whatever the room and whatever stands above it: the whole figure, or a mark that it is not.
        #[test]
        fn no_figure_loses_a_digit_without_a_mark(
            raw in 0_u64..,
            decimals in 0_u8..19,
            other in 0_u64..,
            others in 0_u8..19,
            room in 1_u16..30,
        ) {
            let figure = |raw: u64, decimals| {
                let amount = crate::domain::Amount::new(ruint::aliases::U256::from(raw), decimals).unwrap();
                Figure::of(amount, Sign::None)
            };
            let (one, above) = (figure(raw, decimals), figure(other, others));
            let column = Column::fit([&one, &above].into_iter(), room);
            let mut buf = Buffer::empty(Rect::new(0, 0, 40, 1));
            column.put(&mut buf, 2, 0, &one, Style::default());
            let row: String = (0..40).map(|x| buf[(x, 0)].symbol()).collect();
            let shown = row.trim();
            prop_assert!(shown == one.text() || shown.ends_with('…') || shown == "too wide; z", "{shown} of {}", one.text());
            prop_assert!(paint::width(row.trim_end()) <= 2 + column.width(), "{row}");
        }
    }
}
