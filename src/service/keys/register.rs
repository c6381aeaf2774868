//! The register of API keys, `keys.db`, beside the ledger.
//!
//! It is a file of its own, because `bursar serve key` edits it while the service runs, which locks the ledger's
//! folder, and because one cheap query shows the service whether anything changed. The mark beside it detects keys that
//! are missing, changed or restored from an earlier state.

mod mark;

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use mark::{MarkFileState, RegisterMark};

use super::permission::Permissions;
use crate::disk::{is_full, make_private};
use crate::domain::Timestamp;

/// The most addresses that a key can be restricted to.
pub const TRUSTED: usize = 5;

/// Format 2 has a mark beside the file, and no write-ahead log.
const FORMAT: i64 = 2;

#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// There is no data folder, or no ledger in it.
    #[error("there is no service in {}; name the folder of one that was started before", .0.display())]
    NoService(PathBuf),
    #[error("a key can be restricted to {TRUSTED} addresses at most, but {0} were given")]
    TooManyTrusted(usize),
    #[error(
        "the name ready-file is reserved for the key of `--ready-file`, which each start replaces; choose another name"
    )]
    Reserved,
    /// No such key, or it was revoked already.
    #[error("there is no active key {0}; `bursar serve key list` shows them")]
    KeyNotFound(i64),
    #[error("keys.db has format {0}, and this program knows formats up to {FORMAT}; use a newer bursar")]
    Newer(i64),
    /// `keys.db` is missing although its mark exists.
    #[error(
        "the keys are missing from {}: keys.db was there; restore keys.db and keys.mark from a backup, or accept the folder \
         as it is with `bursar serve check --accept`", .0.display()
    )]
    Gone(PathBuf),
    /// The file differs from its mark.
    #[error(
        "{0}; restore keys.db and keys.mark from a backup, or accept keys.db as it is with \
         `bursar serve check --accept`, and check `bursar serve key list`"
    )]
    Altered(String),
    #[error("no room left on the disk of keys.db; make room and try again")]
    DiskFull,
    #[error("keys.db: {0}")]
    File(#[source] std::io::Error),
    #[error("keys.db: {0}")]
    Database(#[source] rusqlite::Error),
}

impl From<rusqlite::Error> for RegisterError {
    fn from(error: rusqlite::Error) -> Self {
        if is_full(&error) { Self::DiskFull } else { Self::Database(error) }
    }
}

impl From<std::io::Error> for RegisterError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::StorageFull { Self::DiskFull } else { Self::File(error) }
    }
}

/// A stored key: everything but the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Identifies the key in `bursar serve key`.
    pub number: i64,
    /// Number of the workspace that the key opens.
    pub(super) workspace: i64,
    pub name: String,
    pub permissions: Permissions,
    /// The addresses it is accepted from; empty for all.
    pub trusted_addresses: Vec<IpAddr>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    pub(super) key_hash: [u8; 32],
    pub(super) secret_hash: [u8; 32],
}

#[derive(Debug, Clone)]
pub(super) struct NewKeyEntry {
    pub(super) workspace: i64,
    pub(super) name: String,
    pub(super) permissions: Permissions,
    pub(super) trusted_addresses: Vec<IpAddr>,
    pub(super) created_at: Timestamp,
    pub(super) key_hash: [u8; 32],
    pub(super) secret_hash: [u8; 32],
}

#[derive(Debug)]
pub struct Register {
    file: Connection,
    /// `None` in memory and for throw-away registers. Dropped after the connection: closing any descriptor of a file
    /// releases the process's locks on it.
    mark: Option<RegisterMark>,
}

const COLUMNS: &str = "no, workspace, name, permissions, trusted, created_at, revoked_at, key_hash, secret_hash";

impl Register {
    /// Opens the register of a folder after comparing it with its mark; creates an empty one if there was none.
    pub(super) fn open(folder: &Path) -> Result<Self, RegisterError> {
        let path = keys_file_path(folder);
        let is_there = std::fs::metadata(&path).is_ok_and(|about| about.len() > 0);
        let condition = mark::read_mark_state(folder)?;
        if !is_there {
            if !matches!(condition, MarkFileState::Absent | MarkFileState::Unset) {
                return Err(RegisterError::Gone(folder.into()));
            }
            make_private(&path)?;
        }
        let file = Connection::open(&path)?;
        file.busy_timeout(Duration::from_secs(10))?;
        let format = read_format(&file)?;
        let is_known = match condition {
            MarkFileState::Absent if format >= FORMAT => {
                return Err(RegisterError::Altered("keys.mark is missing".into()));
            }
            MarkFileState::Illegible => return Err(RegisterError::Altered("keys.mark cannot be read".into())),
            MarkFileState::Absent | MarkFileState::Unset => false,
            MarkFileState::Present => true,
        };
        if is_known && format < FORMAT {
            return Err(RegisterError::Altered("keys.db has an older format than its mark".into()));
        }
        if !is_known {
            mark::unset_mark(folder)?;
        }
        create_tables(&file, "DELETE", "FULL")?;
        let register = Self { mark: Some(RegisterMark::open(folder)?), file };
        if is_known {
            register.compare_with_mark()?;
        } else {
            register.record_state_in_mark()?;
        }
        Ok(register)
    }

