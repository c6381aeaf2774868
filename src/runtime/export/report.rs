//! Writes a report with its columns.

use std::io::{self, Write};

use super::TableWriter;
use crate::domain::ExportFormat;
use crate::domain::report::{ReportCell, ReportTable};

/// Writes the header and all lines; returns their number.
pub fn write_report(report: &ReportTable, format: ExportFormat, out: impl Write) -> io::Result<u64> {
    let names: Vec<&'static str> = report.columns.iter().map(|column| column.name).collect();
    let mut table = TableWriter::new(format, &names, out);
    table.write_header()?;
    for line in &report.lines {
        let cells: Vec<_> = line.cells.iter().map(ReportCell::file_text).collect();
        table.write_row(&cells)?;
    }
    table.finish()?;
    Ok(report.lines.len() as u64)
}
