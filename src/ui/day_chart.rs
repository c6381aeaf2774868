//! Figures of days as columns from zero, and prices as a line, between a labelled axis and the days.
//!
//! ```text
//!  USDT: low 1,090,002.5, high 1,204,331.204512, +10.48%
//!   1.20M ┤      ▂▂▃▃▅▅▆▇█
//!         │▇▇▇▇▇██████████
//!       0 ┤███████████████
//!          Oct 04   Nov 02
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ruint::aliases::U256;

use super::chart::{ColumnGrid, draw_columns, draw_line, heights_on_scale, line_steps};
use super::{Theme, paint};
use crate::domain::{Day, Rate, ValuationAmount};

/// The cells of a label on the axis.
const LABEL_WIDTH: u16 = 7;
/// The cells of labels and axis, to the left of the columns.
pub const AXIS_WIDTH: u16 = LABEL_WIDTH + 2;
/// The cells of a day without its year.
const DAY_WIDTH: u16 = 6;

pub struct DayChart<'a> {
    pub caption: &'a str,
    /// Oldest first.
    pub days: &'a [Day],
    /// One figure for each column of the grid; `None` where it is not known.
    pub columns: &'a [Option<U256>],
    /// The figure at the upper end of the axis, and its label.
    pub most: (U256, &'a str),
    pub style: Style,
}

/// The grid of so many days in a chart's area.
pub fn fit_grid(days: usize, area: Rect) -> ColumnGrid {
    ColumnGrid::fit(u16::try_from(days).unwrap_or(u16::MAX), area.width.saturating_sub(AXIS_WIDTH))
}

impl DayChart<'_> {
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let (most, label) = self.most;
        let axes = Axes { caption: self.caption, days: self.days, least: "0", most: label };
        let Some(picture) = axes.draw(theme, area, buf) else { return };
        let heights = heights_on_scale(self.columns, most, picture.height * 8);
        draw_columns(buf, picture, fit_grid(self.days.len(), area).pitch, &heights, self.style, theme.dim);
    }
}

/// What stands around the picture of a chart.
struct Axes<'a> {
    caption: &'a str,
    /// Oldest first.
    days: &'a [Day],
    /// The labels of the lower and the upper end of the axis.
    least: &'a str,
    most: &'a str,
}

impl Axes<'_> {
    /// The area of the picture; `None` where there is no room for one.
    fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Rect> {
        paint::put(buf, area.x, area.y, area.width, self.caption, theme.dim);
        if area.height < 3 || area.width <= AXIS_WIDTH {
            return None;
        }
        let picture =
            Rect { x: area.x + AXIS_WIDTH, y: area.y + 1, width: area.width - AXIS_WIDTH, height: area.height - 2 };
        self.draw_labels(theme, picture, buf);
        self.draw_days(theme, fit_grid(self.days.len(), area), picture, buf);
        Some(picture)
    }

    fn draw_labels(&self, theme: &Theme, picture: Rect, buf: &mut Buffer) {
        for y in picture.top()..picture.bottom() {
            let (label, tick) = match y {
                y if y + 1 == picture.bottom() => (self.least, "┤"),
                y if y == picture.top() => (self.most, "┤"),
                _ => ("", "│"),
            };
            paint::put_right(buf, picture.x - 2, y, LABEL_WIDTH, label, theme.dim);
            paint::put(buf, picture.x - 1, y, 1, tick, theme.dim);
        }
    }

    fn draw_days(&self, theme: &Theme, grid: ColumnGrid, picture: Rect, buf: &mut Buffer) {
        let (Some(first), Some(last)) = (self.days.first(), self.days.last()) else { return };
        let first = format_day(*first, *last);
        let y = picture.bottom();
        paint::put(buf, picture.x, y, picture.width, &first, theme.dim);
        let columns = self.days.len().div_ceil(usize::from(grid.figures_per_column));
        let columns = u16::try_from(columns).unwrap_or(u16::MAX);
        // The last day stands below the last column, or beside the first day where that leaves no room.
        let least = paint::text_width(&first) + 2 + DAY_WIDTH;
        let drawn = columns.saturating_mul(grid.pitch).max(least).min(picture.width);
        paint::put_right(buf, picture.x + drawn, y, DAY_WIDTH, &format_day(*last, *last), theme.dim);
    }
}

