//! The cache on disk: its folder, its lock, and setting aside a file that cannot be used.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::{StoreError, schema};
use crate::scratch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheLocation {
    /// In this folder, which is created if it is missing.
    Folder(PathBuf),
    /// In a folder among the system's temporary files, removed when the store is dropped.
    Temporary,
    /// In a temporary folder that starts as a copy of the cache in this folder, which another process may have open and
    /// go on writing.
    Copy(PathBuf),
    /// In the memory of this process, for a history of some thousand rows: nothing is left behind, and readers and
    /// writers share one connection.
    Memory,
}

/// The folder while it is in use. Dropping it releases the lock and removes a temporary folder.
pub(super) struct CacheFolder {
    folder: PathBuf,
    temporary: bool,
    lock: File,
}

const CACHE_FILE: &str = "cache.db";
const LOCK_FILE: &str = "cache.lock";
const DAMAGE_MARKER_FILE: &str = "cache.damaged";
const TEMPORARY_PREFIX: &str = "bursar-cache-";

pub(super) fn cache_file_in(folder: &Path) -> PathBuf {
    folder.join(CACHE_FILE)
}
/// Bytes on the disk that the cache leaves to the journal, or a quarter of the disk if that is less: room for some
/// thousand orders.
#[cfg(unix)]
const RESERVED_BYTES: u64 = 16 * 1024 * 1024;

impl CacheFolder {
    /// Creates the folder if needed and takes its lock; `None` where there is no folder.
    pub(super) fn create_and_lock(location: &CacheLocation) -> Result<Option<Self>, StoreError> {
        let folder_lock = match location {
            CacheLocation::Memory => return Ok(None),
            CacheLocation::Folder(folder) => Self::lock_folder(folder.clone()),
            CacheLocation::Temporary | CacheLocation::Copy(_) => {
                let scratch_folder = scratch::create(TEMPORARY_PREFIX, LOCK_FILE);
                scratch_folder
                    .map(|(folder, lock)| Self { folder, temporary: true, lock })
                    .map_err(|source| folder_error(&std::env::temp_dir(), source))
            }
        };
        folder_lock.map(Some)
    }

    fn lock_folder(folder: PathBuf) -> Result<Self, StoreError> {
        make_folder(&folder)?;
        let lock = open_private_file(&folder.join(LOCK_FILE)).map_err(|source| folder_error(&folder, source))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder, temporary: false, lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: folder }),
            Err(TryLockError::Error(source)) => Err(StoreError::Folder { path: folder, source }),
        }
    }

    pub(super) fn cache_file(&self) -> PathBuf {
        cache_file_in(&self.folder)
    }

    /// Copies the cache of another folder as of one moment; a missing cache leaves this one empty.
    pub(super) fn copy_from(&self, folder: &Path) -> Result<(), StoreError> {
        let from = folder.join(CACHE_FILE);
        if !from.is_file() {
            return Ok(());
        }
        create_private_file(&self.cache_file()).map_err(|source| folder_error(&self.folder, source))?;
        let source = schema::open_reader(&from)?;
        let mut target = Connection::open(self.cache_file())?;
        Backup::new(&source, &mut target)?.run_to_completion(i32::MAX, Duration::ZERO, None)?;
        Ok(())
    }

    /// Opens the database, or builds a new one where the old cannot be used; the text is the reason.
    pub(super) fn open_or_rebuild_database(&self) -> Result<(Connection, Option<String>), StoreError> {
        let file = self.cache_file();
        let known_damaged = self.folder.join(DAMAGE_MARKER_FILE).exists();
        if file.is_dir() {
            return Err(StoreError::Folder { path: file, source: io::ErrorKind::IsADirectory.into() });
        }
        create_private_file(&file).map_err(|source| folder_error(&self.folder, source))?;
        if known_damaged {
            return self.set_aside_and_rebuild("was damaged");
        }
        match open_and_check_format(&file) {
            Ok((connection, FileFormat::Current)) => Ok((connection, None)),
            Ok((mut connection, FileFormat::Upgradable)) => {
                schema::upgrade(&mut connection).map_err(|error| self.name_folder_in_error(error))?;
                Ok((connection, None))
            }
            Ok((mut connection, FileFormat::Empty)) => {
                schema::initialise_database(&mut connection).map_err(|error| self.name_folder_in_error(error))?;
                Ok((connection, None))
            }
            Ok((_, FileFormat::Newer(format))) => {
                Err(StoreError::Newer { path: file, format, newest_format: schema::FORMAT })
            }
            Ok((connection, FileFormat::Older)) => {
                drop(connection);
                self.set_aside_and_rebuild("has an older format")
            }
            Err(StoreError::Damaged { .. }) => self.set_aside_and_rebuild("was damaged"),
            Err(other) => Err(self.name_folder_in_error(other)),
        }
    }

    /// Opens the database for writing, after [`CacheFolder::open_or_rebuild_database`] has checked it.
    pub(super) fn open_for_writing(&self) -> Result<Connection, StoreError> {
        schema::open_writer(&self.cache_file()).map_err(|error| self.name_folder_in_error(error))
    }

    /// Refuses to write where little disk space is left: orders are recorded on the same disk, and the answer to a
    /// payment must not be lost for data that can be read again.
    #[cfg(unix)]
    pub(super) fn check_free_space(&self) -> Result<(), StoreError> {
        // A disk that does not report its free space is written to until it refuses.
        let Ok(disk) = rustix::fs::statvfs(&self.folder) else { return Ok(()) };
        let free_bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
        let reserve = RESERVED_BYTES.min(disk.f_blocks.saturating_mul(disk.f_frsize) / 4);
        if free_bytes < reserve { Err(StoreError::Scarce { free_bytes }) } else { Ok(()) }
    }

    /// Free space is not checked on this system: the disk is written to until it refuses.
    #[cfg(not(unix))]
    pub(super) fn check_free_space(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Marks the file as damaged, so that the next start sets it aside.
    pub(super) fn mark_damaged(&self) {
        // Nothing more can be done if even this fails; the next start may notice the damage by itself.
        let _ = File::create(self.folder.join(DAMAGE_MARKER_FILE));
    }

    /// Sets the old file aside, replacing one set aside before, and starts an empty one.
    fn set_aside_and_rebuild(&self, reason: &str) -> Result<(Connection, Option<String>), StoreError> {
        let file = self.cache_file();
        let aside = self.folder.join("cache.set-aside.db");
        let trouble = |source| folder_error(&self.folder, source);
        fs::rename(&file, &aside).map_err(trouble)?;
        for suffix in ["-wal", "-shm"] {
            remove_if_exists(&self.folder.join(format!("{CACHE_FILE}{suffix}"))).map_err(trouble)?;
        }
        remove_if_exists(&self.folder.join(DAMAGE_MARKER_FILE)).map_err(trouble)?;
        create_private_file(&file).map_err(trouble)?;
        let mut connection = schema::open_writer(&file).map_err(|error| self.name_folder_in_error(error))?;
        schema::initialise_database(&mut connection).map_err(|error| self.name_folder_in_error(error))?;
        let notice =
            format!("the cache {reason}; it was set aside as {} and is read again from the service", aside.display());
        Ok((connection, Some(notice)))
    }

    /// Replaces SQLite's errors for a folder without permissions by one that names the folder.
    fn name_folder_in_error(&self, error: StoreError) -> StoreError {
        use rusqlite::ErrorCode;
        match &error {
            StoreError::Database(inner) => match inner.sqlite_error_code() {
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    StoreError::ReadOnly { path: self.folder.clone() }
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    StoreError::Locked { path: self.folder.clone() }
                }
                _ => error,
            },
            _ => error,
        }
    }
}

