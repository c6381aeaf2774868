//! The journal: every order from its draft to its end, durable before anything is sent.
//!
//! An [`Order`] is the sum of its events. The journal stores the events, one record after the other, and checks each
//! against the order before writing it ([`Order::check_event`]): an illegal event is refused and leaves no trace.
//! Sending needs a [`SendPermit`], which only [`Journal::permit_send`] issues, in the same transaction that records the
//! attempt. So whatever is interrupted, by a crash, a power cut or a full disk: if a byte of a request may have left,
//! the journal has a `sending` record.
//!
//! # What an interruption leaves
//!
//! Each write has three named moments (see [`crash`]): before its transaction, within it, and after it. The state after
//! a restart depends only on which transactions were committed, and on how far the request had come:
//!
//! | Interrupted | The ledger may have the payment | State in the journal | The Orders page shows |
//! |---|---|---|---|
//! | before or within `drafted` | no | none | nothing: the form is filled in again |
//! | after `drafted`; before or within `confirmed` | no | drafted | drafted, nothing was sent |
//! | after `confirmed`; before or within `sending` | no | confirmed | not sent yet: to be sent or given up |
//! | after `sending`; `before-send` | no | sending, from `gives_up_at` on unknown | unknown; reading the history |
//! | `after-send`; before the answer | yes | the same | the same |
//! | `after-answer`; before or within `answered` | yes | the same | the same |
//! | after `answered` | as the answer states | accepted, refused, probably refused or unknown | that |
//! | before or within `looked` | as before | as before | the same; the next read reports it again |
//! | after `looked` | as the history states | the result of the lookup | that |
//! | before or within `ended` | as the history states | accepted | accepted; the next read ends it |
//! | after `ended` | as the end states | the end | the end |
//! | before or within `reopened` | as the history states | the end as before | the end; the next read reopens it |
//! | after `reopened` | as the history states | accepted, and an alarm | reopened until an operator has checked it |
//!
//! Between `sending` and `answered` it is unknowable whether the payment was made, so the journal never states that it
//! was not. An attempt whose sender is gone is `Sending` for other consoles until its sender would have given up, and
//! unknown from then on; until then no other console may send it. A restart sends nothing by itself. The same holds for
//! an interruption during recovery, which writes only records of the same kinds.
//!
//! # On disk
//!
//! `journal.sqlite` in a folder of its own, both accessible to their owner alone, one for all profiles: every record
//! names its profile. SQLite in WAL mode with `synchronous = FULL`: a record is on the disk when the call that wrote it
//! returns. Every write is one `BEGIN IMMEDIATE` transaction, so that of two consoles that attempt the same only one
//! succeeds. After each write the log is checkpointed into the file, since SQLite drops a damaged log silently.
//!
//! Beside orders it records imports into the directory ([`RecordedImport`]), so that the cache can be deleted, and
//! every change of the address book ([`RecordedBookChanges`]), so that a change from outside breaks the chain. A record
//! of a kind that older versions cannot read raises the journal's format.
//!
//! Where payments need approval, it records who signed what: `proposed`, `approved` and `refused` carry the proposal's
//! file and the signature over it, so that an export of the journal proves both without this program; `policy` carries
//! the rules and who signed them. The rules count only if they are those that were last recorded.
//!
//! Records are only ever added; triggers refuse anything else. The body of a record is JSON with a version: unknown
//! fields of a newer version are ignored. A newer *format* (`user_version`), or a record that this version cannot read,
//! is refused; older formats are read.
//!
//! The hash of a record is SHA-256 over these parts, each after its length as eight bytes, most significant first: the
//! hash of the record before it, number (eight bytes), time (milliseconds since 1970, eight bytes), user, host, run (16
//! bytes), profile, 1 or 0 for whether there is an environment, environment, order (16 bytes, or none), kind, body. The
//! first record follows the SHA-256 of `bursar journal 1`, a zero byte, and the 16 bytes of the journal's name.
//!
//! # Tamper detection
//!
//! Opening checks the newest records, and all of a small journal; before an order is sent, the chain is read again from
//! the order's draft to the end; the address book is read from the first record on; [`verify`] checks everything. A
//! record that was changed, exchanged, moved or removed breaks the chain. A truncated tail is detected by `head`, by
//! SQLite's own count, and by the tail marker beside the journal (`journal.head`), which also detects a journal that
//! was deleted or replaced by an earlier copy. Damage is reported and nothing is changed: the console does not pay, but
//! goes on reading.
//!
//! Not detected: anybody who can write the files can rewrite the journal from some record on with new hashes and a new
//! marker; they contain no secret. Nor is it detected when the folder as a whole, marker included, is replaced by an
//! earlier state, or copied to a second machine and used on both. Against these, note the last hash that `bursar
//! journal verify` prints elsewhere, and move a journal with `bursar journal backup` and `restore`, which make sure
//! that no order is sent from two machines.

