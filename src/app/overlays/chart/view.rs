//! ```text
//! ─ Balance · USDT Ethereum · Treasury · 30 days ──────────────────── t flows  Tab days  Esc closes ─
//!  USDT: low 1,090,002.5, high 1,204,331.204512, +10.48%  Day          Closing
//!      ▂▂▃▃▅▅▆▇█                                          Nov 02  1,204,331.204512
//!  ▇▇▇██████████                                          Nov 01  1,180,002.5
//!  Oct 04 Nov 02
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ruint::aliases::U256;

use super::{Chart, ChartKind, DayFigures};
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::screen::Area;
use crate::domain::balance_history::ClosingBasis;
use crate::domain::chain::chain_display_name;
use crate::domain::{Amount, Day, ReportedAmount, ValuationAmount};
use crate::ui::chart::ColumnGrid;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::day_chart::{self, DayChart, format_change, format_day};
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

/// A column of the figures of days.
type DayColumn<'a> = Column<'a, &'a DayFigures<'a>>;

/// The width from which the figures are beside the chart.
const SIDE_BY_SIDE_WIDTH: u16 = 110;
const DAY_WIDTH: u16 = 10;

pub fn view(model: &Model, theme: &Theme, chart: &Chart, area: Rect, buf: &mut Buffer) {
    let figures = chart.day_figures(model);
    draw_head(model, theme, chart, figures.as_deref(), Rect { height: area.height.min(1), ..area }, buf);
    let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let Some(figures) = figures else { return paint::put_centered(buf, area, "calculating…", theme.dim) };
    let (picture, table) = split_area(area);
    match chart.kind {
        ChartKind::Balance => draw_balance_chart(theme, chart, &figures, picture, buf),
        ChartKind::Value => {
            let values: Vec<_> = figures.iter().map(DayFigures::closing_value).collect();
            day_chart::draw_values(theme, &chart.valuation, &days_of_figures(&figures), &values, picture, buf);
        }
        ChartKind::Flow => draw_flow_charts(theme, chart, &figures, picture, buf),
    }
    draw_day_table(theme, chart, &figures, table, buf);
}

/// The number of rows of figures that fit in a chart's area below its title.
pub fn table_rows(area: Area) -> u16 {
    let (_, table) = split_area(Rect::new(area.x, area.y, area.width, area.height));
    table.height.saturating_sub(1)
}

fn split_area(area: Rect) -> (Rect, Rect) {
    let x = area.x + 1;
    if area.width >= SIDE_BY_SIDE_WIDTH {
        let left = area.width * 11 / 20;
        let picture = Rect { x, width: left.saturating_sub(3), ..area };
        return (picture, Rect { x: area.x + left, width: area.width - left, ..area });
    }
    let upper = (area.height / 2).max(6).min(area.height);
    let picture = Rect { x, width: area.width.saturating_sub(2), height: upper, ..area };
    (picture, Rect { y: area.y + upper, height: area.height - upper, ..area })
}

