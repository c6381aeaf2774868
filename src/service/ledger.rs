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
mod asks;
mod balances;
mod batches;
mod books;
mod check;
mod deposits;
mod entries;
mod eye;
mod facts;
mod history;
mod idempotency;
mod integrity;
mod opening;
mod outbox;
mod passages;
mod place;
mod refusal;
pub mod render;
mod rows;
mod schema;
mod settle;
mod stats;
mod swaps;
mod sweeps;
mod tokens;
mod units;
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

use super::chain::{Conduct, Failures, Pace};
use crate::domain::Timestamp;

pub use asks::{
    Asset, Listing, NewBatch, NewDeposit, NewSwap, NewUser, NewWallet, NewWithdrawal, Paging, UserPatch, WalletPatch,
};
pub use books::{Books, Ids};
pub use check::{Checked, check_folder};
pub use opening::accept_folder;
pub use place::{LedgerError, Place, room_left};
pub use refusal::Refusal;
pub use render::Page;
pub use settle::Settled;
pub use v1::{DepositFilter, NewSandboxDeposit, NewSubWallet, NewV1Swap, NewV1Withdrawal, Origin, TransferFilter};
pub use workspaces::{NewWorkspace, Tenant, Workspace};

pub(in crate::service) use addresses::of_seed;
pub(in crate::service) use facts::set as set_fact;
pub(in crate::service) use history::Sought;
pub(in crate::service) use outbox::Delivery;
pub(in crate::service) use passages::Words;
pub(in crate::service) use schema::{begin_bulk, end_bulk};
pub(in crate::service) use tokens::{Known, of_deposit};
pub(in crate::service) use wallets::Purse;
pub(in crate::service) use workspaces::insert as insert_workspace;
pub(in crate::service) use writer::failed_inside;

use place::Hold;
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
    hold: Option<Hold>,
    pace: Pace,
    failures: Mutex<Failures>,
}

/// Readers at once, which are kept open for the next reads. To open one costs more than most reads.
const READERS: u32 = 8;

impl Ledger {
    /// Opens the ledger at a place, or makes an empty one there. The folder is this process's alone until dropped.
    pub fn open(place: &Place, pace: Pace) -> Result<Self, LedgerError> {
        let hold = Hold::take(place)?;
        let writer = match &hold {
            None => Writer::in_turns(schema::in_memory()?),
            Some(hold) if hold.is_temporary() => Writer::start(schema::open_throw_away(&hold.file())?, None),
            Some(hold) => {
                let (connection, integrity) = opening::open(hold.folder())?;
                Writer::start(connection, Some(integrity))
            }
        };
        Ok(Self { readers: Mutex::default(), writer, hold, pace, failures: Mutex::default() })
    }

    /// The folder that it lies in; `None` where it is in memory.
    pub(in crate::service) fn folder(&self) -> Option<&Path> {
        self.hold.as_ref().map(Hold::folder)
    }

    /// Whether it is gone when it is closed.
    pub(in crate::service) fn is_thrown_away(&self) -> bool {
        self.hold.as_ref().is_none_or(Hold::is_temporary)
    }

    /// Why nothing is written any more, where the ledger's files turned out to be damaged.
    pub(in crate::service) fn damage(&self) -> Option<&str> {
        self.writer.damage()
    }

    /// How many can read at once.
    pub(in crate::service) fn at_once(&self) -> u32 {
        if self.hold.is_some() { READERS } else { 1 }
    }

    /// Whether it has no thread of its own that writes: then whoever asks for a change does it when his turn comes.
    pub(in crate::service) fn takes_turns(&self) -> bool {
        self.hold.is_none()
    }

    /// Lets go of what is held for reads that come one after the other: none do.
    pub(in crate::service) fn relax(&self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How fast its chains go.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Lets other transactions fail from now on, those under way included.
    pub fn let_fail(&self, failures: Failures) {
        *self.failures.lock().unwrap_or_else(PoisonError::into_inner) = failures;
    }

    /// How its chains go on.
    pub(in crate::service) fn conduct(&self) -> Conduct {
        Conduct { pace: self.pace, failures: *self.failures.lock().unwrap_or_else(PoisonError::into_inner) }
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
        op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        self.act(tenant, now, Ids::Os, once(key, idempotency::digest(operation, request), op))
    }

    /// The same without waiting: the answer is given on the writer's thread, when the effect is durable. It is given to
    /// nobody where the request panics.
    pub(in crate::service) fn submit<T: Serialize + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal> + Send + 'static,
        answer: impl FnOnce(Result<Vec<u8>, Refusal>) + Send + 'static,
    ) -> Result<(), Refusal> {
        let op = once(key, idempotency::digest(operation, request), op);
        self.writer.submit(within(tenant, now, Ids::Os, self.conduct(), op), answer)
    }

    /// Does something in a workspace's books, wholly or not at all.
    pub fn act<T: Send + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        ids: Ids,
        op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.write(within(tenant, now, ids, self.conduct(), op))
    }

    /// A number that is another one after every write: what was read under it still stands as long as it is the same.
    pub(in crate::service) fn version(&self) -> u64 {
        self.writer.commits()
    }

    /// Writes with bare SQL, wholly or not at all: for what lies beside the books, such as keys.
    pub(in crate::service) fn write<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.writer.run(op)
    }

    /// Reads on one snapshot, beside the writer.
    pub(in crate::service) fn read<T>(&self, op: impl FnOnce(&Connection) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let Some(hold) = &self.hold else {
            let turn = self.writer.turn().ok_or_else(failed_inside)?;
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
    op: impl FnOnce(&Connection) -> Result<T, Refusal>,
) -> rusqlite::Result<Result<T, Refusal>> {
    let snapshot = connection.unchecked_transaction()?;
    let result = op(&snapshot);
    snapshot.finish()?;
    Ok(result)
}

/// What is done in a workspace's books, as the writer does it.
fn within<T>(
    tenant: Tenant,
    now: Timestamp,
    ids: Ids,
    conduct: Conduct,
    op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal>,
) -> impl FnOnce(&Connection) -> Result<T, Refusal> {
    move |connection| {
        let mut books = Books::open(connection, tenant, now, ids, conduct)?;
        let result = op(&mut books)?;
        books.close()?;
        Ok(result)
    }
}

/// What is done once under a key, and gives the bytes of its answer each time.
fn once<T: Serialize>(
    key: Option<Uuid>,
    digest: Vec<u8>,
    op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal>,
) -> impl FnOnce(&mut Books<'_>) -> Result<Vec<u8>, Refusal> {
    move |books| {
        let Some(key) = key else {
            return render::body(&op(books)?);
        };
        if let Some(answer) = idempotency::answered(books, key, &digest)? {
            return Ok(answer);
        }
        let answer = render::body(&op(books)?)?;
        idempotency::remember(books, key, &digest, &answer)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
