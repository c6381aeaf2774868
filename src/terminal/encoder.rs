//! Encodes frames in few bytes: the frame on the terminal is known, so only the changes to the next one are sent.
//!
//! Modes, erasures and attributes are crossterm's commands. Where it would write more bytes, the sequences are written
//! here: it states both coordinates and every count, a sequence for each part of a style, and named colours as indices.
//!
//! Lines that moved as a block are scrolled by the terminal. Styles carry over from frame to frame, the cursor takes
//! the shortest way, the blank rest of a line is erased, and an unchanged frame costs nothing. On a slow connection
//! bytes are time: 5,000 a second are common behind a phone, and a full frame has about as many.

mod cursor;
mod dialect;
mod pen;
mod scroll;
pub mod shade;
#[cfg(test)]
mod tests;

use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::{Command, QueueableCommand};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use cursor::Cursor;
use pen::{CellStyle, SHOWS_ON_BLANK, is_blank, is_same_cell};
use scroll::{Scroll, changed_rows};

pub use dialect::{ColorDepth, Dialect};

const DIGITS: &[u8; 10] = b"0123456789";

/// The bytes of a usual move of the cursor within a line.
const MOVE_BYTES: usize = 5;

/// Room for the styles of a line; few have more.
const USUAL_STYLES: usize = 16;

/// Shorter frames omit the 16 bytes of a synchronised update: the terminal reads them in one piece.
const MIN_SYNCHRONISED_BYTES: usize = 128;

/// Tracks the frame on the terminal and writes the changes to the next one.
#[derive(Debug)]
pub struct Encoder {
    dialect: Dialect,
    /// The frame on the terminal, as [`Encoder::normalise_frame`] leaves it.
    displayed_frame: Buffer,
    /// Whether the terminal shows that frame; otherwise it is cleared first.
    certain: bool,
    cursor: Cursor,
    pen: CellStyle,
}

