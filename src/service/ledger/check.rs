//! Proves that a ledger is consistent: every balance follows from its history.

use std::collections::HashMap;
use std::path::Path;

use ruint::aliases::U256;

use super::location::folder_error;
use super::request_error::RequestError;
use super::{Ledger, LedgerError, columns, integrity, opening, schema};
use crate::service::keys;

/// What a check covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckSummary {
    /// Ledger accounts.
    pub books: u64,
    pub entries: u64,
    pub rows: u64,
}

/// A signed sum as two unsigned parts.
#[derive(Debug, Clone, Copy, Default)]
struct NetAmount {
    gained: U256,
    lost: U256,
}

impl NetAmount {
    fn gain(&mut self, amount: U256) {
        self.gained = self.gained.saturating_add(amount);
    }

    fn lose(&mut self, amount: U256) {
        self.lost = self.lost.saturating_add(amount);
    }

    fn equals(self, balance: U256) -> bool {
        self.lost.checked_add(balance) == Some(self.gained)
    }
}

#[derive(Debug)]
struct CheckedLedgerAccount {
    workspace: i64,
    wallet: i64,
    token: i64,
    kind: i64,
    balance: U256,
}

impl Ledger {
    /// Proves the ledger consistent, or lists everything that is wrong:
    /// - the file itself is intact;
    /// - each entry moves one token between two ledger accounts of one workspace;
    /// - each balance is the sum of its entries, so none is negative;
    /// - the ledger accounts of each token sum to zero, the outside world included;
    /// - the recipients of each batch get exactly what it took besides its fee;
    /// - wallets, frozen funds and fees are exactly what the rows of history explain;
    /// - positions and counters of history are dense.
    pub fn check(&self) -> Result<CheckSummary, Vec<String>> {
        let mut wrong = Vec::new();
        match self.read(|connection| check_all(connection, &mut wrong)) {
            Ok(checked) if wrong.is_empty() => Ok(checked),
            Ok(_) => Err(wrong),
            Err(refusal) => {
                wrong.push(refusal.to_string());
                Err(wrong)
            }
        }
    }
}

/// Checks the ledger in a folder on one snapshot, even while a service writes to it. Also compares the ledger and the
/// keys with their marks, bit for bit.
pub fn check_folder(folder: &Path) -> Result<Result<CheckSummary, Vec<String>>, LedgerError> {
    let file = folder.join("ledger.db");
    if !opening::has_ledger_file(folder) {
        let is_gone = keys::has_keys_file(folder) || integrity::has_mark(folder);
        return Err(if is_gone { LedgerError::Gone(folder.into()) } else { LedgerError::Missing(folder.into()) });
    }
    // Compare the files before `SQLite` opens them; the lock stops checkpoints until all is read.
    let differences = integrity::differences_from_mark(folder).map_err(|source| folder_error(folder.into(), source))?;
    let connection = schema::open_for_check(&file)?;
    let (mut wrong, _lock) = differences.unwrap_or_else(|| (vec!["ledger.mark is missing".into()], None));
    wrong.extend(keys::differences_from_mark(folder));
    if schema::had_keys(&connection) && !keys::has_keys_file(folder) {
        wrong.push("the keys are missing: keys.db was there".into());
    }
    let checked = connection
        .unchecked_transaction()
        .map_err(RequestError::from)
        .and_then(|snapshot| check_all(&snapshot, &mut wrong));
    match checked {
        Ok(checked) if wrong.is_empty() => Ok(Ok(checked)),
        Ok(_) => Ok(Err(wrong)),
        Err(refusal) => {
            wrong.push(refusal.to_string());
            Ok(Err(wrong))
        }
    }
}