impl CacheFolder {
    pub(super) fn is_temporary(&self) -> bool {
        self.temporary
    }

    pub(super) fn remove_if_temporary(&self) {
        if self.temporary {
            // A later start removes what cannot be removed now.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Drop for CacheFolder {
    fn drop(&mut self) {
        self.remove_if_temporary();
        // Closing the file is not enough: a process that is being started holds it until its program runs.
        let _closed_anyway = self.lock.unlock();
    }
}

enum FileFormat {
    Empty,
    Current,
    Upgradable,
    Older,
    Newer(i64),
}

/// Opens the file and checks its format only: a full check would take longer the more rows there are.
fn open_and_check_format(file: &Path) -> Result<(Connection, FileFormat), StoreError> {
    let connection = schema::open_writer(file)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let format = match version {
        schema::FORMAT | schema::UPGRADABLE_FORMAT => {
            // Without the table that every operation needs, the file is not what its version claims.
            let readable = connection.query_row("SELECT count(*) FROM state", [], |row| row.get::<_, i64>(0));
            if let Err(error) = readable {
                return Err(StoreError::damaged(&error.to_string()));
            }
            if version == schema::FORMAT { FileFormat::Current } else { FileFormat::Upgradable }
        }
        0 => {
            let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables == 0 { FileFormat::Empty } else { FileFormat::Older }
        }
        newer if newer > schema::FORMAT => FileFormat::Newer(newer),
        _ => FileFormat::Older,
    };
    Ok((connection, format))
}

fn make_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.exists() && !folder.is_dir() {
        return Err(StoreError::NotAFolder { path: folder.to_owned() });
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| StoreError::Folder { path: folder.to_owned(), source })
}

/// Creates the file readable by its owner alone before anything is written: balances are confidential.
fn create_private_file(file: &Path) -> io::Result<()> {
    open_private_file(file).map(drop)
}

/// Opens a file with permissions for its owner alone; creates it if it is missing.
fn open_private_file(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

fn folder_error(folder: &Path, source: io::Error) -> StoreError {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly { path: folder.to_owned() }
        }
        io::ErrorKind::StorageFull => StoreError::Full,
        _ => StoreError::Folder { path: folder.to_owned(), source },
    }
}

fn remove_if_exists(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
