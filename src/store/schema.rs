//! The shape of the cache on disk, and how connections to it are set up.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::StoreError;
use crate::domain::memory_limits::{MAX_PAGES, PAGE_BYTES};

/// The format that this version writes. Any older one is set aside and read anew: nothing in a cache is worth migrating.
pub(super) const FORMAT: i64 = 5;

/// Rows of `deed` are the transactions; `nth` is −`seq`, so that the first read, which is nearly all there ever is, appends
/// to the table and fills its pages. `seq` is dense: the first read counts down from 0, arrivals count up from 1, so
/// that the rank of a row is a subtraction. `body` is packed by `row`, its repeated parts standing in `phrase`.
///
/// An identifier is found by 64 bits of its hash. New hashes go into `fresh_id`, which fits in memory, and are moved to
/// `old_id` in their own order now and then: random insertions into one large index would rewrite most of its pages
/// with every batch.
///
/// `sampled` holds balances as they were known, a row for each token of a scope, its points packed by `samples`. Nothing
/// else here is told by no service.
/// `total` holds the sums of each scope of many wallets by token and fraction digits, with how many parts they have, and
/// `summed` how many wallets are summed up from rows; see `totals`.
///
/// `imported` of an account or a wallet has a bit for each of its facts that stands by an import alone. `others` of a wallet
/// holds other addresses that the service told of it, a line each: `?` before one at which nobody has looked, else `=`.
///
/// `piece` holds what the search reads: six columns for each 1,024 consecutive rows (see `segment`), and `reach` between which
/// times those rows stand (see `by_time`).
const SCHEMA: &str = "
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL) STRICT;
CREATE TABLE deed (nth INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE fresh_id (hash INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
CREATE TABLE old_id (hash INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
CREATE TABLE open_deed (seq INTEGER PRIMARY KEY, list INTEGER NOT NULL, ordinal INTEGER NOT NULL) STRICT;
CREATE TABLE phrase (page INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;
CREATE TABLE piece (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE reach (
    number INTEGER PRIMARY KEY, low INTEGER NOT NULL, high INTEGER NOT NULL, open INTEGER NOT NULL
) STRICT;
CREATE TABLE staged (
    list INTEGER NOT NULL, nth INTEGER NOT NULL, time INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (list, nth)
) STRICT, WITHOUT ROWID;
CREATE TABLE held (
    wallet TEXT NOT NULL, chain TEXT NOT NULL, contract TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT,
    decimals INTEGER, incoming BLOB NOT NULL, outgoing BLOB NOT NULL, unclear INTEGER NOT NULL,
    PRIMARY KEY (wallet, chain, contract)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
    id TEXT PRIMARY KEY, source INTEGER NOT NULL, name TEXT, kind TEXT, state TEXT, network TEXT, created_at INTEGER,
    imported INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE wallet (
    id TEXT PRIMARY KEY, source INTEGER NOT NULL, name TEXT, address TEXT, blockchain TEXT NOT NULL, network TEXT,
    state TEXT, gasless INTEGER, auto_sweep INTEGER, user TEXT, account TEXT, ref_id TEXT, created_at INTEGER,
    sort TEXT NOT NULL, words TEXT NOT NULL, imported INTEGER NOT NULL, others TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_sort ON wallet (sort);
CREATE INDEX wallet_account ON wallet (account, sort);
CREATE INDEX wallet_user ON wallet (user, sort);
CREATE INDEX wallet_group ON wallet (user, blockchain, account);
CREATE TABLE user (
    id TEXT PRIMARY KEY, source INTEGER NOT NULL, display_name TEXT, ref_id TEXT, email TEXT, is_active INTEGER,
    created_at INTEGER, sort TEXT NOT NULL, words TEXT NOT NULL, balances_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX user_sort ON user (sort);
CREATE INDEX user_balances ON user (balances_at, id);
CREATE TABLE balance (
    user TEXT NOT NULL, chain TEXT NOT NULL, contract TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT,
    amount BLOB NOT NULL, environment TEXT, updated_at INTEGER, disputed INTEGER NOT NULL,
    PRIMARY KEY (user, chain, contract)
) STRICT, WITHOUT ROWID;
CREATE INDEX balance_disputed ON balance (chain, contract) WHERE disputed;
CREATE TABLE sampled (
    scope TEXT NOT NULL, chain TEXT NOT NULL, contract TEXT NOT NULL, newest INTEGER NOT NULL, points BLOB NOT NULL,
    PRIMARY KEY (scope, chain, contract)
) STRICT, WITHOUT ROWID;
CREATE INDEX sampled_newest ON sampled (newest);
CREATE TABLE total (
    scope TEXT NOT NULL, chain TEXT NOT NULL, contract TEXT NOT NULL, decimals INTEGER NOT NULL, symbol TEXT NOT NULL,
    name TEXT, amount BLOB NOT NULL, assumed INTEGER NOT NULL, derived INTEGER NOT NULL,
    PRIMARY KEY (scope, chain, contract, decimals)
) STRICT, WITHOUT ROWID;
CREATE TABLE summed (
    scope TEXT NOT NULL, chain TEXT NOT NULL, wallets INTEGER NOT NULL, PRIMARY KEY (scope, chain)
) STRICT, WITHOUT ROWID;
CREATE TABLE token (nth INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT NOT NULL) STRICT;
";

/// Makes the tables of an empty file. The page size has to be set before anything else stands in it.
pub(super) fn create(connection: &mut Connection) -> Result<(), StoreError> {
    connection.execute_batch("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;")?;
    make_tables(connection)
}

/// Makes a cache in memory. Its pages are small: each table has one at least, and there are more tables than a short
/// history fills.
pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    set_up_writer(&mut connection)?;
    // As many as a console asks for again and again while it is looked at, and no more: many caches lie side by side.
    connection.set_prepared_statement_cache_capacity(40);
    connection.execute_batch(&format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA max_page_count = {MAX_PAGES};"))?;
    make_tables(&mut connection)?;
    Ok(connection)
}

fn make_tables(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(())
}

/// Opens the file for writing. It must exist: whoever makes it makes it for its owner alone.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    set_up_writer(&mut connection)?;
    Ok(connection)
}

#[cfg_attr(not(test), expect(clippy::needless_pass_by_ref_mut, reason = "only tests set up more"))]
fn set_up_writer(connection: &mut Connection) -> Result<(), StoreError> {
    keep_statements(connection, 64)?;
    // A cache may lose its last moments in a power cut, but not its order: NORMAL syncs at checkpoints only.
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0; PRAGMA cache_size = -3072; PRAGMA temp_store = MEMORY;
         PRAGMA foreign_keys = OFF; PRAGMA journal_size_limit = 33554432;",
    )?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    #[cfg(test)]
    super::tests::costs::watch(connection)?;
    Ok(())
}

/// Makes of a connection that was opened for writing one that reads.
pub(super) fn into_reader(connection: Connection) -> Result<Connection, StoreError> {
    keep_statements(&connection, 32)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -768; PRAGMA temp_store = DEFAULT;",
    )?;
    Ok(connection)
}

/// Has what is written moved from the log into the file more often than is best for the large batches of the first read.
/// The program ends without waiting for that, so that each start reads the log: 16 megabytes would take it 10 ms.
pub(super) fn keep_log_short(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.pragma_update(None, "wal_autocheckpoint", 128)?)
}

/// Keeps so many prepared statements, and their plans whatever values they are given: `SQLite` otherwise plans a statement
/// with a bound limit anew each time it is given a value.
fn keep_statements(connection: &Connection, most: usize) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(most);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Opens the file for reading. Readers and the writer never wait for one another (WAL).
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    #[cfg_attr(not(test), expect(unused_mut, reason = "only tests set up more"))]
    let mut connection = into_reader(Connection::open_with_flags(path, flags)?)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    #[cfg(test)]
    super::tests::costs::watch(&mut connection)?;
    Ok(connection)
}
