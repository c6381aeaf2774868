//! Files of rows that a person names, with the mapping of their columns, and files of the rows that were refused.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::export::file;
use super::host_permission::HostPermission;
use super::profile_file::ProfileFile;
use crate::domain::Text;
use crate::domain::csv_table::mapping::{ColumnMapping, HeaderMapping, KnownMappings, split_path_and_mapping};
use crate::domain::csv_table::{self, RefusedRows};
use crate::domain::directory::MAX_FILE_BYTES;

/// A file as it was read.
#[derive(Debug)]
pub struct TableFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub mappings: KnownMappings,
    typed: String,
}

impl TableFile {
    /// Reads the file that a line names, perhaps with a mapping of its columns behind it.
    ///
    /// # Errors
    /// If the file cannot be read, or is no regular file.
    pub fn open_typed_line(host: &HostPermission, profile_file: &ProfileFile, line: &str) -> Result<Self, String> {
        let (path, mapping) = match file::resolve_folder(host, line.trim()) {
            // Its name only looks like a mapping.
            path if path.is_file() => (path, ColumnMapping::default()),
            _ => {
                let (path, mapping) = split_path_and_mapping(line);
                (file::resolve_folder(host, path), mapping)
            }
        };
        Ok(Self { typed: line.to_owned(), ..Self::open_path(host, profile_file, path, mapping)? })
    }

    /// Reads a file, with a mapping of its columns or without one.
    ///
    /// # Errors
    /// If the file cannot be read, or is no regular file.
    pub fn open_path(
        host: &HostPermission,
        profile_file: &ProfileFile,
        path: PathBuf,
        mapping: ColumnMapping,
    ) -> Result<Self, String> {
        let bytes = read_file_bytes(host, &path)?;
        let mappings = KnownMappings { typed: mapping, header_mappings: profile_file.column_mappings() };
        Ok(Self { typed: path.display().to_string(), path, bytes, mappings })
    }

    pub fn name(&self) -> Text {
        Text::clean(&self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy())
    }

    pub fn sha256(&self) -> Text {
        Text::clean(&hex::encode(Sha256::digest(&self.bytes)))
    }

    /// Keeps the mapping that was typed, and says so.
    pub fn save_column_mapping(&self, profile_file: &ProfileFile, used: Option<&HeaderMapping>) -> Option<String> {
        let used = used.filter(|_| !self.mappings.typed.is_empty())?;
        let whereto = profile_file.save_column_mapping(used);
        Some(format!("{} is kept {whereto} for files with this header", used.mapping))
    }

    /// The refused rows, to be written as a file of errors; `None` without any.
    pub fn refused_rows(&self, reasons: BTreeMap<u64, String>) -> Option<RefusedRows> {
        (!reasons.is_empty()).then(|| RefusedRows { typed: self.typed.clone(), sha256: self.sha256(), reasons })
    }
}

/// Reads a file that a person names, up to the size limit.
pub fn read_file_bytes(_host: &HostPermission, path: &Path) -> Result<Vec<u8>, String> {
    let trouble = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let about = std::fs::metadata(path).map_err(trouble)?;
    // A pipe or a device would block the program for ever.
    if !about.is_file() {
        return Err(format!("{} is not a file", path.display()));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed shows that the file is too long.
    let most = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(trouble)?;
    Ok(bytes)
}

/// Writes the refused rows with their reasons to a new file beside their source; returns its path.
///
/// # Errors
/// If the source changed since it was read, or the new file cannot be written.
pub fn write_refused_rows(host: &HostPermission, refused: &RefusedRows) -> Result<PathBuf, String> {
    let source = TableFile::open_typed_line(host, &ProfileFile::default(), &refused.typed)?;
    if source.sha256() != refused.sha256 {
        return Err(format!("{} was changed after it was read; read it again first", source.name()));
    }
    let text = csv_table::decode_utf8(&source.bytes, MAX_FILE_BYTES)?;
    let errors = csv_table::errors_csv(text, &refused.reasons)?;
    let folder = source.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
    let written =
        file::create_numbered_file(host, folder, format!("{stem}-errors"), ".csv".to_owned()).and_then(|mut file| {
            file.write_all(errors.as_bytes())?;
            file.finish()
        });
    written.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_rows_stand_beside_their_source_and_replace_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pay roll.csv");
        std::fs::write(&path, "Payee,amount\nA,1\nB,x\n").unwrap();
        let (host, profile) = (HostPermission::for_local_operator(), ProfileFile::default());
        let open =
            || TableFile::open_typed_line(&host, &profile, &format!("{} address=Payee", path.display())).unwrap();
        let source = open();
        assert_eq!(
            (source.path.as_path(), source.mappings.typed.to_string().as_str()),
            (path.as_path(), "address=Payee")
        );
        let refused = source.refused_rows(BTreeMap::from([(3, "type digits".to_owned())])).unwrap();
        assert_eq!(write_refused_rows(&host, &refused).unwrap(), folder.path().join("pay roll-errors.csv"));
        let second = write_refused_rows(&host, &refused).unwrap();
        assert_eq!(second, folder.path().join("pay roll-errors-2.csv"));
        assert_eq!(std::fs::read_to_string(&second).unwrap(), "Payee,amount,reason\nB,x,type digits\n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&second).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(&path, "Payee,amount\nB,x\nA,1\n").unwrap();
        assert!(write_refused_rows(&host, &refused).unwrap_err().contains("pay roll.csv was changed"));
    }

    #[test]
    fn a_file_whose_name_looks_like_a_mapping_is_that_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pay q=1.csv");
        std::fs::write(&path, "address,amount\nA,1\n").unwrap();
        let line = path.display().to_string();
        let file =
            TableFile::open_typed_line(&HostPermission::for_local_operator(), &ProfileFile::default(), &line).unwrap();
        assert_eq!((file.path, file.mappings.typed.is_empty()), (path, true));
    }

    #[test]
    fn a_mapping_is_kept_for_the_session_where_there_is_no_profile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pay.csv");
        std::fs::write(&path, "Payee,amount\nA,1\n").unwrap();
        let (host, profile) = (HostPermission::for_local_operator(), ProfileFile::default());
        let used = HeaderMapping {
            kind: "batch".into(),
            header: "payee,amount".into(),
            mapping: split_path_and_mapping("address=Payee").1,
        };
        let file = TableFile::open_typed_line(&host, &profile, &format!("{} address=Payee", path.display())).unwrap();
        let note = file.save_column_mapping(&profile, Some(&used)).unwrap();
        assert_eq!(note, "address=Payee is kept for this session for files with this header");
        let file = TableFile::open_typed_line(&host, &profile.clone(), &path.display().to_string()).unwrap();
        assert_eq!(file.mappings.header_mappings, std::slice::from_ref(&used));
        assert_eq!(file.save_column_mapping(&profile, Some(&used)), None);
    }
}
