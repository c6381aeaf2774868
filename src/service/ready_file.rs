//! The file that tells another program where a host is, once it answers.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use uuid::Uuid;

use super::ServiceError;

/// Refuses what cannot become a ready file before anything is started.
pub(crate) fn check(path: &Path) -> Result<(), ServiceError> {
    let refuse = |problem: &str| Err(ServiceError::ReadyFile { path: path.into(), problem: problem.into() });
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => refuse("it exists and is not a regular file; name a new file, or a regular one"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder_of(path).is_dir() && path.file_name().is_some() {
                Ok(())
            } else {
                refuse("its folder does not exist; create the folder first")
            }
        }
        Err(error) => refuse(&error.to_string()),
    }
}

/// Writes the file beside its place and moves it there, so that whoever waits for it never reads half of it, and
/// nobody else reads it at all.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), ServiceError> {
    check(path)?;
    let draft = folder_of(path).join(format!(".bursar-ready-{}", Uuid::new_v4().simple()));
    let written = || -> io::Result<()> {
        let mut open = OpenOptions::new();
        open.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let mut file = open.open(&draft)?;
        file.write_all(content.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    written().map_err(|error| {
        let _gone_already = fs::remove_file(&draft);
        ServiceError::ReadyFile { path: path.into(), problem: error.to_string() }
    })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
