//! The file of the host key.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context as _, bail};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::cli::CommandContext;
use crate::secrets::private_file;
use crate::ssh::{HostKey, HostKeyFault};

const HOST_KEY_FILE: &str = "ssh_host_ed25519_key";

/// Reads the given key file, or the one in the data folder, which is created at the first start.
pub(super) fn load_or_create(context: &CommandContext, key_path: Option<&Path>) -> anyhow::Result<HostKey> {
    if let Some(path) = key_path {
        return read_host_key(path);
    }
    let config = context.config()?;
    let path = config.folders.create_data_folder()?.join(HOST_KEY_FILE);
    if !path.try_exists().with_context(|| path.display().to_string())? {
        create_host_key(&path).with_context(|| format!("cannot store a host key in {}", path.display()))?;
    }
    read_host_key(&path)
}

fn read_host_key(path: &Path) -> anyhow::Result<HostKey> {
    let path_text = path.display();
    let about = path.metadata().with_context(|| format!("cannot read the host key {path_text}"))?;
    if !about.is_file() {
        bail!("the host key {path_text} is not a regular file; name one with --host-key");
    }
    let bytes = Zeroizing::new(fs::read(path).with_context(|| format!("cannot read the host key {path_text}"))?);
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let key = HostKey::read(text);
    // A public key may be readable, and restricting its file would not help.
    if !matches!(key, Err(HostKeyFault::Public))
        && let Some(access) = private_file::access_by_others(path)
    {
        bail!("the host key {path_text} is not private: {access}; if nobody has done so, run chmod 600");
    }
    key.with_context(|| format!("the host key {path_text} cannot be used"))
}

/// Creates a key, unless another host that is starting has just created one.
fn create_host_key(path: &Path) -> anyhow::Result<()> {
    let text = HostKey::generate()?.to_openssh()?;
    let draft = path.with_file_name(format!(".{HOST_KEY_FILE}.{}", Uuid::new_v4().simple()));
    private_file::write_atomically(&draft, text.as_bytes())?;
    let linked = match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    };
    fs::remove_file(&draft)?;
    Ok(linked?)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(HOST_KEY_FILE);
        create_host_key(&path).unwrap();
        let first = read_host_key(&path).unwrap().fingerprint();
        create_host_key(&path).unwrap();
        assert_eq!(read_host_key(&path).unwrap().fingerprint(), first, "the second comer takes that of the first");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_cannot_be_used_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(HOST_KEY_FILE);
        let message = |path: &Path| format!("{:#}", read_host_key(path).unwrap_err());
        assert!(message(&path).contains("cannot read"));
        assert!(message(folder.path()).contains("not a regular file"));
        create_host_key(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(message(&path).contains("others may read it"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, b"\xff\xfe").unwrap();
        assert!(message(&path).contains("damaged"));
        let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ ada@home\n";
        fs::write(&path, key).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(message(&path).contains("name the private one"), "{}", message(&path));
    }
}
