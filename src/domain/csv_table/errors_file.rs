//! The rows of a file that were refused, as a file, each with its reason.

use std::collections::BTreeMap;

use csv::{StringRecord, WriterBuilder};

use super::line_counter::LineCounter;
use super::{reader, row_delimiter, secret_fault};
use crate::domain::Text;
use crate::domain::export::escape_formula;

/// The refused rows of a file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRows {
    /// The file as typed, perhaps with a mapping behind it.
    pub typed: String,
    /// Of its bytes, in hexadecimal digits: lines of a file that changed would be others.
    pub sha256: Text,
    /// The reason for each, by the line that it begins on.
    pub reasons: BTreeMap<u64, String>,
}

/// Why nothing of a file was imported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportFailure {
    /// A line for each fault.
    pub errors: Vec<String>,
    /// How the file was read otherwise than written.
    pub notes: Vec<String>,
    /// What a file of errors can be made of; `None` where no single rows of a CSV file are wrong.
    pub refused: Option<RefusedRows>,
}

impl From<String> for ImportFailure {
    fn from(error: String) -> Self {
        Self { errors: vec![error], ..Self::default() }
    }
}

/// The name of the last column.
pub(super) const REASON: &str = "reason";

/// What stands for a row with a secret in it.
const WITHHELD: &str = "(withheld)";

/// The refused rows of a CSV file, by the line that they begin on, under its header and with a column of reasons. A
/// column of reasons from before is replaced.
///
/// # Errors
/// If the file changed, so that it is no CSV file any more, or has no such rows.
pub fn errors_csv(text: &str, reasons: &BTreeMap<u64, String>) -> Result<String, String> {
    let delimiter = row_delimiter(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    let mut reader = reader(text, delimiter, true);
    let unreadable = |error: csv::Error| format!("the file cannot be read again: {error}");
    let header = reader.headers().map_err(unreadable)?.clone();
    let is_reason = |at: usize| at + 1 == header.len() && header.get(at).is_some_and(|name| name == REASON);
    let cells = |record: &StringRecord| -> Vec<String> {
        record.iter().enumerate().filter(|(at, _)| !is_reason(*at)).map(|(_, cell)| escape_formula(cell)).collect()
    };
    let delimiter = u8::try_from(delimiter).unwrap_or(b',');
    let mut writer = WriterBuilder::new().flexible(true).delimiter(delimiter).from_writer(Vec::new());
    let written = |error: csv::Error| format!("the errors cannot be written: {error}");
    let mut lines = LineCounter::new(text);
    let with = |mut cells: Vec<String>, reason: &str| {
        cells.push(escape_formula(&Text::clean(reason)));
        cells
    };
    writer.write_record(with(cells(&header), REASON)).map_err(written)?;
    let mut rows = 0_usize;
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let Some(reason) = reasons.get(&lines.line_of_record(&record)) else { continue };
        let is_withheld = secret_fault(&record).is_some();
        let shown_cells = if is_withheld { vec![WITHHELD.to_owned()] } else { cells(&record) };
        writer.write_record(with(shown_cells, reason)).map_err(written)?;
        rows += 1;
    }
    if rows == 0 {
        return Err("none of the refused rows is in the file any more".into());
    }
    let bytes = writer.into_inner().map_err(|error| format!("the errors cannot be written: {}", error.error()))?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}
