//! ```text
//! ─ Reports · Counterparties · last 30 days ─────────────────────── in USDT   Tab report  ] [ period  O tokens ─
//!   #  Counterparty                        ≈ Volume   Share        ≈ In       ≈ Out  Rows
//!      all counterparties              4,120,334.10  100.0%  2,100,…
//! ▌ 1  Norrland Shipping                 812,000.00   19.7%
//! ─ 12 movements between own wallets are left out ─
//! ```

mod columns;

use columns::{COLUMN_GAP, CellContent, Column, fit_columns};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Reports, remark_rows, visible_line_count};
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::domain::history::Scope;
use crate::domain::report::{LineLevel, ReportCell, ReportKind, ReportLine, ReportTable};
use crate::domain::text::wrap;
use crate::domain::{Day, Period, ValuationAmount};
use crate::ui::chart::{bar_text, heights_on_scale};
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::row::Row;
use crate::ui::{Theme, day_chart, paint};

pub fn view(model: &Model, theme: &Theme, reports: &Reports, area: Rect, buf: &mut Buffer) {
    let table = super::shown_table(model, reports);
    draw_head(model, theme, reports, table, Rect { height: area.height.min(1), ..area }, buf);
    draw_tabs(theme, reports.kind, Rect { y: area.y + 1, height: 1, ..area }, buf);
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    let Some(table) = table else { return paint::put_centered(buf, body, "calculating…", theme.dim) };
    let lines = reports.lines(table);
    if lines.is_empty() {
        let message = match reports.kind {
            ReportKind::Gas => "no wallet is known to hold anything",
            ReportKind::Value | ReportKind::Allocation => "no balance is known here",
            ReportKind::Counterparties | ReportKind::Fees | ReportKind::Months | ReportKind::Statement => {
                "nothing moved in this period; [ takes a longer or an earlier one"
            }
        };
        paint::put_centered(buf, body, message, theme.dim);
    }
    let visible = usize::from(visible_line_count(model));
    let mut fitted = reports.clone();
    fitted.fit(lines.len(), visible);
    let bar_count = u16::try_from(table.bars.len()).unwrap_or(0);
    let reserved = (bar_count * RESERVED_BAR_WIDTH).min(body.width.saturating_sub(NARROW_WIDTH));
    // Flows are compared by their bars, whatever the width.
    let least = if reports.kind == ReportKind::Months { bar_count * NARROW_BAR_WIDTH } else { 0 };
    let least = least.min(body.width / 3);
    let columns = fit_columns(table, &lines, body.width - least, reserved.saturating_sub(least));
    let used = columns.iter().map(|column| column.width + COLUMN_GAP).sum::<u16>() + 1;
    let beside = Rect { x: body.x + used, width: body.width.saturating_sub(used + 1), ..body };
    let has_day_chart = reports.kind == ReportKind::Value && beside.width >= MIN_CHART_WIDTH;
    let bars = if has_day_chart { Vec::new() } else { lay_out_bars(table, &lines, beside) };
    draw_bar_heads(theme, &bars, body.y, buf);
    let mut x = body.x + 1;
    for column in &columns {
        let heading = table.columns.get(column.index).map_or("", |column| column.heading);
        if column.points.is_some() {
            paint::put_right(buf, x + column.width, body.y, column.width, heading, theme.dim);
        } else {
            paint::put(buf, x, body.y, column.width, heading, theme.dim);
        }
        x += column.width + COLUMN_GAP;
    }
    let list = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    for (offset, line) in (0_u16..).zip(lines.iter().skip(fitted.top).take(visible)) {
        let is_selected = fitted.top + usize::from(offset) == fitted.at;
        let row = Row::new(buf, theme, list, offset, is_selected, true);
        draw_line(theme, line, &columns, &row, buf);
        draw_bars(theme, fitted.top + usize::from(offset), &bars, &row, buf);
    }
    if has_day_chart {
        draw_day_value_chart(theme, table, &lines, Rect { height: visible_line_count(model) + 1, ..beside }, buf);
    }
    draw_remarks(
        theme,
        table,
        Rect { y: list.y + visible_line_count(model), height: remark_rows(area.height), ..list },
        buf,
    );
}

/// The names of all reports, so that a newcomer sees what there is.
fn draw_tabs(theme: &Theme, current: ReportKind, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    for kind in ReportKind::ALL {
        let name = kind.title();
        if x + paint::text_width(name) > area.right() {
            break;
        }
        let style = if kind == current { theme.title_focused } else { theme.dim };
        x += paint::put(buf, x, area.y, area.right() - x, name, style) + 2;
    }
}

