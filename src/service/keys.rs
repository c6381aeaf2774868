//! API keys and wallet secrets: created here, shown once, stored as hashes beside the ledger.
//!
//! A key is 256 random bits, so it cannot be guessed, and a plain SHA-256 protects it at rest as well as a slow
//! password hash, which exists to make guessing expensive. Keys are compared in constant time, so that the time of a
//! rejection reveals nothing about a hash.
//!
//! Keys that another process creates or revokes take effect with the next request.

mod permission;
mod register;

use std::fmt::Write as _;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::OptionalExtension;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};
use uuid::Uuid;

use super::ledger::{KEYS_EXIST_SETTING, Ledger, RequestError, WorkspaceNumber, store_setting};
use crate::domain::Timestamp;

pub use permission::{Permission, Permissions, UnknownPermission};
pub use register::{KeyEntry, Register, RegisterError, TRUSTED};

use register::NewKeyEntry;
pub(super) use register::{accept_keys_as_they_are, differences_from_mark, has_keys_file};

/// Name of the key in the ready file.
const READY_FILE_KEY_NAME: &str = "ready-file";

/// Credentials of a caller, shown once.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Sent as `Authorization: Bearer …`.
    pub api_key: SecretString,
    /// Sent as `x-wallet-secret` with changes.
    pub wallet_secret: SecretString,
}

#[derive(Debug, Clone)]
pub struct NewKey {
    pub name: String,
    pub permissions: Permissions,
    /// The addresses it is accepted from, at most [`TRUSTED`]; empty for all.
    pub trusted_addresses: Vec<IpAddr>,
}

impl NewKey {
    /// A key with every permission, accepted from every address.
    pub fn owner() -> Self {
        Self { name: "owner".into(), permissions: Permissions::all(), trusted_addresses: Vec::new() }
    }

