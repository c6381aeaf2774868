//! Where a ledger lies, and who holds the folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::scratch;

/// Where a ledger lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerLocation {
    /// In this folder, which is made if need be. Every answer is on the disk before it is given.
    Folder(PathBuf),
    /// In a new folder of the system's temporary place, deleted when the ledger is closed. Not safe against power cuts.
    Temporary,
    /// In the memory of this process, gone when the ledger is closed. It has no file, no thread and one connection, at
    /// which all take turns: for many small ledgers side by side.
    Memory,
}

/// Why a ledger cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The path names something that is not a folder.
    #[error("{} is not a folder; name a folder for the ledger", .0.display())]
    NotAFolder(PathBuf),
    /// There is no ledger in the folder.
    #[error("there is no ledger in {}; name the folder of a service that was started before", .0.display())]
    Missing(PathBuf),
    /// Another process works with this folder.
    #[error("{} is in use by another running service", .0.display())]
    InUse(PathBuf),
    /// There is no ledger where one was.
    #[error(
        "the ledger is missing from {}, but the files beside it are still there; restore ledger.db from a backup, or name \
         another folder to start over", .0.display()
    )]
    Gone(PathBuf),
    /// Its files hold something else than what was left in them.
    #[error(
        "{} does not contain what the service left there: {reason}. No payment is accepted on it. Inspect it with \
         `bursar serve check`, restore a backup of the whole folder, or accept it as it is with \
         `bursar serve check --accept`", .folder.display()
    )]
    Altered {
        /// Where it lies.
        folder: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The folder cannot be read, made or written.
    #[error("cannot work in {}: {source}; name a folder that can be read and written", .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others may look into the folder, and it is not the service's to close: it is somebody else's, or has other things in
    /// it.
    #[error(
        "cannot work in {}: other users of this machine may read it; name a folder that only the service uses, or close this one \
         with `chmod 700 {}`", .0.display(), .0.display()
    )]
    OpenToOthers(PathBuf),
    /// There is no room for it.
    #[error("no room left on the disk of {}; make room, or name a folder on another disk", .0.display())]
    DiskFull(PathBuf),
    /// The ledger can be read and not written.
    #[error("{} is read-only; the service needs a ledger that it can write to", .0.display())]
    ReadOnly(PathBuf),
    /// A newer program wrote it.
    #[error("{} has format {found}, and this program knows formats up to {known}; use a newer bursar", .file.display())]
    Newer {
        /// The ledger's file.
        file: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format that is known.
        known: i64,
    },
    /// It is no ledger, or its bytes were changed.
    #[error("{} is damaged or is not a ledger of this service: {reason}", .file.display())]
    Damaged {
        /// The ledger's file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The disk or the database does not work.
    #[error("cannot open {}: {source}", .file.display())]
    Database {
        /// The ledger's file.
        file: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

const LOCK: &str = "lock";
const TEMPORARY: &str = "bursar-ledger-";

/// A folder that this process holds alone, until dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    folder: PathBuf,
    temporary: bool,
    lock: Option<File>,
}

impl FolderLock {
    /// Makes the folder if need be, and takes it; `None` where there is no folder.
    pub(super) fn acquire(place: &LedgerLocation) -> Result<Option<Self>, LedgerError> {
        let folder = match place {
            LedgerLocation::Memory => return Ok(None),
            LedgerLocation::Folder(folder) => folder.clone(),
            LedgerLocation::Temporary => {
                let failed = |source| refused(std::env::temp_dir(), source);
                let (folder, lock) = scratch::create(TEMPORARY, LOCK).map_err(failed)?;
                return Ok(Some(Self { folder, temporary: true, lock: Some(lock) }));
            }
        };
        if folder.exists() && !folder.is_dir() {
            return Err(LedgerError::NotAFolder(folder));
        }
        let failed = |source| refused(folder.clone(), source);
        make_private(&folder).map_err(failed)?;
        tighten(&folder)?;
        let path = folder.join(LOCK);
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

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("ledger.db")
    }

    /// Whether it is deleted at the end, so that nothing in it needs to outlive a power cut.
    pub(super) fn is_temporary(&self) -> bool {
        self.temporary
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        drop(self.lock.take());
        if self.temporary
            && let Err(error) = fs::remove_dir_all(&self.folder)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "temporary ledger not deleted");
        }
    }
}

pub(super) fn refused(folder: PathBuf, source: io::Error) -> LedgerError {
    match source.kind() {
        io::ErrorKind::StorageFull => LedgerError::DiskFull(folder),
        _ => LedgerError::Folder { folder, source },
    }
}

/// How many bytes are left on the disk of a folder, where the system tells.
#[cfg(unix)]
pub fn room_left(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// How many bytes are left on the disk of a folder, where the system tells.
#[cfg(not(unix))]
pub fn room_left(_: &Path) -> Option<u64> {
    None
}

/// The files of a service, beside which others may lie in its folder.
#[cfg(unix)]
const OURS: [&str; 13] = [
    LOCK,
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

/// Takes from everybody but the owner what they may do in a folder that stands already, and with the files of a service in
/// it. Files that `SQLite` makes later are for whom the file beside which they lie is.
#[cfg(unix)]
fn tighten(folder: &Path) -> Result<(), LedgerError> {
    use std::os::unix::fs::PermissionsExt;
    let close = |path: &Path| -> io::Result<()> {
        let mode = fs::symlink_metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 { fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700)) } else { Ok(()) }
    };
    let failed = |source| refused(folder.into(), source);
    let is_open = fs::metadata(folder).map_err(failed)?.permissions().mode() & 0o077 != 0;
    let others = fs::read_dir(folder).map_err(failed)?.flatten().map(|entry| entry.file_name());
    if is_open && others.into_iter().any(|name| !OURS.iter().any(|ours| name == *ours)) {
        return Err(LedgerError::OpenToOthers(folder.into()));
    }
    close(folder).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => LedgerError::OpenToOthers(folder.into()),
        _ => failed(error),
    })?;
    for file in OURS.iter().map(|name| folder.join(name)).filter(|file| file.is_file()) {
        close(&file).map_err(failed)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn tighten(_: &Path) -> Result<(), LedgerError> {
    Ok(())
}

/// Nobody else on the machine has business in a ledger.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
