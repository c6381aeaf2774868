//! The base addresses of profiles, and operators' answers about them. The guard's memory belongs to the profile, which
//! is neither its name nor its address: both may change ([`AddressRelations`]).

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::contacts::{BookIndex, book_index};
use super::file::{self, NewRecord};
use super::record::Body;
use super::replay::Projection;
use super::{Journal, JournalError, JournalSnapshot};
use crate::domain::order::{AddressRelations, ProfileAddress, ServiceDestination};
use crate::domain::{Text, Timestamp};

impl Journal {
    pub fn address_relations(&self, destination: &ServiceDestination) -> Result<AddressRelations, JournalError> {
        self.lock()
            .read_consistent(|connection, projection| read_service_addresses(connection, projection, destination))
            .map_err(|error| self.name_folder_in_error(error))
    }

    /// Records a profile's name and base address, where the journal has either with another: a profile that is first
    /// renamed and later given another address is then recognised by the record between.
    pub fn record_profile_address(&self, destination: &ServiceDestination, at: Timestamp) -> Result<(), JournalError> {
        let body = Body::ServiceAddress { base_url: destination.base_url.clone(), answer: None };
        let keyless_destination = ServiceDestination { key_mark: Text::default(), ..destination.clone() };
        let written = self.lock().write_record("service", at, &self.console, |connection, projection| {
            let stand = profile_address(destination);
            let (own_addresses, gathered) = profile_addresses(connection, projection)?;
            let all = || own_addresses.iter().chain(&gathered.visited_addresses);
            let is_known = all().any(|other| *other == stand);
            let is_related = all().any(|other| other.profile == stand.profile || other.base_url == stand.base_url);
            let entry = NewRecord { order: None, destination: Some(keyless_destination), body };
            Ok((is_related && !is_known).then_some(entry))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// Records the operator's answer whether the service at another address is the same as the one of profile `here`.
    pub fn record_address_answer(
        &self,
        destination: &ServiceDestination,
        other: Text,
        is_same: bool,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let body = Body::ServiceAddress { base_url: destination.base_url.clone(), answer: Some((other, is_same)) };
        let keyless_destination = Some(ServiceDestination { key_mark: Text::default(), ..destination.clone() });
        let written = self.lock().write_record("service", at, &self.console, |_, _| {
            Ok(Some(NewRecord { order: None, destination: keyless_destination, body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }
}

impl JournalSnapshot {
    /// The same as [`Journal::address_relations`], without opening the journal for writing.
    pub fn address_relations(&self, destination: &ServiceDestination) -> Result<AddressRelations, JournalError> {
        let gathered = self.read_book_index()?;
        let mut own_addresses = gathered.book_addresses.clone();
        own_addresses.extend(
            file::read_destinations(self.connection(), u64::MAX)?.into_keys().map(|place| profile_address(&place)),
        );
        Ok(AddressRelations::from_history(destination, &own_addresses, &gathered.visited_addresses, &gathered.answers))
    }
}

pub(super) fn read_service_addresses(
    connection: &Connection,
    projection: &mut Projection,
    destination: &ServiceDestination,
) -> Result<AddressRelations, JournalError> {
    let (own_addresses, gathered) = profile_addresses(connection, projection)?;
    Ok(AddressRelations::from_history(destination, &own_addresses, &gathered.visited_addresses, &gathered.answers))
}

/// Base addresses at which profiles sent orders or have an address book, and the book index.
fn profile_addresses<'a>(
    connection: &Connection,
    projection: &'a mut Projection,
) -> Result<(BTreeSet<ProfileAddress>, &'a BookIndex), JournalError> {
    let mut own_addresses: BTreeSet<ProfileAddress> =
        file::order_destinations(connection, projection)?.keys().map(profile_address).collect();
    let gathered = book_index(connection, projection)?;
    own_addresses.extend(gathered.book_addresses.iter().cloned());
    Ok((own_addresses, gathered))
}

fn profile_address(destination: &ServiceDestination) -> ProfileAddress {
    ProfileAddress { profile: destination.profile.clone(), base_url: destination.base_url.clone() }
}
