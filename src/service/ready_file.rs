//! The ready file, which gives another program the address and the keys once the service is ready.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use uuid::Uuid;

use super::ServiceError;

/// Rejects an unusable path before anything is started.
pub(crate) fn check_path(path: &Path) -> Result<(), ServiceError> {
    let refuse = |problem: &str| Err(ServiceError::ReadyFile { path: path.into(), problem: problem.into() });
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => refuse("it exists and is not a regular file; name a new file, or a regular one"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if parent_folder(path).is_dir() && path.file_name().is_some() {
                Ok(())
            } else {
                refuse("its folder does not exist; create the folder first")
            }
        }
        Err(error) => refuse(&error.to_string()),
    }
}

/// Writes a draft beside the path and renames it, so that a waiting program never reads half a file. Mode 0600.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), ServiceError> {
    check_path(path)?;
    let draft = parent_folder(path).join(format!(".bursar-ready-{}", Uuid::new_v4().simple()));
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

fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
