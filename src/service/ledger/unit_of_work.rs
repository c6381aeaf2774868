//! A unit of work: the ledger accounts of one workspace within one write.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::columns;
use super::request_error::RequestError;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use crate::domain::Timestamp;
use crate::service::chain::SimulationSettings;
use crate::service::rng::Rng;

/// Source of new identifiers.
#[derive(Debug, Clone)]
pub enum IdSource {
    /// The operating system's generator: unpredictable.
    Random,
    /// Reproducible, for sample data.
    Seeded(Rng),
}

/// Kind of a ledger account. The numbers in the table never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum LedgerAccountKind {
    /// Spendable balance of a wallet.
    Wallet = 0,
    /// Sent from a wallet, but not settled.
    Frozen = 1,
    /// Fees that the workspace has paid.
    Fees = 2,
    /// What the outside world has paid in. The only negative balance, so it is stored with the sign reversed.
    Outside = 3,
}

/// A ledger account of a wallet, or of the whole workspace (wallet 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LedgerAccountKey {
    pub(super) wallet: i64,
    pub(super) token: i64,
    pub(super) kind: LedgerAccountKind,
}

#[derive(Debug)]
struct LedgerAccount {
    /// Number in the table; `None` until the first posting, since reading creates no row.
    no: Option<i64>,
    balance: U256,
    /// Last change within this unit of work.
    changed_at: Option<Timestamp>,
}

/// The ledger accounts of one workspace while one request changes them, atomically.
///
/// Balances and counters change in memory and are written by `close`; dropping the unit of work instead leaves no
/// trace, since the surrounding savepoint is rolled back.
#[derive(Debug)]
pub struct UnitOfWork<'a> {
    pub(in crate::service) connection: &'a Connection,
    pub(super) workspace: Workspace,
    pub(super) now: Timestamp,
    /// The clock's time, which the chains follow. It is behind `now` if the clock was ahead when the last row was
    /// added.
    pub(super) chain_time: Timestamp,
    pub(super) simulation_settings: SimulationSettings,
    /// Rows due up to here settle at once: history of sample data.
    pub(super) settle_immediately_until: Option<Timestamp>,
    /// Whether payments succeed, for scripted ones; otherwise it is left to chance.
    pub(super) scripted_outcome: Option<bool>,
    ids: IdSource,
    ledger_accounts: HashMap<LedgerAccountKey, LedgerAccount>,
    counterparty_numbers: HashMap<String, i64>,
}

