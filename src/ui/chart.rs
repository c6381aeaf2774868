//! Charts: bars, sparklines and columns, in eighths of a cell, and lines in dots.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};
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

/// How high each figure stands, from zero up to `steps` for the largest: a scale that began higher would make little look
/// like much. A figure less than a hundredth away from the last one that moved stays at its step, since between two steps
/// a hundredth would look like an eighth. Unknown figures have no height.
pub fn heights_from_zero(figures: &[Option<U256>], steps: u16) -> Vec<Option<u16>> {
    flat_heights(figures, figures.iter().flatten().max().copied().unwrap_or_default(), steps)
}

/// The same on a scale that others share. What is more than nothing is at least one step high.
pub fn heights_on_scale(figures: &[Option<U256>], most: U256, steps: u16) -> Vec<Option<u16>> {
    let least = |figure: &Option<U256>| u16::from(figure.is_some_and(|figure| !figure.is_zero()));
    let heights = flat_heights(figures, most, steps);
    figures.iter().zip(heights).map(|(figure, height)| height.map(|height| height.max(least(figure)))).collect()
}

fn flat_heights(figures: &[Option<U256>], most: U256, steps: u16) -> Vec<Option<u16>> {
    let mut last: Option<(U256, u16)> = None;
    let height = |figure: U256| {
        if let Some((before, height)) = last
            && is_within_a_hundredth(before, figure)
        {
            return height;
        }
        let height = scale_to_steps(figure, most, steps);
        last = Some((figure, height));
        height
    };
    let mut height = height;
    figures.iter().map(|figure| figure.map(&mut height)).collect()
}

fn is_within_a_hundredth(one: U256, other: U256) -> bool {
    let larger = one.max(other);
    one.abs_diff(other) <= larger.wrapping_div(U256::from(100_u8)) && !larger.is_zero()
}

/// The nearest step to a figure on a scale from zero; the last step if the scale has no length.
pub fn scale_to_steps(figure: U256, most: U256, steps: u16) -> u16 {
    // For very large figures the lowest bits make no visible difference.
    let surplus = most.bit_len().saturating_sub(200);
    let [figure, most] = [figure.min(most), most].map(|figure| figure.wrapping_shr(surplus));
    let nearest = |scaled: U256| scaled.checked_add(most.wrapping_shr(1))?.checked_div(most);
    let step = figure.checked_mul(U256::from(steps)).and_then(nearest);
    step.map_or(0, |step| u16::try_from(step).unwrap_or(steps).min(steps))
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

/// The dots of a cell, across and down, of which lines are drawn.
const DOTS: (u16, u16) = (2, 4);

/// The highest step of a line in an area of so many rows.
pub fn line_steps(rows: u16) -> u16 {
    rows.saturating_mul(DOTS.1).saturating_sub(1)
}

/// Draws a line through the steps of columns; it is interrupted where one is unknown.
pub fn draw_line(buf: &mut Buffer, area: Rect, pitch: u16, steps: &[Option<u16>], style: Style) {
    let x = |column: u16| f64::from(column.saturating_mul(pitch).saturating_mul(DOTS.0));
    let colour = style.fg.unwrap_or(Color::Reset);
    let columns: Vec<(u16, Option<u16>)> = (0..).zip(steps.iter().copied()).collect();
    let lines = columns.iter().enumerate().filter_map(|(at, (column, step))| {
        let from = f64::from((*step)?);
        let (next, to) =
            columns.get(at + 1).and_then(|(next, step)| Some((*next, f64::from((*step)?)))).unwrap_or((*column, from));
        Some(Line::new(x(*column), from, x(next), to, colour))
    });
    Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, f64::from(area.width.saturating_mul(DOTS.0).saturating_sub(1))])
        .y_bounds([0.0, f64::from(line_steps(area.height))])
        .paint(|context| lines.clone().for_each(|line| context.draw(&line)))
        .render(area, buf);
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

    #[test]
    fn a_line_goes_through_its_steps_and_is_interrupted_where_one_is_unknown() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 3));
        let area = Rect::new(1, 1, 4, 2);
        assert_eq!(line_steps(area.height), 7);
        draw_line(&mut buf, area, 1, &[Some(0), Some(7), None, Some(7)], Style::new());
        let rows: Vec<String> = (0..3).map(|y| (0..6).map(|x| buf[(x, y)].symbol()).collect()).collect();
        assert_eq!(rows, ["      ", " ⢠⠃ ⠁ ", " ⡜    "]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_step_is_the_nearest_to_the_share_of_the_largest(figures in prop::array::uniform2(prop::array::uniform32(0_u8..)), steps in 1_u16..500) {
            let [one, other] = figures.map(U256::from_be_bytes::<32>);
            let (figure, most) = (one.min(other), one.max(other));
            prop_assert_eq!((scale_to_steps(U256::ZERO, most, steps), scale_to_steps(most, most, steps)), (0, steps));
            let [figure, most] = [figure, most].map(|figure| figure.wrapping_shr(64));
            let exact = figure * U256::from(steps);
            let drawn = U256::from(scale_to_steps(figure, most, steps)) * most;
            prop_assert!(exact.abs_diff(drawn) <= most / U256::from(2) + U256::from(steps) + U256::ONE);
        }

        #[test]
        fn a_change_below_a_hundredth_is_flat_and_none_is_drawn_larger_than_it_is(
            first in 1_000_u64..1_000_000_000,
            thousandths in prop::collection::vec(0_u64..3_000, 1..40),
            steps in 7_u16..300,
        ) {
            let flat: Vec<_> = thousandths.iter().map(|change| Some(U256::from(first + first * (change % 10) / 1_000))).collect();
            let heights = heights_from_zero(&flat, steps);
            prop_assert!(heights.iter().all(|height| height == &heights[0]), "{:?}", heights);

            let moving: Vec<_> = thousandths.iter().map(|change| Some(U256::from(first * change / 1_000))).collect();
            let most = moving.iter().flatten().max().copied().unwrap();
            for (figure, height) in moving.iter().zip(heights_from_zero(&moving, steps)) {
                let exact = scale_to_steps(figure.unwrap(), most, steps);
                prop_assert!(height.unwrap().abs_diff(exact) <= 1 + steps / 100, "{} {}", height.unwrap(), exact);
            }
        }
    }
}
