//! CSV files from other programs: batches, address books, directories and payables are read by the same rules.
//!
//! Delimiter and columns are recognised. What was read under another name, and what was not read at all, is noted for
//! the operator; amounts and addresses are passed on as written.

mod errors_file;
mod line_counter;
pub mod mapping;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::address::{find_secret, recognise_address_kind};
use super::{AddressError, Text};
pub use errors_file::{ImportFailure, RefusedRows, errors_csv};
use line_counter::LineCounter;
use mapping::{ColumnMapping, HeaderMapping, KnownMappings};

/// The separators of values, each with its name.
const DELIMITERS: [(char, &str); 3] = [('\t', "tabs"), (';', "semicolons"), (',', "commas")];

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

    fn read_header(&self, header: &StringRecord, mappings: &KnownMappings) -> Result<CsvTable<C>, String> {
        if let Some(secret) = header.iter().find_map(find_secret) {
            return Err(format!("line 1: {}", AddressError::Secret { kind: secret }));
        }
        let (mapping, is_kept) = mappings.for_header(self.kind, header);
        let (mut columns, mut notes, mut ignored) = (Vec::with_capacity(header.len()), Vec::new(), Vec::new());
        let mapped = self.mapped_columns(header, &mapping)?;
        if is_kept {
            notes.push("its columns are read as you said before for this header".to_owned());
        }
        for (at, name) in header.iter().enumerate() {
            let clean_name = Text::clean(name);
            let mapped_column = mapped.iter().find(|(_, position)| *position == at).map(|(column, _)| *column);
            // A column that was mapped takes the place of the one that has the name.
            let unmapped =
                || self.column_by_name(name).filter(|position| mapped.iter().all(|(column, _)| column != position));
            let Some(column) = mapped_column.or_else(unmapped) else {
                if name.is_empty() {
                    return Err(format!("line 1 has a column without a name; the first line is {}", self.example));
                }
                if recognise_address_kind(name).is_some() || name.starts_with("0x") {
                    return Err(format!(
                        "line 1 is already a row; the first line must name the columns: {}",
                        self.example
                    ));
                }
                ignored.push(clean_name.to_string());
                columns.push(None);
                continue;
            };
            let own = self.column_name(column);
            if let Some(first) = columns.iter().position(|other| *other == Some(column)) {
                if header.get(first).is_some_and(|first| squeeze_name(first) == squeeze_name(name)) {
                    return Err(format!("line 1: two columns are called “{clean_name}”; remove one of them"));
                }
                return Err(format!(
                    "line 1: two columns mean the same; remove “{clean_name}”, or say which is meant: FILE {}",
                    ColumnMapping::example(own, &clean_name)
                ));
            }
            if squeeze_name(own) != squeeze_name(name) {
                notes.push(format!("its column “{clean_name}” is read as the {own}"));
            }
            columns.push(Some(column));
        }
        for column in self.required {
            if !columns.contains(&Some(*column)) {
                return Err(self.missing_column_error(*column, &ignored));
            }
        }
        if !ignored.is_empty() {
            notes.push(format!("not read: {}", quoted_list(&ignored)));
        }
        let mapping = (!mapping.is_empty()).then(|| HeaderMapping::new(self.kind, header, mapping));
        Ok(CsvTable { columns, rows: Vec::new(), notes, ignored, mapping })
    }

    /// The position of each column that the mapping names.
    fn mapped_columns(&self, header: &StringRecord, mapping: &ColumnMapping) -> Result<Vec<(C, usize)>, String> {
        let place = |(own, name): (&str, &str)| {
            let column = self
                .columns
                .iter()
                .find(|(_, names)| names.first().is_some_and(|first| first.eq_ignore_ascii_case(own)));
            let Some((column, _)) = column else {
                let names: Vec<&str> = self.columns.iter().filter_map(|(_, names)| names.first().copied()).collect();
                return Err(format!("no column is called “{}” here; there are {}", Text::clean(own), names.join(", ")));
            };
            let is_meant = |(_, column_name): &(usize, &str)| squeeze_name(column_name) == squeeze_name(name);
            let mut matches = header.iter().enumerate().filter(is_meant);
            match (matches.next(), matches.next()) {
                (Some((at, _)), None) => Ok((*column, at)),
                (Some(_), Some(_)) => Err(format!("line 1: two columns are called “{}”", Text::clean(name))),
                (None, _) => {
                    let names: Vec<String> = header.iter().map(|name| Text::clean(name).to_string()).collect();
                    Err(format!("line 1 has no column “{}”; it has {}", Text::clean(name), quoted_list(&names)))
                }
            }
        };
        let mapped = mapping.pairs().map(place).collect::<Result<Vec<_>, _>>()?;
        let is_twice = |(at, (column, position)): (usize, &(C, usize))| {
            mapped.iter().take(at).any(|(other, place)| other == column || place == position)
        };
        if mapped.iter().enumerate().any(is_twice) {
            return Err("a column is named twice; name each once".into());
        }
        Ok(mapped)
    }

    fn missing_column_error(&self, column: C, ignored: &[String]) -> String {
        let own = self.column_name(column);
        match ignored {
            [] => format!("line 1: the column {own} is missing; the first line is {}", self.example),
            _ => format!(
                "line 1: no column is called {own}; write behind the file which one it is, as in FILE {}; columns: {}",
                ColumnMapping::example(own, "COLUMN"),
                quoted_list(ignored)
            ),
        }
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

fn quoted_list(names: &[String]) -> String {
    names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ")
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
