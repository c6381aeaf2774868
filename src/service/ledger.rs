//! The ledger of the embedded service: double entry in `SQLite`, with exact amounts.
//!
//! What it promises:
//! - Every movement takes from one book exactly what it gives to another of the same token, so all books of a token
//!   always sum to nothing, the outside world included. No book that belongs to somebody is ever below zero.
//! - Whoever asks to write waits in one line. Requests that wait together are made durable together, each in a
//!   savepoint of its own, so that a refusal among them undoes only itself; nobody is answered before the commit.
//! - A request with an idempotency key is executed once, whatever runs beside it and across restarts: its answer is
//!   kept, byte for byte, in the same commit as its effect. A refused request does not use up its key.
//! - Reads run beside the writer, each on one snapshot. A page of history costs the same wherever it lies: every row
//!   knows its dense place among the rows of its workspace and direction.
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
mod deposits;
mod entries;
mod history;
mod idempotency;
mod integrity;
mod legs;
mod location;
mod opening;
mod outbox;
mod projection;
mod refusal;
pub mod render;
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
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::chain::{ChainSettings, FailurePolicy, Pace};
use crate::domain::Timestamp;

pub use advance::SettlementCounts;
pub use check::{CheckSummary, check_folder};
pub use commands::{
    Asset, NewBatch, NewDeposit, NewSwap, NewUser, NewWallet, NewWithdrawal, Paging, TransactionFilter, UserPatch,
    WalletPatch,
};
pub use location::{LedgerError, LedgerLocation, room_left};
pub use opening::accept_folder;
pub use refusal::RequestError;
pub use render::Page;
pub use unit_of_work::{IdSource, UnitOfWork};
pub use v1::{DepositFilter, NewSandboxDeposit, NewSubWallet, NewV1Swap, NewV1Withdrawal, Origin, TransferFilter};
pub use workspaces::{NewWorkspace, Tenant, Workspace};

pub(in crate::service) use addresses::of_seed;
pub(in crate::service) use history::PaymentLookup;
pub(in crate::service) use legs::PayerReference;
pub(in crate::service) use outbox::OutboxEvent;
pub(in crate::service) use schema::{begin_bulk, end_bulk};
pub(in crate::service) use settings::set as set_fact;
pub(in crate::service) use tokens::{ChainToken, of_deposit};
pub(in crate::service) use wallets::PayingWallet;
pub(in crate::service) use workspaces::insert as insert_workspace;
pub(in crate::service) use writer::job_panicked_error;

use location::FolderLock;
use writer::Writer;

/// A ledger that is open.
///
/// All its methods block on the disk: call them where that does no harm.
#[derive(Debug)]
pub struct Ledger {
    // Fields are dropped in this order: connections before the folder that they lie in.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
    /// None where it is in memory.
    hold: Option<FolderLock>,
    pace: Pace,
    failures: Mutex<FailurePolicy>,
}

/// Readers at once, which are kept open for the next reads. To open one costs more than most reads.
const READERS: u32 = 8;

impl Ledger {
    /// Opens the ledger at a place, or makes an empty one there. The folder is this process's alone until dropped.
    pub fn open(place: &LedgerLocation, pace: Pace) -> Result<Self, LedgerError> {
        let hold = FolderLock::acquire(place)?;
        let writer = match &hold {
            None => Writer::inline(schema::in_memory()?),
            Some(hold) if hold.is_temporary() => Writer::start(schema::open_throw_away(&hold.file())?, None),
            Some(hold) => {
                let (connection, integrity) = opening::open(hold.folder())?;
                Writer::start(connection, Some(integrity))
            }
        };
        Ok(Self { readers: Mutex::default(), writer, hold, pace, failures: Mutex::default() })
    }

    /// The folder that it lies in; `None` where it is in memory.
    pub(in crate::service) fn folder_path(&self) -> Option<&Path> {
        self.hold.as_ref().map(FolderLock::folder)
    }

    /// Whether it is gone when it is closed.
    pub(in crate::service) fn is_temporary(&self) -> bool {
        self.hold.as_ref().is_none_or(FolderLock::is_temporary)
    }

    /// Why nothing is written any more, where the ledger's files turned out to be damaged.
    pub(in crate::service) fn damage(&self) -> Option<&str> {
        self.writer.damage()
    }

