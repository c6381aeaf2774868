//! The journal: every order from its birth to its end, durable before anything is sent.
//!
//! An order is an [`Order`], and an intent is the sum of what happened to it. The journal holds what happened, one
//! record after the other, and asks the intent before it writes ([`Order::check_event`]): what may not happen is refused and
//! leaves no trace. Sending needs an [`SendPermit`], which [`Journal::permit_send`] alone gives out, in the same transaction that
//! records the attempt. So whatever is interrupted, by a crash, by a power cut or by a full disk: if a byte of a request
//! may have left, the journal says that it was being sent.
//!
//! # What an interruption leaves
//!
//! Each write has three named moments (see [`crash`]): before its transaction, within it, and after it. What is there
//! at a restart depends only on which transactions were completed, and on how far the request had come:
//!
//! | Interrupted | The ledger may have the payment | The journal says | The Orders page says |
//! |---|---|---|---|
//! | before or within `drafted` | no | nothing | nothing: the form is filled in again |
//! | after `drafted`; before or within `confirmed` | no | drafted | among the others: drafted, nothing was sent |
//! | after `confirmed`; before or within `sending` | no | confirmed | not sent yet: to be sent by the operator's word, or given up |
//! | after `sending`; `before-send` | no | sending, until the sender must have given up; then unknown | we do not know; reading the history |
//! | `after-send`; before the answer | yes | the same | the same |
//! | `after-answer`; before or within `answered` | yes | the same | the same |
//! | after `answered` | as the answer says | accepted, refused, probably refused or unknown | that |
//! | before or within `looked` | as before | what stood there before | the same; the next read says it again |
//! | after `looked` | as the history says | what was found | that |
//! | before or within `ended` | as the history says | accepted | accepted; the next read ends it |
//! | after `ended` | as the end says | the end | the end |
//! | before or within `reopened` | as the history says | the end as before | the end; the next read opens it again |
//! | after `reopened` | as the history says | accepted, and an alarm | open again until somebody has looked |
//!
//! In the rows between `sending` and `answered` nobody can tell whether the payment was made, so the journal never says
//! that it was not. An attempt whose sender is gone is `Sending` for other consoles until the time at which its sender
//! would have given up, and unknown from then on; until then nobody else may send it. At a restart nothing is sent by
//! itself. The same holds for an interruption while all this is being recovered: recovering writes only records of the
//! same kinds.
//!
//! # On disk
//!
//! `journal.sqlite` in a folder of its own, both for their owner alone, one for all profiles: every record names its
//! profile. SQLite in WAL mode with `synchronous = FULL`: a record is on the disk when the call that wrote it returns.
//! Every write is one `BEGIN IMMEDIATE` transaction, so that of two consoles that want the same only one gets it. After
//! each write the log is moved into the file, since SQLite drops a damaged log in silence.
//!
//! Beside orders it holds what operators brought into the directory ([`RecordedImport`]), so that the cache can be deleted, and
//! every change of the address book ([`RecordedBookChanges`]), so that one from outside breaks the chain. Records of a kind that older
//! versions do not know make the journal one of a newer format.
//!
//! Records are only ever added; triggers refuse anything else. The body of a record is JSON with a version: fields of a
//! newer version are left alone where they are not known. A newer *format* (`user_version`), or a record that this
//! version does not understand, is refused; older formats are read.
//!
//! The hash of a record is SHA-256 over these parts, each after its length as eight bytes, most significant first: the
//! hash of the record before it, number (eight bytes), time (milliseconds since 1970, eight bytes), user, host, run (16
//! bytes), profile, 1 or 0 for whether there is an environment, environment, intent (16 bytes, or none), kind, body. The
//! first record follows on the SHA-256 of `bursar journal 1`, a zero byte, and the 16 bytes of the journal's name.
//!
//! # What is noticed
//!
//! Opening checks the newest records, in a small journal everything; before an order is sent, the chain is read anew
//! from its birth to its end; the address book is gathered from the first record on; [`verify`] checks everything. A record that was changed, exchanged, moved or removed breaks
//! the chain. A tail that was cut off is noticed by `head`, by SQLite's own count, and by the mark beside the journal
//! (`journal.head`), which also notices a journal that was deleted or put back to an earlier copy. Damage is reported and
//! nothing is changed: the console does not pay, and goes on watching.
//!
//! Not noticed: whoever can write the files can rewrite the journal from some record on with new hashes and a new mark;
//! there is no secret in them. Nor is it noticed when the folder as a whole, mark included, is put back to an earlier
//! state, or copied to a second machine and used in both. Against these, note the last hash that `bursar journal verify`
//! prints in another place, and move a journal with `bursar journal backup` and `restore`, which see to it that no order
//! is sent from two places.

