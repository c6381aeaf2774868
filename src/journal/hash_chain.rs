//! The chain: every record includes the hash of the one before it.

use rusqlite::Connection;

use super::record::{COLUMNS, Hash, Record, genesis_hash};
use super::{JournalError, schema};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChainHead {
    /// The record's number; 0 before the first.
    pub(super) seq: u64,
    /// Its hash; before the first, the hash of the journal's name.
    pub(super) hash: Hash,
}

impl ChainHead {
    /// Before the first record.
    pub(super) fn beginning(connection: &Connection) -> Result<Self, JournalError> {
        Ok(Self { seq: 0, hash: genesis_hash(schema::journal_name(connection)?) })
    }

    /// Directly before a record, by that record's own number and previous hash.
    pub(super) fn before(record: &Record) -> Self {
        Self { seq: record.seq.saturating_sub(1), hash: record.prev_hash }
    }

    /// Moves on to the next record, if it follows this one.
    pub(super) fn advance_to(&mut self, record: &Record) -> Result<(), JournalError> {
        let next = self.seq.saturating_add(1);
        let fault = |detail: &str| Err(JournalError::damaged(Some(record.seq), detail));
        if record.seq > next {
            return Err(JournalError::damaged(Some(next), "the record is missing"));
        }
        if record.seq < next {
            return fault("the record appears twice");
        }
        if record.expected_hash() != record.hash {
            return fault("its content does not match its hash");
        }
        if record.prev_hash != self.hash {
            return fault("it does not follow the record before it");
        }
        *self = Self { seq: record.seq, hash: record.hash };
        Ok(())
    }
}

/// Reads the records after a position in order, by number and not through an index, and checks each against the one
/// before. Returns the position of the last. The connection must be in a transaction, so that nothing changes
/// meanwhile.
pub(super) fn walk_records(
    connection: &Connection,
    from: ChainHead,
    mut each: impl FnMut(Record) -> Result<(), JournalError>,
) -> Result<ChainHead, JournalError> {
    let mut head = from;
    let start = i64::try_from(from.seq).unwrap_or(i64::MAX);
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq > ?1 ORDER BY seq"))?;
    let mut rows = statement.query([start])?;
    while let Some(row) = rows.next()? {
        let record = Record::from_row(row)?;
        head.advance_to(&record)?;
        each(record)?;
    }
    Ok(head)
}

pub(super) fn read_record(connection: &Connection, seq: u64) -> Result<Record, JournalError> {
    let number = i64::try_from(seq).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM record WHERE seq = ?1"))?;
    let mut rows = statement.query([number])?;
    let row = rows.next()?.ok_or_else(|| JournalError::damaged(Some(seq), "the record is missing"))?;
    Record::from_row(row)
}

/// Checks that the journal ends at its recorded head.
pub(super) fn check_chain_end(connection: &Connection, walked: &ChainHead) -> Result<(), JournalError> {
    let head = schema::read_head(connection)?;
    if head.seq > walked.seq {
        return Err(JournalError::damaged(
            Some(walked.seq.saturating_add(1)),
            "the record is missing, and so are those after it",
        ));
    }
    if head != *walked {
        return Err(JournalError::damaged(Some(head.seq), "the journal should end with this record, but does not"));
    }
    let last_seq: Option<i64> =
        connection.query_row("SELECT max(seq) FROM sqlite_sequence WHERE name = 'record'", [], |row| row.get(0))?;
    if u64::try_from(last_seq.unwrap_or(0)).ok() != Some(walked.seq) {
        let missing = walked.seq.saturating_add(1);
        return Err(JournalError::damaged(Some(missing), "records that were written are missing"));
    }
    Ok(())
}
