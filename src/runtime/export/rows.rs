//! Exports rows of any kind: their names, columns and sources.

use std::cell::Cell as Kept;
use std::io::{self, Write};
use std::ops::ControlFlow;

use super::table::Cell;
use super::{Table, balances, book, directory, events, history, markets, orders, user_records};
use crate::app::ExportRows;
use crate::domain::history::HistoryRow;
use crate::domain::{Format, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// How many rows are written between two progress reports.
const WORD_EVERY: u64 = 5_000;

#[derive(Clone, Copy)]
pub struct ExportRequest<'a> {
    pub store: &'a Store,
    pub rows: &'a ExportRows,
    pub format: Format,
    /// The time of the export: an order's state depends on it.
    pub now: Timestamp,
    pub cancel: &'a Cancel,
}

#[derive(Debug)]
pub enum ExportError {
    /// The rows could not be read, or the export was cancelled.
    Store(StoreError),
    File(io::Error),
}

/// The name of the kind of rows in a file name.
pub fn file_stem(rows: &ExportRows) -> &'static str {
    kind(rows).0
}

fn kind(rows: &ExportRows) -> (&'static str, &'static [&'static str]) {
    match rows {
        ExportRows::Matching(_) | ExportRows::Marked(_) => ("transactions", &history::COLUMNS),
        ExportRows::Wallets(..) => ("wallets", &directory::WALLET),
        ExportRows::Users(_) => ("users", &directory::USER),
        ExportRows::Accounts(_) => ("accounts", &directory::ACCOUNT),
        ExportRows::Balances(..) => ("balances", &balances::COLUMNS),
        ExportRows::Assets(_) => ("assets", &user_records::ASSET),
        ExportRows::Addresses(_) => ("addresses", &user_records::ADDRESS),
        ExportRows::Deposits(_) => ("deposits", &user_records::DEPOSIT),
        ExportRows::Transfers(_) => ("transfers", &user_records::TRANSFER),
        ExportRows::Orders(_) => ("orders", &orders::ORDER),
        ExportRows::Tokens(_) => ("tokens", &markets::TOKEN),
        ExportRows::Chains(..) => ("blockchains", &markets::CHAIN),
        ExportRows::Pairs(_) => ("pairs", &markets::PAIR),
        ExportRows::Events(_) => ("events", &events::COLUMNS),
        ExportRows::Book(_) => ("book", &book::COLUMNS),
    }
}

/// Writes the header and all rows to `out`; returns their number. `on_progress` is called with the rows written and
/// their total, while there are many.
pub fn write_rows(
    source: &ExportRequest<'_>,
    out: impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<u64, ExportError> {
    let ExportRequest { store, rows, format, now, cancel } = *source;
    let mut table = Table::new(format, kind(rows).1, out);
    table.write_header().map_err(ExportError::File)?;
    let mut lines = RowWriter { table, on_progress, written: 0, fault: None };
    match rows {
        ExportRows::Matching(query) => {
            let total = Kept::new(0);
            let mut each = |row: HistoryRow| lines.add(total.get(), &history::cells(&row, store.final_statuses()));
            store.walk_rows(query, cancel, &mut |of| total.set(of), &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Marked(places) => lines.all(
            store
                .rows_at(places)
                .map_err(ExportError::Store)?
                .iter()
                .map(|row| history::cells(row, store.final_statuses())),
        ),
        ExportRows::Wallets(scope, filter) => {
            let mut each = |of, known| lines.add(of, &directory::wallet_cells(&known));
            store.walk_wallets(scope, filter, cancel, &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Users(filter) => {
            let mut each = |of, known| lines.add(of, &directory::user_cells(&known));
            store.walk_users(filter, cancel, &mut each).map_err(ExportError::Store)?;
        }
        ExportRows::Accounts(rows) => lines.all(rows.iter().map(directory::account_cells)),
        ExportRows::Balances(scope, name, held) => {
            lines.all(held.iter().map(|holding| balances::cells(scope, name.as_ref(), holding)));
        }
        ExportRows::Assets(of) => lines.all(of.rows.iter().map(|row| user_records::asset_cells(of, row))),
        ExportRows::Addresses(of) => lines.all(of.rows.iter().map(|row| user_records::address_cells(of, row))),
        ExportRows::Deposits(of) => lines.all(of.rows.iter().map(|row| user_records::deposit_cells(of, row))),
        ExportRows::Transfers(of) => lines.all(of.rows.iter().map(|row| user_records::transfer_cells(of, row))),
        ExportRows::Orders(rows) => lines.all(rows.iter().flat_map(|order| orders::recipient_rows(order, now))),
        ExportRows::Tokens(rows) => lines.all(rows.iter().map(markets::token_cells)),
        ExportRows::Chains(symbol, rows) => lines.all(rows.iter().map(|chain| markets::chain_cells(symbol, chain))),
        ExportRows::Pairs(rows) => lines.all(rows.iter().map(markets::pair_cells)),
        ExportRows::Events(rows) => lines.all(rows.iter().map(events::cells)),
        ExportRows::Book(rows) => lines.all(rows.iter().map(book::cells)),
    }
    lines.end().map_err(ExportError::File)
}

struct RowWriter<'a, W: Write> {
    table: Table<W>,
    on_progress: &'a dyn Fn(u64, u64),
    written: u64,
    fault: Option<io::Error>,
}

impl<W: Write> RowWriter<'_, W> {
    /// Writes one row of `of` in all, and reports progress now and then. Breaks if it cannot write.
    fn add(&mut self, of: u64, cells: &[Cell]) -> ControlFlow<()> {
        self.put(cells)?;
        if self.written.is_multiple_of(WORD_EVERY) {
            (self.on_progress)(self.written, of);
        }
        ControlFlow::Continue(())
    }

    /// Writes rows that are in memory, which are few.
    fn all<C: AsRef<[Cell]>>(&mut self, rows: impl IntoIterator<Item = C>) {
        for cells in rows {
            if self.put(cells.as_ref()).is_break() {
                return;
            }
        }
    }

    fn put(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        if let Err(error) = self.table.write_row(cells) {
            self.fault = Some(error);
            return ControlFlow::Break(());
        }
        self.written += 1;
        ControlFlow::Continue(())
    }

    /// Writes the end of the table; returns the number of rows.
    fn end(self) -> io::Result<u64> {
        match self.fault {
            Some(error) => Err(error),
            None => self.table.finish().map(|()| self.written),
        }
    }
}

#[cfg(test)]
mod tests;