mod addresses;
mod backup;
mod chain;
mod contacts;
pub mod crash;
mod error;
mod file;
mod imports;
mod location;
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

use file::{Entry, Journaled};
use replay::Projection;
use rusqlite::Connection;
use uuid::Uuid;

use crate::domain::intent::{
    Because, Confirmation, Console, Destination, DraftedOrder, Event, HistoryLookup, Illegal, OrderEnd, State,
};
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

/// The journal. Cheap to clone; every clone is the same one. Its methods block for as long as the disk takes, at most
/// five seconds more while another process writes, and may be called from any thread.
#[derive(Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

/// A journal that was opened, and what there is to say about it.
pub struct Opened {
    /// The journal.
    pub journal: Journal,
    /// What the operator should know, if anything: for example that orders came with a backup.
    pub notice: Option<String>,
}

/// The connection comes first, so that it is closed before a temporary folder is removed.
struct Inner {
    file: Mutex<Journaled>,
    by: Console,
    /// None where it is in memory.
    home: Option<location::JournalFolder>,
}

impl Journal {
    /// Opens the journal, or makes it, for a console that writes in it. The newest records are checked, in a small
    /// journal all of them.
    ///
    /// # Errors
    /// Whatever the error, nothing in the file was changed. The console then does not pay, and watching goes on.
    pub fn open(place: &JournalLocation, by: Console) -> Result<Opened, JournalError> {
        let home = location::JournalFolder::open_shared(place)?;
        let Some(home) = home else {
            let file = Mutex::new(Journaled::read(schema::in_memory()?)?);
            return Ok(Opened { journal: Self { inner: Arc::new(Inner { file, by, home }) }, notice: None });
        };
        let mark = tail_marker::path(&home.file());
        let known = mark.as_deref().and_then(tail_marker::read);
        let mut file = Journaled::read(home.open()?).map_err(|error| home.explain(error))?;
        file.keep_tail_marker(mark, known)?;
        if file.projection.backup().is_some() {
            return Err(JournalError::Backup { path: home.file() });
        }
        let notice = file.projection.backup_notice();
        Ok(Opened { journal: Self { inner: Arc::new(Inner { file: Mutex::new(file), by, home: Some(home) }) }, notice })
    }

    /// Records a draft as an intent. Nothing may be sent of it until it was confirmed.
    pub fn draft(&self, drafted: DraftedOrder, at: Timestamp) -> Result<Order, JournalError> {
        let id = OrderId(Uuid::new_v4());
        let mut file = self.lock();
        let written = file.write("drafted", at, &self.inner.by, |_, _| {
            let destination = drafted.destination.clone();
            let body = record::Body::Event(Event::Drafted(Box::new(drafted)));
            Ok(Some(Entry { order: Some(id), destination: Some(destination), body }))
        });
        written.map_err(|error| self.explain(error))?;
        file.projection.intent(id).cloned().ok_or(JournalError::NoSuchOrder(id))
    }

    /// Records that the operator confirmed what the frozen bytes say.
    pub fn confirm(&self, id: OrderId, confirmation: Confirmation, at: Timestamp) -> Result<(), JournalError> {
        let event = Event::Confirmed(confirmation);
        self.record("confirmed", id, at, |_| Ok(Some(event)))
    }

