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
mod facts;
mod history;
mod idempotency;
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
use std::sync::Mutex;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::chain::Pace;
use crate::domain::Timestamp;

pub use asks::{
    Asset, Listing, NewBatch, NewDeposit, NewSwap, NewUser, NewWallet, NewWithdrawal, Paging, UserPatch, WalletPatch,
};
pub use books::{Books, Ids};
pub use check::{Checked, check_folder};
pub use place::{LedgerError, Place};
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

use place::Hold;
use writer::Writer;

/// A ledger that is open.
///
/// All its methods block on the disk: call them where that does no harm.
#[derive(Debug)]
pub struct Ledger {
    // Fields are dropped in this order: connections before the folder that they lie in.
    writer: Writer,
    readers: Mutex<Vec<Connection>>,
    hold: Hold,
    pace: Pace,
}

/// Readers that are kept open for the next read.
const READERS_KEPT: usize = 4;

impl Ledger {
    /// Opens the ledger at a place, or makes an empty one there. The folder is this process's alone until dropped.
    pub fn open(place: &Place, pace: Pace) -> Result<Self, LedgerError> {
        let hold = Hold::take(place)?;
        let connection = schema::open_writer(&hold.file(), hold.is_temporary())?;
        Ok(Self { writer: Writer::start(connection), readers: Mutex::default(), hold, pace })
    }

    /// The folder that it lies in.
    pub(in crate::service) fn folder(&self) -> &Path {
        self.hold.folder()
    }

    /// How fast its chains go.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Executes a state-changing request exactly once and gives the whole body of its answer.
    ///
    /// `operation` is the method and path, `request` the body as it came. A second call with the same key, operation
    /// and body gets the first one's bytes; with another operation or body it is refused. Without a key it is executed
    /// each time. What `op` returns is put under `data` of a success envelope.
    pub fn execute<T: Serialize>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        key: Option<Uuid>,
        (operation, request): (&str, &Value),
        op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        let digest = idempotency::digest(operation, request);
        self.act(tenant, now, Ids::Os, move |books| {
            let Some(key) = key else {
                return render::body(&op(books)?);
            };
            if let Some(answer) = idempotency::answered(books, key, &digest)? {
                return Ok(answer);
            }
            let answer = render::body(&op(books)?)?;
            idempotency::remember(books, key, &digest, &answer)?;
            Ok(answer)
        })
    }

    /// Does something in a workspace's books, wholly or not at all.
    pub fn act<T: Send + 'static>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        ids: Ids,
        op: impl FnOnce(&mut Books<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let pace = self.pace;
        self.write(move |connection| {
            let mut books = Books::open(connection, tenant, now, ids, pace)?;
            let result = op(&mut books)?;
            books.close()?;
            Ok(result)
        })
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
        let kept = self.readers.lock().ok().and_then(|mut readers| readers.pop());
        let connection = match kept {
            Some(connection) => connection,
            None => schema::open_reader(&self.hold.file())?,
        };
        let snapshot = connection.unchecked_transaction()?;
        let result = op(&snapshot);
        snapshot.finish()?;
        if let Ok(mut readers) = self.readers.lock()
            && readers.len() < READERS_KEPT
        {
            readers.push(connection);
        }
        result
    }
}

#[cfg(test)]
mod tests;
