//! New files for exports: in a folder that somebody named, and never in place of another.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{Format, Timestamp};

/// How many names are tried for files of one second.
const TRIES: u32 = 100;

/// Makes a new file for its owner alone, named after what it holds and when. One that is there is never replaced.
///
/// # Errors
/// Where the folder is not there, is none, or may not be written in; the words say which.
pub fn create(folder: &Path, what: &str, format: Format, now: Timestamp) -> io::Result<(File, PathBuf)> {
    let at = |error: io::Error| io::Error::new(error.kind(), format!("{}: {}", folder.display(), words(&error)));
    if !folder.is_dir() {
        let missing = if folder.exists() { "it is no folder" } else { "there is no such folder; make it first" };
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: {missing}", folder.display())));
    }
    let stem = format!("bursar-{what}-{}", now.format("%Y%m%dT%H%M%SZ"));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for number in 1..=TRIES {
        let again = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{stem}{again}.{}", format.word()));
        match options.open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(at(error)),
        }
    }
    Err(at(io::ErrorKind::AlreadyExists.into()))
}

fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "this folder may not be written in".into(),
        io::ErrorKind::StorageFull => "no room is left on its disk".into(),
        io::ErrorKind::ReadOnlyFilesystem => "its disk may only be read".into(),
        _ => error.to_string(),
    }
}

/// The folder that somebody named: `~` stands for the home folder, and what does not begin at the root begins where the
/// program was started.
pub fn folder(named: &str) -> PathBuf {
    let home = || etcetera::home_dir().ok();
    match named.strip_prefix('~') {
        Some("") => home().unwrap_or_else(|| named.into()),
        Some(rest) if rest.starts_with('/') => {
            home().map_or_else(|| named.into(), |home| home.join(rest.trim_start_matches('/')))
        }
        _ => named.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn no_file_is_replaced_and_others_cannot_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::read("2026-11-21T08:30:00Z").unwrap();
        let (mut first, path) = create(folder.path(), "transactions", Format::Csv, now).unwrap();
        assert_eq!(path, folder.path().join("bursar-transactions-20261121T083000Z.csv"));
        first.write_all(b"kept").unwrap();
        let (_, other) = create(folder.path(), "transactions", Format::Csv, now).unwrap();
        assert_eq!(other, folder.path().join("bursar-transactions-20261121T083000Z-2.csv"));
        assert_eq!(std::fs::read(&path).unwrap(), b"kept");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let missing = create(&folder.path().join("none"), "x", Format::Json, now).unwrap_err();
        assert!(missing.to_string().ends_with("none: there is no such folder; make it first"), "{missing}");
        assert!(create(&path, "x", Format::Json, now).unwrap_err().to_string().ends_with("it is no folder"));
    }
}
