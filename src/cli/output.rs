//! Lines on standard output, for commands without a screen.

use std::io::{self, Write};

use crate::domain::text::is_forbidden_in_text;

/// Prints a line. It may include paths and texts from outside, and a terminal reads it, so invisible characters are
/// replaced. A closed reader, as in `| head`, is no error.
pub(super) fn print_line(words: &str) {
    print_line_to(io::stdout(), words);
}

/// The same on another stream: standard error, for what a person reads beside data on standard output.
pub(super) fn print_line_to(mut stream: impl Write, words: &str) {
    let clean: String = words.chars().map(|c| if is_forbidden_in_text(c) { '\u{fffd}' } else { c }).collect();
    let _reader_may_be_gone = writeln!(stream, "{}", clean.trim_end());
}

/// Prints rows as a table: each column as wide as its widest cell, two blanks between them.
pub(super) fn print_table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        print_line(&cells.join("  "));
    }
}

/// Accepts that the reader of standard output closed it early.
pub(super) fn ignore_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