impl Encoder {
    /// An encoder for a terminal in an unknown state.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            displayed_frame: Buffer::empty(Rect::ZERO),
            certain: false,
            cursor: Cursor::Unknown,
            pen: CellStyle::PLAIN,
        }
    }

    /// Another program wrote to the terminal, or it was resized: the next frame clears it and paints everything.
    pub fn invalidate(&mut self) {
        self.certain = false;
    }

    /// Appends the changes from the frame shown to `next`. Afterwards the contents of `next` are unspecified.
    ///
    /// The terminal then shows `next`, up to invisible differences: the text colour of blank cells is left open.
    pub fn encode_frame(&mut self, next: &mut Buffer, out: &mut Vec<u8>) {
        let start = out.len();
        let afresh = !self.certain || self.displayed_frame.area != next.area;
        if afresh {
            out.extend_from_slice(b"\x1b[m\x1b[H");
            push_command(out, Clear(ClearType::All));
            self.displayed_frame.resize(next.area);
            self.displayed_frame.reset();
            self.pen = CellStyle::PLAIN;
            self.cursor = Cursor::At { column: 0, row: 0 };
            self.certain = true;
        }
        let width = usize::from(next.area.width);
        if width == 0 {
            return;
        }
        self.normalise_frame(next, width);
        let rows = 0..usize::from(next.area.height);
        let mut changed = changed_rows(rows.clone(), &self.displayed_frame.content, &next.content, width);
        if self.dialect.scrolls
            && !afresh
            && let Some(scroll) = Scroll::best_scroll(&self.displayed_frame.content, &next.content, &changed, width)
        {
            self.encode_scroll(scroll, width, out);
            let moved_rows = scroll.top..scroll.bottom;
            let may_differ = rows.filter(|row| moved_rows.contains(row) || changed.contains(row));
            changed = changed_rows(may_differ, &self.displayed_frame.content, &next.content, width);
        }
        for row in changed {
            self.encode_line(row, &next.content[row * width..][..width], out);
        }
        std::mem::swap(&mut self.displayed_frame, next);
        if out.len() - start >= MIN_SYNCHRONISED_BYTES {
            let frame = out.split_off(start);
            push_command(out, BeginSynchronizedUpdate);
            out.extend_from_slice(&frame);
            push_command(out, EndSynchronizedUpdate);
        }
    }

    /// Normalises a frame, so that cells are equal if and only if they look the same: colours are reduced, a blank has
    /// no text colour, and a column covered by a wide character has an empty symbol.
    fn normalise_frame(&self, next: &mut Buffer, width: usize) {
        for (screen, target) in
            self.displayed_frame.content.chunks_exact(width).zip(next.content.chunks_exact_mut(width))
        {
            let mut covered = 0;
            for column in 0..width {
                let cell = &mut target[column];
                // Most cells hold a letter of ASCII, and a frame has thousands.
                if covered == 0
                    && cell.diff_option == CellDiffOption::None
                    && !is_skipped(cell)
                    && let [symbol @ b' '..=b'~'] = *cell.symbol().as_bytes()
                {
                    self.dialect.depth.reduce_colors(cell);
                    cell.underline_color = Color::Reset;
                    if symbol == b' ' && !cell.modifier.intersects(SHOWS_ON_BLANK) {
                        cell.fg = Color::Reset;
                        cell.modifier = Modifier::empty();
                    }
                    continue;
                }
                if covered > 0 {
                    covered -= 1;
                    cell.set_symbol("").diff_option = CellDiffOption::None;
                    (cell.fg, cell.bg, cell.modifier) = (Color::Reset, Color::Reset, Modifier::empty());
                    cell.underline_color = Color::Reset;
                    continue;
                }
                if is_skipped(cell) {
                    cell.clone_from(&screen[column]);
                } else {
                    self.dialect.depth.reduce_colors(cell);
                }
                cell.underline_color = Color::Reset;
                let columns = cell_columns(cell);
                cell.diff_option = CellDiffOption::None;
                if columns == 0 || column + columns > width {
                    cell.set_symbol(" ");
                } else {
                    covered = columns - 1;
                }
                if is_blank(cell) {
                    cell.fg = Color::Reset;
                    cell.modifier = Modifier::empty();
                }
            }
        }
    }

    fn encode_scroll(&mut self, scroll: Scroll, width: usize, out: &mut Vec<u8>) {
        // The lines revealed take the current background.
        self.pen.change(self.pen.for_blank(Color::Reset), out);
        out.extend_from_slice(b"\x1b[");
        push_number(out, scroll.top + 1);
        out.push(b';');
        push_number(out, scroll.bottom);
        out.extend_from_slice(b"r\x1b[");
        if scroll.distance > 1 {
            push_number(out, scroll.distance);
        }
        out.extend_from_slice(if scroll.is_up { b"S\x1b[r" } else { b"T\x1b[r" });
        // Setting the margins homes the cursor.
        self.cursor = Cursor::At { column: 0, row: 0 };
        scroll.apply(&mut self.displayed_frame.content, width);
    }

    /// Writes what changed in a line, in the order of the columns or a style at a time, whichever takes fewer bytes: a
    /// table of colours changes the style at each column, and a move of the cursor is shorter than that.
    fn encode_line(&mut self, row: usize, target: &[Cell], out: &mut Vec<u8>) {
        let changes = self.changes_in_line(row, target);
        let (mut styles, mut current, mut switches) = (Vec::with_capacity(USUAL_STYLES), self.pen, 0);
        styles.push(current);
        for change in &changes {
            switches += usize::from(change.style != current);
            current = change.style;
            if !styles.contains(&current) {
                styles.push(current);
            }
        }
        let saved_switches = (switches + 1).saturating_sub(styles.len());
        // What a terminal may draw wider than it is must be written before what stands behind it.
        if saved_switches == 0 || target.iter().any(|cell| is_width_disputed(cell.symbol())) {
            return self.write_changes(row, target, &changes, out);
        }
        let mut by_style = Vec::with_capacity(changes.len());
        for style in styles {
            by_style.extend(changes.iter().filter(|change| change.style == style));
        }
        let moves = |order: &[CellChange]| order.windows(2).filter(|pair| pair[0].column + 1 != pair[1].column).count();
        let more_moves = moves(&by_style).saturating_sub(moves(&changes));
        let is_shorter = more_moves * MOVE_BYTES < saved_switches * self.dialect.depth.switch_bytes();
        self.write_changes(row, target, if is_shorter { &by_style } else { &changes }, out);
    }

    /// The cells of a line that differ from the screen, each with the style to write it in: a blank is written with the
    /// text before it, or at the beginning of a stretch with the text behind it.
    fn changes_in_line(&self, row: usize, target: &[Cell]) -> Vec<CellChange> {
        let screen = &self.displayed_frame.content[row * target.len()..][..target.len()];
        let differs =
            |column: &usize| !is_same_cell(&screen[*column], &target[*column]) && !target[*column].symbol().is_empty();
        let mut differing = Vec::with_capacity(target.len());
        differing.extend((0..target.len()).filter(differs));
        let Some(&last) = differing.last() else {
            return Vec::new();
        };
        let blank_from = self.blank_from(target);
        let mut changes: Vec<CellChange> = Vec::with_capacity(differing.len());
        let (mut style, mut leading_blanks_from) = (self.pen, 0);
        for column in differing {
            if changes.last().is_some_and(|change| change.column + 1 < column) {
                leading_blanks_from = changes.len();
            }
            style = style.for_cell(&target[column]);
            if !is_blank(&target[column]) {
                for blank in changes.iter_mut().skip(leading_blanks_from) {
                    blank.style = style.for_cell(&target[blank.column]);
                }
                leading_blanks_from = usize::MAX;
            }
            let erases = column >= blank_from && last - column >= 3;
            changes.push(CellChange { column, style, erases });
            if erases {
                break;
            }
        }
        changes
    }

    fn write_changes(&mut self, row: usize, target: &[Cell], changes: &[CellChange], out: &mut Vec<u8>) {
        for change in changes {
            self.move_cursor_to(change.column, row, target, out);
            self.pen.change(change.style, out);
            if change.erases {
                push_command(out, Clear(ClearType::UntilNewLine));
            } else {
                self.write_cell(change.column, row, &target[change.column], target.len(), out);
            }
        }
    }

    /// The column from which on a line may be erased instead of being written.
    fn blank_from(&self, target: &[Cell]) -> usize {
        let end = target.len();
        let Some(background) = target.last().map(|cell| cell.bg) else { return end };
        if background != Color::Reset && !self.dialect.erases_with_background {
            return end;
        }
        let erasable = |cell: &&Cell| cell.bg == background && is_blank(cell);
        end - target.iter().rev().take_while(erasable).count()
    }

    /// Moves the cursor, or rewrites the few cells in between if that is no longer.
    fn move_cursor_to(&mut self, column: usize, row: usize, target: &[Cell], out: &mut Vec<u8>) {
        let Some(way) = self.cursor.path_to(column, row) else { return };
        if let Cursor::At { column: cursor_column, row: cursor_row } = self.cursor
            && cursor_row == row
            && cursor_column < column
            && column - cursor_column <= way.as_bytes().len()
            && target[cursor_column..column]
                .iter()
                .all(|cell| cell.symbol().len() == 1 && self.pen.for_cell(cell) == self.pen)
        {
            target[cursor_column..column].iter().for_each(|cell| out.extend_from_slice(cell.symbol().as_bytes()));
        } else {
            out.extend_from_slice(way.as_bytes());
        }
        self.cursor = Cursor::At { column, row };
    }

    /// Writes a cell at the cursor.
    fn write_cell(&mut self, column: usize, row: usize, cell: &Cell, width: usize, out: &mut Vec<u8>) {
        let columns = cell_columns(cell);
        let symbol = cell.symbol();
        // The columns that it may leave uncovered are blanked first, and afterwards the cursor's column is uncertain.
        let disputed = is_width_disputed(symbol);
        if disputed && columns > 1 {
            out.resize(out.len() + columns, b' ');
            // At the margin, terminals step back from different columns, so the cursor is placed.
            let way_back = Cursor::Somewhere { row }.path_to(column, row);
            out.extend_from_slice(way_back.as_ref().map_or(b"", |way| way.as_bytes()));
        }
        out.extend_from_slice(symbol.as_bytes());
        self.cursor = if disputed || column + columns >= width {
            Cursor::Somewhere { row }
        } else {
            Cursor::At { column: column + columns, row }
        };
    }
}