    /// Records that the bytes are being sent, and gives the permission to send them once.
    ///
    /// `gives_up_at` is when the sender will surely have stopped waiting for the answer; until then nobody else may
    /// send. `judged` is the number of the last record that its judgement took into account ([`Self::last`], asked before
    /// anything else was read for it), and `None` for what is not judged before it is sent. Before the record is written, the chain is read anew from the order's birth to its end.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where it may not be sent now, or not there, with [`Illegal::Stale`] where it is to be
    /// judged anew; [`JournalError::FromBackup`] where it came with a backup. Without an [`SendPermit`] nothing is sent.
    pub fn permit_send(
        &self,
        id: OrderId,
        because: Because,
        destination: &Destination,
        at: Timestamp,
        gives_up_at: Timestamp,
        judged: Option<u64>,
    ) -> Result<SendPermit, JournalError> {
        let mut attempt = 0;
        let mut file = self.lock();
        let written = file.write("sending", at, &self.inner.by, |connection, held| {
            let intent = file::find(connection, held, id)?;
            held.refuse_from_backup(id)?;
            intent.check_destination(destination, at)?;
            // The records of attempts do not say under which key they went, so that it must be the first one always.
            let first = &intent.drafted.destination;
            if first.key_mark != destination.key_mark {
                return Err(Illegal::OtherDestination(format!("{} under another API key", first.base_url)).into());
            }
            attempt = intent.attempts.last().map_or(0, |last| last.number).saturating_add(1);
            let event = Event::Sending { attempt, reason: because, gives_up_at };
            intent.check_event(&event, at)?;
            // Two consoles may have reviewed an equal payment at one moment; the second to come here asks again.
            let never_left = matches!(intent.state(at), State::Confirmed | State::NotSent);
            if never_left && held.is_overtaken(&intent) {
                return Err(Illegal::DuplicateSent.into());
            }
            // Limits count what ended, too, and the list of who may be paid is the book's.
            if judged.is_some_and(|judged| held.last_conflicting > judged) {
                return Err(Illegal::Stale.into());
            }
            file::verify_order(connection, held, &intent)?;
            Ok(Some(Entry::of(&intent, event)))
        });
        written.map_err(|error| self.explain(error))?;
        let intent = file.projection.intent(id).cloned().ok_or(JournalError::NoSuchOrder(id))?;
        Ok(SendPermit { order: intent, attempt, destination: destination.clone() })
    }

    /// Records what came of an attempt.
    pub fn answered(
        &self,
        id: OrderId,
        attempt: u32,
        answer: AttemptResult,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let event = Event::Answered { attempt, answer: Box::new(answer) };
        self.record("answered", id, at, |_| Ok(Some(event)))
    }

    /// Records what a read of the service's history said of an intent. A look that says nothing which the one before
    /// did not say is not recorded again.
    pub fn record_lookup(&self, id: OrderId, look: HistoryLookup, at: Timestamp) -> Result<(), JournalError> {
        self.record("looked", id, at, |intent| {
            // Somebody closed it while it was looked for, without knowing of this.
            let reopens = intent.end.is_some() && look.contradiction.is_some();
            if !adds_information(intent, &look) {
                return Ok(None);
            }
            Ok(Some(if reopens { Event::Reopened(look) } else { Event::Looked(look) }))
        })
    }

    /// Records a look that contradicts how an intent was closed, which opens it again.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where it has no end: then [`Journal::record_lookup`] records it.
    pub fn reopen(&self, id: OrderId, look: HistoryLookup, at: Timestamp) -> Result<(), JournalError> {
        self.record("reopened", id, at, |_| Ok(Some(Event::Reopened(look))))
    }

