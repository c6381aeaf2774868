//! The shape of the journal on disk, and how connections to it are set up.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use uuid::Uuid;

use super::JournalError;
use super::chain::Head;
use super::record::{Hash, genesis_hash};
use crate::domain::memory_limits::{MAX_PAGES, PAGE_BYTES};

/// The newest format that this version reads: 2 has records of imports and of simulated deposits, 3 of the address
/// book, of changed wallets and users, and of sub-wallets and addresses of version 1, 4 of batches, of swaps, of payments by
/// version 1 and of addresses in its sandbox, 5 of the base addresses of a profile and what an operator said of them, and
/// of orders that were closed and are open again since the history contradicts that. A journal of an older format becomes
/// one of a newer with the first record
/// that needs it, so that an older version goes on reading it until then.
pub(super) const FORMAT: i64 = 5;
/// The oldest that it reads, and the one that a new journal has.
pub(super) const OLDEST: i64 = 1;

/// How long to wait for another process that writes. A write takes milliseconds.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// `record` is the journal. `head` says where it ends, so that a tail that was cut off is missed; so does
/// `sqlite_sequence`, by itself, which AUTOINCREMENT keeps. `journal` names it: the chain begins with that name.
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

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Nothing yet.
    Empty,
    /// A journal that this version reads.
    Known,
    /// A journal of a newer version.
    Newer(i64),
    /// Something else.
    Other,
}

/// Opens the file to write in it. It must exist.
pub(super) fn open_writer(path: &Path) -> Result<Connection, JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Makes a journal in memory.
pub(super) fn in_memory() -> Result<Connection, JournalError> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(&format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA max_page_count = {MAX_PAGES};"))?;
    set_up(&connection)?;
    create(&mut connection)?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> Result<(), JournalError> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // FULL: what is committed has reached the disk. Checkpoints are made after each write (see `write`), not whenever
    // the database likes. `fullfsync` makes macOS do what everybody else calls a sync.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    Ok(())
}

/// Opens the file to look at it and change nothing.
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

/// What stands in a file.
pub(super) fn format(connection: &Connection) -> Result<Format, JournalError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let ours = ["journal", "record", "head"].iter().all(|name| tables.iter().any(|table| table == name));
    Ok(match version {
        0 if tables.is_empty() => Format::Empty,
        OLDEST..=FORMAT if ours => Format::Known,
        newer if newer > FORMAT && ours => Format::Newer(newer),
        _ => Format::Other,
    })
}

/// Makes the tables of an empty file.
pub(super) fn create(connection: &mut Connection) -> Result<(), JournalError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    let name = Uuid::new_v4();
    transaction.execute("INSERT INTO journal VALUES (1, ?1)", [name.to_string()])?;
    transaction.execute("INSERT INTO head VALUES (1, 0, ?1)", params![genesis_hash(name).as_slice()])?;
    transaction.pragma_update(None, "user_version", OLDEST)?;
    transaction.commit()?;
    Ok(())
}

/// What is wrong with the tables, if they are not those that were made; a trigger, for example, may be gone.
pub(super) fn difference(connection: &Connection) -> Result<Option<String>, JournalError> {
    let mut statement = connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    let is_found = |entry: &(&str, &str)| found.iter().any(|(name, sql)| (name.as_str(), sql.as_str()) == *entry);
    let belongs = |(name, sql): &(String, String)| entries().any(|entry| entry == (name.as_str(), sql.as_str()));
    let gone = entries().find(|entry| !is_found(entry)).map(|(name, _)| format!("{name} is missing or changed"));
    let strange = found.iter().find(|entry| !belongs(entry)).map(|(name, _)| format!("{name} does not belong"));
    Ok(gone.or(strange))
}

/// What SQLite lists of a file that was made by [`SCHEMA`]: each statement as it is written there, by the name of what it
/// makes, and the table that it keeps itself for AUTOINCREMENT.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let statements = SCHEMA.split(";\n").map(str::trim).filter(|statement| !statement.is_empty());
    let named = statements.filter_map(|statement| Some((statement.split_whitespace().nth(2)?, statement)));
    named.chain([("sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)")])
}

/// The name of the journal, with which its chain begins.
pub(super) fn name(connection: &Connection) -> Result<Uuid, JournalError> {
    let name: String = connection.query_row("SELECT name FROM journal", [], |row| row.get(0))?;
    Uuid::parse_str(&name).map_err(|_| JournalError::damaged(None, "its name cannot be read"))
}

/// Where the journal says that it ends.
pub(super) fn head(connection: &Connection) -> Result<Head, JournalError> {
    let (seq, hash) = connection
        .query_row("SELECT seq, hash FROM head", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    let odd = || JournalError::damaged(None, "the end of the journal cannot be read");
    Ok(Head { seq: u64::try_from(seq).map_err(|_| odd())?, hash: Hash::try_from(hash).map_err(|_| odd())? })
}

/// Says that the journal holds what older formats than this one have not.
pub(super) fn raise_format(transaction: &Transaction<'_>, format: i64) -> Result<(), JournalError> {
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < format {
        transaction.pragma_update(None, "user_version", format)?;
    }
    Ok(())
}

/// Says where the journal ends now.
pub(super) fn set_head(transaction: &Transaction<'_>, head: &Head) -> Result<(), JournalError> {
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
        let made = in_memory().unwrap();
        assert_eq!(difference(&made).unwrap(), None);
        assert_eq!(entries().count(), 13);
        for (change, words) in [
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
            let made = in_memory().unwrap();
            made.execute_batch(change).unwrap();
            assert_eq!(difference(&made).unwrap().as_deref(), Some(words), "{change}");
        }
    }
}