/// A cell to be written.
#[derive(Debug, Clone, Copy)]
struct CellChange {
    column: usize,
    style: CellStyle,
    /// Whether the line is erased from here on.
    erases: bool,
}

/// Whether a cell is left as the terminal shows it.
fn is_skipped(cell: &Cell) -> bool {
    #[expect(deprecated, reason = "ratatui's own diff still honours the old flag")]
    let old = cell.skip;
    cell.diff_option == CellDiffOption::Skip || (old && cell.diff_option == CellDiffOption::None)
}

/// How many columns a cell covers; zero for an invisible symbol or a control character.
fn cell_columns(cell: &Cell) -> usize {
    match cell.symbol().as_bytes() {
        [byte] => usize::from(!byte.is_ascii_control()),
        _ if cell.symbol().chars().any(char::is_control) => 0,
        _ => usize::from(cell.cell_width()),
    }
}

/// Whether terminals disagree on its width: it is a cluster of several characters.
fn is_width_disputed(symbol: &str) -> bool {
    symbol.len() > 1 && symbol.chars().nth(1).is_some()
}

fn push_command(out: &mut Vec<u8>, command: impl Command) {
    // Writing to memory cannot fail.
    let _ = out.queue(command);
}

fn push_number(out: &mut Vec<u8>, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(DIGITS[number % 10]);
}
