//! The journal: every order from its birth to its end, durable before anything is sent.

mod backup;
mod chain;
pub mod crash;
mod error;
mod file;
mod order;
mod place;
mod reading;
mod record;
mod replay;
mod schema;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use file::{Entry, Journaled};
use uuid::Uuid;

use crate::domain::intent::{Because, Confirmation, Console, Destination, Drafted, End, Event, Illegal, Look};
use crate::domain::{Answered, Intent, IntentId, Timestamp};

pub use backup::{Copied, backup, restore};
pub use error::JournalError;
pub use order::Order;
pub use place::Place;
pub use reading::{Fault, Reading, Verified, verify};
pub use record::Record;

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
    home: place::Home,
}

impl Journal {
    /// Opens the journal, or makes it, for a console that writes in it. The newest records are checked, in a small
    /// journal all of them.
    ///
    /// # Errors
    /// Whatever the error, nothing in the file was changed. The console then does not pay, and watching goes on.
    pub fn open(place: &Place, by: Console) -> Result<Opened, JournalError> {
        let home = place::Home::take(place)?;
        let file = Journaled::read(home.open()?).map_err(|error| home.explain(error))?;
        if file.held.backup().is_some() {
            return Err(JournalError::Backup { path: home.file() });
        }
        let notice = file.held.carried();
        Ok(Opened { journal: Self { inner: Arc::new(Inner { file: Mutex::new(file), by, home }) }, notice })
    }

    /// Records a draft as an intent. Nothing may be sent of it until it was confirmed.
    pub fn draft(&self, drafted: Drafted, at: Timestamp) -> Result<Intent, JournalError> {
        let id = IntentId(Uuid::new_v4());
        let mut file = self.lock();
        let written = file.write("drafted", at, &self.inner.by, |_, _| {
            let destination = drafted.destination.clone();
            let body = record::Body::Event(Event::Drafted(Box::new(drafted)));
            Ok(Some(Entry { intent: Some((id, destination)), body }))
        });
        written.map_err(|error| self.explain(error))?;
        file.held.intent(id).cloned().ok_or(JournalError::NoSuchOrder(id))
    }

    /// Records that the operator confirmed what the frozen bytes say.
    pub fn confirm(&self, id: IntentId, confirmation: Confirmation, at: Timestamp) -> Result<(), JournalError> {
        let event = Event::Confirmed(confirmation);
        self.record("confirmed", id, at, |_| Ok(Some(event)))
    }

    /// Records that the bytes are being sent, and gives the permission to send them once.
    ///
    /// `gives_up_at` is when the sender will surely have stopped waiting for the answer; until then nobody else may
    /// send. Before the record is written, the chain is read anew from the order's birth to its end.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where it may not be sent now, or not there; [`JournalError::Carried`] where it came
    /// with a backup. Without an [`Order`] nothing is sent.
    pub fn begin(
        &self,
        id: IntentId,
        because: Because,
        destination: &Destination,
        at: Timestamp,
        gives_up_at: Timestamp,
    ) -> Result<Order, JournalError> {
        let mut attempt = 0;
        let mut file = self.lock();
        let written = file.write("sending", at, &self.inner.by, |connection, held| {
            let intent = file::find(connection, held, id)?;
            held.refuse_carried(id)?;
            intent.goes_to(destination, at)?;
            // The records of attempts do not say under which key they went, so that it must be the first one always.
            let first = &intent.drafted.destination;
            if first.key_mark != destination.key_mark {
                return Err(Illegal::Elsewhere(format!("{} under another API key", first.base_url)).into());
            }
            attempt = intent.attempts.last().map_or(0, |last| last.number).saturating_add(1);
            let event = Event::Sending { attempt, because, gives_up_at };
            intent.may(&event, at)?;
            file::prove(connection, held, &intent)?;
            Ok(Some(Entry::of(&intent, event)))
        });
        written.map_err(|error| self.explain(error))?;
        let intent = file.held.intent(id).cloned().ok_or(JournalError::NoSuchOrder(id))?;
        Ok(Order { intent, attempt, destination: destination.clone() })
    }

    /// Records what came of an attempt.
    pub fn answered(&self, id: IntentId, attempt: u32, answer: Answered, at: Timestamp) -> Result<(), JournalError> {
        let event = Event::Answered { attempt, answer: Box::new(answer) };
        self.record("answered", id, at, |_| Ok(Some(event)))
    }

    /// Records what a read of the service's history said of an intent. A look that says nothing which the one before
    /// did not say is not recorded again.
    pub fn looked(&self, id: IntentId, look: Look, at: Timestamp) -> Result<(), JournalError> {
        self.record("looked", id, at, |intent| Ok(says_more(intent, &look).then_some(Event::Looked(look))))
    }

    /// Records how an intent ended.
    pub fn end(&self, id: IntentId, end: End, at: Timestamp) -> Result<(), JournalError> {
        self.record("ended", id, at, |_| Ok(Some(Event::Ended(end))))
    }

    /// Every open intent of a profile and its newest `closed` others, the newest first.
    pub fn intents(&self, profile: &str, closed: usize) -> Result<Vec<Intent>, JournalError> {
        let mut file = self.lock();
        let found = file.look(|connection, held| {
            let mut others = file::ended(connection, held, profile, closed)?;
            let mut listed = Vec::new();
            for (birth, intent) in &held.live {
                if *intent.drafted.destination.profile == *profile {
                    let list = if replay::is_open(intent) { &mut listed } else { &mut others };
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
    pub fn intent(&self, id: IntentId) -> Result<Intent, JournalError> {
        self.lock().look(|connection, held| file::find(connection, held, id)).map_err(|error| self.explain(error))
    }

    /// Whether another console wrote since this was last asked.
    pub fn changed(&self) -> Result<bool, JournalError> {
        self.lock().changed().map_err(|error| self.explain(error))
    }

    /// Records an event of an intent, if `event` says so and the intent allows it.
    fn record(
        &self,
        kind: &str,
        id: IntentId,
        at: Timestamp,
        event: impl FnOnce(&Intent) -> Result<Option<Event>, JournalError>,
    ) -> Result<(), JournalError> {
        let written = self.lock().write(kind, at, &self.inner.by, |connection, held| {
            let intent = file::find(connection, held, id)?;
            let Some(event) = event(&intent)? else { return Ok(None) };
            if matches!(event, Event::Confirmed(_)) {
                held.refuse_carried(id)?;
            }
            intent.may(&event, at)?;
            Ok(Some(Entry::of(&intent, event)))
        });
        written.map_err(|error| self.explain(error))
    }

    fn lock(&self) -> MutexGuard<'_, Journaled> {
        // Nothing is left half done by a panic: a record that was not committed is rolled back, and is not in hand.
        self.inner.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, error: JournalError) -> JournalError {
        self.inner.home.explain(error)
    }
}

/// Whether a look tells more than what is known: polls would fill the journal otherwise. A read that covers everything
/// counts for itself until it may be said that the order was not seen.
fn says_more(intent: &Intent, look: &Look) -> bool {
    let suggested = intent.looks.last().and_then(|(_, last)| last.resembles.as_ref());
    match &look.found {
        Some(found) => intent.seen() != Some(found),
        None => (look.covers && !intent.was_not_seen()) || suggested != look.resembles.as_ref(),
    }
}