/// Draws the values of days, oldest first, below their range and their change.
pub fn draw_values(
    theme: &Theme,
    valuation: &str,
    days: &[Day],
    values: &[Option<ValuationAmount>],
    area: Rect,
    buf: &mut Buffer,
) {
    let known_values = || values.iter().flatten().copied();
    let (Some(least), Some(most)) = (known_values().min(), known_values().max()) else {
        return paint::put_centered(buf, area, "no value: a balance or a price on these days is not known", theme.dim);
    };
    let change = format_change(known_values());
    let caption = |format: fn(ValuationAmount) -> String| {
        format!("≈ in {valuation}: low {}, high {}{change}", format(least), format(most))
    };
    let whole = caption(ValuationAmount::format_grouped);
    let is_fitting = paint::text_width(&whole) <= area.width;
    let grid = fit_grid(days.len(), area);
    let last_known =
        |days: &[Option<ValuationAmount>]| days.iter().rev().find_map(|value| (*value)?.to_hundred_millionths());
    let picture = DayChart {
        caption: &if is_fitting { whole } else { caption(ValuationAmount::format_short) },
        days,
        columns: &values.chunks(usize::from(grid.figures_per_column)).map(last_known).collect::<Vec<_>>(),
        most: (most.to_hundred_millionths().unwrap_or_default(), &most.format_short()),
        style: theme.accent,
    };
    picture.draw(theme, area, buf);
}

/// Draws the prices of days, oldest first, as a line below their range and their change.
pub fn draw_prices(
    theme: &Theme,
    valuation: &str,
    days: &[Day],
    prices: &[Option<Rate>],
    area: Rect,
    buf: &mut Buffer,
) {
    let known_prices = || prices.iter().flatten().copied();
    let range = known_prices().min().zip(known_prices().max());
    let Some(((least, most), (lower, upper))) =
        range.and_then(|range| Some((range, Rate::axis_ends(range.0, range.1)?)))
    else {
        return paint::put_centered(buf, area, "no price: none of these days has one", theme.dim);
    };
    let change = format_change(known_prices().map(Rate::value_of_one));
    let axes = Axes {
        caption: &format!("≈ in {valuation}: low {}, high {}{change}", least.format_rate(), most.format_rate()),
        days,
        least: &format_label(lower),
        most: &format_label(upper),
    };
    let Some(picture) = axes.draw(theme, area, buf) else { return };
    let grid = fit_grid(days.len(), area);
    let last_known = |prices: &[Option<Rate>]| prices.iter().rev().find_map(|price| *price);
    let position = |price: Rate| price.axis_step_between(lower, upper, line_steps(picture.height));
    let columns = prices.chunks(usize::from(grid.figures_per_column)).map(|days| last_known(days).map(position));
    draw_line(buf, picture, grid.pitch, &columns.collect::<Vec<_>>(), theme.accent);
}

/// A price on the axis: with its significant digits where they fit.
fn format_label(price: Rate) -> String {
    let exact = price.rounded(4).format_rate();
    if exact.len() <= usize::from(LABEL_WIDTH) { exact } else { price.value_of_one().format_short() }
}

/// The change from the first level to the last one, in percent, after a comma.
pub fn format_change(mut levels: impl DoubleEndedIterator<Item = ValuationAmount>) -> String {
    let change = levels.next().and_then(|first| levels.next_back()?.change_since(first)?.percentage());
    change.map(|change| format!(", {}", change.format_percent())).unwrap_or_default()
}

/// A day, with its year where that is not the year of today.
pub fn format_day(day: Day, today: Day) -> String {
    let year = |day: Day| day.start().format("%Y");
    day.start().format(if year(day) == year(today) { "%b %d" } else { "%Y-%m-%d" })
}