fn draw_head(
    model: &Model,
    theme: &Theme,
    chart: &Chart,
    figures: Option<&[DayFigures<'_>]>,
    area: Rect,
    buf: &mut Buffer,
) {
    let quantity = match chart.kind {
        ChartKind::Balance => "Balance",
        ChartKind::Value => "Value",
        ChartKind::Flow => "In and out",
    };
    let other = match chart.next_kind() {
        ChartKind::Balance => "t balance",
        ChartKind::Value => "t value",
        ChartKind::Flow => "t flows",
    };
    let chain = chain_display_name(&chart.token.blockchain);
    let scope = model.scope_name(&chart.scope);
    let title = format!("{quantity} · {} {chain} · {scope} · {} days", chart.symbol, chart.day_count());
    let mut notes = Vec::new();
    let whole = chart.chart_data(model).is_none_or(|token| token.history.is_complete);
    if !whole {
        notes.push(("history partial".into(), theme.warn));
    }
    let unclear: u64 = figures.unwrap_or_default().iter().filter_map(|day| day.flow).map(|flow| flow.unclear).sum();
    if unclear > 0 {
        notes.push((format!("{} rows unclear", group_thousands(unclear)), theme.warn));
    }
    notes.extend([other, "Tab days", "Esc closes"].map(|key| (key.to_owned(), theme.dim)));
    chrome::draw_rule(buf, area, &PaneTitle { title, notes, focused: true }, theme);
}

fn closing_amount(day: &DayFigures<'_>) -> Option<U256> {
    day.closing.amount.map(Amount::raw)
}

/// What came in on a day: zero where nothing moved, `None` where a row is unclear.
fn incoming_amount(day: &DayFigures<'_>) -> Option<U256> {
    day.flow.map_or(Some(U256::ZERO), |flow| flow.incoming.filter(|_| flow.unclear == 0).map(Amount::raw))
}

fn outgoing_amount(day: &DayFigures<'_>) -> Option<U256> {
    day.flow.map_or(Some(U256::ZERO), |flow| flow.outgoing.filter(|_| flow.unclear == 0).map(Amount::raw))
}

/// Fraction digits of any figure: all days of a token have the same.
fn fraction_digits(figures: &[DayFigures<'_>]) -> Option<u8> {
    let amounts = figures.iter().flat_map(|day| {
        let flow = day.flow.map_or([None, None], |flow| [flow.incoming, flow.outgoing]);
        flow.into_iter().chain([day.closing.amount])
    });
    amounts.flatten().map(Amount::decimals).next()
}

fn draw_balance_chart(theme: &Theme, chart: &Chart, figures: &[DayFigures<'_>], area: Rect, buf: &mut Buffer) {
    let amounts = || figures.iter().filter_map(closing_amount);
    let (Some(least), Some(most)) = (amounts().min(), amounts().max()) else {
        return paint::put_centered(buf, area, "the balance on these days is not known", theme.dim);
    };
    let decimals = fraction_digits(figures).unwrap_or(0);
    let label = |raw: U256| Amount::new(raw, decimals).map_or_else(|| "—".into(), Amount::format_grouped);
    let levels = figures.iter().filter_map(|day| ValuationAmount::from_amount(day.closing.amount?));
    let change = format_change(levels);
    let grid = day_chart::fit_grid(figures.len(), area);
    let last_known = |days: &[DayFigures<'_>]| days.iter().rev().find_map(closing_amount);
    let picture = DayChart {
        caption: &format!("{}: low {}, high {}{change}", chart.symbol, label(least), label(most)),
        days: &days_of_figures(figures),
        columns: &figures.chunks(usize::from(grid.figures_per_column)).map(last_known).collect::<Vec<_>>(),
        most: (most, &format_short(most, decimals)),
        style: theme.accent,
    };
    picture.draw(theme, area, buf);
}

fn days_of_figures(figures: &[DayFigures<'_>]) -> Vec<Day> {
    figures.iter().map(|day| day.closing.day).collect()
}

/// The figure at the end of an axis, in a few cells.
fn format_short(raw: U256, decimals: u8) -> String {
    let amount = Amount::new(raw, decimals).and_then(ValuationAmount::from_amount);
    amount.map_or_else(|| "—".into(), ValuationAmount::format_short)
}

fn draw_flow_charts(theme: &Theme, chart: &Chart, figures: &[DayFigures<'_>], area: Rect, buf: &mut Buffer) {
    let upper = area.height / 2;
    let above = Rect { height: upper, ..area };
    let below = Rect { y: area.y + upper, height: area.height - upper, ..area };
    // Both directions share one scale; where a column covers several days, it is that of their sums.
    let grid = day_chart::fit_grid(figures.len(), area);
    let most = [incoming_amount, outgoing_amount]
        .into_iter()
        .flat_map(|side| column_sums(figures, side, grid))
        .flatten()
        .max();
    let most = most.unwrap_or(U256::ZERO);
    draw_flow_chart(theme, chart, "↓ in", figures, incoming_amount, most, theme.good, above, buf);
    draw_flow_chart(theme, chart, "↑ out", figures, outgoing_amount, most, theme.accent, below, buf);
}

/// The sums of one direction, column by column.
fn column_sums(
    figures: &[DayFigures<'_>],
    side: fn(&DayFigures<'_>) -> Option<U256>,
    grid: ColumnGrid,
) -> Vec<Option<U256>> {
    figures.chunks(usize::from(grid.figures_per_column)).map(|days| sum_days(days, side)).collect()
}

fn sum_days(days: &[DayFigures<'_>], side: fn(&DayFigures<'_>) -> Option<U256>) -> Option<U256> {
    days.iter().map(side).try_fold(U256::ZERO, |sum, figure| sum.checked_add(figure?))
}

#[expect(clippy::too_many_arguments, reason = "one picture of two, told apart by how it reads and looks")]
fn draw_flow_chart(
    theme: &Theme,
    chart: &Chart,
    way: &str,
    figures: &[DayFigures<'_>],
    side: fn(&DayFigures<'_>) -> Option<U256>,
    most: U256,
    style: Style,
    area: Rect,
    buf: &mut Buffer,
) {
    let decimals = fraction_digits(figures).unwrap_or(0);
    let total = sum_days(figures, side).and_then(|raw| Amount::new(raw, decimals));
    let total = total.map_or_else(|| "—".into(), Amount::format_grouped);
    let picture = DayChart {
        caption: &format!("{way} {total} {}", chart.symbol),
        days: &days_of_figures(figures),
        columns: &column_sums(figures, side, day_chart::fit_grid(figures.len(), area)),
        most: (most, &format_short(most, decimals)),
        style,
    };
    picture.draw(theme, area, buf);
}

fn draw_day_table(theme: &Theme, chart: &Chart, figures: &[DayFigures<'_>], area: Rect, buf: &mut Buffer) {
    let visible = usize::from(area.height.saturating_sub(1));
    let days = figures.iter().rev().skip(usize::from(chart.scroll_top)).take(visible);
    let rows: Vec<_> = days.map(|day| (day, false)).collect();
    let today = figures.last().map(|last| last.closing.day);
    let figure =
        |amount: Option<Amount>, sign: Sign| amount.map(|amount| Figure::new(&ReportedAmount::Exact(amount), sign));
    let of = |day: &DayFigures<'_>| match chart.kind {
        ChartKind::Balance | ChartKind::Value => [figure(day.closing.amount, Sign::None), None],
        ChartKind::Flow => {
            let flow = day.flow.map_or([None, None], |flow| [flow.incoming, flow.outgoing]);
            [figure(flow[0], Sign::Plus), figure(flow[1], Sign::Minus)]
        }
    };
    let is_flow = chart.kind == ChartKind::Flow;
    let (first, last) = match chart.kind {
        ChartKind::Balance => ("Closing", "Known by"),
        ChartKind::Value => ("Closing", "Price"),
        ChartKind::Flow => ("In", "Rows"),
    };
    let second = match chart.kind {
        ChartKind::Value => DayColumn::right("≈ Value", 12).grow_to(24),
        ChartKind::Balance | ChartKind::Flow => DayColumn::amount("Out", 12).grow_to(32).used_if(is_flow),
    };
    let amount_cell = |day: &DayFigures<'_>, figure| {
        let is_unread = is_flow && day.flow.is_none();
        if is_unread { Cell::blank() } else { Cell::amount(figure, theme.text) }
    };
    let columns = [
        DayColumn::left("Day", DAY_WIDTH)
            .cell(|day, _| Cell::text(format_day(day.closing.day, today.unwrap_or(day.closing.day)), theme.text)),
        DayColumn::amount(first, 12).grow_to(32).cell(|day, _| {
            let [first, _] = of(day);
            amount_cell(day, first)
        }),
        second.cell(|day, _| {
            if chart.kind == ChartKind::Value {
                let value = day.closing_value().map_or_else(|| "—".into(), ValuationAmount::format_grouped);
                return Cell::text(value, theme.text);
            }
            let [_, second] = of(day);
            amount_cell(day, second)
        }),
        DayColumn::left(last, if chart.kind == ChartKind::Value { 15 } else { 10 })
            .rank(1)
            .grow_to(22)
            .cell(|day, _| Cell::text(day_note(chart.kind, day), theme.dim)),
    ];
    Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, false, buf);
}

/// The basis of a closing balance, the price of a day, or the number of rows that moved something.
fn day_note(kind: ChartKind, day: &DayFigures<'_>) -> String {
    match (kind, day.flow) {
        (ChartKind::Value, _) => day.price.map_or_else(String::new, |price| match price.day() {
            own if own == day.closing.day => price.rate.format_rate(),
            // This console recorded no price on that day.
            nearest => format!("{} {}", price.rate.format_rate(), format_day(nearest, day.closing.day)),
        }),
        (ChartKind::Balance, _) if day.closing.amount.is_none() => String::new(),
        (ChartKind::Balance, _) => match day.closing.basis {
            ClosingBasis::Now => "held now".into(),
            ClosingBasis::History => "history".into(),
            ClosingBasis::Sample => "a sample".into(),
            // In UTC, as the days are.
            ClosingBasis::Observed(at) => format!("seen {}", at.format("%H:%M")),
        },
        (ChartKind::Flow, None) => String::new(),
        (ChartKind::Flow, Some(flow)) if flow.unclear > 0 => format!("{}, {} unclear", flow.rows, flow.unclear),
        (ChartKind::Flow, Some(flow)) => group_thousands(flow.rows),
    }
}

#[cfg(test)]
mod tests;