/// A bar of each line, from zero, on one scale with the others.
struct Bar {
    heading: &'static str,
    x: u16,
    width: u16,
    most: ValuationAmount,
    /// Of each line, in eighths of a cell.
    lengths: Vec<Option<u16>>,
}

/// Narrower bars would say nothing.
const MIN_BAR_WIDTH: u16 = 8;
const MAX_BAR_WIDTH: u16 = 60;
/// What a report adds to its main columns leaves this to each bar, but never shows less than on a narrow screen.
const RESERVED_BAR_WIDTH: u16 = 16;
const NARROW_WIDTH: u16 = 80;
/// What columns leave to each bar of flows on such a screen.
const NARROW_BAR_WIDTH: u16 = 12;
/// From this width on, days are drawn as columns beside their lines.
const MIN_CHART_WIDTH: u16 = 40;

fn lay_out_bars(table: &ReportTable, lines: &[&ReportLine], area: Rect) -> Vec<Bar> {
    let count = u16::try_from(table.bars.len()).unwrap_or(0).max(1);
    let width = (area.width / count).saturating_sub(COLUMN_GAP).min(MAX_BAR_WIDTH);
    if width < MIN_BAR_WIDTH {
        return Vec::new();
    }
    let indices = table.bars.iter().filter_map(|name| table.columns.iter().position(|column| column.name == *name));
    let indices: Vec<usize> = indices.collect();
    let values = indices.iter().flat_map(|index| lines.iter().filter_map(|line| bar_value(line, *index)));
    let Some(most) = values.max() else { return Vec::new() };
    (0_u16..)
        .zip(indices)
        .map(|(nth, index)| Bar {
            heading: table.columns.get(index).map_or("", |column| column.heading),
            x: area.x + nth * (width + COLUMN_GAP),
            width,
            most,
            lengths: bar_lengths(lines, index, most, width * 8),
        })
        .collect()
}

/// How long each bar is. A line is compared with the last one of its level, so that a small difference looks flat.
fn bar_lengths(lines: &[&ReportLine], index: usize, most: ValuationAmount, steps: u16) -> Vec<Option<u16>> {
    let mut lengths = vec![None; lines.len()];
    for level in [LineLevel::Group, LineLevel::Token, LineLevel::Imitation] {
        let figure =
            |line: &&ReportLine| bar_value(line, index).filter(|_| line.level == level)?.to_hundred_millionths();
        let figures: Vec<_> = lines.iter().map(figure).collect();
        let heights = heights_on_scale(&figures, most.to_hundred_millionths().unwrap_or_default(), steps);
        for (length, height) in lengths.iter_mut().zip(heights) {
            *length = length.or(height);
        }
    }
    lengths
}

/// The value of a line's bar. A total, or all that was before the report, would make all others look like nothing.
fn bar_value(line: &ReportLine, index: usize) -> Option<ValuationAmount> {
    let is_whole = line.level == LineLevel::Total
        || line.period.start == Period::EVER.start && line.period.end != Period::EVER.end;
    match line.cells.get(index) {
        Some(ReportCell::Value(value)) if !is_whole => Some(*value),
        Some(_) | None => None,
    }
}

/// The axis of the bars: zero, what they show, and the value at their end.
fn draw_bar_heads(theme: &Theme, bars: &[Bar], y: u16, buf: &mut Buffer) {
    for bar in bars {
        let most = bar.most.format_short();
        let room = bar.width.saturating_sub(paint::text_width(&most) + 1);
        let heading = format!("0 {}", bar.heading);
        paint::put(buf, bar.x, y, room, if paint::text_width(&heading) <= room { &heading } else { "0" }, theme.dim);
        paint::put_right(buf, bar.x + bar.width, y, bar.width, &most, theme.dim);
    }
}

fn draw_bars(theme: &Theme, line: usize, bars: &[Bar], row: &Row, buf: &mut Buffer) {
    for bar in bars {
        let Some(eighths) = bar.lengths.get(line).copied().flatten() else { continue };
        paint::put(buf, bar.x, row.y, bar.width, &bar_text(eighths), row.style_over(theme.accent));
    }
}

