//! Under which base addresses profiles stood, and what operators said of them. What the guard remembers belongs to the
//! profile, which is neither its name nor its address: both may change ([`ServiceAddresses`]).

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::contacts::{Gathered, gathered};
use super::file::{self, Entry};
use super::record::Body;
use super::replay::Held;
use super::{Journal, JournalError, Reading};
use crate::domain::intent::{Destination, ServiceAddresses, Stand};
use crate::domain::{Text, Timestamp};

impl Journal {
    /// The base addresses of the profile that stands `here`, past and present.
    pub fn addresses(&self, here: &Destination) -> Result<ServiceAddresses, JournalError> {
        self.lock().look(|connection, held| addresses(connection, held, here)).map_err(|error| self.explain(error))
    }

    /// Records that a profile stands at its address, where the journal knows either by another: a profile that is renamed
    /// first and given another address later is known again by that.
    pub fn visit(&self, here: &Destination, at: Timestamp) -> Result<(), JournalError> {
        let body = Body::Service { base_url: here.base_url.clone(), answer: None };
        let destination = Destination { key_mark: Text::default(), ..here.clone() };
        let written = self.lock().write("service", at, &self.inner.by, |connection, held| {
            let stand = stand(here);
            let (stands, gathered) = stands(connection, held)?;
            let all = || stands.iter().chain(&gathered.visits);
            let is_known = all().any(|known| *known == stand);
            let is_related = all().any(|known| known.profile == stand.profile || known.base_url == stand.base_url);
            let entry = Entry { intent: None, destination: Some(destination), body };
            Ok((is_related && !is_known).then_some(entry))
        });
        written.map_err(|error| self.explain(error))
    }

    /// Records what an operator of the profile that stands `here` said: whether the service at another address is the same.
    pub fn answer_address(
        &self,
        here: &Destination,
        other: Text,
        is_same: bool,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let body = Body::Service { base_url: here.base_url.clone(), answer: Some((other, is_same)) };
        let destination = Some(Destination { key_mark: Text::default(), ..here.clone() });
        let written = self
            .lock()
            .write("service", at, &self.inner.by, |_, _| Ok(Some(Entry { intent: None, destination, body })));
        written.map_err(|error| self.explain(error))
    }
}

impl Reading {
    /// The same as [`Journal::addresses`], for whoever only reads.
    pub fn addresses(&self, here: &Destination) -> Result<ServiceAddresses, JournalError> {
        let gathered = self.gathered()?;
        let mut stands = gathered.stands.clone();
        stands.extend(file::places(self.connection(), u64::MAX)?.into_keys().map(|place| stand(&place)));
        Ok(ServiceAddresses::of(here, &stands, &gathered.visits, &gathered.answers))
    }
}

/// The base addresses of the profile that stands `here`.
pub(super) fn addresses(
    connection: &Connection,
    held: &mut Held,
    here: &Destination,
) -> Result<ServiceAddresses, JournalError> {
    let (stands, gathered) = stands(connection, held)?;
    Ok(ServiceAddresses::of(here, &stands, &gathered.visits, &gathered.answers))
}

/// Where profiles sent orders or have an address book; and what else was gathered.
fn stands<'a>(connection: &Connection, held: &'a mut Held) -> Result<(BTreeSet<Stand>, &'a Gathered), JournalError> {
    let mut stands: BTreeSet<Stand> = file::known_places(connection, held)?.keys().map(stand).collect();
    let gathered = gathered(connection, held)?;
    stands.extend(gathered.stands.iter().cloned());
    Ok((stands, gathered))
}

fn stand(place: &Destination) -> Stand {
    Stand { profile: place.profile.clone(), base_url: place.base_url.clone() }
}
