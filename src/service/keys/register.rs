//! The file in which keys are kept, beside the ledger: `keys.db`.
//!
//! It is a file of its own so that `bursar serve key` can work on it while the service runs, which holds the ledger for
//! itself alone, and so that the service sees with one small question whether anything was changed there.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::permission::Permissions;
use crate::disk::is_full;
use crate::domain::Timestamp;

/// The most addresses that a key can be restricted to.
pub const TRUSTED: usize = 5;

/// The format of the file.
const FORMAT: i64 = 1;

/// Why the register cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// There is no data folder, or nothing in it yet.
    #[error("there is no service in {}; name the folder of one that was started before", .0.display())]
    NoService(PathBuf),
    /// A key may be restricted to a few addresses only.
    #[error("a key can be restricted to {TRUSTED} addresses, and {0} were named")]
    TooManyTrusted(usize),
    /// No such key.
    #[error("there is no key {0} that works; `bursar serve key list` shows them")]
    NoKey(i64),
    /// A newer program wrote it.
    #[error("keys.db has format {0}, and this program knows formats up to {FORMAT}; use a newer bursar")]
    Newer(i64),
    /// There is no room for what is to be written down.
    #[error("no room left on the disk of keys.db; make room and try again")]
    Full,
    /// The file does not work.
    #[error("keys.db: {0}")]
    Database(#[source] rusqlite::Error),
}

impl From<rusqlite::Error> for RegisterError {
    fn from(error: rusqlite::Error) -> Self {
        if is_full(&error) { Self::Full } else { Self::Database(error) }
    }
}

/// A key as it is kept: everything but the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number, by which it is revoked.
    pub no: i64,
    /// The number of the workspace that it opens.
    pub(super) workspace: i64,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub permissions: Permissions,
    /// From where alone it is taken; empty for everywhere.
    pub trusted: Vec<IpAddr>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
    pub(super) key: [u8; 32],
    pub(super) secret: [u8; 32],
}

/// A key to be written down.
#[derive(Debug, Clone)]
pub(super) struct NewEntry {
    pub(super) workspace: i64,
    pub(super) name: String,
    pub(super) permissions: Permissions,
    pub(super) trusted: Vec<IpAddr>,
    pub(super) created_at: Timestamp,
    pub(super) key: [u8; 32],
    pub(super) secret: [u8; 32],
}

/// The register of a data folder.
#[derive(Debug)]
pub struct Register {
    file: Connection,
}

const COLUMNS: &str = "no, workspace, name, permissions, trusted, created_at, revoked_at, key_hash, secret_hash";

impl Register {
    /// Opens the register of a folder; makes an empty one where there is none.
    pub(super) fn open(folder: &Path) -> Result<Self, RegisterError> {
        let path = folder.join("keys.db");
        let (register, is_new) = Self::furnish(Connection::open(&path)?)?;
        if is_new {
            make_private(&path);
        }
        Ok(register)
    }

    /// Makes one in memory, beside a ledger that is there, too.
    pub(super) fn in_memory() -> Result<Self, RegisterError> {
        let memory = Connection::open_in_memory()?;
        memory.execute_batch("PRAGMA page_size = 1024;")?;
        Ok(Self::furnish(memory)?.0)
    }

