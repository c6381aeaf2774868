//! The terminal's cursor, and the shortest way to move it.

/// The cursor's position, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cursor {
    Unknown,
    /// The row is known, the column is not: a terminal that has written the last column may or may not have wrapped,
    /// and the width of some clusters is disputed. A carriage return makes it certain again.
    Somewhere {
        row: usize,
    },
    At {
        column: usize,
        row: usize,
    },
}

/// A short escape sequence without an allocation.
#[derive(Clone, Copy)]
pub(super) struct EscapeSequence {
    bytes: [u8; 32],
    length: usize,
}

impl EscapeSequence {
    const EMPTY: Self = Self { bytes: [0; 32], length: 0 };

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, bytes: &[u8]) {
        // The longest way has fewer than thirty bytes: rows and columns have at most five digits.
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn number(&mut self, number: usize) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.push(&[super::DIGITS[number % 10]]);
    }

    /// `CSI count letter`; a count of one is omitted.
    fn counted_sequence(count: usize, letter: u8) -> Self {
        let mut short = Self::EMPTY;
        short.push(b"\x1b[");
        if count != 1 {
            short.number(count);
        }
        short.push(&[letter]);
        short
    }

    fn repeated(count: usize, byte: u8) -> Self {
        let mut short = Self::EMPTY;
        for _ in 0..count {
            short.push(&[byte]);
        }
        short
    }

    fn then(mut self, next: &Self) -> Self {
        self.push(next.as_bytes());
        self
    }

    fn shorter_of(self, other: Self) -> Self {
        if other.length < self.length { other } else { self }
    }
}

impl Cursor {
    /// The shortest way to a cell; `None` if the cursor is there.
    pub(super) fn path_to(self, column: usize, row: usize) -> Option<EscapeSequence> {
        let jump = absolute_move(column, row);
        match self {
            Self::Unknown => Some(jump),
            Self::Somewhere { row: from } => Some(jump.shorter_of(move_after_carriage_return(from, column, row))),
            Self::At { column: current_column, row: from } if (current_column, from) == (column, row) => None,
            // No other way is as short as that.
            Self::At { column: current_column, row: from } if from == row && current_column < column => {
                Some(horizontal_move(current_column, column))
            }
            Self::At { column: current_column, row: from } => {
                let straight = vertical_move(from, row).then(&horizontal_move(current_column, column));
                Some(jump.shorter_of(move_after_carriage_return(from, column, row)).shorter_of(straight))
            }
        }
    }
}

fn absolute_move(column: usize, row: usize) -> EscapeSequence {
    let mut short = EscapeSequence::EMPTY;
    short.push(b"\x1b[");
    if row > 0 || column > 0 {
        short.number(row + 1);
    }
    if column > 0 {
        short.push(b";");
        short.number(column + 1);
    }
    short.push(b"H");
    short
}

fn move_after_carriage_return(from: usize, column: usize, row: usize) -> EscapeSequence {
    EscapeSequence::repeated(1, b'\r').then(&vertical_move(from, row)).then(&horizontal_move(0, column))
}

fn vertical_move(from: usize, to: usize) -> EscapeSequence {
    // A line feed above the last row never scrolls, and in raw mode it does not return the carriage.
    match to.checked_sub(from) {
        Some(down @ 0..=3) => EscapeSequence::repeated(down, b'\n'),
        Some(down) => EscapeSequence::counted_sequence(down, b'B'),
        None => EscapeSequence::counted_sequence(from - to, b'A'),
    }
}

fn horizontal_move(from: usize, to: usize) -> EscapeSequence {
    let column = EscapeSequence::counted_sequence(to + 1, b'G');
    match from.checked_sub(to) {
        Some(columns_back @ 0..=3) => EscapeSequence::repeated(columns_back, 0x08),
        Some(columns_back) => EscapeSequence::counted_sequence(columns_back, b'D').shorter_of(column),
        None => EscapeSequence::counted_sequence(to - from, b'C').shorter_of(column),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, absolute_move, move_after_carriage_return};

    fn escaped_path(from: Cursor, column: usize, row: usize) -> String {
        from.path_to(column, row).map(|way| String::from_utf8_lossy(way.as_bytes()).into_owned()).unwrap_or_default()
    }

    #[test]
    fn the_cursor_takes_the_shortest_way() {
        let cursor = Cursor::At { column: 40, row: 10 };
        assert_eq!(escaped_path(Cursor::Unknown, 0, 0), "\x1b[H");
        assert_eq!(escaped_path(Cursor::Unknown, 0, 9), "\x1b[10H");
        assert_eq!(escaped_path(Cursor::Unknown, 5, 9), "\x1b[10;6H");
        assert_eq!(escaped_path(cursor, 40, 10), "");
        assert_eq!(escaped_path(cursor, 41, 10), "\x1b[C");
        assert_eq!(escaped_path(cursor, 38, 10), "\x08\x08");
        assert_eq!(escaped_path(cursor, 0, 10), "\r");
        assert_eq!(escaped_path(cursor, 0, 11), "\r\n");
        assert_eq!(escaped_path(cursor, 40, 11), "\n");
        assert_eq!(escaped_path(cursor, 40, 9), "\x1b[A");
        assert_eq!(escaped_path(cursor, 1, 11), "\r\n\x1b[C");
        assert_eq!(escaped_path(Cursor::Somewhere { row: 10 }, 0, 11), "\r\n");
        assert_eq!(escaped_path(Cursor::Somewhere { row: 10 }, 40, 10), "\r\x1b[40C");
    }

    #[test]
    fn within_a_row_forwards_no_other_way_is_shorter() {
        for (row, column) in (0..12).flat_map(|row| (1..130).map(move |column| (row, column))) {
            for from in 0..column {
                let length = escaped_path(Cursor::At { column: from, row }, column, row).len();
                let others = [absolute_move(column, row), move_after_carriage_return(row, column, row)];
                assert!(others.iter().all(|other| length < other.as_bytes().len()), "{from} to {column} in {row}");
            }
        }
    }
}
