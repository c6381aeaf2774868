//! The journal on disk: its folder, its locks, and how its file is opened.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::JournalError;
use super::schema::{self, Format};
use crate::scratch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalLocation {
    /// In this folder, which is created if it is missing.
    Folder(PathBuf),
    /// In a folder among the system's temporary files, removed when the journal is dropped.
    Temporary,
    /// In the memory of this process, gone when the journal is dropped: for orders at a service that ends with the
    /// process, too.
    Memory,
}

/// The folder while it is in use, perhaps by several consoles. Dropping it releases the lock and removes a temporary
/// folder.
#[derive(Debug)]
pub(super) struct JournalFolder {
    folder: PathBuf,
    temporary: bool,
    /// Never read: the lock is released with the file handle.
    _lock: File,
}

pub(super) const JOURNAL_FILE: &str = "journal.sqlite";
/// Locked in shared mode by every process that has the journal open, so that none replaces the file meanwhile.
const LOCK_FILE: &str = "journal.lock";
/// Locked for a moment while the file is created.
const CREATE_LOCK: &str = "journal.making";
const TEMPORARY_PREFIX: &str = "bursar-journal-";

impl JournalFolder {
    /// Creates the folder if needed and locks it in shared mode; `None` where there is no folder.
    pub(super) fn open_shared(location: &JournalLocation) -> Result<Option<Self>, JournalError> {
        let home = match location {
            JournalLocation::Memory => return Ok(None),
            JournalLocation::Folder(folder) => Self::lock_folder(folder.clone(), File::try_lock_shared),
            JournalLocation::Temporary => {
                let scratch_folder = scratch::create(TEMPORARY_PREFIX, LOCK_FILE);
                scratch_folder
                    .map(|(folder, lock)| Self { folder, temporary: true, _lock: lock })
                    .map_err(|source| folder_error(&std::env::temp_dir(), source))
            }
        };
        home.map(Some)
    }

    pub(super) fn open_exclusive(folder: &Path) -> Result<Self, JournalError> {
        Self::lock_folder(folder.to_owned(), File::try_lock)
    }

    fn lock_folder(folder: PathBuf, lock: fn(&File) -> Result<(), TryLockError>) -> Result<Self, JournalError> {
        make_folder(&folder)?;
        let file = lock_file(&folder, LOCK_FILE)?;
        match lock(&file) {
            Ok(()) => Ok(Self { folder, temporary: false, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse { path: folder }),
            Err(TryLockError::Error(source)) => Err(JournalError::Folder { path: folder, source }),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(JOURNAL_FILE)
    }

    pub(super) fn open(&self) -> Result<Connection, JournalError> {
        self.open_file().map_err(|error| self.name_folder_in_error(error))
    }

    fn open_file(&self) -> Result<Connection, JournalError> {
        let file = self.file();
        if file.is_dir() {
            return Err(JournalError::Folder { path: file, source: io::ErrorKind::IsADirectory.into() });
        }
        // Two consoles that start together must not both create the tables.
        let making = lock_file(&self.folder, CREATE_LOCK)?;
        making.lock().map_err(|source| folder_error(&self.folder, source))?;
        create_private_file(&file).map_err(|source| folder_error(&self.folder, source))?;
        let mut connection = schema::open_writer(&file)?;
        match schema::read_format(&connection)? {
            Format::Known => {}
            Format::Empty => schema::create_tables(&mut connection)?,
            Format::Newer(format) => {
                return Err(JournalError::Newer { path: file, format, newest_format: schema::FORMAT });
            }
            Format::Other => return Err(JournalError::NotAJournal { path: file }),
        }
        // A restored journal has no log yet.
        connection.execute_batch("PRAGMA journal_mode = WAL;")?;
        Ok(connection)
    }

    /// Replaces SQLite's errors for a folder without permissions by one that names the folder.
    pub(super) fn name_folder_in_error(&self, error: JournalError) -> JournalError {
        use rusqlite::ErrorCode;
        match &error {
            JournalError::Database(inner) => match inner.sqlite_error_code() {
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    JournalError::Unwritable { path: self.folder.clone() }
                }
                _ => error,
            },
            _ => error,
        }
    }
}

impl Drop for JournalFolder {
    fn drop(&mut self) {
        if self.temporary {
            // A later start removes what cannot be removed now.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn make_folder(folder: &Path) -> Result<(), JournalError> {
    if folder.exists() && !folder.is_dir() {
        return Err(JournalError::NotAFolder { path: folder.to_owned() });
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| folder_error(folder, source))
}

fn lock_file(folder: &Path, name: &str) -> Result<File, JournalError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    set_private_mode(&mut options);
    options.open(folder.join(name)).map_err(|source| folder_error(folder, source))
}

/// Creates the file readable by its owner alone before anything is written: payments are confidential.
pub(super) fn create_private_file(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    set_private_mode(&mut options);
    options.open(file).map(drop)
}

/// Like [`make_private`], for a file that must not exist yet.
pub(super) fn create_new_file(file: &Path) -> Result<(), JournalError> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    set_private_mode(&mut options);
    options.open(file).map(drop).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => JournalError::Exists { path: file.to_owned() },
        io::ErrorKind::NotFound => JournalError::NoFolder { path: file.parent().unwrap_or(file).to_owned() },
        _ => folder_error(file.parent().unwrap_or(file), source),
    })
}

pub(super) fn set_private_mode(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

pub(super) fn folder_error(folder: &Path, source: io::Error) -> JournalError {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            JournalError::Unwritable { path: folder.to_owned() }
        }
        io::ErrorKind::StorageFull => JournalError::Full,
        _ => JournalError::Folder { path: folder.to_owned(), source },
    }
}
