//! Lines on standard output, for commands without a screen.

use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::termios::tcgetwinsize;

use crate::domain::text::is_forbidden_in_text;

/// The narrowest column of values.
const MIN_VALUE_COLUMNS: usize = 30;

/// Prints a line. It may include paths and texts from outside, and a terminal reads it, so invisible characters are
/// replaced. A closed reader, as in `| head`, is no error.
pub(super) fn print_line(line: &str) {
    print_line_to(io::stdout(), line);
}

/// The same on another stream: standard error, for what a person reads beside data on standard output.
pub(super) fn print_line_to(mut stream: impl Write, line: &str) {
    let clean: String = line.chars().map(|c| if is_forbidden_in_text(c) { '\u{fffd}' } else { c }).collect();
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

/// Prints a value behind its label; on a terminal it is broken between words, and goes on below the value.
pub(super) fn print_labelled_to(stream: impl Write + AsFd, line: &str, label_columns: usize) {
    let columns = tcgetwinsize(&stream).ok().map(|size| usize::from(size.ws_col));
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(label_columns).max(MIN_VALUE_COLUMNS));
    let mut stream = stream;
    let mut label: String = line.chars().take(label_columns).collect();
    let value: String = line.chars().skip(label_columns).collect();
    for part in wrap_words(&value, room) {
        print_line_to(&mut stream, &format!("{label}{part}"));
        label = " ".repeat(label_columns);
    }
}

/// Breaks a text into lines between its words; a word that is longer than a line, such as a path, stays whole.
pub(super) fn wrap_words(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Accepts that the reader of standard output closed it early.
pub(super) fn ignore_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
