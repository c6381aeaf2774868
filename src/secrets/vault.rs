//! The vault: the storage of one profile's secrets.

use secrecy::{ExposeSecret, SecretString};

use super::sealed::Secrets;
use super::{
    ApiKey, KeyFault, KeyStoreFault, Keyring, ListenerSecret, LockHash, Owner, Passphrase, SealedFault, SealedFile,
    SecretKind, WalletSecret,
};
use crate::domain::Redaction;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStorage {
    Keyring,
    /// A sealed file under a passphrase.
    File,
    Environment,
}

impl KeyStorage {
    pub const ALL: [(&'static str, Self); 3] =
        [("keyring", Self::Keyring), ("file", Self::File), ("environment", Self::Environment)];

    pub fn config_name(self) -> &'static str {
        Self::ALL.iter().find(|(_, keeper)| *keeper == self).map_or("", |(word, _)| word)
    }
}

/// The secrets of a profile that requests need.
#[derive(Debug, Clone)]
pub struct Keys {
    pub api_key: ApiKey,
    pub wallet_secret: Option<WalletSecret>,
}

#[derive(Debug, Clone, Default)]
pub struct KeyStoreContent {
    pub api_key: Option<ApiKey>,
    pub wallet_secret: Option<WalletSecret>,
}

/// The secrets of one profile in their storage. Every call reads the storage again, so that a rotated key, or a keyring
/// that was locked or has come back, is noticed in mid-session. Clones share the state of the keyring. Every call
/// blocks.
#[derive(Debug, Clone)]
pub struct Vault {
    owner: Owner,
    key_store: KeyStore,
    redaction: Redaction,
}

#[derive(Debug, Clone)]
enum KeyStore {
    Keyring(Keyring),
    File(SealedFile),
    Environment(Secrets),
}

impl Vault {
    pub fn in_keyring(owner: Owner, keyring: Keyring) -> Self {
        Self::with_key_store(owner, KeyStore::Keyring(keyring))
    }

    pub fn in_file(owner: Owner, file: SealedFile) -> Self {
        Self::with_key_store(owner, KeyStore::File(file))
    }

    pub fn in_environment(owner: Owner, api_key: Option<SecretString>, wallet_secret: Option<SecretString>) -> Self {
        Self::with_key_store(owner, KeyStore::Environment(Secrets { api_key, wallet_secret, ..Secrets::default() }))
    }

    fn with_key_store(owner: Owner, key_store: KeyStore) -> Self {
        Self { owner, key_store, redaction: Redaction::default() }
    }

    /// A redaction with every secret that was ever read here; it is updated by later reads.
    pub fn redaction(&self) -> Redaction {
        self.redaction.clone()
    }

    /// The same with an API key for changes from the environment.
    #[must_use]
    pub fn with_paying_key(mut self, key: Option<SecretString>) -> Self {
        if let KeyStore::Environment(content) = &mut self.key_store {
            content.paying_api_key = key;
        }
        self
    }

    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    pub fn key_storage(&self) -> KeyStorage {
        match &self.key_store {
            KeyStore::Keyring(_) => KeyStorage::Keyring,
            KeyStore::File(_) => KeyStorage::File,
            KeyStore::Environment(_) => KeyStorage::Environment,
        }
    }

    /// The sealed file, if that is the storage.
    pub fn file(&self) -> Option<&SealedFile> {
        match &self.key_store {
            KeyStore::File(file) => Some(file),
            _ => None,
        }
    }

    /// Whether it is an existing file without a known passphrase.
    pub fn needs_passphrase(&self) -> bool {
        self.file().is_some_and(|file| file.exists() && !file.has_passphrase())
    }

    /// The same storage with a passphrase; no change where none is needed.
    #[must_use]
    pub fn with_passphrase(self, passphrase: Passphrase) -> Self {
        match self.key_store {
            KeyStore::File(file) => Self { key_store: KeyStore::File(file.with_passphrase(passphrase)), ..self },
            place => Self { key_store: place, ..self },
        }
    }

    /// Whether the passphrase is not wrong, as far as a file can tell: the file is opened once for that.
    pub fn is_passphrase_accepted(&self) -> bool {
        !matches!(self.content(), Err(KeyStoreFault::Sealed(SealedFault::WrongPassphrase(_))))
    }