    /// Creates a register in a temporary folder that no other process uses.
    pub(super) fn create_temporary(folder: &Path) -> Result<Self, RegisterError> {
        let path = keys_file_path(folder);
        make_private(&path)?;
        let file = Connection::open(&path)?;
        create_tables(&file, "MEMORY", "OFF")?;
        Ok(Self { file, mark: None })
    }

    /// Creates a register in memory, beside an in-memory ledger.
    pub(super) fn in_memory() -> Result<Self, RegisterError> {
        let file = Connection::open_in_memory()?;
        file.execute_batch("PRAGMA page_size = 1024;")?;
        create_tables(&file, "MEMORY", "OFF")?;
        Ok(Self { file, mark: None })
    }

    /// Opens the register of an existing service.
    pub fn open_of_existing_service(folder: &Path) -> Result<Self, RegisterError> {
        if !folder.join("ledger.db").is_file() {
            return Err(RegisterError::NoService(folder.into()));
        }
        Self::open(folder)
    }

    /// Changes when another process has changed the file.
    pub(super) fn version(&self) -> rusqlite::Result<i64> {
        self.file.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
    }

    /// Every key, oldest first, revoked ones included.
    pub fn list(&self) -> Result<Vec<KeyEntry>, RegisterError> {
        let mut statement = self.file.prepare_cached(&format!("SELECT {COLUMNS} FROM keys ORDER BY no"))?;
        let keys = statement.query_map([], read_key_row)?;
        Ok(keys.collect::<Result<_, _>>()?)
    }

    /// Stores a key and returns its number.
    pub(super) fn store_entry(&self, new: &NewKeyEntry) -> Result<i64, RegisterError> {
        self.change_atomically(|file| insert_key(file, new))
    }

    /// Stores a key in place of the one of the same name, which stops working.
    pub(super) fn replace_entry_by_name(&self, new: &NewKeyEntry) -> Result<i64, RegisterError> {
        self.change_atomically(|file| {
            file.execute("DELETE FROM keys WHERE name = ?1", [&new.name])?;
            insert_key(file, new)
        })
    }

    /// Revokes a key for good. What was done with it remains.
    pub fn revoke(&self, no: i64, now: Timestamp) -> Result<(), RegisterError> {
        let sql = "UPDATE keys SET revoked_at = ?2 WHERE no = ?1 AND revoked_at IS NULL";
        self.change_atomically(|file| match file.execute(sql, params![no, now.millis()])? {
            0 => Err(RegisterError::KeyNotFound(no)),
            _ => Ok(()),
        })
    }

    /// The secret that signs events; `make` creates it on first use.
    pub(in crate::service) fn load_or_create_signing_secret(
        &self,
        make: impl FnOnce() -> String,
    ) -> Result<String, RegisterError> {
        let signing_secret = || {
            let mut statement = self.file.prepare("SELECT secret FROM signing WHERE name = 'webhooks'")?;
            statement.query_row([], |row| row.get::<_, String>(0)).optional()
        };
        if let Some(secret) = signing_secret()? {
            return Ok(secret);
        }
        let sql = "INSERT INTO signing (name, secret) VALUES ('webhooks', ?1) ON CONFLICT DO NOTHING";
        self.change_atomically(|file| Ok(file.execute(sql, [make()])?))?;
        Ok(signing_secret()?.unwrap_or_default())
    }

    /// Changes the file atomically. The mark records the change before it is made, and the new state once it is on the
    /// disk.
    fn change_atomically<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, RegisterError>,
    ) -> Result<T, RegisterError> {
        let transaction = Transaction::new_unchecked(&self.file, TransactionBehavior::Immediate)?;
        let number = count_changes(&self.file)?.saturating_add(1);
        if let Some(mark) = &self.mark {
            mark.record_change_begun(number)?;
        }
        let done = work(&transaction).and_then(|done| {
            transaction.execute("UPDATE state SET number = ?1", [number])?;
            transaction.commit()?;
            Ok(done)
        });
        self.record_state_in_mark()?;
        done
    }

    /// Writes the file's state into the mark, within a transaction so that the file cannot change meanwhile.
    fn record_state_in_mark(&self) -> Result<(), RegisterError> {
        let Some(mark) = &self.mark else { return Ok(()) };
        let picture = self.file.unchecked_transaction()?;
        mark.record_state(count_changes(&picture)?)?;
        Ok(picture.finish()?)
    }

    /// Compares the file with the mark.
    fn compare_with_mark(&self) -> Result<(), RegisterError> {
        let Some(mark) = &self.mark else { return Ok(()) };
        let picture = self.file.unchecked_transaction()?;
        let wrong = mark.difference(count_changes(&picture)?)?;
        picture.finish()?;
        if let Some(wrong) = wrong {
            return Err(RegisterError::Altered(wrong));
        }
        if mark.has_unfinished_change()
            // A process that is changing the file updates the mark itself.
            && let Ok(alone) = Transaction::new_unchecked(&self.file, TransactionBehavior::Immediate)
        {
            mark.record_state(count_changes(&alone)?)?;
        }
        Ok(())
    }
}

