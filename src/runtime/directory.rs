//! Imports into the directory: from a file or a line into the journal, and from there into the cache.

use std::io::Read;
use std::path::Path;

use super::host_permission::{HostPermission, VISITOR_MAY_NOT_IMPORT_FILES, VISITOR_MAY_NOT_USE_FILES};
use crate::domain::directory::{self, ImportRow, ImportSummary, MAX_FILE_BYTES};
use crate::domain::order::Destination;
use crate::domain::{DirectoryImport, Timestamp};
use crate::journal::{Journal, JournalError, RecordedImport};
use crate::store::{Store, StoreError};

/// Why a cache lacks some imports.
#[derive(Debug, thiserror::Error)]
pub enum ImportSyncError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads all rows of a file of entries; each row has its entry or its fault.
///
/// # Errors
/// If the file as a whole cannot be read.
pub fn read_import_file(host: &HostPermission, path: &Path) -> Result<Vec<ImportRow>, String> {
    directory::parse_import_file(&read_file_bytes(host, path)?)
}

/// Reads a file that a person names, up to the size limit.
///
/// # Errors
/// If the file cannot be read, or is no regular file.
pub fn read_file_bytes(_host: &HostPermission, path: &Path) -> Result<Vec<u8>, String> {
    let trouble = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let about = std::fs::metadata(path).map_err(trouble)?;
    // A pipe or a device would block the program for ever.
    if !about.is_file() {
        return Err(format!("{} is not a file", path.display()));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed shows that the file is too long.
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(trouble)?;
    Ok(bytes)
}

/// Combines rows into an import if all of them are valid.
///
/// # Errors
/// The fault of each invalid row, with its location.
pub fn combine_import_rows(origin: &Path, rows: Vec<ImportRow>) -> Result<DirectoryImport, Vec<String>> {
    let mut entries = Vec::with_capacity(rows.len());
    let mut faults = Vec::new();
    for row in rows {
        let place = row.location();
        match row.entry {
            Ok(entry) => entries.push(entry),
            Err(words) => faults.push(format!("{place}: {words}")),
        }
    }
    let name = origin.file_name().unwrap_or(origin.as_os_str()).to_string_lossy();
    if faults.is_empty() { Ok(DirectoryImport::new(&name, entries)) } else { Err(faults) }
}

/// Parses a typed line: an entry, or the path of a file of entries, where files are within reach.
///
/// # Errors
/// One line for each fault.
pub fn parse_import(host: Option<&HostPermission>, line: &str) -> Result<DirectoryImport, Vec<String>> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let names_kind = ["user", "sub-wallet", "wallet", "account"].contains(&first);
    if names_kind && line.trim() != first {
        let entry = directory::parse_typed_entry(line).map_err(|words| vec![words])?;
        return Ok(DirectoryImport::new(DirectoryImport::TYPED, vec![entry]));
    }
    let Some(host) = host else {
        return Err(vec![VISITOR_MAY_NOT_USE_FILES.into(), VISITOR_MAY_NOT_IMPORT_FILES.into()]);
    };
    let path = Path::new(line.trim());
    combine_import_rows(path, read_import_file(host, path).map_err(|words| vec![words])?)
}

/// Records the entries of an import that earlier ones lack, all or none.
pub fn record_import(
    journal: &Journal,
    to: &Destination,
    import: DirectoryImport,
    at: Timestamp,
) -> Result<ImportSummary, JournalError> {
    let earlier = journal.imports(&to.base_url, None)?;
    let all = entry_count(&import);
    let origin = import.origin.clone();
    let import = import.without_known(earlier.iter().map(|earlier| &earlier.import));
    let new = entry_count(&import);
    let remarks = import.replacement_remarks(earlier.iter().map(|earlier| &earlier.import));
    if new > 0 {
        journal.record_import(to, import, at)?;
    }
    Ok(ImportSummary { origin, new, already_known: all - new, remarks })
}

fn entry_count(import: &DirectoryImport) -> u64 {
    u64::try_from(import.entries.len()).unwrap_or(u64::MAX)
}

/// Adds imports recorded since the last call to the cache; `false` if there were none.
pub fn sync_imports(
    store: &Store,
    imports: impl FnOnce(Option<[u8; 32]>) -> Result<Vec<RecordedImport>, JournalError>,
) -> Result<bool, ImportSyncError> {
    let imported = imports(store.last_import_hash()?)?;
    let Some(last) = imported.last() else { return Ok(false) };
    store.save_imports(imported.iter().map(|imported| &imported.import), last.record_hash)?;
    Ok(true)
}