fn check_all(connection: &rusqlite::Connection, wrong: &mut Vec<String>) -> Result<CheckSummary, RequestError> {
    let intact: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if intact != "ok" {
        wrong.push(format!("the file is damaged: {intact}"));
    }
    let books = read_ledger_accounts(connection)?;
    let entries = check_entries(connection, &books, wrong)?;
    check_token_sums(&books, wrong);
    let rows = check_balances_against_history(connection, &books, wrong)?;
    check_recipients(connection, wrong)?;
    check_row_positions(connection, wrong)?;
    Ok(CheckSummary { books: books.len() as u64, entries, rows })
}

fn read_ledger_accounts(connection: &rusqlite::Connection) -> Result<HashMap<i64, CheckedLedgerAccount>, RequestError> {
    let mut statement = connection.prepare("SELECT no, workspace, wallet, token, kind, balance FROM books")?;
    let books = statement.query_map([], |row| {
        let book = CheckedLedgerAccount {
            workspace: row.get(1)?,
            wallet: row.get(2)?,
            token: row.get(3)?,
            kind: row.get(4)?,
            balance: columns::read_amount(row, 5)?,
        };
        Ok((row.get(0)?, book))
    })?;
    Ok(books.collect::<Result<_, _>>()?)
}

/// Kinds of ledger accounts, by their number in the table.
const WALLET_KIND: i64 = 0;
const FROZEN_KIND: i64 = 1;
const FEES_KIND: i64 = 2;
const OUTSIDE_KIND: i64 = 3;

fn check_entries(
    connection: &rusqlite::Connection,
    books: &HashMap<i64, CheckedLedgerAccount>,
    wrong: &mut Vec<String>,
) -> Result<u64, RequestError> {
    let mut flows: HashMap<i64, NetAmount> = HashMap::new();
    let mut statement = connection.prepare("SELECT no, source, target, amount FROM entries")?;
    let mut entries = statement.query([])?;
    let mut count = 0;
    while let Some(row) = entries.next()? {
        let (no, source, target): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let amount = columns::read_amount(row, 3)?;
        match (books.get(&source), books.get(&target)) {
            (Some(from), Some(to)) if from.token == to.token && from.workspace == to.workspace && source != target => {}
            _ => wrong.push(format!("entry {no} does not move one token between two books of one workspace")),
        }
        flows.entry(source).or_default().lose(amount);
        flows.entry(target).or_default().gain(amount);
        count += 1;
    }
    for (no, book) in books {
        let flow = flows.remove(no).unwrap_or_default();
        let flow = if book.kind == OUTSIDE_KIND { NetAmount { gained: flow.lost, lost: flow.gained } } else { flow };
        if !flow.equals(book.balance) {
            wrong.push(format!("book {no} has {}, which is not the sum of its entries", book.balance));
        }
    }
    Ok(count)
}

fn check_token_sums(books: &HashMap<i64, CheckedLedgerAccount>, wrong: &mut Vec<String>) {
    let mut sums: HashMap<(i64, i64), NetAmount> = HashMap::new();
    for book in books.values() {
        let sum = sums.entry((book.workspace, book.token)).or_default();
        if book.kind == OUTSIDE_KIND { sum.lose(book.balance) } else { sum.gain(book.balance) }
    }
    for ((workspace, token), sum) in sums {
        if sum.gained != sum.lost {
            wrong.push(format!("the books of token {token} in workspace {workspace} do not sum to zero"));
        }
    }
}