    /// How many can read at once.
    pub(in crate::service) fn reader_limit(&self) -> u32 {
        if self.hold.is_some() { READERS } else { 1 }
    }

    /// Whether it has no thread of its own that writes: then whoever asks for a change does it when his turn comes.
    pub(in crate::service) fn writes_inline(&self) -> bool {
        self.hold.is_none()
    }

    /// Lets go of what is held for reads that come one after the other: none do.
    pub(in crate::service) fn release_memory(&self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How fast its chains go.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Lets other transactions fail from now on, those under way included.
    pub fn set_failure_policy(&self, failures: FailurePolicy) {
        *self.failures.lock().unwrap_or_else(PoisonError::into_inner) = failures;
    }

    /// How its chains go on.
    pub(in crate::service) fn chain_settings(&self) -> ChainSettings {
        ChainSettings { pace: self.pace, failures: *self.failures.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// Executes a state-changing request exactly once and gives the whole body of its answer.
    ///
    /// `operation` is the method and path, `request` the body as it came. A second call with the same key, operation
    /// and body gets the first one's bytes; with another operation or body it is refused. Without a key it is executed
    /// each time. What `op` returns is put under `data` of a success envelope.
    pub fn execute<T: Serialize + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<Vec<u8>, RequestError> {
        self.execute_in_workspace(tenant, now, IdSource::Random, once(key, idempotency::digest(operation, request), op))
    }

    /// The same without waiting: the answer is given on the writer's thread, when the effect is durable. It is given to
    /// nobody where the request panics.
    pub(in crate::service) fn submit<T: Serialize + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
        answer: impl FnOnce(Result<Vec<u8>, RequestError>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let op = once(key, idempotency::digest(operation, request), op);
        self.writer.submit(within(tenant, now, IdSource::Random, self.chain_settings(), op), answer)
    }

    /// Does something in a workspace's books, wholly or not at all.
    pub fn execute_in_workspace<T: Send + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        ids: IdSource,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        self.write(within(tenant, now, ids, self.chain_settings(), op))
    }

    /// A number that is another one after every write: what was read under it still stands as long as it is the same.
    pub(in crate::service) fn version(&self) -> u64 {
        self.writer.commits()
    }

    /// Writes with bare SQL, wholly or not at all: for what lies beside the books, such as keys.
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
        let Some(hold) = &self.hold else {
            let turn = self.writer.lock_connection().ok_or_else(job_panicked_error)?;
            return snapshot(&turn, op)?;
        };
        let kept = self.readers.lock().ok().and_then(|mut readers| readers.pop());
        let connection = match kept {
            Some(connection) => connection,
            None => schema::open_reader(&hold.file())?,
        };
        let result = snapshot(&connection, op)?;
        if let Ok(mut readers) = self.readers.lock()
            && readers.len() < READERS as usize
        {
            readers.push(connection);
        }
        result
    }
}

/// Reads from one unchanging picture.
fn snapshot<T>(
    connection: &Connection,
    op: impl FnOnce(&Connection) -> Result<T, RequestError>,
) -> rusqlite::Result<Result<T, RequestError>> {
    let snapshot = connection.unchecked_transaction()?;
    let result = op(&snapshot);
    snapshot.finish()?;
    Ok(result)
}

/// What is done in a workspace's books, as the writer does it.
fn within<T>(
    tenant: Tenant,
    now: Timestamp,
    ids: IdSource,
    conduct: ChainSettings,
    op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError>,
) -> impl FnOnce(&Connection) -> Result<T, RequestError> {
    move |connection| {
        let mut books = UnitOfWork::open(connection, tenant, now, ids, conduct)?;
        let result = op(&mut books)?;
        books.close()?;
        Ok(result)
    }
}

/// What is done once under a key, and gives the bytes of its answer each time.
fn once<T: Serialize>(
    key: Option<Uuid>,
    digest: Vec<u8>,
    op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError>,
) -> impl FnOnce(&mut UnitOfWork<'_>) -> Result<Vec<u8>, RequestError> {
    move |books| {
        let Some(key) = key else {
            return render::bytes_in_envelope(&op(books)?);
        };
        if let Some(answer) = idempotency::stored_answer(books, key, &digest)? {
            return Ok(answer);
        }
        let answer = render::bytes_in_envelope(&op(books)?)?;
        idempotency::store_answer(books, key, &digest, &answer)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
