//! Exports rows of any kind: their names, columns and sources.

use std::cell::Cell as Kept;
use std::io::{self, Write};
use std::ops::ControlFlow;

use super::bookkeeping::BooksWriter;
use super::{TableWriter, receipt, report};
use crate::app::ExportRows;
use crate::domain::address_names::AddressNames;
use crate::domain::bookkeeping::Bookkeeper;
use crate::domain::export::cells::Cell;
use crate::domain::export::directory::{USER_COLUMNS, WALLET_COLUMNS, user_cells, wallet_cells};
use crate::domain::export::transactions::{TRANSACTION_COLUMNS, transaction_cells};
use crate::domain::history::{HistoryRow, Query, Scope, Sort};
use crate::domain::{BooksFormat, ExportFormat, FileFormat, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// How many rows are written between two progress reports.
const ROWS_PER_PROGRESS_REPORT: u64 = 5_000;

#[derive(Clone, Copy)]
pub struct ExportRequest<'a> {
    pub store: &'a Store,
    pub rows: &'a ExportRows,
    pub format: FileFormat,
    /// The time of the export: an order's state depends on it.
    pub now: Timestamp,
    pub cancel: &'a Cancel,
    /// The names beside addresses and identifiers.
    pub names: &'a AddressNames,
}

#[derive(Debug)]
pub enum ExportError {
    /// The rows could not be read, or the export was cancelled.
    Store(StoreError),
    File(io::Error),
}

impl ExportError {
    fn unsupported(format: FileFormat, rows: &ExportRows) -> Self {
        Self::File(io::Error::other(format!("{} cannot be written as {}", file_stem(rows), format.name())))
    }
}

/// The name of the kind of rows in a file name.
pub fn file_stem(rows: &ExportRows) -> &'static str {
    kind_and_columns(rows).0
}

