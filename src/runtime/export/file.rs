//! Creates export files: never replacing a file, and under their final name only when complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::domain::{FileFormat, Timestamp};
use crate::runtime::HostPermission;

/// How many names are tried for files of the same second.
const MAX_NAME_ATTEMPTS: u32 = 100;

/// A file being written. It is removed unless finished; a killed program leaves it with the suffix `.part`.
#[derive(Debug)]
pub struct ExportFile {
    file: File,
    part_path: PathBuf,
    folder: PathBuf,
    /// The name without number and suffix.
    stem: String,
    /// With its point; of a name as typed, the whole of it is in `stem`.
    suffix: String,
    /// How many names are tried, where others exist.
    max_attempts: u32,
}

/// Creates a file readable by its owner alone, named after its contents and the time.
///
/// # Errors
/// If the folder is missing, is no folder, or cannot be written to; the message states which.
pub fn create_export_file(
    host: &HostPermission,
    folder: &Path,
    rows_name: &str,
    format: FileFormat,
    now: Timestamp,
) -> io::Result<ExportFile> {
    let stem = format!("bursar-{rows_name}-{}", now.format("%Y%m%dT%H%M%SZ"));
    create_numbered_file(host, folder, stem, format!(".{}", format.extension()))
}

/// Creates a file of this name, or one with a number behind it, readable by its owner alone.
///
/// # Errors
/// The same.
pub fn create_numbered_file(
    host: &HostPermission,
    folder: &Path,
    stem: String,
    suffix: String,
) -> io::Result<ExportFile> {
    create_file(host, folder, stem, suffix, MAX_NAME_ATTEMPTS)
}

/// Creates a file readable by its owner alone, with exactly this name.
///
/// # Errors
/// The same, and if the file exists.
pub fn create_named_file(host: &HostPermission, path: &Path) -> io::Result<ExportFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{}: this names no file", path.display())));
    };
    if path.symlink_metadata().is_ok() {
        return Err(describe_error(path, &io::ErrorKind::AlreadyExists.into()));
    }
    create_file(host, folder, name.to_string_lossy().into_owned(), String::new(), 1)
}

fn create_file(
    _host: &HostPermission,
    folder: &Path,
    stem: String,
    suffix: String,
    max_attempts: u32,
) -> io::Result<ExportFile> {
    if !folder.is_dir() {
        let missing = if folder.exists() { "it is not a folder" } else { "there is no such folder; create it first" };
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: {missing}", folder.display())));
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let (file, part_path) = try_numbered_names(MAX_NAME_ATTEMPTS, |number| {
        let part = folder.join(format!("{stem}{number}{suffix}.part"));
        Ok((options.open(&part)?, part))
    })
    .map_err(|error| describe_error(folder, &error))?;
    Ok(ExportFile { file, part_path, folder: folder.to_owned(), stem, suffix, max_attempts })
}

impl ExportFile {
    /// Gives the complete file its name, which no other file has.
    ///
    /// # Errors
    /// If the disk refuses; the file is removed.
    pub fn finish(self) -> io::Result<PathBuf> {
        let renamed = self.file.sync_all().and_then(|()| {
            try_numbered_names(self.max_attempts, |number| {
                let path = self.folder.join(format!("{}{number}{}", self.stem, self.suffix));
                match fs::hard_link(&self.part_path, &path) {
                    // A file system without hard links, as on USB sticks.
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.exists() => {
                        fs::rename(&self.part_path, &path)?;
                    }
                    linked => linked?,
                }
                Ok(path)
            })
        });
        renamed.map_err(|error| describe_error(&self.folder, &error))
    }
}

impl Write for ExportFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| describe_error(&self.folder, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for ExportFile {
    fn drop(&mut self) {
        // A finished file has another name by now; a part that cannot be removed is recognisable by its suffix.
        let _left = fs::remove_file(&self.part_path);
    }
}

/// Tries names until one is free.
fn try_numbered_names<T>(max_attempts: u32, mut attempt: impl FnMut(&str) -> io::Result<T>) -> io::Result<T> {
    for number in 1..=max_attempts {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        match attempt(&number) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the system words the other errors")]
fn describe_error(folder: &Path, error: &io::Error) -> io::Error {
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => "this folder cannot be written to".into(),
        io::ErrorKind::StorageFull => "its disk is full".into(),
        io::ErrorKind::ReadOnlyFilesystem => "its disk is read-only".into(),
        io::ErrorKind::AlreadyExists => "this exists already, and nothing is replaced".into(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {message}", folder.display()))
}

/// Resolves a folder as typed: `~` is the home folder, and relative paths start at the working directory.
pub fn resolve_folder(_host: &HostPermission, folder: &str) -> PathBuf {
    let home = || etcetera::home_dir().ok();
    match folder.strip_prefix('~') {
        Some("") => home().unwrap_or_else(|| folder.into()),
        Some(rest) if rest.starts_with('/') => {
            home().map_or_else(|| folder.into(), |home| home.join(rest.trim_start_matches('/')))
        }
        _ => folder.into(),
    }
}

/// The folder that an export proposes before any was used: that for downloads, or else the home folder.
pub fn default_folder(host: &HostPermission) -> &'static str {
    const DOWNLOADS: &str = "~/Downloads";
    if resolve_folder(host, DOWNLOADS).is_dir() { DOWNLOADS } else { "~" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ExportFormat;

    fn file_names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn no_file_is_replaced_and_a_part_never_looks_whole() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::parse_iso("2026-11-21T08:30:00Z").unwrap();
        let host = HostPermission::for_local_operator();
        let begin = || create_export_file(&host, folder.path(), "transactions", FileFormat::default(), now).unwrap();
        let (mut first, second, dropped) = (begin(), begin(), begin());
        first.write_all(b"kept").unwrap();
        let path = first.finish().unwrap();
        assert_eq!(path, folder.path().join("bursar-transactions-20261121T083000Z.csv"));
        assert_eq!(
            file_names(folder.path()),
            [
                "bursar-transactions-20261121T083000Z-2.csv.part",
                "bursar-transactions-20261121T083000Z-3.csv.part",
                "bursar-transactions-20261121T083000Z.csv",
            ]
        );
        assert_eq!(second.finish().unwrap(), folder.path().join("bursar-transactions-20261121T083000Z-2.csv"));
        drop(dropped);
        assert_eq!(file_names(folder.path()).len(), 2);
        assert_eq!(fs::read(&path).unwrap(), b"kept");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let missing =
            create_export_file(&host, &folder.path().join("none"), "x", FileFormat::Table(ExportFormat::Json), now)
                .unwrap_err();
        assert!(missing.to_string().ends_with("none: there is no such folder; create it first"), "{missing}");
        assert!(
            create_export_file(&host, &path, "x", FileFormat::Table(ExportFormat::Json), now)
                .unwrap_err()
                .to_string()
                .ends_with("it is not a folder")
        );
    }

    #[test]
    fn the_usual_folder_is_there() {
        let host = HostPermission::for_local_operator();
        assert!(resolve_folder(&host, default_folder(&host)).is_dir());
    }

    #[test]
    fn a_tilde_is_the_home_folder_and_nothing_else() {
        let folder = |resolved| resolve_folder(&HostPermission::for_local_operator(), resolved);
        assert_eq!(folder("~").as_path(), etcetera::home_dir().unwrap());
        assert_eq!(folder("~/exports"), etcetera::home_dir().unwrap().join("exports"));
        assert_eq!(folder("~ada/x"), PathBuf::from("~ada/x"));
        assert_eq!(folder("."), PathBuf::from("."));
    }
}