mod acknowledgements;
mod addresses;
mod approvals;
mod backup;
mod contacts;
pub mod crash;
mod due_orders;
mod error;
mod file;
mod hash_chain;
mod imports;
mod location;
mod lookups;
mod order_index;
mod record;
mod replay;
mod schema;
mod send_permit;
mod snapshot;
mod tail_marker;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use file::{JournalFile, NewRecord};
use replay::Projection;
use rusqlite::Connection;
use uuid::Uuid;

use crate::domain::order::{Confirmation, ConsoleIdentity, DraftedOrder, OrderEnd, OrderEvent, ServiceDestination};
use crate::domain::{AttemptResult, Order, OrderId, Timestamp};

pub use backup::{CopySummary, backup, restore};
pub use contacts::{RecordTime, RecordedBookChanges};
pub use error::JournalError;
pub use imports::RecordedImport;
pub use location::JournalLocation;
pub use order_index::RowMarks;
pub use record::Record;
pub use send_permit::SendPermit;
pub use snapshot::{Fault, JournalSnapshot, VerifyReport, verify};

/// Cheap to clone; every clone is the same journal. Its methods block on the disk, for at most five seconds more while
/// another process writes, and may be called from any thread.
#[derive(Clone)]
pub struct Journal {
    inner: Arc<Inner>,
    console: Arc<ConsoleIdentity>,
}

pub struct OpenedJournal {
    pub journal: Journal,
    /// For example that open orders came with a backup.
    pub notice: Option<String>,
}

/// Field order matters: the connection closes before a temporary folder is removed.
struct Inner {
    file: Mutex<JournalFile>,
    /// `None` for a journal in memory.
    folder: Option<location::JournalFolder>,
}

impl Journal {
    /// Opens or creates the journal for a console that writes in it. Checks the newest records, and all of a small
    /// journal.
    ///
    /// # Errors
    /// On any error the file is unchanged. The console then does not pay, but goes on reading.
    pub fn open(location: &JournalLocation, by: ConsoleIdentity) -> Result<OpenedJournal, JournalError> {
        let home = location::JournalFolder::open_shared(location)?;
        let Some(home) = home else {
            let file = Mutex::new(JournalFile::read(schema::open_in_memory()?)?);
            return Ok(OpenedJournal {
                journal: Self { inner: Arc::new(Inner { file, folder: home }), console: Arc::new(by) },
                notice: None,
            });
        };
        let mark = tail_marker::path(&home.file());
        let decoded_mark = mark.as_deref().and_then(tail_marker::read);
        let mut file = JournalFile::read(home.open()?).map_err(|error| home.name_folder_in_error(error))?;
        file.keep_tail_marker(mark, decoded_mark)?;
        if file.projection.backup_at_end().is_some() {
            return Err(JournalError::Backup { path: home.file() });
        }
        let notice = file.projection.backup_notice();
        let inner = Arc::new(Inner { file: Mutex::new(file), folder: Some(home) });
        Ok(OpenedJournal { journal: Self { inner, console: Arc::new(by) }, notice })
    }

    /// The same journal for another console, under whose name it then writes.
    #[must_use]
    pub fn for_console(&self, by: ConsoleIdentity) -> Self {
        Self { inner: Arc::clone(&self.inner), console: Arc::new(by) }
    }