/// All differences between the keys of a folder and their mark.
pub(in crate::service) fn differences_from_mark(folder: &Path) -> Vec<String> {
    if !keys_file_path(folder).exists()
        && matches!(mark::read_mark_state(folder), Ok(MarkFileState::Absent | MarkFileState::Unset))
    {
        return Vec::new();
    }
    let opened = Register::open(folder);
    let alone = opened
        .as_ref()
        .is_ok_and(|register| register.mark.as_ref().is_some_and(RegisterMark::has_single_readable_copy));
    let alone = alone.then(|| mark::SINGLE_COPY_MESSAGE.to_owned());
    opened.err().map(|error| error.to_string()).into_iter().chain(alone).collect()
}

pub(in crate::service) fn has_keys_file(folder: &Path) -> bool {
    std::fs::metadata(keys_file_path(folder)).is_ok_and(|about| about.len() > 0)
}

/// Accepts the keys of a folder as they are: the next start writes a new mark.
pub(in crate::service) fn accept_keys_as_they_are(folder: &Path) -> std::io::Result<()> {
    mark::unset_mark(folder)
}

fn keys_file_path(folder: &Path) -> PathBuf {
    folder.join("keys.db")
}

fn insert_key(file: &Connection, new: &NewKeyEntry) -> Result<i64, RegisterError> {
    if new.trusted_addresses.len() > TRUSTED {
        return Err(RegisterError::TooManyTrusted(new.trusted_addresses.len()));
    }
    let trusted: Vec<_> = new.trusted_addresses.iter().map(IpAddr::to_string).collect();
    let mut statement = file.prepare(
        "INSERT INTO keys (workspace, name, permissions, trusted, created_at, key_hash, secret_hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    Ok(statement.insert(params![
        new.workspace,
        new.name,
        new.permissions.to_string(),
        trusted.join(","),
        new.created_at.millis(),
        new.key_hash,
        new.secret_hash,
    ])?)
}

fn read_format(file: &Connection) -> Result<i64, RegisterError> {
    let format = file.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if format > FORMAT { Err(RegisterError::Newer(format)) } else { Ok(format) }
}

/// Number of changes so far.
fn count_changes(file: &Connection) -> Result<i64, RegisterError> {
    Ok(file.query_row("SELECT number FROM state", [], |row| row.get(0))?)
}

/// Creates missing tables. There is no write-ahead log, so that one file has everything whenever nothing is being
/// written.
fn create_tables(file: &Connection, journal: &str, synchronous: &str) -> Result<(), RegisterError> {
    file.execute_batch(&format!("PRAGMA journal_mode = {journal}; PRAGMA synchronous = {synchronous};"))?;
    if read_format(file)? == FORMAT {
        return Ok(());
    }
    file.execute_batch(&format!(
        "BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS keys (
             no INTEGER PRIMARY KEY AUTOINCREMENT, workspace INTEGER NOT NULL, name TEXT NOT NULL,
             permissions TEXT NOT NULL, trusted TEXT NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER,
             key_hash BLOB NOT NULL UNIQUE, secret_hash BLOB NOT NULL
         ) STRICT;
         CREATE TABLE IF NOT EXISTS signing (name TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
         CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT;
         INSERT OR IGNORE INTO state VALUES (1, 0);
         PRAGMA user_version = {FORMAT}; COMMIT;"
    ))?;
    Ok(())
}

fn read_key_row(row: &Row<'_>) -> rusqlite::Result<KeyEntry> {
    let (permissions, trusted): (String, String) = (row.get(3)?, row.get(4)?);
    let time = |millis: i64| Timestamp::from_millis(millis);
    Ok(KeyEntry {
        number: row.get(0)?,
        workspace: row.get(1)?,
        name: row.get(2)?,
        // A permission that only a newer version knows grants nothing here.
        permissions: permissions.split(',').filter_map(|word| word.parse().ok()).collect(),
        trusted_addresses: trusted
            .split(',')
            .filter(|text| !text.is_empty())
            .map(parse_trusted_address_or_unspecified)
            .collect(),
        created_at: time(row.get(5)?),
        revoked_at: row.get::<_, Option<i64>>(6)?.map(time),
        key_hash: row.get(7)?,
        secret_hash: row.get(8)?,
    })
}

/// An unreadable address must still restrict the key: it becomes one that no caller ever has.
fn parse_trusted_address_or_unspecified(text: &str) -> IpAddr {
    text.parse().unwrap_or(IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED))
}