/// Draws the value of each day as a column.
fn draw_day_value_chart(theme: &Theme, table: &ReportTable, lines: &[&ReportLine], area: Rect, buf: &mut Buffer) {
    let Some(index) = table.columns.iter().position(|column| table.bars.contains(&column.name)) else { return };
    // A day without all balances is less than it was: a change since then would be none.
    let unknown = table.columns.iter().position(|column| column.name == "unknown_tokens");
    let is_whole = |line: &&ReportLine| unknown.is_none_or(|unknown| line.cells[unknown] == ReportCell::Empty);
    let has_whole_days = lines.iter().any(is_whole);
    let day = |line: &&ReportLine| {
        let value = bar_value(line, index).filter(|_| is_whole(line) || !has_whole_days);
        (Day::from_timestamp(line.period.start), value)
    };
    let (days, values): (Vec<_>, Vec<_>) = lines.iter().rev().map(day).unzip();
    day_chart::draw_values(theme, &table.valuation, &days, &values, area, buf);
}

fn draw_head(
    model: &Model,
    theme: &Theme,
    reports: &Reports,
    table: Option<&ReportTable>,
    area: Rect,
    buf: &mut Buffer,
) {
    let scope = match reports.kind {
        ReportKind::Value | ReportKind::Allocation => &reports.scope,
        ReportKind::Counterparties
        | ReportKind::Fees
        | ReportKind::Gas
        | ReportKind::Months
        | ReportKind::Statement => &Scope::All,
    };
    let title = format!("{} · {} · {}", reports.kind.title(), model.scope_name(scope), reports.period_text(model.now));
    let mut notes = Vec::new();
    if let Some(table) = table {
        let lines = reports.lines(table).len();
        let at = (reports.at + 1).min(lines);
        notes.push((format!("{at} of {}", group_thousands(lines as u64)), theme.dim));
        if !table.valuation.is_empty() {
            notes.push((format!("≈ in {}", table.valuation), theme.dim));
        }
    }
    let fold = match (reports.kind, reports.is_unfolded()) {
        (ReportKind::Gas | ReportKind::Value | ReportKind::Allocation, _) => None,
        (ReportKind::Statement, true) => Some("O totals"),
        (ReportKind::Statement, false) => Some("O accounts"),
        (ReportKind::Fees, true) => Some("O months"),
        (ReportKind::Fees, false) => Some("O chains"),
        (ReportKind::Counterparties | ReportKind::Months, true) => Some("O no tokens"),
        (ReportKind::Counterparties | ReportKind::Months, false) => Some("O tokens"),
    };
    let period = match reports.kind {
        ReportKind::Gas | ReportKind::Allocation => None,
        ReportKind::Statement => Some("[ ] month"),
        ReportKind::Value | ReportKind::Counterparties | ReportKind::Fees | ReportKind::Months => Some("[ ] period"),
    };
    let keys = [Some("Tab report"), period, fold].into_iter().flatten();
    notes.extend(keys.map(|key| (key.to_owned(), theme.dim)));
    chrome::draw_rule(buf, area, &PaneTitle { title, notes, focused: true }, theme);
}

fn draw_line(theme: &Theme, line: &ReportLine, columns: &[Column], row: &Row, buf: &mut Buffer) {
    let style = match line.level {
        LineLevel::Total => theme.title_focused,
        LineLevel::Group | LineLevel::Token => theme.text,
        LineLevel::Imitation => theme.warn,
    };
    let mut x = row.x;
    for column in columns {
        let Some(cell) = line.cells.get(column.index) else { continue };
        let style = row.style_over(cell_style(theme, style, cell));
        let (right, width) = (x + column.width, column.width);
        match (column.cell_content(line), column.points) {
            (CellContent::Figure(figure), Some(points)) => points.put_before(buf, right, row.y, width, &figure, style),
            (CellContent::Unknown, Some(points)) => points.put_unknown_before(buf, right, row.y, style),
            (CellContent::Text(text), Some(_)) => {
                paint::put_right(buf, right, row.y, width, &text, style);
            }
            (CellContent::Text(text), None) => {
                paint::put(buf, x, row.y, width, &paint::truncate_middle(&text, width), style);
            }
            (CellContent::Figure(_) | CellContent::Unknown, None) => {}
        }
        x += column.width + COLUMN_GAP;
    }
}

fn cell_style(theme: &Theme, style: Style, cell: &ReportCell) -> Style {
    if matches!(cell, ReportCell::Alarm(_)) {
        return theme.bad;
    }
    if *cell == ReportCell::Unknown { theme.dim } else { style }
}

fn draw_remarks(theme: &Theme, table: &ReportTable, area: Rect, buf: &mut Buffer) {
    let width = area.width.saturating_sub(2);
    let lines = wrap(&table.remarks.join("; "), width);
    let is_cut = lines.len() > usize::from(area.height);
    for (y, mut line) in (area.y..area.bottom()).zip(lines) {
        if is_cut && y + 1 == area.bottom() {
            line.push_str(" …");
        }
        paint::put(buf, area.x + 1, y, width, &line, theme.dim);
    }
}
