//! Recipients from a file, or from several pasted lines.
//!
//! No row is dropped silently: each becomes a recipient or an error.

use csv::{ReaderBuilder, StringRecord, Trim};

use super::{RecipientRow, TokenHint};
use crate::domain::address::{self, find_secret, recognise_address_kind};
use crate::domain::csv_table::decode_text;
use crate::domain::line_counter::{LineCounter, separator_error};
use crate::domain::{AddressError, Text};

/// In bytes.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;

/// More than any batch may have, so that a long list can be checked before it is split.
pub const MAX_ROWS: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientFile {
    pub rows: Vec<RecipientRow>,
    /// Remarks for the operator, such as columns that were read under another name.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecipientColumn {
    Address,
    Amount,
    Label,
    Reference,
    Memo,
    Token,
    Chain,
    /// The contract and the kind of the token, as in Safe's airdrop files.
    Contract,
    Kind,
    /// The number of a collectible in such a file, which no token has.
    Id,
}

/// The names of the columns; a column's second name is a synonym.
const COLUMN_NAMES: [(&str, RecipientColumn); 13] = [
    ("address", RecipientColumn::Address),
    ("receiver", RecipientColumn::Address),
    ("amount", RecipientColumn::Amount),
    ("value", RecipientColumn::Amount),
    ("label", RecipientColumn::Label),
    ("reference", RecipientColumn::Reference),
    ("invoice", RecipientColumn::Reference),
    ("memo", RecipientColumn::Memo),
    ("token", RecipientColumn::Token),
    ("chain", RecipientColumn::Chain),
    ("token_address", RecipientColumn::Contract),
    ("token_type", RecipientColumn::Kind),
    ("id", RecipientColumn::Id),
];

const EXPECTED_HEADER: &str = "address,amount[,label][,reference]";

/// Reads a whole file. What a row states about its token stays in the row, to be compared with the chosen token at
/// every check.
///
/// # Errors
/// What is wrong with the file as a whole, and what would be right.
pub fn parse_recipient_file(bytes: &[u8]) -> Result<RecipientFile, String> {
    let text = decode_text(bytes, MAX_FILE_BYTES)?;
    let first = text.lines().find(|line| !line.trim().is_empty());
    let Some(first) = first else { return Err(format!("the file is empty; its first line is {EXPECTED_HEADER}")) };
    if first.trim_start().starts_with(['[', '{']) {
        return Err(format!("this is JSON; a batch is a CSV file whose first line is {EXPECTED_HEADER}"));
    }
    let delimiter = detect_delimiter(first);
    let mut reader =
        ReaderBuilder::new().flexible(true).trim(Trim::All).delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| format!("the header cannot be read: {error}"))?.clone();
    let (columns, mut notes) = parse_header(&header)?;
    if delimiter == b'\t' {
        notes.push("its values are separated by tabs".into());
    }
    let mut rows = Vec::new();
    let mut lines = LineCounter::new(text);
    for record in reader.records() {
        let record = record.map_err(|error| format!("the rest of the file cannot be read: {error}"))?;
        let line = lines.line_of(&record);
        if rows.len() == MAX_ROWS {
            return Err(format!("the file has more than {MAX_ROWS} rows; split it into several"));
        }
        rows.push(parse_row(&record, &columns, line)?);
    }
    if rows.is_empty() { Err("the file has no row below its header".into()) } else { Ok(RecipientFile { rows, notes }) }
}

/// Parses several pasted lines: address, amount and optionally a label, separated by commas or tabs; or a whole file
/// with its header.
///
/// # Errors
/// What is wrong with the lines as a whole.
pub fn parse_recipient_lines(text: &str) -> Result<RecipientFile, String> {
    // A terminal pastes line ends as lone carriage returns.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_matches(['\u{feff}', '\n']);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let delimiter = detect_delimiter(first);
    let cell = first.split(char::from(delimiter)).next().unwrap_or_default().trim().trim_matches('"');
    if column_by_name(cell).is_some() {
        let read = parse_recipient_file(text.as_bytes())?;
        let typed = |row| RecipientRow { line: None, ..row };
        return Ok(RecipientFile { rows: read.rows.into_iter().map(typed).collect(), ..read });
    }
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("what was pasted cannot be read: {error}"))?;
        if rows.len() == MAX_ROWS {
            return Err(format!("that paste has more than {MAX_ROWS} rows"));
        }
        if let Some(row) = row_if_secret(&record, None) {
            rows.push(row);
            continue;
        }
        let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
        let fault = match record.len() {
            // No address contains a semicolon.
            _ if cell(0).contains(';') => Some("its values are separated by semicolons; use commas or tabs".into()),
            values @ 4.. => {
                Some(format!("{values} values on one line; a row is an address, an amount and perhaps a label"))
            }
            _ => None,
        };
        let (address, amount, label) = (cell(0), cell(1), cell(2));
        let address = address::parse_grouped(&address).unwrap_or(address);
        rows.push(RecipientRow { line: None, address, amount, label, fault, ..RecipientRow::default() });
    }
    if rows.is_empty() { Err("that paste holds no row".into()) } else { Ok(RecipientFile { rows, notes: Vec::new() }) }
}

