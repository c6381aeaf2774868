//! The cache's tables on disk, and the set-up of connections to it.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::StoreError;
use crate::domain::memory_limits::{MAX_PAGES, PAGE_BYTES};

/// The format that this version writes. The one before it is upgraded in place, which keeps the balance samples; an
/// older one is set aside and read again.
pub(super) const FORMAT: i64 = 6;
pub(super) const UPGRADABLE_FORMAT: i64 = 5;

/// `deed` has the transactions; `nth` is −`seq`, so that the backfill, which brings nearly all rows, appends to the
/// table and fills its pages. `seq` is dense: the backfill counts down from 0, arrivals count up from 1, so that the
/// rank of a row is a subtraction. `body` is packed by `row`, its repeated parts are in `phrase`.
///
/// An identifier is found by 64 bits of its hash. New hashes go into `fresh_id`, which fits in memory, and are moved to
/// `old_id` in their own order now and then: random insertions into one large index would rewrite most of its pages
/// with every batch.
///
/// `sampled` has balance samples, a row for each token of a scope, its points packed by `samples`: the only data here
/// that no service can report again.
///
/// `total` has the sums of each scope of many wallets by token and fraction digits, with the number of their parts, and
/// `summed` the number of wallets that are summed from rows; see `totals`.
///
/// `imported` of an account or a wallet has a bit for each fact that comes from an import alone. `others` of a wallet
/// has other addresses that the service reported for it, one a line: `?` before one that was not reviewed, else `=`.
///
/// `piece` has the search columns, six for each 1,024 consecutive rows (see `segment`), and `reach` the time range of
/// those rows (see `by_time`).
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
    imported INTEGER NOT NULL, evm_address TEXT, evm_ref TEXT, solana_address TEXT, solana_ref TEXT, updated_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE wallet (
    id TEXT PRIMARY KEY, source INTEGER NOT NULL, name TEXT, address TEXT, blockchain TEXT NOT NULL, network TEXT,
    state TEXT, gasless INTEGER, auto_sweep INTEGER, user TEXT, account TEXT, ref_id TEXT, created_at INTEGER,
    sort TEXT NOT NULL, words TEXT NOT NULL, imported INTEGER NOT NULL, others TEXT NOT NULL,
    protocol TEXT, is_evm_compatible INTEGER, kind TEXT, intent TEXT, custody_type TEXT, decimals INTEGER,
    updated_at INTEGER
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

/// Format 6 added what the service reports of accounts and wallets, of which the cache had a part.
const UPGRADE: &str = "
ALTER TABLE account ADD COLUMN evm_address TEXT;
ALTER TABLE account ADD COLUMN evm_ref TEXT;
ALTER TABLE account ADD COLUMN solana_address TEXT;
ALTER TABLE account ADD COLUMN solana_ref TEXT;
ALTER TABLE account ADD COLUMN updated_at INTEGER;
ALTER TABLE wallet ADD COLUMN protocol TEXT;
ALTER TABLE wallet ADD COLUMN is_evm_compatible INTEGER;
ALTER TABLE wallet ADD COLUMN kind TEXT;
ALTER TABLE wallet ADD COLUMN intent TEXT;
ALTER TABLE wallet ADD COLUMN custody_type TEXT;
ALTER TABLE wallet ADD COLUMN decimals INTEGER;
ALTER TABLE wallet ADD COLUMN updated_at INTEGER;
";

/// Creates the tables of an empty file. The page size has to be set before anything is written.
pub(super) fn initialise_database(connection: &mut Connection) -> Result<(), StoreError> {
    connection.execute_batch("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;")?;
    create_tables(connection)
}

/// Creates a cache in memory. Its pages are small: each table needs at least one, and there are more tables than a
/// short history fills.
pub(super) fn open_in_memory() -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    set_up_writer(&mut connection)?;
    // As many as a console repeats while it is in use, and no more: a service has many such caches side by side.
    connection.set_prepared_statement_cache_capacity(40);
    connection.execute_batch(&format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA max_page_count = {MAX_PAGES};"))?;
    create_tables(&mut connection)?;
    Ok(connection)
}

fn create_tables(connection: &mut Connection) -> Result<(), StoreError> {
    execute_and_set_format(connection, SCHEMA)
}

/// Upgrades a file of [`UPGRADABLE_FORMAT`].
pub(super) fn upgrade(connection: &mut Connection) -> Result<(), StoreError> {
    execute_and_set_format(connection, UPGRADE)
}

fn execute_and_set_format(connection: &mut Connection, statements: &str) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(statements)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(())
}

/// Opens the file for writing. It must exist: it is created separately, with permissions for its owner alone.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    set_up_writer(&mut connection)?;
    Ok(connection)
}

#[cfg_attr(not(test), expect(clippy::needless_pass_by_ref_mut, reason = "only tests set up more"))]
fn set_up_writer(connection: &mut Connection) -> Result<(), StoreError> {
    configure_statement_cache(connection, 64)?;
    // A cache may lose its last moments in a power cut, but not its order: NORMAL syncs at checkpoints only.
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0; PRAGMA cache_size = -3072; PRAGMA temp_store = MEMORY;
         PRAGMA foreign_keys = OFF; PRAGMA journal_size_limit = 33554432;",
    )?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    #[cfg(test)]
    super::tests::costs::count_steps(connection)?;
    Ok(())
}

/// Turns a connection that was opened for writing into a reader.
pub(super) fn into_reader(connection: Connection) -> Result<Connection, StoreError> {
    configure_statement_cache(&connection, 32)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -768; PRAGMA temp_store = DEFAULT;",
    )?;
    Ok(connection)
}

/// Checkpoints the log more often than is best for the large batches of the backfill. The program ends without a
/// checkpoint, so that each start reads the log: 16 megabytes would take it 10 ms.
pub(super) fn checkpoint_often(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.pragma_update(None, "wal_autocheckpoint", 128)?)
}

/// Caches prepared statements together with their plans: `SQLite` otherwise plans a statement with a bound limit again
/// for each value.
fn configure_statement_cache(connection: &Connection, most: usize) -> Result<(), StoreError> {
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
    super::tests::costs::count_steps(&mut connection)?;
    Ok(connection)
}
