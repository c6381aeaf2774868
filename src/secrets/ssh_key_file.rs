//! SSH keys in files, for signing where no SSH agent is asked, and for choosing one of an agent's keys.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use zeroize::Zeroizing;

use crate::domain::approval::{KeyFault, PrivateKey, PublicKey, read_private_key};

use super::private_file::access_by_others;

pub use crate::domain::approval::sign_with as sign;

/// Bytes.
const MAX_KEY_FILE: u64 = 64 * 1024;

/// A key file, by who signs with it.
#[derive(Debug)]
pub enum KeyFile {
    /// It is wiped when it is dropped.
    Private(Box<PrivateKey>),
    /// Only an SSH agent can sign with it: the file is encrypted, stands for a security key, or has the public key alone.
    InAgent(PublicKey),
}

#[derive(Debug, thiserror::Error)]
pub enum KeyFileFault {
    #[error("the key file cannot be read")]
    File(#[from] io::Error),
    #[error("{0}; a private key is for its owner alone: “chmod 600” it")]
    Exposed(&'static str),
    #[error("this is no key in OpenSSH's format; “ssh-keygen -p -f FILE” converts older ones")]
    Unreadable,
    #[error(transparent)]
    Key(#[from] KeyFault),
}

/// Reads a file of a private or of a public key.
pub fn read_key_file(path: &Path) -> Result<KeyFile, KeyFileFault> {
    let file = File::open(path)?;
    // Its own capacity from the start, so that no part of the key is left behind when a buffer grows.
    let mut text = Zeroizing::new(Vec::with_capacity(usize::try_from(MAX_KEY_FILE).unwrap_or(0)));
    file.take(MAX_KEY_FILE).read_to_end(&mut text)?;
    if let Some(public) = std::str::from_utf8(&text).ok().filter(|text| !text.contains("PRIVATE KEY")) {
        return match PublicKey::parse_openssh(public.trim()) {
            Err(KeyFault::Unreadable) => Err(KeyFileFault::Unreadable),
            read => Ok(KeyFile::InAgent(read?)),
        };
    }
    if let Some(access) = access_by_others(path) {
        return Err(KeyFileFault::Exposed(access));
    }
    let key = read_private_key(&text).map_err(|_| KeyFileFault::Unreadable)?;
    let public = PublicKey::from_ssh(key.public_key())?;
    if public.is_in_security_key() || key.is_encrypted() {
        return Ok(KeyFile::InAgent(public));
    }
    Ok(KeyFile::Private(Box::new(key)))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
