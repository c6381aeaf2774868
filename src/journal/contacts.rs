//! The address book, change by change. It stands in the chain of records, so that whoever changes the file from outside is
//! noticed before anybody is paid by it. With it is gathered under which base addresses profiles stood, by which it is known
//! whose book a change belongs to.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::addresses::addresses;
use super::chain::{self, Head};
use super::file::Entry;
use super::record::{Body, Record};
use super::replay::Projection;
use super::{Journal, JournalError, JournalSnapshot};
use crate::domain::book::BookChange;
use crate::domain::intent::{AddressAnswer, Console, Destination, ProfileAddress, ServiceAddresses};
use crate::domain::{Book, Skew, Text, Timestamp};

/// Changes of the address book as they were recorded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBookChanges {
    /// When, by the clock of the machine.
    pub at: Timestamp,
    /// The earliest time that this record or any later one says: if it is earlier than `at`, the clock was ahead then.
    pub earliest: Timestamp,
    /// The latest time that any record says up to this one, by whichever clock: nothing ages by one that was behind.
    pub since: Timestamp,
    /// By whom.
    pub by: Console,
    /// What, in their order.
    pub changes: Vec<BookChange>,
    /// Dangers that were overridden then, in their words.
    pub overridden: Vec<Text>,
}

/// When something is recorded, by this machine's clock, and by the service's where that shows something else.
#[derive(Debug, Clone, Copy)]
pub struct RecordTime {
    /// By this machine's clock.
    pub here: Timestamp,
    /// By the service's; `None` where nobody knows, or both agree.
    pub at_service: Option<Timestamp>,
}

impl From<Timestamp> for RecordTime {
    fn from(here: Timestamp) -> Self {
        Self { here, at_service: None }
    }
}

impl RecordedBookChanges {
    /// The book that all changes make, the oldest first.
    pub fn book(all: &[Self]) -> Book {
        let mut book = Book::default();
        for booked in all {
            booked.changes.iter().for_each(|change| book.apply(change.clone(), booked.entered_at(), booked.since));
        }
        book
    }

    /// When the changes were made at the latest, by the order of the records; before all time where the clock is shown to
    /// have been wrong by more than clocks are.
    fn entered_at(&self) -> Timestamp {
        let is_by_chance = self.earliest.age(self.at) <= Skew::TOLERANCE;
        if is_by_chance { self.earliest } else { Timestamp::from_millis(i64::MIN) }
    }
}

impl Journal {
    /// Records changes of the address book, all of them or none: once this returns, they are on the disk. `to` says to
    /// which service the book belongs, and under which profile it was changed; it outlives profiles and keys. `judged` is
    /// the book that the changes were judged by.
    ///
    /// # Errors
    /// [`JournalError::BookChanged`] where the book is another by now: nothing is recorded.
    pub fn change_book(
        &self,
        to: &Destination,
        judged: &Book,
        changes: Vec<BookChange>,
        overridden: Vec<Text>,
        at: impl Into<RecordTime>,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let RecordTime { here: at, at_service } = at.into();
        let body = Body::Booked { base_url, changes, overridden, at_service };
        let written = self.lock().write("booked", at, &self.inner.by, |connection, held| {
            let addresses = addresses(connection, held, to)?;
            if RecordedBookChanges::book(&book_index(connection, held)?.changes_at(&addresses)) != *judged {
                return Err(JournalError::BookChanged);
            }
            Ok(Some(Entry { order: None, destination, body }))
        });
        written.map_err(|error| self.explain(error))
    }

    /// Every change of the address book of the profile that stands `here`, the oldest first: what was changed under another
    /// address of it counts until somebody says that another service is behind that.
    pub fn book_changes(&self, here: &Destination) -> Result<Vec<RecordedBookChanges>, JournalError> {
        let found = self.lock().read_consistent(|connection, held| {
            let addresses = addresses(connection, held, here)?;
            Ok(book_index(connection, held)?.changes_at(&addresses))
        });
        found.map_err(|error| self.explain(error))
    }
}

