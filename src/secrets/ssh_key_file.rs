//! Private SSH keys in files, for signing where there is no SSH agent.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::domain::approval::{KeyFault, PrivateKey, PublicKey};

use super::private_file::access_by_others;

pub use crate::domain::approval::sign_with as sign;

/// Bytes.
const MAX_KEY_FILE: u64 = 64 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum KeyFileFault {
    #[error("the key file cannot be read")]
    File(#[from] io::Error),
    #[error("{0}; a private key is for its owner alone: “chmod 600” it")]
    Exposed(&'static str),
    #[error("this is no private key in OpenSSH's format; “ssh-keygen -p -f FILE” converts older ones")]
    Unreadable,
    #[error("the key is encrypted; its passphrase is needed")]
    NoPassphrase,
    #[error("the passphrase does not open the key")]
    WrongPassphrase,
    #[error(transparent)]
    Key(#[from] KeyFault),
    #[error("this file stands for a security key, which signs through an SSH agent: add it with “ssh-add”")]
    SecurityKey,
}

/// Reads a private key, and opens it with the passphrase where it is encrypted. It is wiped when it is dropped.
pub fn read_private_key(path: &Path, passphrase: Option<&SecretString>) -> Result<PrivateKey, KeyFileFault> {
    let file = File::open(path)?;
    if let Some(access) = access_by_others(path) {
        return Err(KeyFileFault::Exposed(access));
    }
    // Its own capacity from the start, so that no part of the key is left behind when a buffer grows.
    let mut text = Zeroizing::new(Vec::with_capacity(usize::try_from(MAX_KEY_FILE).unwrap_or(0)));
    file.take(MAX_KEY_FILE).read_to_end(&mut text)?;
    let key = PrivateKey::from_openssh(text.as_slice()).map_err(|_| KeyFileFault::Unreadable)?;
    if PublicKey::from_ssh(key.public_key())?.is_in_security_key() {
        return Err(KeyFileFault::SecurityKey);
    }
    if !key.is_encrypted() {
        return Ok(key);
    }
    let passphrase = passphrase.ok_or(KeyFileFault::NoPassphrase)?;
    key.decrypt(passphrase.expose_secret()).map_err(|_| KeyFileFault::WrongPassphrase)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
