//! The sealed file: secrets under a passphrase, for machines without a keyring.
//!
//! ```text
//! bytes   content
//!    14   "bursar sealed\n"
//!     1   version of this format: 1
//!    12   cost of guessing a passphrase (argon2id): memory in KiB, passes, lanes; three numbers, big-endian
//!    32   owner: hash of profile and base address
//!    16   salt, new at every writing
//!    24   nonce, new at every writing
//!     n   API key, wallet secret, listener secret, paying API key and hash of the lock's passphrase, padded to a
//!         fixed length and encrypted (XChaCha20-Poly1305)
//!    32   SHA-256 of everything before
//! ```
//!
//! Everything before the ciphertext is authenticated with it. The final hash is no protection; it distinguishes a file
//! damaged by a disk or a copy from a wrong passphrase, which the cipher cannot. The cost is bounded when it is read,
//! so that a foreign file cannot exhaust the memory.

mod crypt;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::{KeyStoreFault, Owner, Passphrase, SecretKind, private_file};
pub use crypt::PassphraseHashCost;

/// Bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealedFault {
    #[error("cannot use the sealed file {}: {reason}", .path.display())]
    Unusable { path: PathBuf, reason: String },
    #[error("{} is not a sealed file of bursar; move it away and run `bursar key set --file` again", .0.display())]
    NotASealedFile(PathBuf),
    #[error("{} has format {version}, and this bursar reads format 1; use a newer bursar", .path.display())]
    Newer { path: PathBuf, version: u8 },
    #[error("{} is damaged; take it from a backup, or run `bursar key remove` and `bursar key set --file` again", .0.display())]
    Damaged(PathBuf),
    /// The file's cost exceeds that of any file written here.
    #[error("{} requires an unreasonable amount of memory or work, and was not opened", .0.display())]
    Unreasonable(PathBuf),
    /// The file is intact, but belongs to another profile or base address.
    #[error("{} belongs to another profile or base address; run `bursar key set --file` for this one", .0.display())]
    OfOtherOwner(PathBuf),
    /// Decryption fails, as also for a file that was altered on purpose.
    #[error("the passphrase of {} is wrong; try again", .0.display())]
    WrongPassphrase(PathBuf),
    #[error("a passphrase has at least {} characters; several words are best", Passphrase::MIN_CHARS)]
    TooShort,
    #[error("the system provides no random numbers; nothing was written")]
    NoRandomness,
}

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

/// A sealed file, which may not exist yet, and its passphrase if known.
#[derive(Debug, Clone)]
pub struct SealedFile {
    path: PathBuf,
    passphrase: Option<Passphrase>,
    cost: PassphraseHashCost,
}

impl SealedFile {
    /// `cost` is for writing; a file that is read has its own.
    pub fn new(path: PathBuf, passphrase: Option<Passphrase>, cost: PassphraseHashCost) -> Self {
        Self { path, passphrase, cost }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    pub fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }

    #[must_use]
    pub fn with_passphrase(self, passphrase: Passphrase) -> Self {
        Self { passphrase: Some(passphrase), ..self }
    }

    /// Decrypts the file; a missing file is empty.
    pub(super) fn unseal(&self, owner: &Owner) -> Result<Secrets, KeyStoreFault> {
        let Some(bytes) = self.bytes()? else { return Ok(Secrets::default()) };
        let passphrase = self.passphrase()?;
        Ok(crypt::decrypt_secrets(&bytes, owner, passphrase).map_err(|fault| fault.into_fault(&self.path))?)
    }

    /// Stores or removes a secret, and seals the file again. Returns whether the secret was stored before. An empty
    /// file is removed.
    pub(super) fn replace(
        &self,
        owner: &Owner,
        which: SecretKind,
        secret: Option<SecretString>,
    ) -> Result<bool, KeyStoreFault> {
        let is_new = !self.exists();
        if is_new && secret.is_none() {
            return Ok(false);
        }
        if is_new && self.passphrase.is_none() {
            return Err(KeyStoreFault::PassphraseNotChosen(self.path.clone()));
        }
        let passphrase = self.passphrase()?;
        if is_new && !passphrase.is_long_enough() {
            return Err(SealedFault::TooShort.into());
        }
        let mut content = self.unseal(owner)?;
        let before = std::mem::replace(content.field_mut(which), secret);
        let refused = |error: io::Error| SealedFault::Unusable { path: self.path.clone(), reason: error.to_string() };
        if content.is_empty() {
            std::fs::remove_file(&self.path).map_err(refused)?;
        } else {
            let bytes = crypt::encrypt_secrets(&content, owner, passphrase, self.cost)
                .map_err(|fault| fault.into_fault(&self.path))?;
            private_file::write_atomically(&self.path, &bytes).map_err(refused)?;
        }
        Ok(before.is_some())
    }

    /// Removes the whole file, without its passphrase. Returns whether it existed.
    pub(super) fn remove(&self) -> Result<bool, KeyStoreFault> {
        match std::fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(SealedFault::Unusable { path: self.path.clone(), reason: error.to_string() }.into()),
        }
    }

    fn passphrase(&self) -> Result<&Passphrase, KeyStoreFault> {
        self.passphrase.as_ref().ok_or_else(|| KeyStoreFault::PassphraseNeeded(self.path.clone()))
    }

    fn bytes(&self) -> Result<Option<Vec<u8>>, SealedFault> {
        let refused = |error: io::Error| SealedFault::Unusable { path: self.path.clone(), reason: error.to_string() };
        match std::fs::metadata(&self.path) {
            Ok(about) if !about.is_file() || about.len() > MAX_FILE_BYTES => {
                Err(SealedFault::NotASealedFile(self.path.clone()))
            }
            Ok(_) => std::fs::read(&self.path).map(Some).map_err(refused),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }
}