impl JournalSnapshot {
    /// The same, without opening the journal to write in it.
    pub fn book_changes(&self, here: &Destination) -> Result<Vec<RecordedBookChanges>, JournalError> {
        Ok(self.read_book_index()?.changes_at(&self.addresses(here)?))
    }

    pub(super) fn read_book_index(&self) -> Result<BookIndex, JournalError> {
        let (gathered, walked) = BookIndex::walk(self.connection())?;
        chain::check_end(self.connection(), &walked)?;
        self.check_tail_marker(&walked)?;
        Ok(gathered)
    }
}

/// The changes of all address books, gathered from the first record on and through no index: one that was taken out, or
/// made to look like something else, would otherwise be missed, and whom it removed be trusted again.
#[derive(Debug, Default)]
pub(super) struct BookIndex {
    /// The latest time that any record says.
    latest: Option<Timestamp>,
    /// Each with the address of the service to whose book it belongs.
    all: Vec<(Text, RecordedBookChanges)>,
    /// Under which addresses profiles have an address book.
    pub(super) stands: BTreeSet<ProfileAddress>,
    /// Where else profiles stood.
    pub(super) visits: BTreeSet<ProfileAddress>,
    /// What operators said of two addresses, the oldest first.
    pub(super) answers: Vec<AddressAnswer>,
}

impl BookIndex {
    /// Takes in the next record.
    pub(super) fn apply_record(&mut self, record: &Record) -> Result<(), JournalError> {
        let (at, since) = (record.at, self.latest.map_or(record.at, |latest| latest.max(record.at)));
        self.latest = Some(since);
        // Each is no later than the next, so that those before need no look.
        for (_, booked) in self.all.iter_mut().rev().take_while(|(_, booked)| booked.earliest > at) {
            booked.earliest = at;
        }
        // Only these are read; of all others the time alone counts.
        if !matches!(record.kind.as_str(), "booked" | "service") {
            return Ok(());
        }
        let stand = |base_url: &Text| ProfileAddress { profile: record.profile.clone(), base_url: base_url.clone() };
        match record.decode_body()? {
            Body::Booked { base_url, changes, overridden, at_service } => {
                self.stands.insert(stand(&base_url));
                let (by, since) = (record.by.clone(), at_service.map_or(since, |told| told.max(since)));
                self.all.push((base_url, RecordedBookChanges { at, earliest: at, since, by, changes, overridden }));
            }
            Body::Service { base_url, answer } => {
                self.visits.insert(stand(&base_url));
                let answer = answer.map(|(other, is_same)| AddressAnswer { one: base_url, other, is_same });
                self.answers.extend(answer);
            }
            Body::Event(_) | Body::Imported { .. } | Body::Copied { .. } | Body::Restored { .. } => {}
        }
        Ok(())
    }

    /// Walks the whole chain, and tells where it ends.
    fn walk(connection: &Connection) -> Result<(Self, Head), JournalError> {
        let mut gathered = Self::default();
        let walked = chain::walk(connection, Head::beginning(connection)?, |record| gathered.apply_record(&record))?;
        Ok((gathered, walked))
    }

    /// Those of the service behind these addresses, the oldest first.
    fn changes_at(&self, addresses: &ServiceAddresses) -> Vec<RecordedBookChanges> {
        self.all.iter().filter(|(its, _)| addresses.is_remembered(its)).map(|(_, booked)| booked.clone()).collect()
    }
}

/// The changes in hand. Of a journal that was not read from its first record on they are gathered once, and kept up from
/// then on with every record that follows.
pub(super) fn book_index<'a>(connection: &Connection, held: &'a mut Projection) -> Result<&'a BookIndex, JournalError> {
    let gathered = if let Some(gathered) = held.book_index.take() {
        gathered
    } else {
        let (gathered, walked) = BookIndex::walk(connection)?;
        if walked != held.head {
            return Err(JournalError::damaged(
                Some(held.head.seq),
                "the chain of records ends in a different place than before",
            ));
        }
        gathered
    };
    Ok(held.book_index.insert(gathered))
}
