//! Writes rows of named cells as CSV or JSON.

use std::io::{self, Write};

use crate::domain::ExportFormat;
use crate::domain::export::cells::Cell;
use crate::domain::export::escape_formula;

#[derive(Debug)]
pub struct TableWriter<'a, W: Write> {
    columns: &'a [&'static str],
    kind: FormatWriter<W>,
}

#[derive(Debug)]
enum FormatWriter<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Json { out: W, rows: u64 },
}

impl<'a, W: Write> TableWriter<'a, W> {
    pub fn new(format: ExportFormat, columns: &'a [&'static str], out: W) -> Self {
        let kind = match format {
            ExportFormat::Csv => FormatWriter::Csv(Box::new(csv::Writer::from_writer(out))),
            ExportFormat::Json => FormatWriter::Json { out, rows: 0 },
        };
        Self { columns, kind }
    }

    pub fn write_header(&mut self) -> io::Result<()> {
        match &mut self.kind {
            FormatWriter::Csv(writer) => writer.write_record(self.columns).map_err(to_io_error),
            FormatWriter::Json { out, .. } => out.write_all(b"["),
        }
    }

    /// Writes one row; there must be a cell for each column.
    pub fn write_row(&mut self, cells: &[Cell]) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len());
        match &mut self.kind {
            FormatWriter::Csv(writer) => {
                let cells = cells.iter().map(|cell| escape_formula(cell.as_deref().unwrap_or_default()));
                writer.write_record(cells.map(String::into_bytes)).map_err(to_io_error)
            }
            FormatWriter::Json { out, rows } => {
                out.write_all(if *rows == 0 { b"\n" } else { b",\n" })?;
                *rows = rows.saturating_add(1);
                out.write_all(b"{")?;
                for (nth, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
                    if nth > 0 {
                        out.write_all(b",")?;
                    }
                    serde_json::to_writer(&mut *out, column)?;
                    out.write_all(b":")?;
                    serde_json::to_writer(&mut *out, cell)?;
                }
                out.write_all(b"}")
            }
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self.kind {
            FormatWriter::Csv(mut writer) => writer.flush(),
            FormatWriter::Json { mut out, .. } => {
                out.write_all(b"\n]\n")?;
                out.flush()
            }
        }
    }
}

fn to_io_error(error: csv::Error) -> io::Error {
    let kind = error.into_kind();
    if let csv::ErrorKind::Io(error) = kind { error } else { io::Error::other(format!("{kind:?}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 3] = ["a", "b", "c"];

    fn table_text(format: ExportFormat, rows: &[[Cell; 3]]) -> String {
        let mut out = Vec::new();
        let mut table = TableWriter::new(format, &COLUMNS, &mut out);
        table.write_header().unwrap();
        for row in rows {
            table.write_row(row).unwrap();
        }
        table.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    /// A row of which a cell may be missing.
    fn row(cells: [Option<&str>; 3]) -> [Cell; 3] {
        cells.map(|cell| cell.map(str::to_owned))
    }

    #[test]
    fn no_cell_of_a_spreadsheet_is_a_formula() {
        for start in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"] {
            let text = table_text(ExportFormat::Csv, &[row([Some(start), None, Some("x")])]);
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let row = reader.records().next().unwrap().unwrap();
            assert_eq!(&row[0], format!("'{start}"));
        }
        let text = table_text(ExportFormat::Csv, &[row([Some("1.50"), Some("a,\"b\"\nc"), Some("x=y")])]);
        let row = csv::Reader::from_reader(text.as_bytes()).records().next().unwrap().unwrap();
        assert_eq!(row.iter().collect::<Vec<_>>(), ["1.50", "a,\"b\"\nc", "x=y"]);
    }

    #[test]
    fn json_is_an_array_with_a_row_on_each_line_and_exact_text() {
        let text =
            table_text(ExportFormat::Json, &[row([Some("=1"), None, Some("a\"b")]), row([Some(""), Some("2"), None])]);
        assert_eq!(text.lines().count(), 4);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value[0]["a"], "=1");
        assert_eq!(value[0]["b"], serde_json::Value::Null);
        assert_eq!(value[1], serde_json::json!({ "a": "", "b": "2", "c": null }));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&table_text(ExportFormat::Json, &[])).unwrap(),
            serde_json::json!([])
        );
    }
}
