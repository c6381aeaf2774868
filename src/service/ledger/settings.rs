//! Settings of the whole ledger, by name (table `facts`).

use rusqlite::{Connection, OptionalExtension, params};

use super::Ledger;
use super::request_error::RequestError;

/// Name of the ledger setting that records that keys exist beside it.
pub(in crate::service) const KEYS_EXIST_SETTING: &str = "keys";

/// Sets or replaces a value.
pub(in crate::service) fn store_setting(connection: &Connection, name: &str, value: &str) -> Result<(), RequestError> {
    connection
        .prepare_cached("INSERT INTO facts (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2")?
        .execute(params![name, value])?;
    Ok(())
}

impl Ledger {
    pub(in crate::service) fn load_setting(&self, name: &str) -> Result<Option<String>, RequestError> {
        self.read(|connection| {
            let value = connection
                .prepare_cached("SELECT value FROM facts WHERE name = ?1")?
                .query_row([name], |row| row.get(0))
                .optional()?;
            Ok(value)
        })
    }
}