fn detect_delimiter(line: &str) -> u8 {
    if line.contains('\t') && !line.contains(',') { b'\t' } else { b',' }
}

fn column_by_name(name: &str) -> Option<RecipientColumn> {
    COLUMN_NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, column)| *column)
}

/// The column at each position of the header, and remarks about them.
fn parse_header(header: &StringRecord) -> Result<(Vec<RecipientColumn>, Vec<String>), String> {
    let mut columns = Vec::with_capacity(header.len());
    let mut notes = Vec::new();
    if let Some(words) = separator_error(header) {
        return Err(words);
    }
    for name in header {
        if let Some(what) = find_secret(name) {
            return Err(format!("line 1: {}", AddressError::Secret { what }));
        }
        let Some(column) = column_by_name(name) else {
            let shown = Text::clean(name);
            return Err(if recognise_address_kind(name).is_some() || name.starts_with("0x") {
                format!("line 1 is already a row; the first line must name the columns: {EXPECTED_HEADER}")
            } else if name.is_empty() {
                format!("line 1 has a column without a name; the first line is {EXPECTED_HEADER}")
            } else {
                format!(
                    "line 1: no column is called “{shown}”; there are address, amount, label, reference, memo, token and chain"
                )
            });
        };
        if columns.contains(&column) {
            return Err(format!("line 1: two columns mean the same; remove “{}”", Text::clean(name)));
        }
        let own = COLUMN_NAMES.iter().find(|(_, known)| *known == column).map_or("", |(known, _)| known);
        if !own.eq_ignore_ascii_case(name) {
            notes.push(format!("its column “{}” is read as the {own}", name.to_ascii_lowercase()));
        }
        columns.push(column);
    }
    for (column, name) in [(RecipientColumn::Address, "address"), (RecipientColumn::Amount, "amount")] {
        if !columns.contains(&column) {
            return Err(format!("line 1: the column {name} is missing; the first line is {EXPECTED_HEADER}"));
        }
    }
    Ok((columns, notes))
}

/// Parses a row of a file.
///
/// # Errors
/// A row that no batch can carry, which refuses the whole file.
fn parse_row(record: &StringRecord, columns: &[RecipientColumn], line: u64) -> Result<RecipientRow, String> {
    if let Some(row) = row_if_secret(record, Some(line)) {
        return Ok(row);
    }
    let cell = |wanted: RecipientColumn| {
        let at = columns.iter().position(|column| *column == wanted);
        at.and_then(|at| record.get(at)).unwrap_or_default()
    };
    if record.len() == columns.len() {
        let memo = cell(RecipientColumn::Memo);
        if !memo.is_empty() {
            return Err(format!(
                "line {line} has a memo, which a batch cannot carry: remove this row and pay it separately"
            ));
        }
    }
    let fault = (record.len() != columns.len()).then(|| {
        let values = if record.len() == 1 { "1 value".to_owned() } else { format!("{} values", record.len()) };
        format!("{values} under {} columns; put values that contain a comma in quotes", columns.len())
    });
    let text = |column| cell(column).to_owned();
    Ok(RecipientRow {
        line: Some(line),
        address: address::parse_grouped(cell(RecipientColumn::Address))
            .unwrap_or_else(|| text(RecipientColumn::Address)),
        amount: text(RecipientColumn::Amount),
        label: text(RecipientColumn::Label),
        reference: text(RecipientColumn::Reference),
        token_hint: TokenHint {
            token: text(RecipientColumn::Token),
            chain: text(RecipientColumn::Chain),
            contract: text(RecipientColumn::Contract),
            kind: text(RecipientColumn::Kind),
            id: text(RecipientColumn::Id),
        },
        fault,
    })
}

/// The row to use where a cell contains a secret: nothing of the cell is shown, stored or compared.
fn row_if_secret(record: &StringRecord, line: Option<u64>) -> Option<RecipientRow> {
    let what = record.iter().find_map(|cell| address::detect_secret(cell).or_else(|| find_secret(cell)))?;
    Some(RecipientRow { line, fault: Some(AddressError::Secret { what }.to_string()), ..RecipientRow::default() })
}
