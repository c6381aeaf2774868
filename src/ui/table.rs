//! The table that every list draws: its columns, each with its head and its cells, and which of them fit.
//!
//! A column is shown where every column of the same or a more important rank fits as well, each at its least width. What
//! is left over then widens the columns, the most important first. So a wider list never shows fewer columns.

mod cell;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::figure::AmountColumn;
use super::{Row, Theme, paint};
pub use cell::Cell;
use cell::Content;

/// A column of a list whose rows are `R`.
pub struct Column<'a, R> {
    layout: ColumnLayout<'a>,
    /// `None` where every cell is blank.
    cell: Option<Box<CellOfRow<'a, R>>>,
}

type CellOfRow<'a, R> = dyn Fn(&'a R, Widths<'_>) -> Cell<'a> + 'a;

/// A column without its cells.
#[derive(Debug)]
struct ColumnLayout<'a> {
    head: Cow<'a, str>,
    /// 0 where every width shows the column; the highest rank gives way first.
    rank: u8,
    /// The least width.
    width: u16,
    growth: Growth,
    align: Align,
    /// Blank cells behind the column.
    gap: u16,
    /// Whether there is anything to show in it.
    is_used: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    None,
    /// To any width up to this one.
    Gradual(u16),
    /// To this width, or not at all.
    Whole(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
    /// At the decimal point.
    Point,
}

impl<'a, R> Column<'a, R> {
    fn new(head: impl Into<Cow<'a, str>>, width: u16, align: Align) -> Self {
        let head = head.into();
        let layout = ColumnLayout { head, rank: 0, width, growth: Growth::None, align, gap: 1, is_used: true };
        Self { layout, cell: None }
    }

    pub fn left(head: impl Into<Cow<'a, str>>, width: u16) -> Self {
        Self::new(head, width, Align::Left)
    }

    pub fn right(head: impl Into<Cow<'a, str>>, width: u16) -> Self {
        Self::new(head, width, Align::Right)
    }

    /// A column of exact amounts.
    pub fn amount(head: impl Into<Cow<'a, str>>, width: u16) -> Self {
        Self::new(head, width, Align::Point)
    }

    #[must_use]
    pub fn rank(mut self, rank: u8) -> Self {
        self.layout.rank = rank;
        self
    }

    #[must_use]
    pub fn grow_to(mut self, width: u16) -> Self {
        self.layout.growth = Growth::Gradual(width);
        self
    }

    #[must_use]
    pub fn grow_whole_to(mut self, width: u16) -> Self {
        self.layout.growth = Growth::Whole(width);
        self
    }

    /// Leaves the column out where there is nothing to show in it.
    #[must_use]
    pub fn used_if(mut self, is_used: bool) -> Self {
        self.layout.is_used = is_used;
        self
    }

    #[must_use]
    pub fn gap(mut self, gap: u16) -> Self {
        self.layout.gap = gap;
        self
    }

    /// Sets what the column shows of a row; without it, nothing.
    #[must_use]
    pub fn cell(self, cell: impl Fn(&'a R, Widths<'_>) -> Cell<'a> + 'a) -> Self {
        Self { cell: Some(Box::new(cell)), ..self }
    }
}

/// Which columns are shown, and how wide.
#[derive(Debug, Clone, Copy)]
pub struct Widths<'s>(&'s [Option<Span>]);

impl Widths<'_> {
    /// The width of a column, if it is shown.
    pub fn of(self, column: usize) -> Option<u16> {
        self.0[column].map(|span| span.width)
    }
}

/// A row of a list, and whether it is selected.
pub type SelectableRow<R> = (R, bool);

/// How the selected row is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Highlight {
    /// On all of its cells.
    Whole,
    /// On its first columns alone, so that moving the selection in a wide list repaints few cells.
    Leading(usize),
}

/// The left edge and the width of a column that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    x: u16,
    width: u16,
}

pub struct Table<'a, R, const N: usize> {
    columns: [Column<'a, R>; N],
    spans: [Option<Span>; N],
    area: Rect,
}

