//! The files of authorised keys and pass-phrases, and of the banner.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use secrecy::SecretString;

use crate::secrets::private_file;
use crate::ssh::ReadKeys;

/// The longest file that is read here, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

pub(super) fn read_credential_file(path: &Path) -> anyhow::Result<String> {
    let about = path.metadata().with_context(|| format!("cannot read {}", path.display()))?;
    if !about.is_file() || about.len() > MAX_FILE_BYTES {
        bail!("{} is not a regular file of at most 1 MiB", path.display());
    }
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The pass-phrase of a file: its first line.
pub(super) fn read_passphrase(path: &Path) -> anyhow::Result<SecretString> {
    let text = SecretString::from(read_credential_file(path)?);
    if let Some(access) = private_file::access_by_others(path) {
        bail!("the pass-phrase in {} is not secret: {access}; run chmod 600", path.display());
    }
    let line = secrecy::ExposeSecret::expose_secret(&text).lines().next().unwrap_or_default();
    Ok(SecretString::from(line))
}

/// Reads the authorised keys again whenever their file has changed.
pub(super) fn authorized_keys_reader(path: PathBuf) -> ReadKeys {
    let last_stamp = Mutex::<Option<FileStamp>>::default();
    Arc::new(move || {
        let mut last_stamp = last_stamp.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = |error: io::Error| format!("cannot read {} ({error})", path.display());
        let about = path.metadata().map_err(refused)?;
        let mark = FileStamp::from_metadata(&about);
        if *last_stamp == Some(mark) {
            return Ok(None);
        }
        *last_stamp = None;
        if others_may_write(&about) {
            return Err(format!("others may write to {}; run chmod go-w", path.display()));
        }
        let text = read_credential_file(&path).map_err(|error| format!("{error:#}"))?;
        *last_stamp = Some(mark);
        Ok(Some(text))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    changed: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    node: (u64, u64, i64, i64, u32),
}

impl FileStamp {
    fn from_metadata(about: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            changed: about.modified().ok(),
            length: about.len(),
            #[cfg(unix)]
            node: (about.dev(), about.ino(), about.ctime(), about.ctime_nsec(), about.mode()),
        }
    }
}

fn others_may_write(about: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o022 != 0;
    #[cfg(not(unix))]
    return false;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use secrecy::ExposeSecret;

    use super::*;

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn keys_are_read_when_their_file_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let read_keys = authorized_keys_reader(path.clone());
        assert!(read_keys().unwrap_err().contains("cannot read"));
        fs::write(&path, "one").unwrap();
        chmod(&path, 0o644);
        assert_eq!(read_keys(), Ok(Some("one".into())));
        assert_eq!(read_keys(), Ok(None));
        fs::write(&path, "three").unwrap();
        assert_eq!(read_keys(), Ok(Some("three".into())));
        chmod(&path, 0o664);
        assert!(read_keys().unwrap_err().contains("chmod go-w"));
        assert!(read_keys().is_err(), "it stays refused until it is put right");
        chmod(&path, 0o600);
        assert_eq!(read_keys(), Ok(Some("three".into())));
        fs::remove_file(&path).unwrap();
        assert!(read_keys().is_err());
    }

    #[test]
    fn a_pass_phrase_is_the_first_line_of_a_file_that_nobody_else_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words");
        fs::write(&path, "correct horse\r\n").unwrap();
        chmod(&path, 0o600);
        assert_eq!(read_passphrase(&path).unwrap().expose_secret(), "correct horse");
        chmod(&path, 0o640);
        assert!(read_passphrase(&path).unwrap_err().to_string().contains("chmod 600"));
    }
}
