//! Tables, format versions, and connections.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use super::location::LedgerError;
use super::settings::KEYS_EXIST_SETTING;
use super::tokens;
use crate::disk::is_full;
use crate::domain::memory_limits::{MAX_PAGES, PAGE_BYTES};

/// Marks the file as a ledger of this service: "burs".
const APPLICATION: i64 = 0x6275_7273;

/// The format that this program writes, and the newest that it reads.
const FORMAT: i64 = 5;

/// Prepared statements cached per connection.
const CACHED_STATEMENTS: usize = 64;

/// Amounts are big-endian integers without leading zeros; times are milliseconds since 1970; identifiers are 16 bytes.
/// The numbers in `kind`, `status`, `sub_type` and `chain` never change their meaning.
const TABLES: &str = "
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
    no INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL, environment TEXT NOT NULL,
    material BLOB NOT NULL, created_at INTEGER NOT NULL,
    rows INTEGER NOT NULL DEFAULT 0, incoming INTEGER NOT NULL DEFAULT 0, outgoing INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE accounts (
    no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL REFERENCES workspaces, id BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL, kind INTEGER NOT NULL, evm TEXT NOT NULL, solana TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_of ON accounts (workspace);

CREATE TABLE users (
    no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL REFERENCES workspaces, id BLOB NOT NULL UNIQUE,
    ref_id TEXT, email TEXT, display_name TEXT, active INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX users_of ON users (workspace);

CREATE TABLE wallets (
    no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL REFERENCES workspaces, id BLOB NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES accounts, user INTEGER REFERENCES users,
    chain INTEGER NOT NULL, address TEXT NOT NULL, name TEXT, ref_id TEXT,
    active INTEGER NOT NULL DEFAULT 1, gasless INTEGER NOT NULL, auto_sweep INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX wallets_of ON wallets (workspace);
CREATE INDEX wallets_of_account ON wallets (account);
CREATE INDEX wallets_of_user ON wallets (user) WHERE user IS NOT NULL;
CREATE UNIQUE INDEX wallets_by_address ON wallets (address, chain);

CREATE TABLE tokens (
    no INTEGER PRIMARY KEY, chain INTEGER NOT NULL, contract TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL,
    decimals INTEGER NOT NULL, listed INTEGER NOT NULL,
    UNIQUE (chain, contract)
) STRICT;

CREATE TABLE parties (no INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE books (
    no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL REFERENCES workspaces, wallet INTEGER NOT NULL,
    token INTEGER NOT NULL REFERENCES tokens, kind INTEGER NOT NULL, balance BLOB NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    UNIQUE (wallet, token, kind, workspace)
) STRICT;

CREATE TABLE entries (
    no INTEGER PRIMARY KEY, row INTEGER NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL,
    amount BLOB NOT NULL
) STRICT;

-- The busiest table names its wallet, token and party without SQLite looking each up again; `Ledger::check` proves them.
CREATE TABLE history (
    no INTEGER PRIMARY KEY, id BLOB NOT NULL, lane INTEGER NOT NULL, place INTEGER NOT NULL,
    wallet INTEGER NOT NULL, token INTEGER NOT NULL,
    sub_type INTEGER NOT NULL, status INTEGER NOT NULL, amount BLOB NOT NULL, fee BLOB NOT NULL,
    party INTEGER NOT NULL, at INTEGER NOT NULL, due INTEGER NOT NULL,
    hash_of BLOB, ref_id TEXT, key BLOB, note TEXT
) STRICT;
CREATE UNIQUE INDEX history_by_place ON history (lane, place);
CREATE INDEX history_pending ON history (due) WHERE status = 0;
CREATE INDEX history_unsuccessful ON history (lane, place) WHERE status <> 1;
CREATE INDEX history_unsuccessful_of_wallet ON history (wallet, lane, no) WHERE status <> 1;

CREATE TABLE answers (
    workspace INTEGER NOT NULL, key BLOB NOT NULL, request BLOB NOT NULL, answer BLOB NOT NULL,
    answered_at INTEGER NOT NULL, PRIMARY KEY (workspace, key)
) STRICT, WITHOUT ROWID;
";

/// Changes from each format to the next, beginning with that of [`TABLES`].
const UPGRADES: &[&str] = &[
    "
ALTER TABLE history ADD COLUMN group_of BLOB;
ALTER TABLE history ADD COLUMN tag TEXT;
ALTER TABLE users ADD COLUMN can_trade INTEGER NOT NULL DEFAULT 1;

CREATE TABLE recipients (
    row INTEGER NOT NULL, place INTEGER NOT NULL, party INTEGER NOT NULL, amount BLOB NOT NULL,
    PRIMARY KEY (row, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE client_tx_ids (
    workspace INTEGER NOT NULL, id TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    no INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, body BLOB NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE deliveries (
    event INTEGER NOT NULL REFERENCES outbox, receiver TEXT NOT NULL, attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL, PRIMARY KEY (receiver, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (next_at);
",
    RANDOM_ORDER_INDEXES,
    // Keys are random and answers are large: stored in key order, each payment wrote a page of its own, and a key
    // lookup read through other answers.
    "
ALTER TABLE answers RENAME TO answers_by_their_keys;
CREATE TABLE answers (
    no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, key BLOB NOT NULL, request BLOB NOT NULL, answer BLOB NOT NULL,
    answered_at INTEGER NOT NULL
) STRICT;
INSERT INTO answers (workspace, key, request, answer, answered_at)
    SELECT workspace, key, request, answer, answered_at FROM answers_by_their_keys ORDER BY answered_at;
DROP TABLE answers_by_their_keys;
CREATE UNIQUE INDEX answers_by_key ON answers (workspace, key);
",
    // Since this format a mark exists beside the ledger, which older programs would not update.
    "",
];

/// Indexes by wallet, and for v1 by identifier and hash. They grow at random positions, so a large sample is created
/// without them.
const RANDOM_ORDER_INDEXES: &str = "
CREATE INDEX IF NOT EXISTS history_of_wallet ON history (wallet, lane, no);
CREATE INDEX IF NOT EXISTS history_by_id ON history (id) WHERE sub_type IN (0, 5);
CREATE INDEX IF NOT EXISTS history_by_hash ON history (hash_of) WHERE hash_of IS NOT NULL;
";

/// The writer's page cache, in KiB.
struct WriterCacheSizes {
    normal: i64,
    /// While a large sample is created.
    creating_sample: i64,
    /// While its indexes are created: sorting in parts that fit the processor's cache takes half the time.
    indexing: i64,
}

const WRITER_CACHE_SIZES: WriterCacheSizes =
    WriterCacheSizes { normal: 16_384, creating_sample: 98_304, indexing: 4_096 };

/// Prepares the writing connection for a large sample; no other connection may use the ledger.
pub(in crate::service) fn begin_bulk_insert(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "PRAGMA cache_size = -{}; DROP INDEX IF EXISTS history_of_wallet;
         DROP INDEX IF EXISTS history_by_id; DROP INDEX IF EXISTS history_by_hash;",
        WRITER_CACHE_SIZES.creating_sample
    ))
}

/// Restores indexes and cache after [`begin_bulk_insert`].
pub(in crate::service) fn end_bulk_insert(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "PRAGMA cache_size = -{}; PRAGMA threads = 1; {RANDOM_ORDER_INDEXES}
         PRAGMA threads = 0; PRAGMA cache_size = -{}; PRAGMA shrink_memory;",
        WRITER_CACHE_SIZES.indexing, WRITER_CACHE_SIZES.normal
    ))
}

/// Prepared statements cached where there are many small ledgers.
const FEW_CACHED_STATEMENTS: usize = 24;

/// Creates a ledger in memory. There may be many: pages are small, since each table and index takes at least one, and
/// few statements are cached.
pub(super) fn open_in_memory() -> Result<Connection, LedgerError> {
    let nowhere = Path::new("memory");
    let explained = |source| to_ledger_error(nowhere, source);
    let connection = Connection::open_in_memory().map_err(explained)?;
    let room = format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA max_page_count = {MAX_PAGES};");
    connection.execute_batch(&room).map_err(explained)?;
    let connection = configure_and_create_tables(connection, nowhere, true)?;
    connection.set_prepared_statement_cache_capacity(FEW_CACHED_STATEMENTS);
    Ok(connection)
}

/// Opens the writing connection of a temporary ledger and creates its tables.
pub(super) fn open_temporary(file: &Path) -> Result<Connection, LedgerError> {
    configure_and_create_tables(Connection::open(file).map_err(|source| to_ledger_error(file, source))?, file, true)
}

/// Opens the writing connection of a permanent ledger, whose mark decides on checkpoints. With `has_mark`, an older
/// format is an error; otherwise the ledger is created or upgraded.
pub(super) fn open_writer(file: &Path, has_mark: bool) -> Result<Connection, LedgerError> {
    let explained = |source| to_ledger_error(file, source);
    let connection = Connection::open(file).map_err(explained)?;
    // `SQLite` opens a read-only file all the same; the first payment would fail.
    if connection.is_readonly(MAIN_DB).map_err(explained)? {
        return Err(LedgerError::ReadOnly(file.into()));
    }
    if has_mark && read_format(&connection).map_err(explained)? < FORMAT {
        let reason = "it has an older format than its mark".to_owned();
        return Err(LedgerError::Damaged { file: file.into(), reason });
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(explained)?;
    configure_and_create_tables(connection, file, false)
}

/// Whether a ledger without a mark had one: its format requires a mark, and keys existed beside it or do now. Without
/// keys, its creation was interrupted before they were created.
pub(super) fn had_mark(file: &Path, has_keys: bool) -> Result<bool, LedgerError> {
    let explained = |source| to_ledger_error(file, source);
    let connection = Connection::open(file).map_err(explained)?;
    check_header(&connection, file)?;
    Ok(read_format(&connection).map_err(explained)? >= FORMAT && (has_keys || had_keys(&connection)))
}

/// Whether keys existed beside the ledger.
pub(super) fn had_keys(connection: &Connection) -> bool {
    let query = "SELECT EXISTS (SELECT 1 FROM facts WHERE name = ?1)";
    connection.query_row(query, [KEYS_EXIST_SETTING], |row| row.get(0)).unwrap_or_default()
}

/// Rejects a ledger of a newer format by its file header, without opening it.
pub(super) fn refuse_newer(file: &Path) -> Result<(), LedgerError> {
    let mut header = [0; 100];
    let header_read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    let word = |at: usize| header.get(at..).and_then(|rest| rest.first_chunk()).map(|word| i32::from_be_bytes(*word));
    // Format and application are at fixed offsets of every database header.
    match (header_read, word(60).map(i64::from), word(68).map(i64::from)) {
        (Ok(()), Some(format), Some(APPLICATION)) if format > FORMAT => {
            Err(LedgerError::Newer { file: file.into(), format, newest_format: FORMAT })
        }
        _ => Ok(()),
    }
}

fn configure_and_create_tables(
    connection: Connection,
    file: &Path,
    throw_away: bool,
) -> Result<Connection, LedgerError> {
    let explained = |source: rusqlite::Error| to_ledger_error(file, source);
    connection.busy_timeout(Duration::from_secs(10)).map_err(explained)?;
    check_header(&connection, file)?;
    let synchronous = if throw_away { "OFF" } else { "FULL" };
    let settings = format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA cache_size = -{};
         PRAGMA wal_autocheckpoint = {};",
        WRITER_CACHE_SIZES.normal,
        if throw_away { 2_000 } else { 0 },
    );
    connection.execute_batch(&settings).map_err(explained)?;
    cache_statements(&connection).map_err(explained)?;
    let format = read_format(&connection).map_err(explained)?;
    if format < FORMAT {
        let tables = if format == 0 { TABLES } else { "" };
        let newer = UPGRADES.iter().skip(usize::try_from(format - 1).unwrap_or(0));
        let upgrades = newer.copied().collect::<String>();
        let make = format!(
            "BEGIN IMMEDIATE; {tables} {upgrades} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;"
        );
        connection.execute_batch(&make).map_err(explained)?;
    }
    // Receivers of events belong to this run of the service, not to the ledger.
    connection.execute_batch("CREATE TEMP TABLE receivers (url TEXT PRIMARY KEY) STRICT").map_err(explained)?;
    tokens::insert_listed_tokens(&connection).map_err(explained)?;
    Ok(connection)
}

/// Opens a ledger of this format for reading, even while a service writes to it.
pub(super) fn open_for_check(file: &Path) -> Result<Connection, LedgerError> {
    let connection = open_reader(file).map_err(|source| to_ledger_error(file, source))?;
    check_header(&connection, file)?;
    let format = read_format(&connection).map_err(|source| to_ledger_error(file, source))?;
    if format < FORMAT {
        let reason = format!("it has format {format}, which the next start of the service brings up to {FORMAT}");
        return Err(LedgerError::Damaged { file: file.into(), reason });
    }
    Ok(connection)
}

pub(super) fn open_reader(file: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY;")?;
    cache_statements(&connection)?;
    Ok(connection)
}

/// Caches prepared statements and fixes their query plans: with partial indexes, `SQLite` otherwise replans a statement
/// for each bound value.
fn cache_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

fn read_format(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Rejects foreign databases and newer formats.
fn check_header(connection: &Connection, file: &Path) -> Result<(), LedgerError> {
    let explained = |source: rusqlite::Error| to_ledger_error(file, source);
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(explained)?;
    let format = read_format(connection).map_err(explained)?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(explained)?;
    if application != APPLICATION && (tables > 0 || format != 0) {
        return Err(LedgerError::Damaged { file: file.into(), reason: "it is another program's database".into() });
    }
    if format > FORMAT {
        return Err(LedgerError::Newer { file: file.into(), format, newest_format: FORMAT });
    }
    Ok(())
}

fn to_ledger_error(file: &Path, source: rusqlite::Error) -> LedgerError {
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            LedgerError::Damaged { file: file.into(), reason: source.to_string() }
        }
        _ if is_full(&source) => LedgerError::DiskFull(file.into()),
        _ => LedgerError::Database { file: file.into(), source },
    }
}
