//! Rows of any kind, written one after the other: what they are called, their columns, and where each comes from.

use std::cell::Cell as Kept;
use std::io::{self, Write};
use std::ops::ControlFlow;

use super::table::Cell;
use super::{Table, balances, book, directory, events, history, markets, orders, person};
use crate::app::Rows;
use crate::domain::history::HistoryRow;
use crate::domain::{Format, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// Rows between two words of how far it has come.
const WORD_EVERY: u64 = 5_000;

/// What is written, and how.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What holds rows that are asked for.
    pub store: &'a Store,
    /// Which rows.
    pub rows: &'a Rows,
    /// How they are written.
    pub format: Format,
    /// When: how an order stands depends on it.
    pub now: Timestamp,
    /// Withdraws it.
    pub cancel: &'a Cancel,
}

/// Why rows were not written to the end.
#[derive(Debug)]
pub enum Broken {
    /// They could not be read, or nobody wants them any more.
    Store(StoreError),
    /// They could not be written.
    File(io::Error),
}

/// What rows of a kind are called in the name of a file.
pub fn name(rows: &Rows) -> &'static str {
    kind(rows).0
}

fn kind(rows: &Rows) -> (&'static str, &'static [&'static str]) {
    match rows {
        Rows::Found(_) | Rows::Marked(_) => ("transactions", &history::COLUMNS),
        Rows::Wallets(..) => ("wallets", &directory::WALLET),
        Rows::Users(_) => ("users", &directory::USER),
        Rows::Accounts(_) => ("accounts", &directory::ACCOUNT),
        Rows::Balances(..) => ("balances", &balances::COLUMNS),
        Rows::Assets(_) => ("assets", &person::ASSET),
        Rows::Addresses(_) => ("addresses", &person::ADDRESS),
        Rows::Deposits(_) => ("deposits", &person::DEPOSIT),
        Rows::Transfers(_) => ("transfers", &person::TRANSFER),
        Rows::Orders(_) => ("orders", &orders::ORDER),
        Rows::Tokens(_) => ("tokens", &markets::TOKEN),
        Rows::Chains(..) => ("blockchains", &markets::CHAIN),
        Rows::Pairs(_) => ("pairs", &markets::PAIR),
        Rows::Events(_) => ("events", &events::COLUMNS),
        Rows::Book(_) => ("book", &book::COLUMNS),
    }
}

/// Writes rows with their columns to `out`, and says how many there were. `told` hears how many are written of how many,
/// while there are many.
pub fn write(source: &Source<'_>, out: impl Write, told: &dyn Fn(u64, u64)) -> Result<u64, Broken> {
    let Source { store, rows, format, now, cancel } = *source;
    let mut table = Table::new(format, kind(rows).1, out);
    table.begin().map_err(Broken::File)?;
    let mut lines = Lines { table, told, written: 0, fault: None };
    match rows {
        Rows::Found(query) => {
            let total = Kept::new(0);
            let mut each = |row: HistoryRow| lines.add(total.get(), &history::cells(&row, store.final_words()));
            store.walk(query, cancel, &mut |of| total.set(of), &mut each).map_err(Broken::Store)?;
        }
        Rows::Marked(places) => lines.all(
            store.rows_at(places).map_err(Broken::Store)?.iter().map(|row| history::cells(row, store.final_words())),
        ),
        Rows::Wallets(scope, filter) => {
            let mut each = |of, known| lines.add(of, &directory::wallet(&known));
            store.walk_wallets(scope, filter, cancel, &mut each).map_err(Broken::Store)?;
        }
        Rows::Users(filter) => {
            let mut each = |of, known| lines.add(of, &directory::user(&known));
            store.walk_users(filter, cancel, &mut each).map_err(Broken::Store)?;
        }
        Rows::Accounts(rows) => lines.all(rows.iter().map(directory::account)),
        Rows::Balances(scope, name, held) => {
            lines.all(held.iter().map(|holding| balances::cells(scope, name.as_ref(), holding)));
        }
        Rows::Assets(of) => lines.all(of.rows.iter().map(|row| person::asset(of, row))),
        Rows::Addresses(of) => lines.all(of.rows.iter().map(|row| person::address(of, row))),
        Rows::Deposits(of) => lines.all(of.rows.iter().map(|row| person::deposit(of, row))),
        Rows::Transfers(of) => lines.all(of.rows.iter().map(|row| person::transfer(of, row))),
        Rows::Orders(rows) => lines.all(rows.iter().flat_map(|order| orders::order_lines(order, now))),
        Rows::Tokens(rows) => lines.all(rows.iter().map(markets::token)),
        Rows::Chains(symbol, rows) => lines.all(rows.iter().map(|chain| markets::chain(symbol, chain))),
        Rows::Pairs(rows) => lines.all(rows.iter().map(markets::pair)),
        Rows::Events(rows) => lines.all(rows.iter().map(events::cells)),
        Rows::Book(rows) => lines.all(rows.iter().map(book::cells)),
    }
    lines.end().map_err(Broken::File)
}

/// The lines of a table, counted while they are written.
struct Lines<'a, W: Write> {
    table: Table<W>,
    told: &'a dyn Fn(u64, u64),
    written: u64,
    fault: Option<io::Error>,
}

impl<W: Write> Lines<'_, W> {
    /// Writes one more, of so many in all, and tells of it now and then. It breaks off where it cannot write.
    fn add(&mut self, of: u64, cells: &[Cell]) -> ControlFlow<()> {
        self.put(cells)?;
        if self.written.is_multiple_of(WORD_EVERY) {
            (self.told)(self.written, of);
        }
        ControlFlow::Continue(())
    }

    /// Writes rows that are at hand, which are few.
    fn all<C: AsRef<[Cell]>>(&mut self, rows: impl IntoIterator<Item = C>) {
        for cells in rows {
            if self.put(cells.as_ref()).is_break() {
                return;
            }
        }
    }

    fn put(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        if let Err(error) = self.table.row(cells) {
            self.fault = Some(error);
            return ControlFlow::Break(());
        }
        self.written += 1;
        ControlFlow::Continue(())
    }

    /// Writes what stands behind the last one; says how many there are.
    fn end(self) -> io::Result<u64> {
        match self.fault {
            Some(error) => Err(error),
            None => self.table.end().map(|()| self.written),
        }
    }
}

#[cfg(test)]
mod tests;