/// A list of fewer rows has no column heads.
pub const MIN_HEIGHT_WITH_HEADS: u16 = 4;

impl<'a, R, const N: usize> Table<'a, R, N> {
    pub fn fit(columns: [Column<'a, R>; N], area: Rect) -> Self {
        let mut spans = [None; N];
        fit_spans(&columns.each_ref().map(|column| &column.layout), area, &mut spans);
        Self { columns, spans, area }
    }

    /// Draws heads and rows; `focused` states whether the list has the focus.
    pub fn draw(
        &self,
        theme: &Theme,
        rows: &'a [SelectableRow<R>],
        highlight: Highlight,
        focused: bool,
        buf: &mut Buffer,
    ) {
        let columns = self.columns.each_ref().map(|column| &column.layout);
        let layout = TableLayout { columns: &columns, spans: &self.spans, area: self.area };
        let lines = layout.draw_lines(theme, &mut rows.iter().map(|(_, selected)| *selected), highlight, focused, buf);
        // Column by column: the code of one column runs for all rows while the processor has it at hand. Row by row, the
        // code of all columns together would have no room there.
        let mut cells: Vec<Cell<'a>> = Vec::with_capacity(lines.len());
        for (column, Column { cell, .. }) in self.columns.iter().enumerate() {
            let Some(cell) = cell.as_ref().filter(|_| self.spans[column].is_some()) else { continue };
            cells.clear();
            for (row, _) in rows.iter().take(lines.len()) {
                cells.push(cell(row, Widths(&self.spans)));
            }
            layout.draw_column(column, &cells, &lines, buf);
        }
    }
}

/// A line of a list, for one of its rows.
struct Line {
    row: Row,
    /// How many columns are marked where the row is selected; 0 where all are, or none.
    marked_columns: usize,
}

/// A table without its cells: what it draws is the same code for every list.
struct TableLayout<'t> {
    columns: &'t [&'t ColumnLayout<'t>],
    spans: &'t [Option<Span>],
    area: Rect,
}

