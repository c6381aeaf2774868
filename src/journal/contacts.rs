//! The address book, change by change. It is part of the chain of records, so that a change of the file from outside is
//! detected before a payment relies on it. The base addresses of profiles are read along with it, since they decide
//! whose book a change belongs to.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::addresses::read_service_addresses;
use super::file::NewRecord;
use super::hash_chain::{self, ChainHead};
use super::record::{Body, Record};
use super::replay::Projection;
use super::{Journal, JournalError, JournalSnapshot, due_orders};
use crate::domain::book::BookChange;
use crate::domain::order::{AddressAnswer, AddressRelations, ConsoleIdentity, ProfileAddress, ServiceDestination};
use crate::domain::{AddressBook, OrderId, Skew, Text, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBookChanges {
    /// By the clock of the machine.
    pub at: Timestamp,
    /// The earliest time in this record and all later ones: if it is before `at`, the clock was ahead then.
    pub earliest: Timestamp,
    /// The latest time in any record up to this one, so that a clock that was behind makes nothing older.
    pub since: Timestamp,
    pub by: ConsoleIdentity,
    pub changes: Vec<BookChange>,
    /// Findings of the guard that were overridden, as displayed.
    pub overridden: Vec<Text>,
}

/// The time of a record by this machine's clock, and by the service's where the two differ.
#[derive(Debug, Clone, Copy)]
pub struct RecordTime {
    pub at_console: Timestamp,
    /// `None` where it is unknown, or both agree.
    pub at_service: Option<Timestamp>,
}

impl From<Timestamp> for RecordTime {
    fn from(at: Timestamp) -> Self {
        Self { at_console: at, at_service: None }
    }
}

impl RecordedBookChanges {
    pub fn replay_book(all: &[Self]) -> AddressBook {
        let mut book = AddressBook::default();
        for booked in all {
            booked
                .changes
                .iter()
                .for_each(|change| book.apply_change(change.clone(), booked.entered_at(), booked.since));
        }
        book
    }

    /// When the changes were made at the latest, by the order of the records; before all time where the clock was wrong
    /// by more than the tolerance.
    fn entered_at(&self) -> Timestamp {
        let is_by_chance = self.earliest.age(self.at) <= Skew::TOLERANCE;
        if is_by_chance { self.earliest } else { Timestamp::from_millis(i64::MIN) }
    }
}

impl Journal {
    /// Records changes of the address book, all of them or none: once this returns, they are on the disk. `to` is the
    /// service that the book belongs to, and the profile that changed it; the book outlives profiles and keys. `judged`
    /// is the book that the changes were judged by.
    ///
    /// # Errors
    /// [`JournalError::BookChanged`] where the book has changed since: nothing is recorded.
    pub fn change_book(
        &self,
        to: &ServiceDestination,
        judged: &AddressBook,
        changes: Vec<BookChange>,
        overridden: Vec<Text>,
        at: impl Into<RecordTime>,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let RecordTime { at_console: at, at_service } = at.into();
        let body = Body::BookChanged { base_url, changes, overridden, at_service };
        let written = self.lock().write_record("booked", at, &self.console, |connection, projection| {
            let addresses = read_service_addresses(connection, projection, to)?;
            if RecordedBookChanges::replay_book(&book_index(connection, projection)?.changes_for_service(&addresses))
                != *judged
            {
                return Err(JournalError::BookChanged);
            }
            Ok(Some(NewRecord { order: None, destination, body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// Every change of the address book of the profile `here`, the oldest first. Changes under another base address of
    /// the profile count until an operator answers that another service is behind that address.
    pub fn book_changes(&self, destination: &ServiceDestination) -> Result<Vec<RecordedBookChanges>, JournalError> {
        let changes = self.lock().read_consistent(|connection, projection| {
            let addresses = read_service_addresses(connection, projection, destination)?;
            Ok(book_index(connection, projection)?.changes_for_service(&addresses))
        });
        changes.map_err(|error| self.name_folder_in_error(error))
    }
}

impl JournalSnapshot {
    /// The same, without opening the journal for writing.
    pub fn book_changes(&self, destination: &ServiceDestination) -> Result<Vec<RecordedBookChanges>, JournalError> {
        Ok(self.read_book_index()?.changes_for_service(&self.address_relations(destination)?))
    }

    pub(super) fn read_book_index(&self) -> Result<BookIndex, JournalError> {
        let (gathered, walked) = BookIndex::walk(self.connection())?;
        hash_chain::check_chain_end(self.connection(), &walked)?;
        self.check_tail_marker(&walked)?;
        Ok(gathered)
    }
}

/// The changes of all address books, read from the first record on and through no index: a removed or disguised change
/// would otherwise be missed, and a removed contact be trusted again.
#[derive(Debug, Default)]
pub(super) struct BookIndex {
    /// The latest time in any record.
    latest: Option<Timestamp>,
    /// Each with the base address of the service to whose book it belongs.
    changes: Vec<(Text, RecordedBookChanges)>,
    /// The orders made for due dates of templates, the oldest first.
    pub(super) due_orders: Vec<OrderId>,
    /// Base addresses under which profiles have an address book.
    pub(super) book_addresses: BTreeSet<ProfileAddress>,
    /// Other base addresses of profiles.
    pub(super) visited_addresses: BTreeSet<ProfileAddress>,
    /// Operators' answers about two addresses, the oldest first.
    pub(super) answers: Vec<AddressAnswer>,
}

impl BookIndex {
    pub(super) fn apply_record(&mut self, record: &Record) -> Result<(), JournalError> {
        let (at, since) = (record.at, self.latest.map_or(record.at, |latest| latest.max(record.at)));
        self.latest = Some(since);
        // `earliest` never decreases from record to record, so earlier ones need no check.
        for (_, booked) in self.changes.iter_mut().rev().take_while(|(_, booked)| booked.earliest > at) {
            booked.earliest = at;
        }
        self.due_orders.extend(due_orders::due_order(record)?);
        // Of other records only the time counts.
        if !matches!(record.kind.as_str(), "booked" | "service") {
            return Ok(());
        }
        let stand = |base_url: &Text| ProfileAddress { profile: record.profile.clone(), base_url: base_url.clone() };
        match record.decode_body()? {
            Body::BookChanged { base_url, changes, overridden, at_service } => {
                self.book_addresses.insert(stand(&base_url));
                let (by, since) = (record.by.clone(), at_service.map_or(since, |service_time| service_time.max(since)));
                self.changes.push((base_url, RecordedBookChanges { at, earliest: at, since, by, changes, overridden }));
            }
            Body::ServiceAddress { base_url, answer } => {
                self.visited_addresses.insert(stand(&base_url));
                let answer = answer.map(|(other, is_same)| AddressAnswer { one: base_url, other, is_same });
                self.answers.extend(answer);
            }
            Body::Event(_)
            | Body::Imported { .. }
            | Body::Acknowledged { .. }
            | Body::Signed { .. }
            | Body::ApprovalPolicy { .. }
            | Body::Copied { .. }
            | Body::Restored { .. } => {}
        }
        Ok(())
    }

    /// Walks the whole chain, and returns its end.
    fn walk(connection: &Connection) -> Result<(Self, ChainHead), JournalError> {
        let mut gathered = Self::default();
        let walked = hash_chain::walk_records(connection, ChainHead::beginning(connection)?, |record| {
            gathered.apply_record(&record)
        })?;
        Ok((gathered, walked))
    }

    /// The changes for the service behind these addresses, the oldest first.
    fn changes_for_service(&self, addresses: &AddressRelations) -> Vec<RecordedBookChanges> {
        self.changes
            .iter()
            .filter(|(address, _)| addresses.may_be_same_service(address))
            .map(|(_, booked)| booked.clone())
            .collect()
    }
}

/// The changes in memory. Where the journal was not read from its first record on, they are read once, and then updated
/// with every further record.
pub(super) fn book_index<'a>(
    connection: &Connection,
    projection: &'a mut Projection,
) -> Result<&'a BookIndex, JournalError> {
    let gathered = if let Some(gathered) = projection.book_index.take() {
        gathered
    } else {
        let (gathered, walked) = BookIndex::walk(connection)?;
        if walked != projection.head {
            return Err(JournalError::damaged(
                Some(projection.head.seq),
                "the chain of records ends in a different place than before",
            ));
        }
        gathered
    };
    Ok(projection.book_index.insert(gathered))
}
