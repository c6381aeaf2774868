//! The journal's tables on disk, and the set-up of connections to it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use uuid::Uuid;

use super::JournalError;
use super::hash_chain::ChainHead;
use super::record::{Hash, genesis_hash};
use crate::domain::memory_limits::{MAX_PAGES, PAGE_BYTES};

/// The newest format that this version reads. Format 2 adds records of imports and of simulated deposits; 3 the address
/// book, changed wallets and users, and sub-wallets and addresses of version 1; 4 batches, swaps, payments by version 1
/// and addresses in its sandbox; 5 the base addresses of a profile with the operator's answers about them, and reopened
/// orders; 6 acknowledgements; 7 names given to addresses, wallets, accounts and users; 8 templates, and metadata and
/// `queue` of payments; 9 proposals, approvals and refusals, and the rules of approval. A journal gets a newer format with the first record that needs it, so that older versions can
/// read it until then.
pub(super) const FORMAT: i64 = 9;
/// The oldest format that this version reads, and the format of a new journal.
pub(super) const OLDEST_FORMAT: i64 = 1;

/// How long to wait for another process that writes. A write takes milliseconds.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// `record` is the journal. `head` has its end, so that a truncated tail is detected; so does `sqlite_sequence`, which
/// AUTOINCREMENT maintains. `journal` has the name with which the chain begins.
const SCHEMA: &str = "
CREATE TABLE journal (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL) STRICT;
CREATE TABLE record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL,
    run TEXT NOT NULL, profile TEXT NOT NULL, environment TEXT, intent TEXT, kind TEXT NOT NULL, body TEXT NOT NULL,
    prev BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
CREATE INDEX record_of_intent ON record (intent, seq);
CREATE INDEX record_of_birth ON record (profile, seq) WHERE kind = 'drafted';
CREATE INDEX record_of_end ON record (intent) WHERE kind = 'ended';
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;

CREATE TRIGGER record_stays BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_remains BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_stays BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_remains BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER head_grows BEFORE UPDATE ON head WHEN NEW.seq <> OLD.seq + 1
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER head_remains BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// No tables yet.
    Empty,
    Known,
    Newer(i64),
    Other,
}

/// Opens the file for writing. It must exist.
pub(super) fn open_writer(path: &Path) -> Result<Connection, JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    configure_connection(&connection)?;
    Ok(connection)
}

pub(super) fn open_in_memory() -> Result<Connection, JournalError> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(&format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA max_page_count = {MAX_PAGES};"))?;
    configure_connection(&connection)?;
    create_tables(&mut connection)?;
    Ok(connection)
}

fn configure_connection(connection: &Connection) -> Result<(), JournalError> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // FULL: what is committed has reached the disk. Checkpoints are made after each write (see `write`), not whenever
    // SQLite decides to. `fullfsync` makes macOS do what other systems call a sync.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    Ok(())
}

pub(super) fn open_reader(path: &Path) -> Result<Connection, JournalError> {
    if !path.is_file() {
        return Err(JournalError::Missing { path: path.to_owned() });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    Ok(connection)
}

pub(super) fn read_format(connection: &Connection) -> Result<Format, JournalError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let is_journal = ["journal", "record", "head"].iter().all(|name| tables.iter().any(|table| table == name));
    Ok(match version {
        0 if tables.is_empty() => Format::Empty,
        OLDEST_FORMAT..=FORMAT if is_journal => Format::Known,
        newer if newer > FORMAT && is_journal => Format::Newer(newer),
        _ => Format::Other,
    })
}

pub(super) fn create_tables(connection: &mut Connection) -> Result<(), JournalError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    let name = Uuid::new_v4();
    transaction.execute("INSERT INTO journal VALUES (1, ?1)", [name.to_string()])?;
    transaction.execute("INSERT INTO head VALUES (1, 0, ?1)", params![genesis_hash(name).as_slice()])?;
    transaction.pragma_update(None, "user_version", OLDEST_FORMAT)?;
    transaction.commit()?;
    Ok(())
}

