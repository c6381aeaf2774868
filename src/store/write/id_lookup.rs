//! Finds a row by its identifier.

use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::store::{StoreError, row};

/// 64 bits of an identifier's SHA-256. Identifiers come from outside, so a collision must not be constructible.
pub(in crate::store) fn hash_of_id(id: &str) -> i64 {
    let digest = Sha256::digest(id.as_bytes());
    digest.first_chunk::<8>().map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

/// The `seq` of the row of an identifier, or the free hash under which it would be stored.
pub(in crate::store) enum IdSlot {
    Taken(i64),
    Free(i64),
}

pub(in crate::store) fn find_id_slot(connection: &Connection, id: &str) -> Result<IdSlot, StoreError> {
    let mut hash = hash_of_id(id);
    let mut look = connection.prepare_cached(
        "SELECT seq FROM fresh_id WHERE hash = ?1 UNION ALL SELECT seq FROM old_id WHERE hash = ?1 LIMIT 1",
    )?;
    let mut body = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
    loop {
        let Some(seq) = look.query_row([hash], |row| row.get::<_, i64>(0)).optional()? else {
            return Ok(IdSlot::Free(hash));
        };
        let is_same_id = body.query_row([seq], |body_row| {
            let body = body_row.get_ref(0)?.as_blob()?;
            Ok(row::read_row_id(body).is_some_and(|stored| stored.as_str() == id))
        })?;
        if is_same_id {
            return Ok(IdSlot::Taken(seq));
        }
        hash = hash.wrapping_add(1);
    }
}
