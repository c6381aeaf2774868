//! Encoding of amounts and identifiers in the tables.

use ruint::aliases::U256;
use rusqlite::Row;
use uuid::Uuid;

/// Big-endian without leading zeros, so that small amounts take few bytes.
pub(super) fn amount_to_bytes(amount: U256) -> Vec<u8> {
    let whole = amount.to_be_bytes::<32>();
    let zeros = whole.iter().take_while(|byte| **byte == 0).count();
    whole.iter().skip(zeros).copied().collect()
}

pub(super) fn read_amount(row: &Row<'_>, column: usize) -> rusqlite::Result<U256> {
    let bytes = row.get_ref(column)?.as_blob()?;
    U256::try_from_be_slice(bytes).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, i64::MAX))
}

pub(super) fn read_id(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    read_uuid(row, column).map(|id| id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned())
}

pub(super) fn read_optional_id(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    if row.get_ref(column)?.as_blob_or_null()?.is_none() {
        return Ok(None);
    }
    read_id(row, column).map(Some)
}

pub(super) fn read_uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    let bytes = row.get_ref(column)?.as_blob()?;
    Uuid::from_slice(bytes).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, i64::MAX))
}

/// A non-negative integer.
pub(super) fn read_count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(i64::unsigned_abs)
}

pub(super) fn to_sql_integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
