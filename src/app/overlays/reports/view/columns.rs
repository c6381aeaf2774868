//! Which columns of a report fit on screen, and how wide they are.

use crate::domain::report::{LAST_MAIN_PRIORITY, ReportCell, ReportColumn, ReportLine, ReportTable};
use crate::ui::paint;

/// A text takes no more columns than this while others need room.
const MAX_TEXT_WIDTH: u16 = 34;
pub(super) const COLUMN_GAP: u16 = 2;
/// How wide figures may be, the widest first: whole digits and a part of the fraction of most amounts fit the narrowest.
const FIGURE_WIDTHS: [usize; 4] = [20, 16, 14, 12];

/// A column on screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Among the columns of the report.
    pub(super) index: usize,
    pub(super) width: u16,
    pub(super) is_figure: bool,
    figure_width: usize,
    /// The column of values that stands in where a sum over several tokens has no amount; none where it is shown itself.
    value_index: Option<usize>,
}

impl Column {
    pub(super) fn cell_text(&self, line: &ReportLine) -> String {
        let text = line.cells.get(self.index).map(|cell| cell_text(cell, self.figure_width)).unwrap_or_default();
        match self.value_index.and_then(|index| line.cells.get(index)) {
            Some(value @ ReportCell::Value(_)) if text.is_empty() => {
                format!("≈{}", cell_text(value, self.figure_width.saturating_sub(1)))
            }
            _ => text,
        }
    }
}

/// The columns that fit, in the order of the report. Fractions are shortened before a main column is left out; what is
/// beside the main columns leaves `reserved` cells free.
pub(super) fn fit_columns(table: &ReportTable, lines: &[&ReportLine], width: u16, reserved: u16) -> Vec<Column> {
    // The last column needs no gap behind it.
    let room = width.saturating_sub(2) + COLUMN_GAP;
    let widths = FIGURE_WIDTHS.map(|figure_width| measure(table, lines, figure_width));
    let main_columns = (1..=LAST_MAIN_PRIORITY).rev().find_map(|last| {
        let is_main = |(priority, _): &&(u8, Column)| *priority <= last;
        let fits = |columns: &Vec<_>| needed_width(columns.iter().filter(is_main)) <= room;
        widths.iter().position(fits).map(|nth| (last, nth))
    });
    let (last, nth) = main_columns.unwrap_or((0, FIGURE_WIDTHS.len() - 1));
    let columns = widths.into_iter().nth(nth).unwrap_or_default();
    let mut left = room;
    let mut shown: Vec<Column> = Vec::new();
    for group in columns.chunk_by(|(one, _), (other, _)| one == other) {
        let spare = if group.iter().all(|(priority, _)| *priority <= last) { 0 } else { reserved };
        let needed = needed_width(group.iter());
        if needed + spare <= left {
            left -= needed;
            shown.extend(group.iter().map(|(_, column)| *column));
        } else if let ([], [(_, column)]) = (shown.as_slice(), group) {
            // The first column is shortened where nothing else helps; a figure is shown whole or not at all.
            shown.push(Column { width: column.width.min(width.saturating_sub(2)), ..*column });
            left = left.saturating_sub(needed);
        }
    }
    let indices: Vec<usize> = shown.iter().map(|column| column.index).collect();
    for column in &mut shown {
        column.value_index = column.value_index.filter(|index| !indices.contains(index));
    }
    shown.sort_by_key(|column| column.index);
    shown
}

fn needed_width<'a>(columns: impl Iterator<Item = &'a (u8, Column)>) -> u16 {
    columns.map(|(_, column)| column.width + COLUMN_GAP).sum()
}

/// The columns with something in them, by priority, with figures of this width at most.
fn measure(table: &ReportTable, lines: &[&ReportLine], figure_width: usize) -> Vec<(u8, Column)> {
    let cells = |index: usize| lines.iter().filter_map(move |line| line.cells.get(index));
    let mut columns: Vec<(u8, Column)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(index, column)| column.priority > 0 && cells(*index).any(|cell| *cell != ReportCell::Empty))
        .map(|(index, column)| {
            let is_figure = cells(index).any(ReportCell::is_figure);
            let is_value = |other: &ReportColumn| other.name.strip_suffix("_value") == Some(column.name);
            let value_index = table.columns.iter().position(is_value);
            let unmeasured = Column { index, width: 0, is_figure, figure_width, value_index };
            let longest = lines.iter().map(|line| paint::text_width(&unmeasured.cell_text(line))).max().unwrap_or(0);
            let most = if is_figure { u16::MAX } else { MAX_TEXT_WIDTH };
            let width = longest.min(most).max(paint::text_width(column.heading));
            (column.priority, Column { width, ..unmeasured })
        })
        .collect();
    columns.sort_by_key(|(priority, _)| *priority);
    columns
}

/// A cell's text. The fraction of a long amount is cut, with a mark, and an amount of too many whole digits is shown by
/// its magnitude; the file and the copy have all of it.
fn cell_text(cell: &ReportCell, figure_width: usize) -> String {
    let text = cell.screen_text();
    if !cell.is_figure() || text.chars().count() <= figure_width {
        return text;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    // The point and the mark.
    match figure_width.checked_sub(whole.chars().count() + 2).filter(|digits| *digits > 0) {
        Some(digits) => format!("{whole}.{}…", fraction.get(..digits).unwrap_or(fraction)),
        None => cell.magnitude_text().unwrap_or(text),
    }
}
