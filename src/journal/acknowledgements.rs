//! Operators' acknowledgements of what needs a person. They are in the journal, so that every console of a profile has
//! them, and so that it stays known who took care of what.

use rusqlite::Connection;

use super::file::NewRecord;
use super::imports::read_records_of_kind;
use super::record::Body;
use super::{Journal, JournalError, JournalSnapshot};
use crate::domain::Timestamp;
use crate::domain::attention::{AcknowledgementChange, Acknowledgements};
use crate::domain::order::ServiceDestination;

impl Journal {
    /// Records acknowledgements, or their withdrawal. `to` names the service and the profile.
    pub fn record_acknowledgements(
        &self,
        to: &ServiceDestination,
        changes: Vec<AcknowledgementChange>,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let body = Body::Acknowledged { base_url, changes };
        let written = self.lock().write_record("acknowledged", at, &self.console, |_, _| {
            Ok(Some(NewRecord { order: None, destination, body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// The present acknowledgements for the service at an address, under any profile, since one may be renamed.
    pub fn acknowledgements(&self, base_url: &str) -> Result<Acknowledgements, JournalError> {
        let acknowledgements = self.lock().read_consistent(|connection, _| read_acknowledgements(connection, base_url));
        acknowledgements.map_err(|error| self.name_folder_in_error(error))
    }
}

impl JournalSnapshot {
    /// The same, without opening the journal for writing.
    pub fn acknowledgements(&self, base_url: &str) -> Result<Acknowledgements, JournalError> {
        read_acknowledgements(self.connection(), base_url)
    }
}

fn read_acknowledgements(connection: &Connection, base_url: &str) -> Result<Acknowledgements, JournalError> {
    let mut acknowledgements = Acknowledgements::default();
    for record in read_records_of_kind(connection, "acknowledged", None)? {
        let Body::Acknowledged { base_url: recorded_url, changes } = record.decode_body()? else { continue };
        if *recorded_url == *base_url {
            for change in changes {
                acknowledgements.apply(change, record.at, record.by.clone());
            }
        }
    }
    Ok(acknowledgements)
}
