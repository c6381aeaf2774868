//! The ledger of the embedded service: double entry in `SQLite`, with exact amounts.
//!
//! Guarantees:
//! - Every posting takes from one ledger account (a row of `books`) exactly what it gives to another of the same token,
//!   so the ledger accounts of a token always sum to zero, the outside world included. No other balance is ever
//!   negative.
//! - All writers wait in one queue. Requests that wait together share a commit, each in its own savepoint, so that a
//!   rejected one undoes only itself; nobody is answered before the commit.
//! - A request with an idempotency key is executed once, under concurrency and across restarts: its answer is stored
//!   byte for byte in the commit of its effect. A rejected request does not use up its key.
//! - Reads run beside the writer, each on one snapshot. Every row has a dense position within its workspace and
//!   direction, so any page of history costs the same.
//!
//! ```text
//!            accepted                    success
//!  wallet ── amount + fee ──▶ frozen ──┬─ amount ──▶ outside       outside ── amount ──▶ wallet
//!    ▲                          │      └─ fee ─────▶ fees           (a deposit moves nothing before its success)
//!    └──────── failed ──────────┘
//! ```

mod accounts;
mod addresses;
mod advance;
mod auto_sweep;
mod balances;
mod batches;
mod check;
mod columns;
mod commands;
mod control;
mod deposits;
mod entries;
mod history;
mod idempotency;
mod integrity;
mod legs;
mod location;
mod opening;
mod outbox;
mod past;
mod projection;
pub mod render;
mod request_error;
mod rows;
mod schema;
mod settings;
mod stats;
mod swaps;
mod tokens;
mod unit_of_work;
mod users;
mod v1;
mod wallets;
mod withdrawals;
mod workspaces;
mod writer;

use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::chain::{FailurePolicy, Pace, SimulationSettings};
use crate::domain::Timestamp;

pub use advance::SettlementCounts;
pub use check::{CheckSummary, check_folder};
pub use commands::{
    DepositToken, NewBatch, NewDeposit, NewSwap, NewUser, NewWallet, NewWithdrawal, Paging, TransactionFilter,
    UserPatch, WalletPatch,
};
pub use control::{DepositOutcome, InjectedDeposit};
pub use location::{LedgerError, LedgerLocation, free_disk_bytes};
pub use opening::accept_folder;
pub use render::Page;
pub use request_error::RequestError;
pub use unit_of_work::{IdSource, UnitOfWork};
pub use v1::{
    DepositFilter, DepositOrigin, NewSandboxDeposit, NewSubWallet, NewV1Swap, NewV1Withdrawal, TransferFilter,
};
pub use workspaces::{NewWorkspace, Workspace, WorkspaceNumber};

pub(in crate::service) use addresses::address_from_seed;
pub(in crate::service) use history::PaymentLookup;
pub(in crate::service) use legs::PaymentReferences;
pub(in crate::service) use outbox::OutboxEvent;
pub(in crate::service) use past::TransactionWithTimes;
pub(in crate::service) use schema::{begin_bulk_insert, end_bulk_insert};
pub(in crate::service) use settings::{KEYS_EXIST_SETTING, store_setting};
pub(in crate::service) use tokens::{ChainToken, ensure_deposit_token};
pub(in crate::service) use wallets::LedgerWallet;
pub(in crate::service) use workspaces::insert_workspace;
pub(in crate::service) use writer::job_panicked_error;

use location::FolderLock;
use writer::Writer;

/// An open ledger. All its methods block on the disk.
#[derive(Debug)]
pub struct Ledger {
    // Dropped in this order: connections before their folder.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
    /// `None` in memory.
    folder_lock: Option<FolderLock>,
    simulation_settings: Mutex<SimulationSettings>,
    /// How many events stay in the outbox after their delivery.
    events_kept: AtomicU32,
}

/// Concurrent readers. Their connections stay open, since opening one costs more than most reads.
const READERS: u32 = 8;

impl Ledger {
    /// Opens or creates the ledger. Its folder is locked by this process until dropped.
    pub fn open(location: &LedgerLocation, pace: Pace) -> Result<Self, LedgerError> {
        let folder_lock = FolderLock::acquire(location)?;
        let writer = match &folder_lock {
            None => Writer::inline(schema::open_in_memory()?),
            Some(folder_lock) if folder_lock.is_temporary() => {
                Writer::start(schema::open_temporary(&folder_lock.ledger_file())?, None)
            }
            Some(folder_lock) => {
                let (connection, integrity) = opening::open_writer_and_integrity(folder_lock.folder())?;
                Writer::start(connection, Some(integrity))
            }
        };
        let simulation_settings = Mutex::new(SimulationSettings::at_pace(pace));
        Ok(Self { readers: Mutex::default(), writer, folder_lock, simulation_settings, events_kept: AtomicU32::new(0) })
    }

    /// `None` in memory.
    pub(in crate::service) fn folder_path(&self) -> Option<&Path> {
        self.folder_lock.as_ref().map(FolderLock::folder)
    }

    /// Whether the ledger is deleted when closed.
    pub(in crate::service) fn is_temporary(&self) -> bool {
        self.folder_lock.as_ref().is_none_or(FolderLock::is_temporary)
    }