    /// The key in the ready file, replaced at each start.
    pub fn for_ready_file() -> Self {
        Self { name: READY_FILE_KEY_NAME.into(), ..Self::owner() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyHolder {
    pub(super) workspace_number: WorkspaceNumber,
    pub(super) key_number: i64,
    pub(super) permissions: Permissions,
    /// Whether the request carried this key's wallet secret.
    pub(super) knows_secret: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthError {
    /// No such key, or it was revoked.
    Unknown,
    /// The key is not accepted from the caller's address.
    Untrusted,
}

/// The keys of a data folder.
#[derive(Debug)]
pub(super) struct ApiKeys(Mutex<CachedRegister>);

#[derive(Debug)]
struct CachedRegister {
    register: Register,
    /// Version of the file that `entries` were read from.
    version: i64,
    entries: Vec<KeyEntry>,
}

impl ApiKeys {
    /// Opens the keys beside a ledger, and moves out keys that an older version stored in the ledger.
    pub(super) fn open(ledger: &Ledger) -> Result<Self, RequestError> {
        let register = match ledger.folder_path() {
            Some(folder) if ledger.is_temporary() => Register::create_temporary(folder)?,
            Some(folder) if !has_keys_file(folder) && ledger.load_setting(KEYS_EXIST_SETTING)?.is_some() => {
                return Err(RegisterError::Gone(folder.into()).into());
            }
            Some(folder) => Register::open(folder)?,
            None => Register::in_memory()?,
        };
        move_keys_to_register(ledger, &register)?;
        if !ledger.is_temporary() && ledger.load_setting(KEYS_EXIST_SETTING)?.is_none() {
            ledger.write(|connection| store_setting(connection, KEYS_EXIST_SETTING, "beside"))?;
        }
        let (version, entries) = (register.version()?, register.list()?);
        Ok(Self(Mutex::new(CachedRegister { register, version, entries })))
    }

    /// Replaces the key of the same name, or creates one.
    pub(super) fn replace(
        &self,
        workspace_number: WorkspaceNumber,
        new: &NewKey,
        now: Timestamp,
    ) -> Result<Credentials, RequestError> {
        let mut key_register = self.lock_current_register()?;
        let (entry, credentials) = generate_key(workspace_number.to_i64(), new, now);
        key_register.register.replace_entry_by_name(&entry)?;
        key_register.entries = key_register.register.list()?;
        Ok(credentials)
    }

    pub(super) fn is_empty(&self) -> Result<bool, RequestError> {
        Ok(self.lock_current_register()?.entries.is_empty())
    }

    /// Creates a key for a workspace. It is durable when this returns, and is never shown again.
    pub(super) fn create(
        &self,
        workspace_number: WorkspaceNumber,
        new: &NewKey,
        now: Timestamp,
    ) -> Result<Credentials, RequestError> {
        let mut key_register = self.lock_current_register()?;
        let (_, credentials) = store_new_key(&key_register.register, workspace_number.to_i64(), new, now)?;
        key_register.entries = key_register.register.list()?;
        Ok(credentials)
    }

    /// The holder of a key presented from an address. Compares with every key, so that timing reveals nothing.
    pub(super) fn authenticate(
        &self,
        key: &str,
        secret: Option<&str>,
        from: Option<IpAddr>,
    ) -> Result<Result<KeyHolder, AuthError>, RequestError> {
        let (key, secret) = (hash_key(key), secret.map(hash_key));
        let mut admitted = Err(AuthError::Unknown);
        for entry in &self.lock_current_register()?.entries {
            let is_key = entry.key_hash.ct_eq(&key);
            let is_secret = secret.as_ref().map_or(Choice::from(0), |secret| entry.secret_hash.ct_eq(secret));
            if bool::from(is_key) && entry.revoked_at.is_none() {
                let is_trusted = entry.trusted_addresses.is_empty()
                    || from.is_some_and(|from| entry.trusted_addresses.contains(&from.to_canonical()));
                let holder = KeyHolder {
                    workspace_number: WorkspaceNumber::from_i64(entry.workspace),
                    key_number: entry.number,
                    permissions: entry.permissions,
                    knows_secret: is_secret.into(),
                };
                admitted = if is_trusted { Ok(holder) } else { Err(AuthError::Untrusted) };
            }
        }
        Ok(admitted)
    }

    /// The secret that signs events.
    pub(super) fn signing_secret(&self) -> Result<SecretString, RequestError> {
        Ok(self
            .lock_current_register()?
            .register
            .load_or_create_signing_secret(|| random_token("bursar_events_"))?
            .into())
    }

    /// The keys as the file has them now.
    fn lock_current_register(&self) -> Result<MutexGuard<'_, CachedRegister>, RequestError> {
        let mut key_register = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let version = key_register.register.version()?;
        if version != key_register.version {
            key_register.entries = key_register.register.list()?;
            key_register.version = version;
        }
        Ok(key_register)
    }
}

/// Creates a key for the first workspace of an existing service, which may be running. Returns its number.
pub fn create_key(folder: &Path, new: &NewKey, now: Timestamp) -> Result<(i64, Credentials), RegisterError> {
    if new.name == READY_FILE_KEY_NAME {
        return Err(RegisterError::Reserved);
    }
    store_new_key(&Register::open_of_existing_service(folder)?, WorkspaceNumber::FIRST.to_i64(), new, now)
}

fn store_new_key(
    register: &Register,
    workspace: i64,
    new: &NewKey,
    now: Timestamp,
) -> Result<(i64, Credentials), RegisterError> {
    let (entry, credentials) = generate_key(workspace, new, now);
    Ok((register.store_entry(&entry)?, credentials))
}

/// A new key and the entry stored for it.
fn generate_key(workspace: i64, new: &NewKey, now: Timestamp) -> (NewKeyEntry, Credentials) {
    let (key, secret) = (random_token("bursar_key_"), random_token("bursar_secret_"));
    let entry = NewKeyEntry {
        workspace,
        name: new.name.clone(),
        permissions: new.permissions,
        trusted_addresses: new.trusted_addresses.iter().map(IpAddr::to_canonical).collect(),
        created_at: now,
        key_hash: hash_key(&key),
        secret_hash: hash_key(&secret),
    };
    (entry, Credentials { api_key: key.into(), wallet_secret: secret.into() })
}

/// Moves keys from the ledger's own file into the register.
fn move_keys_to_register(ledger: &Ledger, register: &Register) -> Result<(), RequestError> {
    let entries: Vec<NewKeyEntry> = ledger.read(|file| {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'api_keys'";
        if file.query_row(sql, [], |_| Ok(())).optional()?.is_none() {
            return Ok(Vec::new());
        }
        let mut statement = file.prepare("SELECT workspace, key_hash, secret_hash, created_at FROM api_keys")?;
        let entries = statement.query_map([], |row| {
            let NewKey { name, permissions, trusted_addresses: trusted } = NewKey::owner();
            Ok(NewKeyEntry {
                workspace: row.get(0)?,
                name,
                permissions,
                trusted_addresses: trusted,
                key_hash: row.get(1)?,
                secret_hash: row.get(2)?,
                created_at: Timestamp::from_millis(row.get(3)?),
            })
        })?;
        Ok(entries.collect::<Result<_, _>>()?)
    })?;
    if entries.is_empty() {
        return Ok(());
    }
    // If interrupted in between, the next start repeats this with what the ledger still has, and skips moved keys.
    let hashes: Vec<_> = register.list()?.into_iter().map(|entry| entry.key_hash).collect();
    for entry in entries.iter().filter(|entry| !hashes.contains(&entry.key_hash)) {
        register.store_entry(entry)?;
    }
    ledger.write(|file| Ok(file.execute_batch("DROP TABLE api_keys")?))
}

impl From<RegisterError> for RequestError {
    fn from(error: RegisterError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl Credentials {
    /// The ready file's JSON: what a program needs to call the service and to verify its events.
    pub fn ready_file_json(&self, base_url: &str, signing_secret: Option<&SecretString>) -> String {
        let mut file = serde_json::json!({
            "baseUrl": base_url,
            "apiKey": self.api_key.expose_secret(),
            "walletSecret": self.wallet_secret.expose_secret(),
        });
        if let Some(secret) = signing_secret {
            file["webhookSecret"] = secret.expose_secret().into();
        }
        file.to_string()
    }
}

/// The hash stored for a key, by which it is looked up.
pub(super) fn hash_key(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// A prefix and 256 random bits in hex. A version 4 UUID has 122 bits from the system's generator; three exceed the
/// hash.
fn random_token(word: &str) -> String {
    let mut hasher = Sha256::new();
    (0..3).for_each(|_| hasher.update(Uuid::new_v4().as_bytes()));
    hasher.finalize().iter().fold(word.to_owned(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
