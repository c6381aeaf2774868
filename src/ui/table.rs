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
    cell: Box<CellOfRow<'a, R>>,
}

type CellOfRow<'a, R> = dyn Fn(&'a R, Widths<'_>) -> Cell<'a> + 'a;

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
        Self {
            head: head.into(),
            rank: 0,
            width,
            growth: Growth::None,
            align,
            gap: 1,
            is_used: true,
            cell: Box::new(|_, _| Cell::blank()),
        }
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
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    #[must_use]
    pub fn grow_to(self, width: u16) -> Self {
        Self { growth: Growth::Gradual(width), ..self }
    }

    #[must_use]
    pub fn grow_whole_to(self, width: u16) -> Self {
        Self { growth: Growth::Whole(width), ..self }
    }

    /// Leaves the column out where there is nothing to show in it.
    #[must_use]
    pub fn used_if(self, is_used: bool) -> Self {
        Self { is_used, ..self }
    }

    #[must_use]
    pub fn gap(self, gap: u16) -> Self {
        Self { gap, ..self }
    }

    /// Sets what the column shows of a row; without it, nothing.
    #[must_use]
    pub fn cell(self, cell: impl Fn(&'a R, Widths<'_>) -> Cell<'a> + 'a) -> Self {
        Self { cell: Box::new(cell), ..self }
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
        let widths = fit_widths(&columns, area.width);
        let mut x = area.x + 1;
        let spans = std::array::from_fn(|index| {
            let width = widths[index]?.min(area.right().saturating_sub(x));
            let span = Span { x, width };
            x = (x + width + columns[index].gap).min(area.right());
            Some(span)
        });
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
        let heads = u16::from(self.area.height >= MIN_HEIGHT_WITH_HEADS);
        if heads > 0 {
            self.draw_heads(theme, buf);
        }
        let lines: Vec<_> = (heads..self.area.height)
            .zip(rows)
            .map(|(index, (_, selected))| self.start_row(theme, index, *selected, highlight, focused, buf))
            .collect();
        // Column by column: the code of one column runs for all rows while the processor has it at hand. Row by row, the
        // code of all columns together would have no room there.
        let mut cells: Vec<Cell<'a>> = Vec::with_capacity(lines.len());
        for (column, Column { cell, align, .. }) in self.columns.iter().enumerate() {
            let Some(Span { width, .. }) = self.spans[column] else { continue };
            cells.clear();
            cells.extend(rows.iter().take(lines.len()).map(|(row, _)| cell(row, Widths(&self.spans))));
            let figures = cells.iter().filter_map(|cell| match &cell.content {
                Content::Amount(figure) => figure.as_ref(),
                Content::Text(_) | Content::Name(_) | Content::Address { .. } | Content::Party { .. } => None,
            });
            let points = (*align == Align::Point).then(|| AmountColumn::fit(figures, width));
            for ((line, leading), (cell, (_, selected))) in lines.iter().zip(cells.iter().zip(rows)) {
                let style = if *selected && column < *leading { line.base } else { line.style_over(cell.style) };
                self.draw_cell(column, cell, points, style, line.y, buf);
            }
        }
    }

    fn start_row(
        &self,
        theme: &Theme,
        index: u16,
        selected: bool,
        highlight: Highlight,
        focused: bool,
        buf: &mut Buffer,
    ) -> (Row, usize) {
        match highlight {
            Highlight::Whole => (Row::new(buf, theme, self.area, index, selected, focused), 0),
            Highlight::Leading(count) => {
                let end = self.spans.iter().skip(count).flatten().next().map_or(self.area.right(), |span| span.x);
                let marked = end - self.area.x;
                (Row::new_slim(buf, theme, self.area, index, selected, focused, marked), count)
            }
        }
    }

    fn draw_heads(&self, theme: &Theme, buf: &mut Buffer) {
        for (column, span) in self.columns.iter().zip(self.spans) {
            let Some(Span { x, width }) = span else { continue };
            match column.align {
                Align::Left => paint::put(buf, x, self.area.y, width, &column.head, theme.dim),
                Align::Right | Align::Point => {
                    paint::put_right(buf, x + width, self.area.y, width, &column.head, theme.dim)
                }
            };
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
                let shown = if fits { whole } else { short.as_str() };
                Cow::Owned(format!("{mark}{shown}"))
            }
            Content::Party { name, short } => {
                let both = format!("{} · {short}", &**name);
                if paint::text_width(&both) <= width { Cow::Owned(both) } else { paint::truncate_middle(name, width) }
            }
        };
        if cell.is_left || self.columns[column].align == Align::Left {
            paint::put(buf, x, y, width, &text, style);
        } else {
            paint::put_right(buf, x + width, y, width, &text, style);
        }
    }
}

/// The width of each column within `room` cells, of which the first is the marker of the selected row.
fn fit_widths<R, const N: usize>(columns: &[Column<'_, R>; N], room: u16) -> [Option<u16>; N] {
    let mut order: [usize; N] = std::array::from_fn(|index| index);
    order.sort_by_key(|index| columns[*index].rank);
    let mut widths = [None; N];
    let mut taken = 0;
    for &index in order.iter().filter(|index| columns[**index].is_used) {
        let column = &columns[index];
        let wanted = taken + column.width + column.gap;
        if column.rank > 0 && wanted > room {
            break;
        }
        taken = wanted;
        widths[index] = Some(column.width);
    }
    let mut left = room.saturating_sub(taken);
    for &index in &order {
        let (Some(width), growth) = (&mut widths[index], columns[index].growth) else { continue };
        let more = match growth {
            Growth::None => 0,
            Growth::Gradual(full) => left.min(full.saturating_sub(*width)),
            Growth::Whole(full) => Some(full.saturating_sub(*width)).filter(|more| *more <= left).unwrap_or(0),
        };
        *width += more;
        left -= more;
    }
    widths
}

#[cfg(test)]
mod tests;