    /// The secrets, at least an API key.
    pub fn keys(&self) -> Result<Keys, KeyStoreFault> {
        let KeyStoreContent { api_key, wallet_secret } = self.content()?;
        let api_key = api_key.ok_or_else(|| self.not_set_fault(SecretKind::ApiKey))?;
        Ok(Keys { api_key, wallet_secret })
    }

    pub fn content(&self) -> Result<KeyStoreContent, KeyStoreFault> {
        let Secrets { api_key, wallet_secret, .. } = self.register_for_redaction(match &self.key_store {
            KeyStore::Keyring(keyring) => keyring.read(&self.owner)?,
            KeyStore::File(file) => file.unseal(&self.owner)?,
            KeyStore::Environment(content) => content.clone(),
        });
        Ok(KeyStoreContent {
            api_key: api_key.map(ApiKey::parse).transpose().map_err(|fault| self.invalid_secret_fault(fault))?,
            wallet_secret: wallet_secret
                .map(WalletSecret::parse)
                .transpose()
                .map_err(|fault| self.invalid_secret_fault(fault))?,
        })
    }

    /// The secret of the listener, if one is stored.
    ///
    /// # Errors
    /// The storage cannot be read, or the stored value is invalid.
    pub fn listener_secret(&self) -> Result<Option<ListenerSecret>, KeyStoreFault> {
        self.read_secret(SecretKind::ListenerSecret)?
            .map(ListenerSecret::parse)
            .transpose()
            .map_err(|fault| self.invalid_secret_fault(fault))
    }

    /// The API key for changes, if a separate one is stored.
    ///
    /// # Errors
    /// The storage cannot be read, or the stored value is invalid.
    pub fn paying_key(&self) -> Result<Option<ApiKey>, KeyStoreFault> {
        self.read_secret(SecretKind::PayingApiKey)?
            .map(ApiKey::parse_paying)
            .transpose()
            .map_err(|fault| self.invalid_secret_fault(fault))
    }

    /// The secrets for a change with a separate paying key: without one nothing is paid, and never under the reading
    /// key.
    ///
    /// # Errors
    /// The storage cannot be read, or has no such key.
    pub fn paying_keys(&self) -> Result<Keys, KeyStoreFault> {
        let api_key = self.paying_key()?.ok_or_else(|| self.not_set_fault(SecretKind::PayingApiKey))?;
        let wallet_secret = self.read_secret(SecretKind::WalletSecret)?.map(WalletSecret::parse).transpose();
        Ok(Keys { api_key, wallet_secret: wallet_secret.map_err(|fault| self.invalid_secret_fault(fault))? })
    }

    /// Checks the passphrase that unlocks paying: that of the sealed file where the keys are in one, else that of the
    /// console. Slow on purpose.
    ///
    /// # Errors
    /// There is nothing to compare it with.
    pub fn verify_passphrase(&self, passphrase: &Passphrase) -> Result<bool, KeyStoreFault> {
        if let KeyStore::File(file) = &self.key_store {
            return match file.clone().with_passphrase(passphrase.clone()).unseal(&self.owner) {
                Ok(_) => Ok(true),
                Err(KeyStoreFault::Sealed(SealedFault::WrongPassphrase(_))) => Ok(false),
                Err(fault) => Err(fault),
            };
        }
        let lock = self.read_secret(SecretKind::Lock)?.ok_or_else(|| self.not_set_fault(SecretKind::Lock))?;
        LockHash::parse(&lock).map(|hash| hash.matches(passphrase)).ok_or(KeyStoreFault::LockHash)
    }

    /// Stores the hash of a passphrase that unlocks paying.
    pub fn set_lock(&self, hash: &LockHash) -> Result<(), KeyStoreFault> {
        self.store_secret(SecretKind::Lock, hash.to_secret())
    }

    /// Whether a passphrase that unlocks paying is stored.
    pub fn has_lock(&self) -> Result<bool, KeyStoreFault> {
        self.read_secret(SecretKind::Lock).map(|secret| secret.is_some())
    }