    /// The orders that were ever sent, whatever became of them, of which a row of the history bears a mark: a key, a
    /// transaction, a reference. Each comes with the places of its rows. It takes a few looks for each row, however many
    /// orders there are.
    pub fn matching_orders<'a, R>(&self, rows: &'a [R]) -> Result<Vec<(Order, Vec<usize>)>, JournalError>
    where
        RowMarks<'a>: From<&'a R>,
    {
        let rows: Vec<RowMarks<'a>> = rows.iter().map(RowMarks::from).collect();
        self.lock()
            .read_consistent(|connection, held| order_index::matching(connection, held, &rows))
            .map_err(|error| self.explain(error))
    }

    /// Records how an intent ended.
    pub fn close(&self, id: OrderId, end: OrderEnd, at: Timestamp) -> Result<(), JournalError> {
        self.record("ended", id, at, |_| Ok(Some(Event::Ended(end))))
    }

    /// Every open intent that is shown to whoever stands here (`ServiceAddresses::is_shown`), and the newest `closed`
    /// others, the newest first.
    pub fn orders(&self, here: &Destination, closed: usize) -> Result<Vec<Order>, JournalError> {
        let shown = |held: &mut Projection, connection: &Connection| {
            let addresses = addresses::addresses(connection, held, here)?;
            Ok(move |there: &Destination, is_open: bool| addresses.is_shown(there, here, is_open))
        };
        self.list_orders(closed, shown)
    }

    /// Every intent of every profile, the newest first.
    pub fn all_orders(&self) -> Result<Vec<Order>, JournalError> {
        self.list_orders(usize::MAX, |_, _| Ok(|_: &Destination, _: bool| true))
    }

    /// The open intents that went where `shown` says, asked once, and the newest `closed` others.
    fn list_orders<F: Fn(&Destination, bool) -> bool>(
        &self,
        closed: usize,
        shown: impl FnOnce(&mut Projection, &Connection) -> Result<F, JournalError>,
    ) -> Result<Vec<Order>, JournalError> {
        let mut file = self.lock();
        let found = file.read_consistent(|connection, held| {
            let is_shown = shown(held, connection)?;
            let mut others = file::closed_orders(connection, held, |there| is_shown(there, false), closed)?;
            let mut listed = Vec::new();
            for (birth, intent) in &held.open_orders {
                let is_open = replay::is_open(intent);
                if is_shown(&intent.drafted.destination, is_open) {
                    let list = if is_open { &mut listed } else { &mut others };
                    list.push((*birth, intent.clone()));
                }
            }
            others.sort_by_key(|(birth, _)| std::cmp::Reverse(*birth));
            others.truncate(closed);
            listed.append(&mut others);
            listed.sort_by_key(|(birth, _)| std::cmp::Reverse(*birth));
            Ok(listed.into_iter().map(|(_, intent)| intent).collect())
        });
        found.map_err(|error| self.explain(error))
    }

    /// One intent, of whatever profile.
    pub fn intent(&self, id: OrderId) -> Result<Order, JournalError> {
        self.lock()
            .read_consistent(|connection, held| file::find(connection, held, id))
            .map_err(|error| self.explain(error))
    }

    /// The number of the last record: the journal says the same for as long as this stays the same.
    pub fn last(&self) -> Result<u64, JournalError> {
        self.lock().read_consistent(|_, held| Ok(held.head.seq)).map_err(|error| self.explain(error))
    }

    /// Whether another console wrote since this was last asked.
    pub fn changed(&self) -> Result<bool, JournalError> {
        self.lock().changed().map_err(|error| self.explain(error))
    }

    /// Records an event of an intent, if `event` says so and the intent allows it.
    fn record(
        &self,
        kind: &str,
        id: OrderId,
        at: Timestamp,
        event: impl FnOnce(&Order) -> Result<Option<Event>, JournalError>,
    ) -> Result<(), JournalError> {
        let written = self.lock().write(kind, at, &self.inner.by, |connection, held| {
            let intent = file::find(connection, held, id)?;
            let Some(event) = event(&intent)? else { return Ok(None) };
            if matches!(event, Event::Confirmed(_)) {
                held.refuse_from_backup(id)?;
            }
            intent.check_event(&event, at)?;
            Ok(Some(Entry::of(&intent, event)))
        });
        written.map_err(|error| self.explain(error))
    }

    fn lock(&self) -> MutexGuard<'_, Journaled> {
        // Nothing is left half done by a panic: a record that was not committed is rolled back, and is not in hand.
        self.inner.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, error: JournalError) -> JournalError {
        match &self.inner.home {
            Some(home) => home.explain(error),
            None => error,
        }
    }
}

/// Whether a look tells more than what is known: polls would fill the journal otherwise. A read that covers everything
/// counts for itself until it may be said that the order was not seen. That the history cannot prove anything is worth
/// one record: it is told otherwise than that nobody has looked yet.
fn adds_information(intent: &Order, look: &HistoryLookup) -> bool {
    let suggested = intent.lookups.last().and_then(|(_, last)| last.similar_transaction.as_ref());
    match &look.found {
        _ if intent.is_alarmed_by(look) || intent.has_new_parts(look) || look.shows_failure => true,
        Some(found) => intent.last_observed() != Some(found),
        None => {
            (look.is_complete && !intent.was_not_seen())
                || intent.lookups.is_empty()
                || suggested != look.similar_transaction.as_ref()
        }
    }
}