impl<'a> UnitOfWork<'a> {
    /// Opens a workspace. `now` never runs back: rows stay ordered by time.
    pub(in crate::service) fn open(
        connection: &'a Connection,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
        ids: IdSource,
        simulation_settings: SimulationSettings,
    ) -> Result<Self, RequestError> {
        let workspace = workspaces::load_workspace(connection, workspace_number)?;
        let last: Option<i64> = connection
            .prepare_cached("SELECT at FROM history WHERE no = ?1")?
            .query_row([workspace.row_number(workspace.rows)], |row| row.get(0))
            .optional()?;
        let clock = now;
        let now = last.map_or(now, |last| now.max(Timestamp::from_millis(last)));
        let (shelves, parties) = (HashMap::new(), HashMap::new());
        Ok(Self {
            connection,
            workspace,
            now,
            chain_time: clock,
            simulation_settings,
            settle_immediately_until: None,
            scripted_outcome: None,
            ids,
            ledger_accounts: shelves,
            counterparty_numbers: parties,
        })
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Advances time within one write: for sample data.
    pub(in crate::service) fn advance_to(&mut self, now: Timestamp) {
        (self.now, self.chain_time) = (self.now.max(now), self.chain_time.max(now));
    }

    /// Whether a caller asked for this, not the sample business.
    pub(super) fn is_requested_by_caller(&self) -> bool {
        matches!(self.ids, IdSource::Random)
    }

    pub(in crate::service) fn new_id(&mut self) -> Uuid {
        match &mut self.ids {
            IdSource::Random => Uuid::new_v4(),
            IdSource::Seeded(rng) => rng.uuid(),
        }
    }

    /// Decides how payments end from now on; `None` leaves it to chance again.
    pub(in crate::service) fn script_outcome(&mut self, succeeds: Option<bool>) {
        self.scripted_outcome = succeeds;
    }

    /// Settles at once what is due up to `present`: for sample data.
    pub(in crate::service) fn settle_at_once_until(&mut self, present: Timestamp) {
        self.settle_immediately_until = Some(present);
    }

    pub(in crate::service) fn draw_ids_from(&mut self, rng: Rng) {
        self.ids = IdSource::Seeded(rng);
    }

    /// The spendable balance of a wallet, in smallest units.
    pub(in crate::service) fn spendable_balance(&mut self, wallet: i64, token: i64) -> Result<U256, RequestError> {
        Ok(self.ledger_account(LedgerAccountKey { wallet, token, kind: LedgerAccountKind::Wallet })?.balance)
    }

    /// How much more of a token may come in before a balance could exceed 2^256 − 1.
    pub(super) fn remaining_capacity(&mut self, token: i64) -> Result<U256, RequestError> {
        let inside =
            self.ledger_account(LedgerAccountKey { wallet: 0, token, kind: LedgerAccountKind::Outside })?.balance;
        U256::MAX
            .checked_sub(inside)
            .ok_or_else(|| RequestError::Internal("a book is larger than a book can be".into()))
    }

    /// Posts an amount of one token from one ledger account to another, for a row of history.
    pub(super) fn post_entry(
        &mut self,
        row: i64,
        source: LedgerAccountKey,
        target: LedgerAccountKey,
        amount: U256,
    ) -> Result<(), RequestError> {
        let from = self.change_balance(source, amount, source.kind == LedgerAccountKind::Outside)?;
        let to = self.change_balance(target, amount, target.kind != LedgerAccountKind::Outside)?;
        self.connection
            .prepare_cached("INSERT INTO entries (row, source, target, amount) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![row, from, to, columns::amount_to_bytes(amount)])?;
        Ok(())
    }

    fn change_balance(
        &mut self,
        account_key: LedgerAccountKey,
        amount: U256,
        grows: bool,
    ) -> Result<i64, RequestError> {
        let (connection, workspace_number, now) = (self.connection, self.workspace.number, self.now);
        let book = self.ledger_account(account_key)?;
        let balance = if grows { book.balance.checked_add(amount) } else { book.balance.checked_sub(amount) };
        book.balance = balance.ok_or_else(|| RequestError::Internal("a book would leave its bounds".into()))?;
        book.changed_at = Some(now);
        match book.no {
            Some(no) => Ok(no),
            None => Ok(*book.no.insert(insert_ledger_account(connection, workspace_number, account_key, now)?)),
        }
    }

    fn ledger_account(&mut self, account_key: LedgerAccountKey) -> Result<&mut LedgerAccount, RequestError> {
        match self.ledger_accounts.entry(account_key) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(place) => {
                Ok(place.insert(load_ledger_account(self.connection, self.workspace.number, account_key)?))
            }
        }
    }

    /// The number of a counterparty's address, in the form of its family.
    pub(super) fn find_or_create_counterparty(&mut self, address: &str) -> Result<i64, RequestError> {
        if let Some(no) = self.counterparty_numbers.get(address) {
            return Ok(*no);
        }
        let existing: Option<i64> = self
            .connection
            .prepare_cached("SELECT no FROM parties WHERE address = ?1")?
            .query_row([address], |row| row.get(0))
            .optional()?;
        let no = match existing {
            Some(no) => no,
            None => self.connection.prepare_cached("INSERT INTO parties (address) VALUES (?1)")?.insert([address])?,
        };
        self.counterparty_numbers.insert(address.to_owned(), no);
        Ok(no)
    }

    /// Writes the changed balances and counters.
    pub(in crate::service) fn close(self) -> Result<(), RequestError> {
        let mut statement =
            self.connection.prepare_cached("UPDATE books SET balance = ?2, updated_at = ?3 WHERE no = ?1")?;
        for book in self.ledger_accounts.values() {
            if let (Some(no), Some(changed)) = (book.no, book.changed_at) {
                statement.execute(params![no, columns::amount_to_bytes(book.balance), changed.millis()])?;
            }
        }
        let Workspace { number, rows, incoming, outgoing, .. } = self.workspace;
        self.connection
            .prepare_cached("UPDATE workspaces SET rows = ?2, incoming = ?3, outgoing = ?4 WHERE no = ?1")?
            .execute(params![
                number.0,
                columns::to_sql_integer(rows),
                columns::to_sql_integer(incoming),
                columns::to_sql_integer(outgoing)
            ])?;
        Ok(())
    }
}

fn load_ledger_account(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    account_key: LedgerAccountKey,
) -> Result<LedgerAccount, RequestError> {
    let existing = connection
        .prepare_cached(
            "SELECT no, balance FROM books WHERE wallet = ?1 AND token = ?2 AND kind = ?3 AND workspace = ?4",
        )?
        .query_row(params![account_key.wallet, account_key.token, account_key.kind as i64, workspace_number.0], |row| {
            Ok(LedgerAccount { no: row.get(0)?, balance: columns::read_amount(row, 1)?, changed_at: None })
        })
        .optional()?;
    Ok(existing.unwrap_or(LedgerAccount { no: None, balance: U256::ZERO, changed_at: None }))
}

fn insert_ledger_account(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    account_key: LedgerAccountKey,
    now: Timestamp,
) -> Result<i64, RequestError> {
    Ok(connection
        .prepare_cached(
            "INSERT INTO books (workspace, wallet, token, kind, balance, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, x'', ?5, ?5)",
        )?
        .insert(params![
            workspace_number.0,
            account_key.wallet,
            account_key.token,
            account_key.kind as i64,
            now.millis()
        ])?)
}
