//! Columns of exact amounts, aligned at their decimal points.

use std::borrow::Cow;

use compact_str::CompactString;
use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::paint;
use crate::domain::{Amount, ReportedAmount};

/// The sign of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// For balances.
    None,
    /// Incoming.
    Plus,
    /// Outgoing.
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

/// An amount with its sign, its whole digits grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    text: CompactString,
    /// Where the fraction begins, with its point.
    point: usize,
    disputed: bool,
}

impl Figure {
    /// A reported amount; a disputed one is marked.
    pub fn new(reported: &ReportedAmount, sign: Sign) -> Self {
        let mut figure = Self::from_amount(reported.even_if_disputed(), sign);
        figure.disputed = matches!(reported, ReportedAmount::Disputed { .. });
        figure
    }

    fn from_amount(amount: Amount, sign: Sign) -> Self {
        let mut text = CompactString::const_new(if amount.is_zero() { "" } else { sign.glyph() });
        amount.push_grouped(&mut text);
        Self::from_text(text)
    }

    /// A figure in words; what stands before and behind its digits moves with them.
    pub fn from_text(text: impl Into<CompactString>) -> Self {
        let text = text.into();
        let point = text.find('.').unwrap_or(text.len());
        Self { text, point, disputed: false }
    }

    fn whole(&self) -> &str {
        &self.text[..self.point]
    }

    /// The digits behind the point, with it and with the mark of a disputed amount.
    fn fraction(&self) -> Cow<'_, str> {
        let fraction = &self.text[self.point..];
        if self.disputed { Cow::Owned(format!("{fraction}!")) } else { Cow::Borrowed(fraction) }
    }

    /// Whether its whole digits leave less than a point and two digits of `room` cells.
    pub fn is_outlier(&self, room: u16) -> bool {
        paint::text_width(self.whole()) + MIN_FRACTION > room
    }

    /// The amount in one piece.
    pub fn into_text(self) -> CompactString {
        let mut text = self.text;
        text.push_str(if self.disputed { "!" } else { "" });
        text
    }
}

impl Figure {
    /// The whole digits, rounded to three at most, with their unit: `≈1M`, `≈12e15`.
    fn magnitude(&self) -> String {
        const UNITS: [&str; 5] = ["", "k", "M", "B", "T"];
        let whole = self.whole();
        let (sign, digits) = whole.split_at(whole.find(|sign: char| sign.is_ascii_digit()).unwrap_or(0));
        let mut groups = digits.split(',');
        let lead = groups.next().and_then(|lead| lead.parse::<u16>().ok()).unwrap_or(0);
        let rest = groups.next().map_or(0, |next| u16::from(next >= "500"));
        let (lead, steps) = match lead + rest {
            1_000 => (1, digits.matches(',').count() + 1),
            lead => (lead, digits.matches(',').count()),
        };
        match UNITS.get(steps) {
            Some(unit) => format!("{sign}≈{lead}{unit}"),
            None => format!("{sign}≈{lead}e{}", steps * 3),
        }
    }
}

/// The widths of a column of amounts, such that all decimal points are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountColumn {
    whole: u16,
    fraction: u16,
}

/// The cells of a point and two digits. An amount whose whole digits leave less is an outlier: it moves no other
/// amount's point.
const MIN_FRACTION: u16 = 3;