impl TableLayout<'_> {
    /// Draws the heads, and a line for each row that there is room for; `selections` states which rows are selected.
    fn draw_lines(
        &self,
        theme: &Theme,
        selections: &mut dyn Iterator<Item = bool>,
        highlight: Highlight,
        focused: bool,
        buf: &mut Buffer,
    ) -> Vec<Line> {
        let heads = u16::from(self.area.height >= MIN_HEIGHT_WITH_HEADS);
        if heads > 0 {
            self.draw_heads(theme, buf);
        }
        (heads..self.area.height)
            .zip(selections)
            .map(|(index, selected)| match highlight {
                Highlight::Whole => {
                    Line { row: Row::new(buf, theme, self.area, index, selected, focused), marked_columns: 0 }
                }
                Highlight::Leading(count) => {
                    let end = self.spans.iter().skip(count).flatten().next().map_or(self.area.right(), |span| span.x);
                    let row = Row::new_slim(buf, theme, self.area, index, selected, focused, end - self.area.x);
                    Line { row, marked_columns: if selected { count } else { 0 } }
                }
            })
            .collect()
    }

    fn draw_heads(&self, theme: &Theme, buf: &mut Buffer) {
        for (column, span) in self.columns.iter().zip(self.spans) {
            let Some(Span { x, width }) = *span else { continue };
            match column.align {
                Align::Left => paint::put(buf, x, self.area.y, width, &column.head, theme.dim),
                Align::Right | Align::Point => {
                    paint::put_right(buf, x + width, self.area.y, width, &column.head, theme.dim)
                }
            };
        }
    }

    /// Draws the cells of a column that is shown, one on each line.
    fn draw_column(&self, column: usize, cells: &[Cell<'_>], lines: &[Line], buf: &mut Buffer) {
        let Some(Span { width, .. }) = self.spans[column] else { return };
        let figures = cells.iter().filter_map(|cell| match &cell.content {
            Content::Amount(figure) => figure.as_ref(),
            Content::Text(_) | Content::Name(_) | Content::Address { .. } | Content::Party { .. } => None,
        });
        let points = (self.columns[column].align == Align::Point).then(|| AmountColumn::fit(figures, width));
        for (Line { row, marked_columns }, cell) in lines.iter().zip(cells) {
            let style = if column < *marked_columns { row.base } else { row.style_over(cell.style) };
            self.draw_cell(column, cell, points, style, row.y, buf);
        }
    }

    fn draw_cell(
        &self,
        column: usize,
        cell: &Cell<'_>,
        points: Option<AmountColumn>,
        style: Style,
        y: u16,
        buf: &mut Buffer,
    ) {
        let Some(Span { x, width }) = self.spans[column] else { return };
        let end = cell.to.and_then(|to| self.spans[column..=to].iter().flatten().last());
        let width = end.map_or(width, |end| end.x + end.width - x);
        let text = match &cell.content {
            Content::Amount(figure) => {
                let points = points.unwrap_or_else(|| AmountColumn::fit(figure.iter(), width));
                return match figure {
                    Some(figure) => points.put_before(buf, x + width, y, width, figure, style),
                    None => points.put_unknown_before(buf, x + width, y, style),
                };
            }
            Content::Text(text) => paint::truncate(text, width),
            Content::Name(name) => paint::truncate_middle(name, width),
            Content::Address { mark, whole, short } => {
                let fits = mark.len() + usize::from(paint::text_width(whole)) <= usize::from(width);
                let cell_text = if fits { whole } else { short.as_str() };
                if mark.is_empty() { Cow::Borrowed(cell_text) } else { Cow::Owned(format!("{mark}{cell_text}")) }
            }
            Content::Party { name, short } => {
                const SEPARATOR: &str = " · ";
                if [name, SEPARATOR, short].into_iter().map(paint::text_width).fold(0, u16::saturating_add) <= width {
                    Cow::Owned(format!("{}{SEPARATOR}{short}", &**name))
                } else {
                    paint::truncate_middle(name, width)
                }
            }
        };
        if cell.is_left || self.columns[column].align == Align::Left {
            paint::put(buf, x, y, width, &text, style);
        } else {
            paint::put_right(buf, x + width, y, width, &text, style);
        }
    }
}

/// Places the columns that fit into the area.
fn fit_spans(columns: &[&ColumnLayout<'_>], area: Rect, spans: &mut [Option<Span>]) {
    let mut x = area.x + 1;
    for ((span, width), column) in spans.iter_mut().zip(fit_widths(columns, area.width)).zip(columns) {
        let Some(width) = width else { continue };
        let width = width.min(area.right().saturating_sub(x));
        *span = Some(Span { x, width });
        x = (x + width + column.gap).min(area.right());
    }
}

/// The width of each column within `room` cells, of which the first is the marker of the selected row.
fn fit_widths(columns: &[&ColumnLayout<'_>], room: u16) -> Vec<Option<u16>> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|index| columns[*index].rank);
    let mut widths = vec![None; columns.len()];
    let mut used_width = 0;
    for &index in order.iter().filter(|index| columns[**index].is_used) {
        let column = columns[index];
        let total = used_width + column.width + column.gap;
        if column.rank > 0 && total > room {
            break;
        }
        used_width = total;
        widths[index] = Some(column.width);
    }
    let mut room_left = room.saturating_sub(used_width);
    for &index in &order {
        let (Some(width), growth) = (&mut widths[index], columns[index].growth) else { continue };
        let more = match growth {
            Growth::None => 0,
            Growth::Gradual(full) => room_left.min(full.saturating_sub(*width)),
            Growth::Whole(full) => Some(full.saturating_sub(*width)).filter(|more| *more <= room_left).unwrap_or(0),
        };
        *width += more;
        room_left -= more;
    }
    widths
}

#[cfg(test)]
mod tests;
