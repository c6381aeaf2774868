//! What separates the values of a row.

use super::reader;

/// The separators of values, each with its name.
pub(super) const DELIMITERS: [(char, &str); 3] = [('\t', "tabs"), (';', "semicolons"), (',', "commas")];

/// The values of a single line.
fn split_line(line: &str, delimiter: char) -> Vec<String> {
    let record = reader(line, delimiter, false).into_records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// The delimiter of a row: the one that ends a first value without another of them in it.
pub fn row_delimiter(line: &str) -> char {
    let ends_first = |mark: &char| {
        let values = split_line(line, *mark);
        values.len() > 1 && values.first().is_some_and(|first| !first.contains(DELIMITERS.map(|(mark, _)| mark)))
    };
    DELIMITERS.iter().map(|(mark, _)| *mark).find(ends_first).unwrap_or(',')
}