impl AmountColumn {
    /// The column for some amounts, within `room` cells. Whole digits come first; fractions get the rest.
    pub fn fit<'a>(figures: impl Iterator<Item = &'a Figure>, room: u16) -> Self {
        let (mut whole, mut fraction) = (1, 0);
        for figure in figures {
            if !figure.is_outlier(room) {
                whole = whole.max(paint::text_width(figure.whole()));
            }
            fraction = fraction.max(paint::text_width(&figure.fraction()));
        }
        let whole = whole.min(room);
        Self { whole, fraction: fraction.min(room - whole) }
    }

    pub fn width(self) -> u16 {
        self.whole + self.fraction
    }

    /// Writes an amount into the cells before column `right`, `room` of them. If its fraction does not fit after the
    /// point, the amount moves to the left as far as it fits; only then is the fraction cut, and ends in `…`. Whole
    /// digits that do not fit are shortened to their magnitude: a number without its first or last digits would be
    /// misread.
    pub fn put_before(self, buf: &mut Buffer, right: u16, y: u16, room: u16, figure: &Figure, style: Style) {
        let fraction = figure.fraction();
        let (whole, needed) = (paint::text_width(figure.whole()), paint::text_width(&fraction));
        let left = right - room;
        if whole + self.fraction <= room && needed <= self.fraction {
            let point = right - self.fraction;
            paint::put_right(buf, point, y, whole, figure.whole(), style);
            paint::put(buf, point, y, self.fraction, &fraction, style);
        } else if whole + needed <= room {
            paint::put_right(buf, right, y, room, &figure.clone().into_text(), style);
        } else if whole < room {
            // From the point of the column, unless that leaves no room for the mark of the cut.
            let point = (room - self.fraction).max(whole).min(room - 1);
            paint::put_right(buf, left + point, y, point, figure.whole(), style);
            paint::put(buf, left + point, y, room - point, &fraction, style);
        } else {
            paint::put_right(buf, right, y, room, &figure.magnitude(), style);
        }
    }

    /// Writes the mark of an unknown amount at the last whole digit.
    pub fn put_unknown_before(self, buf: &mut Buffer, right: u16, y: u16, style: Style) {
        paint::put(buf, right.saturating_sub(self.fraction + 1), y, 1, "—", style);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::layout::Rect;

    use super::*;

    fn shows_the_whole_figure_or_a_mark(shown_figure: (u64, u8), above: (u64, u8), room: u16) {
        let figure = |(raw, decimals)| {
            let amount = crate::domain::Amount::new(ruint::aliases::U256::from(raw), decimals).unwrap();
            Figure::from_amount(amount, Sign::None)
        };
        let (one, above) = (figure(shown_figure), figure(above));
        let column = AmountColumn::fit([&one, &above].into_iter(), room);
        let mut buf = Buffer::empty(Rect::new(0, 0, 40, 1));
        column.put_before(&mut buf, 2 + room, 0, room, &one, Style::default());
        let row: String = (0..40).map(|x| buf[(x, 0)].symbol()).collect();
        let cell_text = row.trim();
        assert!(
            cell_text == one.clone().into_text() || cell_text.contains(['…', '≈']),
            "{cell_text} of {}",
            one.clone().into_text()
        );
        assert!(paint::text_width(row.trim_end()) <= 2 + room, "{row}");
    }

    #[test]
    fn a_long_figure_fits_a_column_of_its_own_width() {
        shows_the_whole_figure_or_a_mark((3_254_464_924_064_688_191, 4), (0, 0), 20);
    }

    #[test]
    fn an_outlier_is_shortened_and_moves_no_point() {
        let figure = |raw: u64| {
            let amount = crate::domain::Amount::new(ruint::aliases::U256::from(raw), 2).unwrap();
            Figure::from_amount(amount, Sign::Plus)
        };
        let row_of = |raws: &[u64]| {
            let figures: Vec<Figure> = raws.iter().map(|raw| figure(*raw)).collect();
            let column = AmountColumn::fit(figures.iter(), 13);
            let line = |figure| {
                let mut buf = Buffer::empty(Rect::new(0, 0, 13, 1));
                column.put_before(&mut buf, 13, 0, 13, figure, Style::default());
                (0..13).map(|x| buf[(x, 0)].symbol()).collect::<String>()
            };
            figures.iter().map(line).collect::<Vec<_>>()
        };
        let ordinary = ["      +250.25", "+1,204,331.25"];
        assert_eq!(row_of(&[25_025, 120_433_125]), ordinary);
        let with_outliers = row_of(&[25_025, 120_433_125, 999_999_999_999, 12_345_678_901_234_567_800]);
        assert_eq!(with_outliers[..2], ordinary);
        assert_eq!(with_outliers[2..], ["        +≈10B", "     +≈123e15"]);
        assert_eq!(row_of(&[99_950_000_000_049])[0], "         +≈1T", "it rounds up to the next unit");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// For any width and any other amount in the column: the whole figure, or a mark that it is cut.
        #[test]
        fn no_figure_loses_a_digit_without_a_mark(
            raw in 0_u64..,
            decimals in 0_u8..19,
            other in 0_u64..,
            others in 0_u8..19,
            room in 1_u16..30,
        ) {
            shows_the_whole_figure_or_a_mark((raw, decimals), (other, others), room);
        }
    }
}
