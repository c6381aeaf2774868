//! Location of a ledger, and the lock on its folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::scratch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerLocation {
    /// In this folder, created if need be. Every change is on the disk before it is answered.
    Folder(PathBuf),
    /// In a new temporary folder, deleted when the ledger is closed. Not safe against power cuts.
    Temporary,
    /// In memory, gone when the ledger is closed. One connection, no file and no thread: for many small ledgers side by
    /// side.
    Memory,
}

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{} is not a folder; name a folder for the ledger", .0.display())]
    NotAFolder(PathBuf),
    #[error("there is no ledger in {}; name the folder of a service that was started before", .0.display())]
    Missing(PathBuf),
    #[error("{} is in use by another running service", .0.display())]
    InUse(PathBuf),
    /// The ledger's file is missing, although its mark or the keys exist.
    #[error(
        "the ledger is missing from {}, but the files beside it are still there; restore ledger.db from a backup, or name \
         another folder to start over", .0.display()
    )]
    Gone(PathBuf),
    /// The files differ from their mark.
    #[error(
        "{} does not contain what the service left there: {reason}. No payment is accepted on it. Inspect it with \
         `bursar serve check`, restore a backup of the whole folder, or accept it as it is with \
         `bursar serve check --accept`", .folder.display()
    )]
    Altered { folder: PathBuf, reason: String },
    #[error("cannot work in {}: {source}; name a folder that can be read and written", .folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    /// Other users may read the folder, and its permissions are not the service's to change: another user owns it, or
    /// other files are in it.
    #[error(
        "cannot work in {}: other users of this machine may read it; name a folder that only the service uses, or close this one \
         with `chmod 700 {}`", .0.display(), .0.display()
    )]
    OpenToOthers(PathBuf),
    #[error("no room left on the disk of {}; make room, or name a folder on another disk", .0.display())]
    DiskFull(PathBuf),
    #[error("{} is read-only; the service needs a ledger that it can write to", .0.display())]
    ReadOnly(PathBuf),
    #[error("{} has format {format}, and this program knows formats up to {newest_format}; use a newer bursar", .file.display())]
    Newer {
        file: PathBuf,
        format: i64,
        /// The newest format that this program reads.
        newest_format: i64,
    },
    /// Not a ledger, or its bytes were changed.
    #[error("{} is damaged or is not a ledger of this service: {reason}", .file.display())]
    Damaged { file: PathBuf, reason: String },
    #[error("cannot open {}: {source}", .file.display())]
    Database { file: PathBuf, source: rusqlite::Error },
}

const LOCK_FILE: &str = "lock";
const TEMPORARY_PREFIX: &str = "bursar-ledger-";

/// A folder locked by this process until dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    folder: PathBuf,
    temporary: bool,
    lock: Option<File>,
}

impl FolderLock {
    /// Creates the folder if need be, and locks it; `None` in memory.
    pub(super) fn acquire(location: &LedgerLocation) -> Result<Option<Self>, LedgerError> {
        let folder = match location {
            LedgerLocation::Memory => return Ok(None),
            LedgerLocation::Folder(folder) => folder.clone(),
            LedgerLocation::Temporary => {
                let failed = |source| folder_error(std::env::temp_dir(), source);
                let (folder, lock) = scratch::create(TEMPORARY_PREFIX, LOCK_FILE).map_err(failed)?;
                return Ok(Some(Self { folder, temporary: true, lock: Some(lock) }));
            }
        };
        if folder.exists() && !folder.is_dir() {
            return Err(LedgerError::NotAFolder(folder));
        }
        let failed = |source| folder_error(folder.clone(), source);
        create_private_folder(&folder).map_err(failed)?;
        restrict_permissions(&folder)?;
        let path = folder.join(LOCK_FILE);
        let lock = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { folder, temporary: false, lock: Some(lock) })),
            Err(TryLockError::WouldBlock) => Err(LedgerError::InUse(folder)),
            Err(TryLockError::Error(source)) => Err(LedgerError::Folder { folder, source }),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn ledger_file(&self) -> PathBuf {
        self.folder.join("ledger.db")
    }

    /// Whether the folder is deleted when dropped, so that nothing in it needs to survive a power cut.
    pub(super) fn is_temporary(&self) -> bool {
        self.temporary
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that is being started holds it until its program runs.
        if let Some(lock) = self.lock.take() {
            let _closed_anyway = lock.unlock();
        }
        if self.temporary
            && let Err(error) = fs::remove_dir_all(&self.folder)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "temporary ledger not deleted");
        }
    }
}

pub(super) fn folder_error(folder: PathBuf, source: io::Error) -> LedgerError {
    match source.kind() {
        io::ErrorKind::StorageFull => LedgerError::DiskFull(folder),
        _ => LedgerError::Folder { folder, source },
    }
}

/// Free bytes on the disk of a folder, if the system reports them.
#[cfg(unix)]
pub fn free_disk_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Free bytes on the disk of a folder, if the system reports them.
#[cfg(not(unix))]
pub fn free_disk_bytes(_: &Path) -> Option<u64> {
    None
}

/// Files of the service; a folder with others in it keeps its permissions.
#[cfg(unix)]
const SERVICE_FILES: [&str; 13] = [
    LOCK_FILE,
    "ledger.db",
    "ledger.db-wal",
    "ledger.db-wal.aside",
    "ledger.db-shm",
    "ledger.db-journal",
    "ledger.db-journal.aside",
    "ledger.mark",
    "keys.db",
    "keys.db-wal",
    "keys.db-shm",
    "keys.db-journal",
    "keys.mark",
];

/// Removes other users' permissions from an existing folder and the service's files in it. `SQLite` gives new files the
/// permissions of the database beside them.
#[cfg(unix)]
fn restrict_permissions(folder: &Path) -> Result<(), LedgerError> {
    use std::os::unix::fs::PermissionsExt;
    let close = |path: &Path| -> io::Result<()> {
        let mode = fs::symlink_metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 { fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700)) } else { Ok(()) }
    };
    let failed = |source| folder_error(folder.into(), source);
    let is_open = fs::metadata(folder).map_err(failed)?.permissions().mode() & 0o077 != 0;
    let others = fs::read_dir(folder).map_err(failed)?.flatten().map(|entry| entry.file_name());
    if is_open && others.into_iter().any(|name| !SERVICE_FILES.iter().any(|service_file| name == *service_file)) {
        return Err(LedgerError::OpenToOthers(folder.into()));
    }
    close(folder).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => LedgerError::OpenToOthers(folder.into()),
        _ => failed(error),
    })?;
    for file in SERVICE_FILES.iter().map(|name| folder.join(name)).filter(|file| file.is_file()) {
        close(&file).map_err(failed)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn restrict_permissions(_: &Path) -> Result<(), LedgerError> {
    Ok(())
}

/// Creates the folder with access for its owner only.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
