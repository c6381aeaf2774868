//! The address book, change by change. It stands in the chain of records, so that whoever changes the file from outside is
//! noticed before anybody is paid by it.

use rusqlite::Connection;

use super::file::Entry;
use super::record::{Body, COLUMNS, Record};
use super::{Journal, JournalError, Reading};
use crate::domain::book::Change;
use crate::domain::intent::{Console, Destination};
use crate::domain::{Book, Text, Timestamp};

/// Changes of the address book as they were recorded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// When.
    pub at: Timestamp,
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
        Book::of(all.iter().flat_map(|booked| booked.changes.iter().map(|change| (change.clone(), booked.at))))
    }
}

impl Journal {
    /// Records changes of the address book, all of them or none: once this returns, they are on the disk. `to` says to
    /// which service the book belongs, and under which profile it was changed; it outlives profiles and keys.
    pub fn change_book(
        &self,
        to: &Destination,
        changes: Vec<Change>,
        overridden: Vec<Text>,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let body = Body::Booked { base_url, changes, overridden };
        let written =
            self.lock().write("booked", at, &self.inner.by, |_, _| Ok(Some(Entry { intent: None, destination, body })));
        written.map_err(|error| self.explain(error))
    }

    /// Every change of the address book of the service at an address, the oldest first.
    pub fn booked(&self, base_url: &str) -> Result<Vec<Booked>, JournalError> {
        let found = self.lock().look(|connection, _| read(connection, base_url));
        found.map_err(|error| self.explain(error))
    }
}

impl Reading {
    /// The same, without opening the journal to write in it.
    pub fn booked(&self, base_url: &str) -> Result<Vec<Booked>, JournalError> {
        read(self.connection(), base_url)
    }
}

/// Each record is compared with its own hash and with its neighbours: of a record that was put in, taken out or exchanged
/// one of the three does not fit, unless all that follows was rewritten, too.
fn read(connection: &Connection, base_url: &str) -> Result<Vec<Booked>, JournalError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS},
             (SELECT hash FROM record AS before WHERE before.seq = record.seq - 1),
             coalesce((SELECT prev FROM record AS after WHERE after.seq = record.seq + 1), (SELECT hash FROM head))
         FROM record WHERE intent IS NULL AND kind = 'booked' ORDER BY seq"
    ))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let record = Record::read(row)?;
        let (before, after): (Option<Vec<u8>>, Vec<u8>) = (row.get(12)?, row.get(13)?);
        let follows = before.map_or(record.seq == 1, |before| before == record.prev);
        if record.right_hash() != record.hash || !follows || after != record.hash {
            return Err(JournalError::damaged(Some(record.seq), "it does not say what was written"));
        }
        if let Body::Booked { base_url: its, changes, overridden } = record.says()?
            && *its == *base_url
        {
            found.push(Booked { at: record.at, by: record.by, changes, overridden });
        }
    }
    Ok(found)
}