fn kind_and_columns(rows: &ExportRows) -> (&'static str, &'static [&'static str]) {
    match rows {
        ExportRows::Matching(_) | ExportRows::Marked(_) => ("transactions", TRANSACTION_COLUMNS),
        ExportRows::Wallets(..) => ("wallets", WALLET_COLUMNS),
        ExportRows::Users(_) => ("users", USER_COLUMNS),
        ExportRows::Table(table) => (table.kind, table.columns),
        // A report has columns of its own; a receipt and a draft have none.
        ExportRows::Report(report) => (report.kind.word(), &[]),
        ExportRows::Receipt(_) => ("receipt", &[]),
        ExportRows::Draft(_) => ("draft", &[]),
    }
}

/// Writes the header and all rows to `out`; returns their number. `on_progress` is called with the rows written and
/// their total, while there are many.
pub fn write_rows(
    source: &ExportRequest<'_>,
    out: impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<u64, ExportError> {
    let ExportRequest { store, rows, format, cancel, names, .. } = *source;
    let format = match (format, rows) {
        (FileFormat::Table(format), ExportRows::Report(report)) => {
            return report::write_report(report, format, out).map_err(ExportError::File);
        }
        (FileFormat::Receipt(format), ExportRows::Receipt(subject)) => {
            return receipt::export_receipt(source, subject, format, out);
        }
        (FileFormat::Table(ExportFormat::Json), ExportRows::Draft(draft)) => {
            let mut out = out;
            return out.write_all(draft.to_json().as_bytes()).map(|()| 1).map_err(ExportError::File);
        }
        (FileFormat::Table(format), _) if rows.formats().contains(&FileFormat::Table(format)) => format,
        (FileFormat::Books(format), _) => return write_books(source, format, out, on_progress),
        (FileFormat::Table(_) | FileFormat::Receipt(_), _) => return Err(ExportError::unsupported(format, rows)),
    };
    let mut table = TableWriter::new(format, kind_and_columns(rows).1, out);
    table.write_header().map_err(ExportError::File)?;
    let mut lines = RowWriter { table, on_progress, written: 0, fault: None };
    match rows {
        ExportRows::Matching(query) => {
            let total = Kept::new(0);
            let mut each = |row: HistoryRow| {
                lines.write_row_with_progress(total.get(), &transaction_cells(&row, store.final_statuses(), names))
            };
            store.walk_rows(query, cancel, &mut |of| total.set(of), &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Marked(places) => lines.write_all_rows(
            store
                .read_rows_by_seq(places)
                .map_err(ExportError::Store)?
                .iter()
                .map(|row| transaction_cells(row, store.final_statuses(), names)),
        ),
        ExportRows::Wallets(scope, filter) => {
            let mut each = |of, sourced| lines.write_row_with_progress(of, &wallet_cells(&sourced));
            store.walk_wallets(scope, filter, cancel, &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Users(filter) => {
            let mut each = |of, user| lines.write_row_with_progress(of, &user_cells(&user));
            store.walk_users(filter, cancel, &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Table(table) => lines.write_all_rows(&table.rows),
        // Written above.
        ExportRows::Report(_) | ExportRows::Receipt(_) | ExportRows::Draft(_) => {}
    }
    lines.finish().map_err(ExportError::File)
}

/// Writes transactions as double-entry books, oldest first whatever their order on screen; returns their number.
#[expect(clippy::wildcard_enum_match_arm, reason = "books are of transactions alone")]
fn write_books(
    source: &ExportRequest<'_>,
    format: BooksFormat,
    out: impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<u64, ExportError> {
    let ExportRequest { store, rows, cancel, names, .. } = *source;
    let tokens = store.tokens().map_err(ExportError::Store)?.map(|(tokens, _)| tokens).unwrap_or_default();
    let mut keeper = Bookkeeper::new(names, &tokens, store.final_statuses());
    let progress = store.progress().map_err(ExportError::Store)?;
    let is_whole = matches!(rows, ExportRows::Matching(Query { scope: Scope::All, filter, .. }) if filter.is_empty());
    let is_part = !is_whole || !progress.complete || progress.partial.is_some();
    let mut books = BooksWriter::new(format, is_part, out).map_err(ExportError::File)?;
    let (mut rows_read, total) = (0_u64, Kept::new(0));
    let mut fault = None;
    let mut each = |row: HistoryRow| {
        for entry in keeper.add(&row) {
            if let Err(error) = books.write_entry(&entry) {
                fault = Some(error);
                return ControlFlow::Break(());
            }
        }
        rows_read += 1;
        if rows_read.is_multiple_of(ROWS_PER_PROGRESS_REPORT) {
            on_progress(rows_read, total.get());
        }
        ControlFlow::Continue(())
    };
    match rows {
        ExportRows::Matching(query) => {
            let query = Query { sort: Sort::Oldest, ..query.clone() };
            store.walk_rows(&query, cancel, &mut |of| total.set(of), &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Marked(places) => {
            let mut marked = store.read_rows_by_seq(places).map_err(ExportError::Store)?;
            marked.sort_by_key(|row| (row.time, row.seq));
            let _fault = marked.into_iter().try_for_each(each);
        }
        _ => return Err(ExportError::unsupported(source.format, rows)),
    }
    if let Some(error) = fault {
        return Err(ExportError::File(error));
    }
    let (alone, unbooked) = keeper.finish();
    let finished = alone.iter().try_for_each(|entry| books.write_entry(entry)).and_then(|()| books.finish(&unbooked));
    finished.map(|()| rows_read).map_err(ExportError::File)
}

struct RowWriter<'a, W: Write> {
    table: TableWriter<'static, W>,
    on_progress: &'a dyn Fn(u64, u64),
    written: u64,
    fault: Option<io::Error>,
}

impl<W: Write> RowWriter<'_, W> {
    /// Writes one row of `of` in all, and reports progress now and then. Breaks if it cannot write.
    fn write_row_with_progress(&mut self, of: u64, cells: &[Cell]) -> ControlFlow<()> {
        self.write_cells(cells)?;
        if self.written.is_multiple_of(ROWS_PER_PROGRESS_REPORT) {
            (self.on_progress)(self.written, of);
        }
        ControlFlow::Continue(())
    }

    /// Writes rows that are in memory, which are few.
    fn write_all_rows<C: AsRef<[Cell]>>(&mut self, rows: impl IntoIterator<Item = C>) {
        for cells in rows {
            if self.write_cells(cells.as_ref()).is_break() {
                return;
            }
        }
    }

    fn write_cells(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        if let Err(error) = self.table.write_row(cells) {
            self.fault = Some(error);
            return ControlFlow::Break(());
        }
        self.written += 1;
        ControlFlow::Continue(())
    }

    /// Writes the end of the table; returns the number of rows.
    fn finish(self) -> io::Result<u64> {
        match self.fault {
            Some(error) => Err(error),
            None => self.table.finish().map(|()| self.written),
        }
    }
}

#[cfg(test)]
mod tests;
