//! The addresses of all wallets in the directory, by which movements between them are recognised.

use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::StoreError;
use super::cache_state::CacheState;
use super::mutex::lock_mutex;
use crate::domain::OwnAddresses;

/// The addresses as of a number of changes.
pub(super) struct CachedAddresses {
    pub(super) changes: u64,
    pub(super) own: Arc<OwnAddresses>,
}

impl CachedAddresses {
    /// Those in the connection's snapshot: read once, and again after a wallet's address has changed.
    pub(super) fn current(cache: &Mutex<Option<Arc<Self>>>, connection: &Connection) -> Result<Arc<Self>, StoreError> {
        let changes = CacheState::read(connection)?.own_address_changes;
        // Locked while they are read, so that two queries at the start do not both read all wallets.
        let mut newest = lock_mutex(cache);
        if let Some(cached) = newest.as_ref().filter(|cached| cached.changes == changes) {
            return Ok(Arc::clone(cached));
        }
        let mut statement =
            connection.prepare_cached("SELECT address, blockchain FROM wallet WHERE address IS NOT NULL")?;
        let mut rows = statement.query([])?;
        let mut own = OwnAddresses::default();
        while let Some(row) = rows.next()? {
            let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
            own.insert(text(0)?, text(1)?);
        }
        let cached = Arc::new(Self { changes, own: Arc::new(own) });
        *newest = Some(Arc::clone(&cached));
        Ok(cached)
    }
}
