//! The address book, change by change. It stands in the chain of records, so that whoever changes the file from outside is
//! noticed before anybody is paid by it.

use rusqlite::Connection;

use super::chain::{self, Head};
use super::file::Entry;
use super::record::{Body, Record};
use super::replay::Held;
use super::{Journal, JournalError, Reading};
use crate::domain::book::Change;
use crate::domain::intent::{Console, Destination};
use crate::domain::{Book, Text, Timestamp};

/// Changes of the address book as they were recorded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// When, by the clock of the machine.
    pub at: Timestamp,
    /// The latest time that any record says up to this one: nothing ages by a clock that was set back.
    pub since: Timestamp,
    /// By whom.
    pub by: Console,
    /// What, in their order.
    pub changes: Vec<Change>,
    /// Dangers that were overridden then, in their words.
    pub overridden: Vec<Text>,
}

impl Booked {
    /// The book that all changes make, the oldest first.
    pub fn book(all: &[Self]) -> Book {
        let mut book = Book::default();
        for booked in all {
            booked.changes.iter().for_each(|change| book.apply(change.clone(), booked.at, booked.since));
        }
        book
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
        changes: Vec<Change>,
        overridden: Vec<Text>,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let body = Body::Booked { base_url, changes, overridden };
        let written = self.lock().write("booked", at, &self.inner.by, |connection, held| {
            if Booked::book(&gathered(connection, held)?.at(&to.base_url)) != *judged {
                return Err(JournalError::BookChanged);
            }
            Ok(Some(Entry { intent: None, destination, body }))
        });
        written.map_err(|error| self.explain(error))
    }

    /// Every change of the address book of the service at an address, the oldest first.
    pub fn booked(&self, base_url: &str) -> Result<Vec<Booked>, JournalError> {
        let found = self.lock().look(|connection, held| Ok(gathered(connection, held)?.at(base_url)));
        found.map_err(|error| self.explain(error))
    }
}

impl Reading {
    /// The same, without opening the journal to write in it.
    pub fn booked(&self, base_url: &str) -> Result<Vec<Booked>, JournalError> {
        let (gathered, walked) = Gathered::walk(self.connection())?;
        chain::check_end(self.connection(), &walked)?;
        self.check_mark(&walked)?;
        Ok(gathered.at(base_url))
    }
}

/// The changes of all address books, gathered from the first record on and through no index: one that was taken out, or
/// made to look like something else, would otherwise be missed, and whom it removed be trusted again.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The latest time that any record says.
    latest: Option<Timestamp>,
    /// Each with the address of the service to whose book it belongs.
    all: Vec<(Text, Booked)>,
}

impl Gathered {
    /// Takes in the next record.
    pub(super) fn take(&mut self, record: &Record) -> Result<(), JournalError> {
        let since = self.latest.map_or(record.at, |latest| latest.max(record.at));
        self.latest = Some(since);
        // Only these are read; of all others the time alone counts.
        if record.kind == "booked"
            && let Body::Booked { base_url, changes, overridden } = record.says()?
        {
            self.all.push((base_url, Booked { at: record.at, since, by: record.by.clone(), changes, overridden }));
        }
        Ok(())
    }

    /// Walks the whole chain, and tells where it ends.
    fn walk(connection: &Connection) -> Result<(Self, Head), JournalError> {
        let mut gathered = Self::default();
        let walked = chain::walk(connection, Head::beginning(connection)?, |record| gathered.take(&record))?;
        Ok((gathered, walked))
    }

    /// Those of the service at an address, the oldest first.
    fn at(&self, base_url: &str) -> Vec<Booked> {
        self.all.iter().filter(|(its, _)| **its == *base_url).map(|(_, booked)| booked.clone()).collect()
    }
}

/// The changes in hand. Of a journal that was not read from its first record on they are gathered once, and kept up from
/// then on with every record that follows.
fn gathered<'a>(connection: &Connection, held: &'a mut Held) -> Result<&'a Gathered, JournalError> {
    let gathered = if let Some(gathered) = held.booked.take() {
        gathered
    } else {
        let (gathered, walked) = Gathered::walk(connection)?;
        if walked != held.head {
            return Err(JournalError::damaged(Some(held.head.seq), "the chain leads elsewhere than before"));
        }
        gathered
    };
    Ok(held.booked.insert(gathered))
}