    fn read_secret(&self, which: SecretKind) -> Result<Option<SecretString>, KeyStoreFault> {
        let content = match &self.key_store {
            KeyStore::Keyring(keyring) => {
                let mut content = Secrets::default();
                *content.field_mut(which) = keyring.read_one(&self.owner, which)?;
                content
            }
            KeyStore::File(file) => file.unseal(&self.owner)?,
            KeyStore::Environment(content) => content.clone(),
        };
        Ok(self.register_for_redaction(content).field_mut(which).take())
    }

    /// Registers secrets for redaction.
    fn register_for_redaction(&self, content: Secrets) -> Secrets {
        let Secrets { api_key, wallet_secret, listener_secret, paying_api_key, lock: _ } = &content;
        for (name, secret) in [
            (Redaction::KEY, api_key),
            (Redaction::KEY, paying_api_key),
            (Redaction::WALLET_SECRET, wallet_secret),
            (Redaction::WEBHOOK_SECRET, listener_secret),
        ] {
            if let Some(secret) = secret {
                self.redaction.add_secret(name, secret.expose_secret());
            }
        }
        content
    }

    /// Stores a listener's secret, replacing a stored one.
    pub fn set_listener_secret(&self, secret: ListenerSecret) -> Result<(), KeyStoreFault> {
        self.store_secret(SecretKind::ListenerSecret, secret.into_secret())
    }

    /// Stores an API key, replacing a stored one.
    pub fn set_api_key(&self, key: ApiKey) -> Result<(), KeyStoreFault> {
        self.store_secret(SecretKind::ApiKey, key.into_secret())
    }

    /// Stores an API key for changes.
    pub fn set_paying_key(&self, key: ApiKey) -> Result<(), KeyStoreFault> {
        self.store_secret(SecretKind::PayingApiKey, key.into_secret())
    }

    /// Stores a wallet secret, replacing a stored one.
    pub fn set_wallet_secret(&self, secret: WalletSecret) -> Result<(), KeyStoreFault> {
        self.store_secret(SecretKind::WalletSecret, secret.into_secret())
    }

    fn store_secret(&self, which: SecretKind, secret: SecretString) -> Result<(), KeyStoreFault> {
        match &self.key_store {
            KeyStore::Keyring(keyring) => keyring.set(&self.owner, which, secret),
            KeyStore::File(file) => file.replace(&self.owner, which, Some(secret)).map(drop),
            KeyStore::Environment(_) => Err(KeyStoreFault::Environment(which)),
        }
    }

    /// Removes one secret; returns whether it was stored.
    pub fn remove(&self, which: SecretKind) -> Result<bool, KeyStoreFault> {
        match &self.key_store {
            KeyStore::Keyring(keyring) => keyring.remove(&self.owner, which),
            KeyStore::File(file) => file.replace(&self.owner, which, None),
            KeyStore::Environment(_) => Err(KeyStoreFault::Environment(which)),
        }
    }

    /// Removes all secrets; returns whether there were any. A sealed file is removed without its passphrase.
    pub fn remove_all(&self) -> Result<bool, KeyStoreFault> {
        match &self.key_store {
            KeyStore::File(file) => file.remove(),
            _ => Ok(!self.remove_each()?.is_empty()),
        }
    }

    /// Removes the secrets one by one, and returns those that were stored. A sealed file needs its passphrase for that.
    pub fn remove_each(&self) -> Result<Vec<SecretKind>, KeyStoreFault> {
        let mut removed = Vec::new();
        for which in SecretKind::ALL {
            if self.remove(which)? {
                removed.push(which);
            }
        }
        Ok(removed)
    }

    fn not_set_fault(&self, which: SecretKind) -> KeyStoreFault {
        KeyStoreFault::NotSet { which, owner: self.owner.clone(), keeper: self.key_storage() }
    }

    fn invalid_secret_fault(&self, fault: KeyFault) -> KeyStoreFault {
        let storage = match &self.key_store {
            KeyStore::Keyring(_) => "the keyring".to_owned(),
            KeyStore::File(file) => file.path().display().to_string(),
            KeyStore::Environment(_) => fault.which.manual_setting().to_owned(),
        };
        KeyStoreFault::Unfit { storage, fault }
    }
}
