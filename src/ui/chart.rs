//! Charts: bars, sparklines and columns, in eighths of a cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ruint::aliases::U256;

use super::paint;

const RISING_BLOCKS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const WIDENING_BLOCKS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar from the left, `eighths` of a cell long.
pub fn bar_text(eighths: u16) -> String {
    let whole = "█".repeat(usize::from(eighths / 8));
    format!("{whole}{}", WIDENING_BLOCKS.get(usize::from(eighths % 8)).copied().unwrap_or(""))
}

/// A sparkline: a cell for each level from 0 to 7, a dot for an unknown value.
pub fn sparkline_text(levels: impl Iterator<Item = Option<u16>>) -> String {
    let cell = |level: Option<u16>| match level {
        Some(level) => RISING_BLOCKS.get(usize::from(level.min(7)) + 1).copied().unwrap_or("█"),
        None => "·",
    };
    levels.map(cell).collect()
}

/// The position of a figure between two others, as a step from 0; the middle if the two are equal.
pub fn scale_to_steps(value: U256, least: U256, most: U256, steps: u16) -> u16 {
    let (above, room) = (value.saturating_sub(least), most.saturating_sub(least));
    if room.is_zero() {
        return steps / 2;
    }
    // For very large ranges the lowest bits make no visible difference.
    let surplus = room.bit_len().saturating_sub(200);
    let [above, room] = [above, room].map(|figure| figure.wrapping_shr(surplus));
    let level = above.checked_mul(U256::from(steps)).and_then(|scaled| scaled.checked_div(room));
    level.and_then(|level| u16::try_from(level).ok()).unwrap_or(steps).min(steps)
}

/// The columns of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnGrid {
    /// How many figures a column combines.
    pub figures_per_column: u16,
    /// Cells of a column, with the gap after it.
    pub pitch: u16,
}

impl ColumnGrid {
    /// The grid for `figures` figures in `cells` cells.
    pub fn fit(figures: u16, cells: u16) -> Self {
        let figures_per_column = figures.div_ceil(cells.max(1)).max(1);
        let columns = figures.div_ceil(figures_per_column).max(1);
        Self { figures_per_column, pitch: (cells / columns).clamp(1, 8) }
    }
}

/// Draws columns that rise from the lower edge, with heights in eighths of a cell; a dot for an unknown figure.
pub fn draw_columns(buf: &mut Buffer, area: Rect, pitch: u16, heights: &[Option<u16>], style: Style, unknown: Style) {
    let cells = if pitch >= 3 { pitch - 1 } else { pitch };
    for (index, height) in (0_u16..).zip(heights) {
        let x = area.x.saturating_add(index.saturating_mul(pitch));
        if x.saturating_add(cells) > area.right() {
            break;
        }
        let Some(height) = height else {
            paint::put(buf, x, area.bottom().saturating_sub(1), 1, "·", unknown);
            continue;
        };
        for row in 0..area.height {
            let filled = height.saturating_sub(row * 8).min(8);
            if filled == 0 {
                break;
            }
            let symbol = RISING_BLOCKS.get(usize::from(filled)).copied().unwrap_or("█");
            let y = area.bottom() - 1 - row;
            paint::put(buf, x, y, cells, &symbol.repeat(usize::from(cells)), style);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bars_and_sparklines_are_drawn_in_eighths() {
        assert_eq!([bar_text(0), bar_text(1), bar_text(8), bar_text(31), bar_text(32)], ["", "▏", "█", "███▉", "████"]);
        assert_eq!(sparkline_text([Some(0), None, Some(7), Some(9)].into_iter()), "▁·██");
    }

    #[test]
    fn a_grid_shows_every_figure() {
        assert_eq!(ColumnGrid::fit(7, 40), ColumnGrid { figures_per_column: 1, pitch: 5 });
        assert_eq!(ColumnGrid::fit(30, 40), ColumnGrid { figures_per_column: 1, pitch: 1 });
        assert_eq!(ColumnGrid::fit(365, 60), ColumnGrid { figures_per_column: 7, pitch: 1 });
        assert_eq!(ColumnGrid::fit(1, 0), ColumnGrid { figures_per_column: 1, pitch: 1 });
    }

    #[test]
    fn columns_never_leave_their_area() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 4));
        let area = Rect::new(1, 1, 4, 2);
        draw_columns(&mut buf, area, 1, &[Some(100), None, Some(3), Some(9), Some(1)], Style::new(), Style::new());
        let rows: Vec<String> = (0..4).map(|y| (0..6).map(|x| buf[(x, y)].symbol()).collect()).collect();
        assert_eq!(rows, ["      ", " █  ▁ ", " █·▃█ ", "      "]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_level_lies_within_its_steps_and_keeps_the_order(figures in prop::array::uniform4(prop::array::uniform32(0_u8..)), steps in 1_u16..500) {
            let mut figures = figures.map(U256::from_be_bytes::<32>);
            figures.sort();
            let [least, one, other, most] = figures;
            let (low, high) = (scale_to_steps(one, least, most, steps), scale_to_steps(other, least, most, steps));
            prop_assert!(low <= high && high <= steps);
            if least < most {
                prop_assert_eq!((scale_to_steps(least, least, most, steps), scale_to_steps(most, least, most, steps)), (0, steps));
            }
        }
    }
}
