//! The sealed file: keys under a passphrase, for machines without a keyring.
//!
//! ```text
//! bytes   what
//!    14   "bursar sealed\n"
//!     1   version of this format: 1
//!    12   cost of guessing a passphrase (argon2id): memory in KiB, passes, lanes; three numbers, big-endian
//!    32   whose it is: hash of profile and base address
//!    16   salt, new at every writing
//!    24   nonce, new at every writing
//!     n   API key, wallet secret, listener secret, paying API key and hash of the lock's passphrase, padded to a
//!         fixed length and encrypted (XChaCha20-Poly1305)
//!    32   SHA-256 of all before
//! ```
//!
//! Everything before the ciphertext is authenticated with it. The closing hash protects nothing from anybody; it tells
//! a file that a disk or a copy has damaged from a wrong passphrase, which the cipher cannot. The cost is bounded when
//! it is read, so that a strange file cannot take all memory.

mod crypt;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::{Fault, Owner, Passphrase, SecretKind, private_file};
pub use crypt::Cost;

/// The longest file that can be meant.
const LONGEST: u64 = 64 * 1024;

/// Why a sealed file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealedFault {
    /// The system does not let us at it.
    #[error("cannot use the sealed file {}: {words}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the system says.
        words: String,
    },
    /// It is something else.
    #[error("{} is not a sealed file of bursar; move it away and run `bursar key set --file` again", .0.display())]
    Foreign(PathBuf),
    /// A newer bursar wrote it.
    #[error("{} has format {version}, and this bursar reads format 1; use a newer bursar", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u8,
    },
    /// It is not as it was written.
    #[error("{} is damaged; take it from a backup, or run `bursar key remove` and `bursar key set --file` again", .0.display())]
    Damaged(PathBuf),
    /// It asks for more than any file that was written here.
    #[error("{} requires an unreasonable amount of memory or work, and was not opened", .0.display())]
    Unreasonable(PathBuf),
    /// It is sound, and another profile's or another address's.
    #[error("{} belongs to another profile or base address; run `bursar key set --file` for this one", .0.display())]
    OthersFile(PathBuf),
    /// It does not open. A file that was altered on purpose says the same.
    #[error("the passphrase of {} is wrong; try again", .0.display())]
    WrongPassphrase(PathBuf),
    /// A new file wants a passphrase that resists guessing.
    #[error("a passphrase has at least {} characters; several words are best", Passphrase::MIN_CHARS)]
    TooShort,
    /// The system gives no random numbers.
    #[error("the system provides no random numbers; nothing was written")]
    NoRandomness,
}

/// What a sealed file holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets {
    pub(super) api_key: Option<SecretString>,
    pub(super) wallet_secret: Option<SecretString>,
    pub(super) listener_secret: Option<SecretString>,
    pub(super) paying_api_key: Option<SecretString>,
    pub(super) lock: Option<SecretString>,
}

impl Secrets {
    pub(super) fn field_mut(&mut self, which: SecretKind) -> &mut Option<SecretString> {
        match which {
            SecretKind::ApiKey => &mut self.api_key,
            SecretKind::WalletSecret => &mut self.wallet_secret,
            SecretKind::ListenerSecret => &mut self.listener_secret,
            SecretKind::PayingApiKey => &mut self.paying_api_key,
            SecretKind::Lock => &mut self.lock,
        }
    }

    fn is_empty(&self) -> bool {
        let Self { api_key, wallet_secret, listener_secret, paying_api_key, lock } = self;
        [api_key, wallet_secret, listener_secret, paying_api_key, lock].into_iter().all(Option::is_none)
    }
}

/// A sealed file, there or not yet there, and its passphrase as far as it is known.
#[derive(Debug, Clone)]
pub struct SealedFile {
    path: PathBuf,
    passphrase: Option<Passphrase>,
    cost: Cost,
}

impl SealedFile {
    /// The file at a path. `cost` is that of a file that is written; one that is read says its own.
    pub fn new(path: PathBuf, passphrase: Option<Passphrase>, cost: Cost) -> Self {
        Self { path, passphrase, cost }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is there.
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether the passphrase is known.
    pub fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }

    /// The same file with a passphrase that somebody typed.
    #[must_use]
    pub fn with_passphrase(self, passphrase: Passphrase) -> Self {
        Self { passphrase: Some(passphrase), ..self }
    }

    /// Opens it; a file that is not there holds nothing.
    pub(super) fn unseal(&self, owner: &Owner) -> Result<Secrets, Fault> {
        let Some(bytes) = self.bytes()? else { return Ok(Secrets::default()) };
        let passphrase = self.passphrase()?;
        Ok(crypt::unseal(&bytes, owner, passphrase).map_err(|fault| fault.into_fault(&self.path))?)
    }

    /// Puts a secret into it, or takes one out, and seals it anew. Returns whether there was one before. A file that
    /// holds nothing any more is removed.
    pub(super) fn replace(
        &self,
        owner: &Owner,
        which: SecretKind,
        secret: Option<SecretString>,
    ) -> Result<bool, Fault> {
        let is_new = !self.exists();
        if is_new && secret.is_none() {
            return Ok(false);
        }
        let passphrase = self.passphrase()?;
        if is_new && !passphrase.is_long_enough() {
            return Err(SealedFault::TooShort.into());
        }
        let mut content = self.unseal(owner)?;
        let before = std::mem::replace(content.field_mut(which), secret);
        let refused = |error: io::Error| SealedFault::Refused { path: self.path.clone(), words: error.to_string() };
        if content.is_empty() {
            std::fs::remove_file(&self.path).map_err(refused)?;
        } else {
            let bytes =
                crypt::seal(&content, owner, passphrase, self.cost).map_err(|fault| fault.into_fault(&self.path))?;
            private_file::write_atomically(&self.path, &bytes).map_err(refused)?;
        }
        Ok(before.is_some())
    }

    /// Removes the whole file; needs no passphrase. Returns whether there was one.
    pub(super) fn remove(&self) -> Result<bool, Fault> {
        match std::fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(SealedFault::Refused { path: self.path.clone(), words: error.to_string() }.into()),
        }
    }

    fn passphrase(&self) -> Result<&Passphrase, Fault> {
        self.passphrase.as_ref().ok_or_else(|| Fault::PassphraseNeeded(self.path.clone()))
    }

    fn bytes(&self) -> Result<Option<Vec<u8>>, SealedFault> {
        let refused = |error: io::Error| SealedFault::Refused { path: self.path.clone(), words: error.to_string() };
        match std::fs::metadata(&self.path) {
            Ok(about) if !about.is_file() || about.len() > LONGEST => Err(SealedFault::Foreign(self.path.clone())),
            Ok(_) => std::fs::read(&self.path).map(Some).map_err(refused),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }
}