    /// Why writing has stopped, if the ledger's files turned out to be damaged.
    pub(in crate::service) fn damage_reason(&self) -> Option<&str> {
        self.writer.damage_reason()
    }

    pub(in crate::service) fn reader_limit(&self) -> u32 {
        if self.folder_lock.is_some() { READERS } else { 1 }
    }

    /// Whether there is no writer thread: each caller then writes on its own thread, under the connection's lock.
    pub(in crate::service) fn writes_inline(&self) -> bool {
        self.folder_lock.is_none()
    }

    /// Closes idle reader connections.
    pub(in crate::service) fn close_idle_readers(&self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Speed of the chains.
    pub fn pace(&self) -> Pace {
        self.simulation_settings().pace
    }

    /// Sets which transactions fail from now on, pending ones included.
    pub fn set_failure_policy(&self, failures: FailurePolicy) {
        self.simulation_settings.lock().unwrap_or_else(PoisonError::into_inner).failures = failures;
    }

    /// Sets which payments of callers fail from now on.
    pub fn set_failures_of_callers(&self, failures: FailurePolicy) {
        self.simulation_settings.lock().unwrap_or_else(PoisonError::into_inner).failures_of_callers = failures;
    }

    pub(in crate::service) fn simulation_settings(&self) -> SimulationSettings {
        *self.simulation_settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes a change exactly once and returns the body of its answer.
    ///
    /// `operation` is method and path, `request` the body as received. A second call with the same key, operation and
    /// body returns the first one's bytes; with another operation or body it is rejected. Without a key, every call
    /// executes. The result of `op` becomes `data` of a success envelope.
    pub fn execute_once_per_key<T: Serialize + 'static>(
        &self,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<Vec<u8>, RequestError> {
        self.execute_in_workspace(
            workspace_number,
            now,
            IdSource::Random,
            once_per_key(key, idempotency::request_digest(operation, request), op),
        )
    }

    /// The same without waiting: `answer` is called on the writer's thread when the effect is durable, and never if
    /// `op` panics.
    pub(in crate::service) fn submit_once_per_key<T: Serialize + 'static>(
        &self,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
        answer: impl FnOnce(Result<Vec<u8>, RequestError>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let op = once_per_key(key, idempotency::request_digest(operation, request), op);
        self.writer
            .submit(unit_of_work_job(workspace_number, now, IdSource::Random, self.simulation_settings(), op), answer)
    }

    /// Runs `op` in a workspace atomically.
    pub fn execute_in_workspace<T: Send + 'static>(
        &self,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
        ids: IdSource,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        self.write(unit_of_work_job(workspace_number, now, ids, self.simulation_settings(), op))
    }

    /// Changes with every write: data read under one version is valid while the version stays the same.
    pub(in crate::service) fn version(&self) -> u64 {
        self.writer.commit_count()
    }

    /// Writes with plain SQL, atomically: for tables beside the books, such as keys.
    pub(in crate::service) fn write<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        self.writer.run(op)
    }

    /// Reads on one snapshot, beside the writer.
    pub(in crate::service) fn read<T>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let Some(folder_lock) = &self.folder_lock else {
            let connection_guard = self.writer.lock_connection().ok_or_else(job_panicked_error)?;
            return read_in_snapshot(&connection_guard, op)?;
        };
        let idle_reader = self.readers.lock().ok().and_then(|mut readers| readers.pop());
        let connection = match idle_reader {
            Some(connection) => connection,
            None => schema::open_reader(&folder_lock.ledger_file())?,
        };
        let result = read_in_snapshot(&connection, op)?;
        if let Ok(mut readers) = self.readers.lock()
            && readers.len() < READERS as usize
        {
            readers.push(connection);
        }
        result
    }
}

/// Reads within one transaction.
fn read_in_snapshot<T>(
    connection: &Connection,
    op: impl FnOnce(&Connection) -> Result<T, RequestError>,
) -> rusqlite::Result<Result<T, RequestError>> {
    let snapshot = connection.unchecked_transaction()?;
    let result = op(&snapshot);
    snapshot.finish()?;
    Ok(result)
}

/// A unit of work as a job for the writer.
fn unit_of_work_job<T>(
    workspace_number: WorkspaceNumber,
    now: Timestamp,
    ids: IdSource,
    simulation_settings: SimulationSettings,
    op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError>,
) -> impl FnOnce(&Connection) -> Result<T, RequestError> {
    move |connection| {
        let mut books = UnitOfWork::open(connection, workspace_number, now, ids, simulation_settings)?;
        let result = op(&mut books)?;
        books.close()?;
        Ok(result)
    }
}

/// Executes `op` once per key, and returns the stored answer otherwise.
fn once_per_key<T: Serialize>(
    key: Option<Uuid>,
    digest: Vec<u8>,
    op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError>,
) -> impl FnOnce(&mut UnitOfWork<'_>) -> Result<Vec<u8>, RequestError> {
    move |books| {
        let Some(key) = key else {
            return render::bytes_in_envelope(&op(books)?);
        };
        if let Some(answer) = idempotency::stored_answer(books, key.as_bytes(), &digest)? {
            return Ok(answer);
        }
        let answer = render::bytes_in_envelope(&op(books)?)?;
        idempotency::store_answer(books, key.as_bytes(), &digest, &answer)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
