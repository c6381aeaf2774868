//! Files readable by their owner alone, written whole or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that a reader sees the old content or the new, never a part of either: into a temporary file beside
/// it, synced, then renamed. The file is readable by its owner alone; a missing folder is created with permissions for
/// its owner alone. A symbolic link stays one, and its target is written.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = resolve_symlink(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?);
    name.push(format!(".{}", uuid::Uuid::new_v4().simple()));
    let temporary = folder.join(name);
    let written = write_new_file(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _the_first_error_says_more = fs::remove_file(&temporary);
    }
    written?;
    // The new name must be as durable as the content.
    File::open(folder)?.sync_all()
}

/// Creates a folder and its parents, with permissions for their owner alone. Existing folders keep their permissions.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The access of other users to a file or folder, as displayed; `None` also where it cannot be determined.
pub fn access_by_others(path: &Path) -> Option<&'static str> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().ok()?.permissions());
        match (mode & 0o022 != 0, mode & 0o044 != 0) {
            (true, _) => Some("others may write to it"),
            (false, true) => Some("others may read it"),
            (false, false) => None,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// The effective user of this process.
#[cfg(unix)]
pub fn effective_user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn write_new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The target of a path: itself, unless it is a symbolic link.
fn resolve_symlink(path: &Path) -> io::Result<PathBuf> {
    let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    if is_link { path.canonicalize() } else { Ok(path.to_owned()) }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn file_mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_its_owners_alone_and_so_is_a_new_folder() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/file");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!((file_mode(&path), file_mode(path.parent().unwrap())), (0o600, 0o700));
        let entries: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().flatten().collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_and_nothing_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        fs::create_dir(&path).unwrap();
        assert!(write_atomically(&path, b"new").is_err(), "a folder stands in its place");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_a_link() {
        let place = tempfile::tempdir().unwrap();
        let (target, link) = (place.path().join("target"), place.path().join("link"));
        fs::write(&target, "old").unwrap();
        symlink(&target, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn rights_of_others_are_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        fs::write(&path, "").unwrap();
        for (mode, expected) in
            [(0o600, None), (0o644, Some("others may read it")), (0o660, Some("others may write to it"))]
        {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(access_by_others(&path), expected);
        }
        assert_eq!(access_by_others(&place.path().join("missing")), None);
    }
}
