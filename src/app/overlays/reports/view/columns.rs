//! Which columns of a report fit on screen, and how wide they are.

use crate::domain::report::{LAST_MAIN_PRIORITY, ReportCell, ReportColumn, ReportLine, ReportTable};
use crate::ui::figure::{AmountColumn, Figure};
use crate::ui::paint;

/// A text takes no more columns than this while others need room.
const MAX_TEXT_WIDTH: u16 = 34;
pub(super) const COLUMN_GAP: u16 = 2;
/// How wide figures may be, the widest first: whole digits and a part of the fraction of most amounts fit the narrowest.
const FIGURE_WIDTHS: [u16; 4] = [20, 16, 14, 12];

/// A column on screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Among the columns of the report.
    pub(super) index: usize,
    pub(super) width: u16,
    /// How its figures are aligned; `None` for a column of texts.
    pub(super) points: Option<AmountColumn>,
    figure_width: u16,
    /// The column of values that stands in where a sum over several tokens has no amount; none where it is shown itself.
    value_index: Option<usize>,
}

pub(super) enum CellContent {
    Text(String),
    Figure(Figure),
    /// A figure that is not known.
    Unknown,
}

impl Column {
    pub(super) fn cell_content(&self, line: &ReportLine) -> CellContent {
        let cell = line.cells.get(self.index).unwrap_or(&ReportCell::Empty);
        match self.value_index.and_then(|index| line.cells.get(index)) {
            Some(value @ ReportCell::Value(_)) if *cell == ReportCell::Empty => {
                CellContent::Figure(Figure::from_text(format!("≈{}", figure_text(value, self.figure_width - 1))))
            }
            _ if *cell == ReportCell::Unknown => CellContent::Unknown,
            _ if cell.is_figure() => CellContent::Figure(Figure::from_text(figure_text(cell, self.figure_width))),
            _ => CellContent::Text(cell.screen_text()),
        }
    }
}

/// The columns that fit, in the order of the report. Fractions are shortened before a main column is left out; what is
/// beside the main columns leaves `reserved` cells free.
pub(super) fn fit_columns(table: &ReportTable, lines: &[&ReportLine], width: u16, reserved: u16) -> Vec<Column> {
    // The last column needs no gap behind it.
    let room = width.saturating_sub(2) + COLUMN_GAP;
    let widths = FIGURE_WIDTHS.map(|figure_width| measure_columns(table, lines, figure_width));
    let main_columns = (1..=LAST_MAIN_PRIORITY).rev().find_map(|last| {
        let is_main = |(priority, _): &&(u8, Column)| *priority <= last;
        let fits = |columns: &Vec<_>| needed_width(columns.iter().filter(is_main)) <= room;
        widths.iter().position(fits).map(|nth| (last, nth))
    });
    let (last, nth) = main_columns.unwrap_or((0, FIGURE_WIDTHS.len() - 1));
    let columns = widths.into_iter().nth(nth).unwrap_or_default();
    let mut free_width = room;
    let mut fitting: Vec<Column> = Vec::new();
    for group in columns.chunk_by(|(one, _), (other, _)| one == other) {
        let spare = if group.iter().all(|(priority, _)| *priority <= last) { 0 } else { reserved };
        let needed = needed_width(group.iter());
        if needed + spare <= free_width {
            free_width -= needed;
            fitting.extend(group.iter().map(|(_, column)| *column));
        } else if let ([], [(_, column)]) = (fitting.as_slice(), group) {
            // The first column is shortened where nothing else helps; a figure is shown whole or not at all.
            fitting.push(Column { width: column.width.min(width.saturating_sub(2)), ..*column });
            free_width = free_width.saturating_sub(needed);
        }
    }
    let indices: Vec<usize> = fitting.iter().map(|column| column.index).collect();
    for column in &mut fitting {
        column.value_index = column.value_index.filter(|index| !indices.contains(index));
    }
    fitting.sort_by_key(|column| column.index);
    fitting
}

fn needed_width<'a>(columns: impl Iterator<Item = &'a (u8, Column)>) -> u16 {
    columns.map(|(_, column)| column.width + COLUMN_GAP).sum()
}

/// The columns with something in them, by priority, with figures of this width at most.
fn measure_columns(table: &ReportTable, lines: &[&ReportLine], figure_width: u16) -> Vec<(u8, Column)> {
    let cells = |index: usize| lines.iter().filter_map(move |line| line.cells.get(index));
    let mut columns: Vec<(u8, Column)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(index, column)| column.priority > 0 && cells(*index).any(|cell| *cell != ReportCell::Empty))
        .map(|(index, column)| {
            let is_value = |other: &ReportColumn| other.name.strip_suffix("_value") == Some(column.name);
            let value_index = table.columns.iter().position(is_value);
            let unmeasured = Column { index, width: 0, points: None, figure_width, value_index };
            let contents: Vec<CellContent> = lines.iter().map(|line| unmeasured.cell_content(line)).collect();
            let figures = contents.iter().filter_map(|content| match content {
                CellContent::Figure(figure) => Some(figure),
                CellContent::Text(_) | CellContent::Unknown => None,
            });
            let points = cells(index).any(ReportCell::is_figure).then(|| AmountColumn::fit(figures, figure_width));
            let texts = contents.iter().map(|content| match content {
                CellContent::Text(text) => paint::text_width(text).min(MAX_TEXT_WIDTH),
                CellContent::Figure(_) | CellContent::Unknown => 0,
            });
            let longest = texts.max().unwrap_or(0).max(points.map_or(0, AmountColumn::width));
            let width = longest.max(paint::text_width(column.heading));
            (column.priority, Column { width, points, ..unmeasured })
        })
        .collect();
    columns.sort_by_key(|(priority, _)| *priority);
    columns
}

/// A figure's text. One of too many whole digits is shown by its magnitude; the file and the copy have all of it.
fn figure_text(cell: &ReportCell, figure_width: u16) -> String {
    let text = cell.screen_text();
    let is_outlier = paint::text_width(&text) > figure_width && Figure::from_text(&text).is_outlier(figure_width);
    if is_outlier { cell.short_figure_text().unwrap_or(text) } else { text }
}
