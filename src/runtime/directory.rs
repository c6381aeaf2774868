//! Imports into the directory: from a file or a line into the journal, and from there into the cache.

use super::host_permission::{HostPermission, VISITOR_MAY_NOT_IMPORT_FILES, VISITOR_MAY_NOT_USE_FILES};
use super::profile_file::ProfileFile;
use super::table_file::TableFile;
use crate::domain::csv_table::ImportFailure;
use crate::domain::directory::{self, ImportSummary};
use crate::domain::order::ServiceDestination;
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

/// An import from a line, and how its file was read otherwise than written.
#[derive(Debug)]
pub struct ParsedImport {
    pub import: DirectoryImport,
    pub notes: Vec<String>,
}

/// Reads a file of entries, all of them or none.
///
/// # Errors
/// The fault of each invalid row, with its location.
pub fn parse_import_table(file: &TableFile, profile_file: &ProfileFile) -> Result<ParsedImport, ImportFailure> {
    let mut parsed = directory::parse_import_file(&file.bytes, &file.mappings)?;
    parsed.notes.extend(file.save_column_mapping(profile_file, parsed.mapping.as_ref()));
    let reasons = parsed.errors_by_line();
    let (mut entries, mut errors) = (Vec::with_capacity(parsed.rows.len()), Vec::new());
    for row in parsed.rows {
        let place = row.location();
        match row.entry {
            Ok(entry) => entries.push(entry),
            Err(fault) => errors.push(format!("{place}: {fault}")),
        }
    }
    if errors.is_empty() {
        return Ok(ParsedImport { import: DirectoryImport::new(&file.name(), entries), notes: parsed.notes });
    }
    Err(ImportFailure { errors, notes: parsed.notes, refused: file.refused_rows(reasons) })
}

/// Parses a typed line: an entry, or the path of a file of entries, where files are within reach.
///
/// # Errors
/// One line for each fault.
pub fn parse_import_line(
    host: Option<&HostPermission>,
    profile_file: &ProfileFile,
    line: &str,
) -> Result<ParsedImport, ImportFailure> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let names_kind = ["user", "sub-wallet", "wallet", "account"].contains(&first);
    if names_kind && line.trim() != first {
        let entry = directory::parse_typed_entry(line)?;
        let import = DirectoryImport::new(DirectoryImport::TYPED, vec![entry]);
        return Ok(ParsedImport { import, notes: Vec::new() });
    }
    let Some(host) = host else {
        let errors = vec![VISITOR_MAY_NOT_USE_FILES.into(), VISITOR_MAY_NOT_IMPORT_FILES.into()];
        return Err(ImportFailure { errors, ..ImportFailure::default() });
    };
    parse_import_table(&TableFile::open_typed_line(host, profile_file, line)?, profile_file)
}

/// Records the entries of an import that earlier ones lack, all or none.
pub fn record_new_import_entries(
    journal: &Journal,
    to: &ServiceDestination,
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
    let imported = imports(store.last_import_record_hash()?)?;
    let Some(last) = imported.last() else { return Ok(false) };
    store.save_imports(imported.iter().map(|imported| &imported.import), last.record_hash)?;
    Ok(true)
}
