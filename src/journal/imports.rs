//! Operators' imports into the directory. They are in the journal, not in the cache, so that deleting the cache loses
//! none.

use rusqlite::{Connection, params};

use super::file::NewRecord;
use super::record::{Body, COLUMNS, Hash, Record};
use super::{Journal, JournalError, JournalSnapshot};
use crate::domain::order::{ConsoleIdentity, ServiceDestination};
use crate::domain::{DirectoryImport, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedImport {
    pub at: Timestamp,
    pub by: ConsoleIdentity,
    pub import: DirectoryImport,
    /// The hash of its record, which identifies the import.
    pub record_hash: [u8; 32],
}

impl Journal {
    /// Records a whole import: once this returns, all of it is on the disk. `to` names the service and the profile; the
    /// key is not recorded, since identifiers outlive keys.
    pub fn record_import(
        &self,
        to: &ServiceDestination,
        import: DirectoryImport,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (destination, base_url) = (Some(to.clone()), to.base_url.clone());
        let body = Body::Imported { base_url, import };
        let written = self
            .lock()
            .write_record("imported", at, &self.console, |_, _| Ok(Some(NewRecord { order: None, destination, body })));
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// The imports for the service at an address, under any profile, since one may be renamed; the oldest first, and
    /// only those after the one with the mark `after`, where the journal has that.
    pub fn imports(&self, base_url: &str, after: Option<[u8; 32]>) -> Result<Vec<RecordedImport>, JournalError> {
        let imports = self.lock().read_consistent(|connection, _| read_imports(connection, base_url, after));
        imports.map_err(|error| self.name_folder_in_error(error))
    }
}

impl JournalSnapshot {
    /// The same, without opening the journal for writing.
    pub fn imports(&self, base_url: &str, after: Option<[u8; 32]>) -> Result<Vec<RecordedImport>, JournalError> {
        read_imports(self.connection(), base_url, after)
    }
}

fn read_imports(
    connection: &Connection,
    base_url: &str,
    after: Option<Hash>,
) -> Result<Vec<RecordedImport>, JournalError> {
    let mut imports = Vec::new();
    for record in read_records_of_kind(connection, "imported", after)? {
        if let Body::Imported { base_url: recorded_url, import } = record.decode_body()?
            && *recorded_url == *base_url
        {
            imports.push(RecordedImport { at: record.at, by: record.by, import, record_hash: record.hash });
        }
    }
    Ok(imports)
}

/// The records of a kind that belong to no order, in their order, and only those after the one with this hash. Each is
/// checked before it is believed.
pub(super) fn read_records_of_kind(
    connection: &Connection,
    kind: &str,
    after: Option<Hash>,
) -> Result<Vec<Record>, JournalError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM record WHERE intent IS NULL AND kind = ?1 AND seq > coalesce(
             (SELECT seq FROM record WHERE intent IS NULL AND kind = ?1 AND hash = ?2), 0) ORDER BY seq"
    ))?;
    let mut rows = statement.query(params![kind, after.unwrap_or_default().as_slice()])?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let record = Record::from_row(row)?;
        if record.expected_hash() != record.hash {
            return Err(JournalError::damaged(Some(record.seq), "its content does not match its hash"));
        }
        records.push(record);
    }
    Ok(records)
}