    /// Makes the tables where there are none; says whether there were none.
    fn furnish(file: Connection) -> Result<(Self, bool), RegisterError> {
        file.busy_timeout(Duration::from_secs(10))?;
        file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")?;
        let found: i64 = file.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found > FORMAT {
            return Err(RegisterError::Newer(found));
        }
        if found == FORMAT {
            return Ok((Self { file }, false));
        }
        file.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             CREATE TABLE IF NOT EXISTS keys (
                 no INTEGER PRIMARY KEY AUTOINCREMENT, workspace INTEGER NOT NULL, name TEXT NOT NULL,
                 permissions TEXT NOT NULL, trusted TEXT NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER,
                 key_hash BLOB NOT NULL UNIQUE, secret_hash BLOB NOT NULL
             ) STRICT;
             CREATE TABLE IF NOT EXISTS signing (name TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
             PRAGMA user_version = {FORMAT}; COMMIT;"
        ))?;
        Ok((Self { file }, true))
    }

    /// Opens the register of a service that was started before.
    pub fn of_service(folder: &Path) -> Result<Self, RegisterError> {
        if !folder.join("ledger.db").is_file() {
            return Err(RegisterError::NoService(folder.into()));
        }
        Self::open(folder)
    }

    /// A number that changes when another process has changed the file.
    pub(super) fn version(&self) -> rusqlite::Result<i64> {
        self.file.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
    }

    /// Every key, the oldest first, revoked ones included.
    pub fn list(&self) -> Result<Vec<Entry>, RegisterError> {
        let mut statement = self.file.prepare_cached(&format!("SELECT {COLUMNS} FROM keys ORDER BY no"))?;
        let found = statement.query_map([], read)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Writes a key down and gives its number.
    pub(super) fn add(&self, new: &NewEntry) -> Result<i64, RegisterError> {
        if new.trusted.len() > TRUSTED {
            return Err(RegisterError::TooManyTrusted(new.trusted.len()));
        }
        let trusted: Vec<_> = new.trusted.iter().map(IpAddr::to_string).collect();
        let mut statement = self.file.prepare(
            "INSERT INTO keys (workspace, name, permissions, trusted, created_at, key_hash, secret_hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        Ok(statement.insert(params![
            new.workspace,
            new.name,
            new.permissions.to_string(),
            trusted.join(","),
            new.created_at.millis(),
            new.key,
            new.secret,
        ])?)
    }

    /// Ends a key for good. What was done with it stays.
    pub fn revoke(&self, no: i64, now: Timestamp) -> Result<(), RegisterError> {
        let sql = "UPDATE keys SET revoked_at = ?2 WHERE no = ?1 AND revoked_at IS NULL";
        match self.file.execute(sql, params![no, now.millis()])? {
            0 => Err(RegisterError::NoKey(no)),
            _ => Ok(()),
        }
    }

    /// The secret that events are signed with; made when it is first asked for, by `make`.
    pub(in crate::service) fn signing_secret(&self, make: impl FnOnce() -> String) -> Result<String, RegisterError> {
        let known = || {
            let mut statement = self.file.prepare("SELECT secret FROM signing WHERE name = 'webhooks'")?;
            statement.query_row([], |row| row.get::<_, String>(0)).optional()
        };
        if let Some(secret) = known()? {
            return Ok(secret);
        }
        let sql = "INSERT INTO signing (name, secret) VALUES ('webhooks', ?1) ON CONFLICT DO NOTHING";
        self.file.execute(sql, [make()])?;
        Ok(known()?.unwrap_or_default())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let (permissions, trusted): (String, String) = (row.get(3)?, row.get(4)?);
    let time = |millis: i64| Timestamp::from_millis(millis);
    Ok(Entry {
        no: row.get(0)?,
        workspace: row.get(1)?,
        name: row.get(2)?,
        // A word that only a newer program knows gives nothing here.
        permissions: permissions.split(',').filter_map(|word| word.parse().ok()).collect(),
        trusted: trusted.split(',').filter(|text| !text.is_empty()).map(unknown_as_nobody).collect(),
        created_at: time(row.get(5)?),
        revoked_at: row.get::<_, Option<i64>>(6)?.map(time),
        key: row.get(7)?,
        secret: row.get(8)?,
    })
}

/// An address that cannot be read must restrict all the same: it becomes one from which nobody ever calls.
fn unknown_as_nobody(text: &str) -> IpAddr {
    text.parse().unwrap_or(IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED))
}

fn make_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if let Err(error) = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)) {
            tracing::warn!(%error, "keys.db could not be made private");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