fn check_balances_against_history(
    connection: &rusqlite::Connection,
    books: &HashMap<i64, CheckedLedgerAccount>,
    wrong: &mut Vec<String>,
) -> Result<u64, RequestError> {
    // Expected balances by workspace, wallet, token and kind.
    let mut explained: HashMap<(i64, i64, i64, i64), NetAmount> = HashMap::new();
    let mut statement = connection.prepare(
        "SELECT h.lane, h.wallet, h.token, h.status, h.amount, h.fee, w.workspace, h.no FROM history h
                  LEFT JOIN wallets w ON w.no = h.wallet",
    )?;
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let (lane, wallet, token, status): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let (amount, fee) = (columns::read_amount(row, 4)?, columns::read_amount(row, 5)?);
        let (workspace, no): (Option<i64>, i64) = (row.get(6)?, row.get(7)?);
        if workspace != Some(lane / 2) || super::rows::workspace_number_of_row(no).0 != lane / 2 {
            wrong.push(format!("row {no} is in a different workspace from its wallet"));
        }
        let mut flows = |wallet, kind, change: fn(&mut NetAmount, U256), amount| {
            change(explained.entry((lane / 2, wallet, token, kind)).or_default(), amount);
        };
        let total = amount.saturating_add(fee);
        match (lane % 2, status) {
            (0, 1) => flows(wallet, WALLET_KIND, NetAmount::gain, amount),
            (0, _) | (1, 2) => {}
            (_, 0) => {
                flows(wallet, WALLET_KIND, NetAmount::lose, total);
                flows(wallet, FROZEN_KIND, NetAmount::gain, total);
            }
            _ => {
                flows(wallet, WALLET_KIND, NetAmount::lose, total);
                flows(0, FEES_KIND, NetAmount::gain, fee);
            }
        }
        count += 1;
    }
    for (no, book) in books.iter().filter(|(_, book)| book.kind != OUTSIDE_KIND) {
        let key = (book.workspace, book.wallet, book.token, book.kind);
        if !explained.remove(&key).unwrap_or_default().equals(book.balance) {
            wrong.push(format!("history does not explain the {} of book {no}", book.balance));
        }
    }
    for (key, flow) in explained {
        if flow.gained != flow.lost {
            wrong.push(format!("history explains a book that does not exist: {key:?}"));
        }
    }
    Ok(count)
}

/// Checks that each batch's recipients get exactly what it took besides its fee.
fn check_recipients(connection: &rusqlite::Connection, wrong: &mut Vec<String>) -> Result<(), RequestError> {
    let mut statement = connection.prepare(
        "SELECT h.no, h.amount, r.amount FROM history h LEFT JOIN recipients r ON r.row = h.no
         WHERE h.sub_type = 2 ORDER BY h.no",
    )?;
    let mut sums: HashMap<i64, NetAmount> = HashMap::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let sum =
            sums.entry(row.get(0)?).or_insert(NetAmount { gained: columns::read_amount(row, 1)?, lost: U256::ZERO });
        if row.get::<_, Option<Vec<u8>>>(2)?.is_some() {
            sum.lose(columns::read_amount(row, 2)?);
        }
    }
    let odd = sums.iter().filter(|(_, sum)| sum.gained != sum.lost);
    wrong.extend(odd.map(|(row, _)| format!("the recipients of batch {row} do not receive what the batch took")));
    Ok(())
}

fn check_row_positions(connection: &rusqlite::Connection, wrong: &mut Vec<String>) -> Result<(), RequestError> {
    let mut statement = connection.prepare("SELECT no, rows, incoming, outgoing FROM workspaces")?;
    let counters: Vec<(i64, i64, i64, i64)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<Result<_, _>>()?;
    for (workspace, rows, incoming, outgoing) in counters {
        for (lane, expected) in [(workspace * 2, incoming), (workspace * 2 + 1, outgoing)] {
            let extent: (i64, Option<i64>, Option<i64>) = connection.query_row(
                "SELECT count(*), min(place), max(place) FROM history WHERE lane = ?1",
                [lane],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )?;
            let dense = if expected == 0 { (0, None, None) } else { (expected, Some(1), Some(expected)) };
            if extent != dense {
                wrong.push(format!("the places of lane {lane} have gaps"));
            }
        }
        if rows != incoming + outgoing {
            wrong.push(format!("workspace {workspace} counts its rows wrongly"));
        }
    }
    let unordered: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM (SELECT at, lag(at) OVER (PARTITION BY no >> 40 ORDER BY no) AS before FROM history)
                        WHERE at < before)",
        [],
        |row| row.get(0),
    )?;
    if unordered {
        wrong.push("rows are not in the order of their times".into());
    }
    Ok(())
}