/// The first difference between the tables and [`SCHEMA`]; a trigger, for example, may be missing.
pub(super) fn schema_difference(connection: &Connection) -> Result<Option<String>, JournalError> {
    let mut statement = connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let entries: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    let is_found = |entry: &(&str, &str)| entries.iter().any(|(name, sql)| (name.as_str(), sql.as_str()) == *entry);
    let belongs =
        |(name, sql): &(String, String)| expected_entries().any(|entry| entry == (name.as_str(), sql.as_str()));
    let missing_entry =
        expected_entries().find(|entry| !is_found(entry)).map(|(name, _)| format!("{name} is missing or changed"));
    let strange = entries.iter().find(|entry| !belongs(entry)).map(|(name, _)| format!("{name} does not belong"));
    Ok(missing_entry.or(strange))
}

/// What SQLite lists of a file that was made by [`SCHEMA`]: each statement as spelt there, by the name that it creates,
/// and the table that SQLite itself creates for AUTOINCREMENT.
fn expected_entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let statements = SCHEMA.split(";\n").map(str::trim).filter(|statement| !statement.is_empty());
    let named_statements = statements.filter_map(|statement| Some((statement.split_whitespace().nth(2)?, statement)));
    named_statements.chain([("sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)")])
}

/// The name of the journal, with which its chain begins.
pub(super) fn journal_name(connection: &Connection) -> Result<Uuid, JournalError> {
    let name: String = connection.query_row("SELECT name FROM journal", [], |row| row.get(0))?;
    Uuid::parse_str(&name).map_err(|_| JournalError::damaged(None, "its name cannot be read"))
}

/// The recorded end of the journal.
pub(super) fn read_head(connection: &Connection) -> Result<ChainHead, JournalError> {
    let (seq, hash) = connection
        .query_row("SELECT seq, hash FROM head", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    let odd = || JournalError::damaged(None, "the end of the journal cannot be read");
    Ok(ChainHead { seq: u64::try_from(seq).map_err(|_| odd())?, hash: Hash::try_from(hash).map_err(|_| odd())? })
}

/// Raises the format, for content that older formats do not have.
pub(super) fn raise_format(transaction: &Transaction<'_>, format: i64) -> Result<(), JournalError> {
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < format {
        transaction.pragma_update(None, "user_version", format)?;
    }
    Ok(())
}

pub(super) fn set_head(transaction: &Transaction<'_>, head: &ChainHead) -> Result<(), JournalError> {
    let seq = i64::try_from(head.seq).map_err(|_| JournalError::damaged(None, "there are no record numbers left"))?;
    transaction
        .prepare_cached("UPDATE head SET seq = ?1, hash = ?2 WHERE one = 1")?
        .execute(params![seq, head.hash.as_slice()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_compared_with_what_sqlite_makes_of_the_schema() {
        let connection = open_in_memory().unwrap();
        assert_eq!(schema_difference(&connection).unwrap(), None);
        assert_eq!(expected_entries().count(), 13);
        for (change, expected) in [
            ("DROP TRIGGER record_stays", "record_stays is missing or changed"),
            (
                "DROP TRIGGER head_grows; CREATE TRIGGER head_grows BEFORE UPDATE ON head BEGIN SELECT 1; END",
                "head_grows is missing or changed",
            ),
            (
                "DROP INDEX record_of_end; CREATE INDEX record_of_end ON record (intent)",
                "record_of_end is missing or changed",
            ),
            ("CREATE TRIGGER other BEFORE INSERT ON record BEGIN SELECT 1; END", "other does not belong"),
            ("CREATE TABLE spare (one INTEGER)", "spare does not belong"),
            ("ALTER TABLE record ADD COLUMN more TEXT", "record is missing or changed"),
        ] {
            let connection = open_in_memory().unwrap();
            connection.execute_batch(change).unwrap();
            assert_eq!(schema_difference(&connection).unwrap().as_deref(), Some(expected), "{change}");
        }
    }
}