    /// Records a draft as an order, which must be confirmed before it may be sent.
    pub fn record_draft(&self, drafted: DraftedOrder, at: Timestamp) -> Result<Order, JournalError> {
        let id = OrderId(Uuid::new_v4());
        let mut file = self.lock();
        let written = file.write_record("drafted", at, &self.console, |_, _| {
            let destination = drafted.destination.clone();
            let body = record::Body::Event(OrderEvent::Drafted(Box::new(drafted)));
            Ok(Some(NewRecord { order: Some(id), destination: Some(destination), body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))?;
        file.projection.open_order(id).cloned().ok_or(JournalError::NoSuchOrder(id))
    }

    /// Records that the operator confirmed the content of the request bytes.
    pub fn record_confirmation(
        &self,
        id: OrderId,
        confirmation: Confirmation,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let event = OrderEvent::Confirmed(confirmation);
        self.record_event("confirmed", id, at, |_| Ok(Some(event)))
    }

    pub fn record_answer(
        &self,
        id: OrderId,
        attempt: u32,
        answer: AttemptResult,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let event = OrderEvent::Answered { attempt, answer: Box::new(answer) };
        self.record_event("answered", id, at, |_| Ok(Some(event)))
    }

    pub fn record_end(&self, id: OrderId, end: OrderEnd, at: Timestamp) -> Result<(), JournalError> {
        self.record_event("ended", id, at, |_| Ok(Some(OrderEvent::Ended(end))))
    }

    /// Every open order that is shown for the profile `here` (`AddressRelations::is_shown`), and the newest `closed`
    /// others, the newest first.
    pub fn orders(&self, destination: &ServiceDestination, closed: usize) -> Result<Vec<Order>, JournalError> {
        let load_shown = |projection: &mut Projection, connection: &Connection| {
            let addresses = addresses::read_service_addresses(connection, projection, destination)?;
            Ok(move |origin: &ServiceDestination, is_open: bool| addresses.is_order_shown(origin, destination, is_open))
        };
        self.list_orders(closed, load_shown)
    }

    /// Every order of every profile, the newest first.
    pub fn all_orders(&self) -> Result<Vec<Order>, JournalError> {
        self.list_orders(usize::MAX, |_, _| Ok(|_: &ServiceDestination, _: bool| true))
    }

    /// The open orders whose destination the predicate from `load_shown` (called once) accepts, and the newest `closed`
    /// others.
    fn list_orders<F: Fn(&ServiceDestination, bool) -> bool>(
        &self,
        closed: usize,
        load_shown: impl FnOnce(&mut Projection, &Connection) -> Result<F, JournalError>,
    ) -> Result<Vec<Order>, JournalError> {
        let mut file = self.lock();
        let orders = file.read_consistent(|connection, projection| {
            let is_shown = load_shown(projection, connection)?;
            let mut others = file::closed_orders(connection, projection, |origin| is_shown(origin, false), closed)?;
            let mut orders = Vec::new();
            for (birth, order) in &projection.open_orders {
                let is_open = replay::is_open(order);
                if is_shown(&order.drafted.destination, is_open) {
                    let list = if is_open { &mut orders } else { &mut others };
                    list.push((*birth, order.clone()));
                }
            }
            others.sort_by_key(|(birth, _)| std::cmp::Reverse(*birth));
            others.truncate(closed);
            orders.append(&mut others);
            orders.sort_by_key(|(birth, _)| std::cmp::Reverse(*birth));
            Ok(orders.into_iter().map(|(_, order)| order).collect())
        });
        orders.map_err(|error| self.name_folder_in_error(error))
    }

    pub fn order(&self, id: OrderId) -> Result<Order, JournalError> {
        self.lock()
            .read_consistent(|connection, projection| file::find_order(connection, projection, id))
            .map_err(|error| self.name_folder_in_error(error))
    }

    /// The number of the last record: as long as it stays the same, so does the journal.
    pub fn last_seq(&self) -> Result<u64, JournalError> {
        self.lock()
            .read_consistent(|_, projection| Ok(projection.head.seq))
            .map_err(|error| self.name_folder_in_error(error))
    }

    /// Whether another console wrote since the last call.
    pub fn take_changed_elsewhere(&self) -> Result<bool, JournalError> {
        self.lock().take_changed(self.console.run).map_err(|error| self.name_folder_in_error(error))
    }

    /// Records an event of an order, if `event` returns one and the order allows it.
    fn record_event(
        &self,
        kind: &str,
        id: OrderId,
        at: Timestamp,
        event: impl FnOnce(&Order) -> Result<Option<OrderEvent>, JournalError>,
    ) -> Result<(), JournalError> {
        let written = self.lock().write_record(kind, at, &self.console, |connection, projection| {
            let order = file::find_order(connection, projection, id)?;
            let Some(event) = event(&order)? else { return Ok(None) };
            if matches!(event, OrderEvent::Confirmed(_)) {
                projection.refuse_from_backup(id)?;
            }
            order.check_event(&event, at)?;
            Ok(Some(NewRecord::of(&order, event)))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }

    fn lock(&self) -> MutexGuard<'_, JournalFile> {
        // A panic leaves nothing half done: an uncommitted record is rolled back, and is not in the projection.
        self.inner.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name_folder_in_error(&self, error: JournalError) -> JournalError {
        match &self.inner.folder {
            Some(home) => home.name_folder_in_error(error),
            None => error,
        }
    }
}
