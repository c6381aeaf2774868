//! Opens the ledger of a folder, if its files are as they were left.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::integrity::{self, Integrity, LedgerState};
use super::location::{FolderLock, folder_error};
use super::{LedgerError, LedgerLocation, schema};
use crate::disk::make_private;
use crate::service::keys;

/// Opens the writing connection and takes over the mark. The folder must be locked.
pub(super) fn open_writer_and_integrity(folder: &Path) -> Result<(Connection, Integrity), LedgerError> {
    let file = folder.join("ledger.db");
    let failed = |source| folder_error(folder.into(), source);
    let altered = |reason: &str| LedgerError::Altered { folder: folder.into(), reason: reason.into() };
    let state = if has_ledger_file(folder) {
        schema::refuse_newer(&file)?;
        integrity::inspect_ledger_folder(folder).map_err(failed)?
    } else if keys::has_keys_file(folder) || integrity::has_mark(folder) {
        return Err(LedgerError::Gone(folder.into()));
    } else {
        LedgerState::CreationInterrupted
    };
    let unopened = match state {
        LedgerState::Unchanged(mut unopened) => {
            unopened.accept_any_log().map_err(failed)?;
            Some(unopened)
        }
        LedgerState::Altered(reason) => return Err(altered(&reason)),
        LedgerState::Unmarked if schema::had_mark(&file, keys::has_keys_file(folder))? => {
            return Err(altered("ledger.mark is missing"));
        }
        LedgerState::Unmarked | LedgerState::CreationInterrupted => {
            integrity::unset_mark(folder).map_err(failed)?;
            None
        }
    };
    if !file.exists() {
        make_private(&file).map_err(failed)?;
    }
    let connection = schema::open_writer(&file, unopened.is_some())?;
    let integrity = Integrity::open(folder, unopened, &connection).map_err(failed)?;
    Ok((connection, integrity))
}

/// Whether there is a non-empty ledger file.
pub(super) fn has_ledger_file(folder: &Path) -> bool {
    fs::metadata(folder.join("ledger.db")).is_ok_and(|about| about.is_file() && about.len() > 0)
}

/// Accepts the ledger and the keys of a folder as they are: a later start no longer reports the present differences.
pub fn accept_folder(folder: &Path) -> Result<(), LedgerError> {
    if !has_ledger_file(folder) {
        return Err(LedgerError::Missing(folder.into()));
    }
    let lock = FolderLock::acquire(&LedgerLocation::Folder(folder.into()))?;
    let failed = |source| folder_error(folder.into(), source);
    integrity::set_aside_foreign_logs(folder).map_err(failed)?;
    integrity::unset_mark(folder).map_err(failed)?;
    keys::accept_keys_as_they_are(folder).map_err(failed)?;
    drop(lock);
    Ok(())
}
