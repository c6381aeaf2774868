//! CSV files from other programs: batches, address books, directories and payables are read by the same rules.
//!
//! Delimiter and columns are recognised. What was read under another name, and what was not read at all, is noted for
//! the operator; amounts and addresses are passed on as written.

mod delimiter;
mod errors_file;
mod header;
mod line_counter;
pub mod mapping;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::AddressError;
use super::address::find_secret;
use delimiter::DELIMITERS;
pub use delimiter::row_delimiter;
pub use errors_file::{ImportFailure, RefusedRows, errors_csv};
use line_counter::LineCounter;
use mapping::{HeaderMapping, KnownMappings};

/// What a kind of file may hold.
#[derive(Debug)]
pub struct TableLayout<C: 'static> {
    /// The kind of file, by which mappings are kept.
    pub kind: &'static str,
    /// The names of each column; the first is its own, the others are synonyms.
    pub columns: &'static [(C, &'static [&'static str])],
    pub required: &'static [C],
    /// A header, as an example.
    pub example: &'static str,
    pub max_bytes: usize,
    pub max_rows: usize,
}

#[derive(Debug)]
pub struct CsvTable<C: 'static> {
    columns: Vec<Option<C>>,
    pub rows: Vec<CsvRow>,
    /// How the file was read otherwise than written, for the operator.
    pub notes: Vec<String>,
    /// The names of columns that are not read.
    pub ignored: Vec<String>,
    /// The mapping that was used, if one was typed or kept for the header.
    pub mapping: Option<HeaderMapping>,
}

#[derive(Debug)]
pub struct CsvRow {
    /// The line that the row begins on, counted from 1.
    pub line: u64,
    pub cells: StringRecord,
    /// Why the row cannot be read; its cells are then in doubt.
    pub fault: Option<String>,
}

impl<C: Copy + PartialEq> TableLayout<C> {
    pub fn column_name(&self, column: C) -> &'static str {
        self.columns.iter().find(|(other, _)| *other == column).map_or("", |(_, names)| names.first().unwrap_or(&""))
    }

    /// The column of this name, whatever its case, spaces, hyphens and underscores.
    pub fn column_by_name(&self, name: &str) -> Option<C> {
        let name = squeeze_name(name);
        self.columns
            .iter()
            .find(|(_, names)| names.iter().any(|alias| squeeze_name(alias) == name))
            .map(|(key, _)| *key)
    }

    /// Reads a whole file, with the mapping that was typed for it or else the one kept for its header.
    ///
    /// # Errors
    /// What is wrong with the file as a whole, and what would be right.
    pub fn read(&self, bytes: &[u8], mappings: &KnownMappings) -> Result<CsvTable<C>, String> {
        let text = decode_utf8(bytes, self.max_bytes)?;
        let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else {
            return Err(format!("the file is empty; its first line is {}", self.example));
        };
        if first.trim_start().starts_with(['[', '{']) {
            return Err(format!("this is JSON; write a CSV file whose first line is {}", self.example));
        }
        let delimiter = row_delimiter(first);
        let mut reader = reader(text, delimiter, true);
        let header = reader.headers().map_err(|error| format!("the header cannot be read: {error}"))?.clone();
        let mut table = self.read_header(&header, mappings)?;
        if let Some((_, name)) = DELIMITERS.iter().find(|(mark, _)| *mark == delimiter && delimiter != ',') {
            table.notes.insert(0, format!("its values are separated by {name}"));
        }
        let mut lines = LineCounter::new(text);
        for record in reader.records() {
            let cells = record.map_err(|error| format!("the rest of the file cannot be read: {error}"))?;
            if table.rows.len() == self.max_rows {
                return Err(format!("the file has more than {} rows; split it into several", self.max_rows));
            }
            let line = lines.line_of_record(&cells);
            if let Some(fault) = secret_fault(&cells) {
                table.rows.push(CsvRow { line, cells: StringRecord::new(), fault: Some(fault) });
                continue;
            }
            let fault = {
                let values = if cells.len() == 1 { "1 value".to_owned() } else { format!("{} values", cells.len()) };
                let mark = if delimiter == '\t' { "tab".to_owned() } else { format!("“{delimiter}”") };
                let mark = if delimiter == ',' { "comma".to_owned() } else { mark };
                (cells.len() != header.len()).then(|| {
                    format!("{values} under {} columns; put values that contain a {mark} in quotes", header.len())
                })
            };
            table.rows.push(CsvRow { line, cells, fault });
        }
        if table.rows.is_empty() { Err("the file has no row below its header".into()) } else { Ok(table) }
    }
}

impl<C: Copy + PartialEq> CsvTable<C> {
    /// The cell of a row in a column; empty where there is none.
    pub fn cell<'a>(&self, row: &'a CsvRow, column: C) -> &'a str {
        let at = self.columns.iter().position(|other| *other == Some(column));
        at.and_then(|at| row.cells.get(at)).unwrap_or_default()
    }
}

fn squeeze_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The fault of a row where a cell contains a secret: nothing of the row is shown, stored or compared.
pub fn secret_fault(cells: &StringRecord) -> Option<String> {
    let secret = cells.iter().find_map(|cell| super::address::detect_secret(cell).or_else(|| find_secret(cell)))?;
    Some(AddressError::Secret { kind: secret }.to_string())
}

/// A reader of rows of any number of values.
pub fn reader(text: &str, delimiter: char, has_header: bool) -> csv::Reader<&[u8]> {
    let delimiter = u8::try_from(delimiter).unwrap_or(b',');
    ReaderBuilder::new()
        .has_headers(has_header)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

/// Decodes a file, which must be UTF-8.
pub fn decode_utf8(bytes: &[u8], max_bytes: usize) -> Result<&str, String> {
    if bytes.len() > max_bytes {
        return Err(format!("the file is larger than {} MiB; split it into several", max_bytes / 1024 / 1024));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err("the file is written as UTF-16; save it as UTF-8".into());
    }
    if bytes.contains(&0) {
        return Err("the file is not text: it contains zero bytes; export it as CSV".into());
    }
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        return Err("its lines end in carriage returns only; save it with Windows or Unix line endings".into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8 text; save the file as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests;
