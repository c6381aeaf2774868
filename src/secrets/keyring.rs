//! The keyring of the operating system.
//!
//! A locked keyring looks healthy until something is written, and reports a missing entry rather than the lock. So
//! before an entry is believed to be missing, a canary entry is set, read and deleted.
//!
//! Every call opens a connection of its own: a kept one would stay broken when the keyring or its session is restarted.
//! Calls run on a thread of their own, since a keyring may wait for a person to unlock it; the caller waits no longer
//! than the keyring's time-out.

mod platform;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::sealed::Secrets;
use super::{FallbackVariables, KeyStoreFault, Owner, SecretKind};
use crate::domain::Text;
use platform::{Entry, KeyringConnection, KeyringFault};

/// The keyring, and whether it was ever available.
#[derive(Debug, Clone)]
pub struct Keyring {
    timeout: Duration,
    was_available: Arc<AtomicBool>,
    /// The variables that errors name as a substitute.
    variables: FallbackVariables,
}

impl Default for Keyring {
    fn default() -> Self {
        Self::new(Self::UNLOCK_TIMEOUT)
    }
}

impl Keyring {
    /// How long a person may take to unlock it.
    pub const UNLOCK_TIMEOUT: Duration = Duration::from_mins(1);

    /// Callers wait at most `patience`.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout, was_available: Arc::default(), variables: FallbackVariables::default() }
    }

    /// The same for a profile that may pay under a separate key: errors name the substitute variables for both.
    #[must_use]
    pub fn with_separate_keys(self, are_apart: bool) -> Self {
        Self { variables: if are_apart { FallbackVariables::KeysApart } else { FallbackVariables::OneKey }, ..self }
    }

    /// Tests that it can store and return: a canary entry is set, read and deleted.
    pub fn check(&self) -> Result<(), KeyStoreFault> {
        self.run_with_timeout(test_with_canary)
    }

    /// An owner's keys, and the other secrets as far as they can be read, to redact them from answers: their faults are
    /// reported when they are used.
    pub(super) fn read(&self, owner: &Owner) -> Result<Secrets, KeyStoreFault> {
        let owner = owner.clone();
        self.run_with_timeout(move |link| {
            let api_key = read_entry(&link.entry(&owner, SecretKind::ApiKey)?)?;
            let wallet_secret = read_entry(&link.entry(&owner, SecretKind::WalletSecret)?)?;
            if api_key.is_none() {
                test_with_canary(link)?;
            }
            let other = |which| link.entry(&owner, which).and_then(|entry| read_entry(&entry)).ok().flatten();
            let (paying_api_key, listener_secret) =
                (other(SecretKind::PayingApiKey), other(SecretKind::ListenerSecret));
            Ok(Secrets { api_key, wallet_secret, listener_secret, paying_api_key, lock: None })
        })
    }

    pub(super) fn read_one(&self, owner: &Owner, which: SecretKind) -> Result<Option<SecretString>, KeyStoreFault> {
        let owner = owner.clone();
        self.run_with_timeout(move |link| {
            let secret = read_entry(&link.entry(&owner, which)?)?;
            if secret.is_none() {
                test_with_canary(link)?;
            }
            Ok(secret)
        })
    }

    /// Stores a secret, and reads it back.
    pub(super) fn set(&self, owner: &Owner, which: SecretKind, secret: SecretString) -> Result<(), KeyStoreFault> {
        let owner = owner.clone();
        self.run_with_timeout(move |link| {
            let entry = link.entry(&owner, which)?;
            entry.set_secret(secret.expose_secret().as_bytes()).map_err(platform::classify_error)?;
            let stored = read_entry(&entry)?;
            if stored.is_some_and(|stored| stored.expose_secret() == secret.expose_secret()) {
                return Ok(());
            }
            Err(KeyringFault::Failed("it does not give back what was put in".into()))
        })
    }

    /// Removes a secret; returns whether it was stored.
    pub(super) fn remove(&self, owner: &Owner, which: SecretKind) -> Result<bool, KeyStoreFault> {
        let owner = owner.clone();
        self.run_with_timeout(move |link| match link.entry(&owner, which)?.delete_credential() {
            Ok(()) => Ok(true),
            Err(keyring_core::Error::NoEntry) => test_with_canary(link).map(|()| false),
            Err(error) => Err(platform::classify_error(error)),
        })
    }

    /// Runs work that may block, on a thread and over a connection of its own. Work that outlasts the time-out goes on:
    /// the password window is the keyring's, and only the person can close it.
    fn run_with_timeout<T: Send + 'static>(
        &self,
        work: impl FnOnce(&KeyringConnection) -> Result<T, KeyringFault> + Send + 'static,
    ) -> Result<T, KeyStoreFault> {
        let (sender, receiver) = sync_channel(1);
        let spawned = thread::Builder::new().name("keyring".into()).spawn(move || {
            let outcome = KeyringConnection::open().and_then(|link| work(&link));
            // The caller may have timed out.
            let _late = sender.send(outcome);
        });
        if let Err(error) = spawned {
            return Err(KeyStoreFault::Broken(Text::clean(&error.to_string())));
        }
        let outcome = match receiver.recv_timeout(self.timeout) {
            Ok(outcome) => outcome,
            Err(RecvTimeoutError::Timeout) => return Err(KeyStoreFault::NoAnswer(self.timeout)),
            Err(RecvTimeoutError::Disconnected) => Err(KeyringFault::Failed("its library crashed".into())),
        };
        outcome
            .inspect(|_| self.was_available.store(true, Ordering::Relaxed))
            .map_err(|missing| self.to_key_store_fault(missing))
    }

    fn to_key_store_fault(&self, missing: KeyringFault) -> KeyStoreFault {
        let was_there = self.was_available.load(Ordering::Relaxed);
        match missing {
            KeyringFault::Session | KeyringFault::Provider | KeyringFault::Broken if was_there => KeyStoreFault::Gone,
            KeyringFault::Session => KeyStoreFault::Absent(self.variables),
            KeyringFault::Provider => KeyStoreFault::NoProvider(self.variables),
            KeyringFault::Broken => KeyStoreFault::Gone,
            KeyringFault::PersonToUnlock => KeyStoreFault::Locked(self.variables),
            KeyringFault::Permission => KeyStoreFault::Denied,
            KeyringFault::Failed(message) => KeyStoreFault::Broken(Text::clean(&message)),
        }
    }
}

fn read_entry(entry: &Entry) -> Result<Option<SecretString>, KeyringFault> {
    match entry.get_secret() {
        Ok(bytes) => {
            let bytes = Zeroizing::new(bytes);
            match std::str::from_utf8(&bytes) {
                Ok(text) => Ok(Some(SecretString::from(text))),
                Err(_) => {
                    Err(KeyringFault::Failed("the value stored for bursar is not text; set the key again".into()))
                }
            }
        }
        Err(keyring_core::Error::NoEntry) => Ok(None),
        Err(error) => Err(platform::classify_error(error)),
    }
}

/// Sets, reads and deletes an entry with a unique name, so that two programs at once do not disturb each other.
fn test_with_canary(link: &KeyringConnection) -> Result<(), KeyringFault> {
    let entry = link.canary_entry(&Uuid::new_v4().simple().to_string())?;
    entry.set_secret(b"canary").map_err(platform::classify_error)?;
    let canary = entry.get_secret();
    let deleted = entry.delete_credential();
    if canary.map_err(platform::classify_error)? != b"canary" {
        return Err(KeyringFault::Failed("it does not give back what was put in".into()));
    }
    deleted.map_err(platform::classify_error)
}
