//! API keys and wallet secrets: made here, shown once, kept as hashes in the ledger's file.
//!
//! A key is 256 random bits, so nobody can find it by trying and a plain SHA-256 of it is as good at rest as a slow
//! password hash would be: those exist to make guessing dear, and here there is nothing to guess. What a caller
//! presents is compared in constant time, so that the time of a refusal tells nothing about a hash.

use std::fmt::Write as _;
use std::sync::{PoisonError, RwLock};

use rusqlite::{Connection, params};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};
use uuid::Uuid;

use super::ledger::{Ledger, Refusal, Tenant};
use crate::domain::Timestamp;

/// What a caller of the service needs, as it is shown once and never again.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Goes into `Authorization: Bearer …`.
    pub api_key: SecretString,
    /// Goes into `x-wallet-secret`, on requests that change something.
    pub wallet_secret: SecretString,
}

/// Who a key belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holder {
    /// The workspace that the key opens.
    pub(super) tenant: Tenant,
    /// Whether the wallet secret that came with the request is the one of this key.
    pub(super) may_change: bool,
}

/// The keys of a data folder.
#[derive(Debug)]
pub(super) struct Keys(RwLock<Vec<Known>>);

/// A key as it is kept.
#[derive(Debug, Clone, Copy)]
struct Known {
    tenant: Tenant,
    key: [u8; 32],
    secret: [u8; 32],
}

impl Keys {
    /// Reads the keys that the ledger's file keeps.
    pub(super) fn open(ledger: &Ledger) -> Result<Self, Refusal> {
        let known = ledger.write(|file| {
            file.execute_batch(
                "CREATE TABLE IF NOT EXISTS api_keys (
                     no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, role TEXT NOT NULL, key_hash BLOB NOT NULL UNIQUE,
                     secret_hash BLOB NOT NULL, created_at INTEGER NOT NULL
                 ) STRICT",
            )?;
            Ok(known(file)?)
        })?;
        Ok(Self(RwLock::new(known)))
    }

    /// Whether nobody can come in yet.
    pub(super) fn is_empty(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Makes an Owner key for a workspace. It is durable when this returns, and is never shown again.
    pub(super) fn mint(&self, ledger: &Ledger, tenant: Tenant, now: Timestamp) -> Result<Credentials, Refusal> {
        let (key, secret) = (random("bursar_key_"), random("bursar_secret_"));
        let known = Known { tenant, key: hash(&key), secret: hash(&secret) };
        ledger.write(move |file| {
            file.execute(
                "INSERT INTO api_keys (workspace, role, key_hash, secret_hash, created_at) VALUES (?1, 'Owner', ?2, ?3, ?4)",
                params![known.tenant.number(), known.key, known.secret, now.millis()],
            )?;
            Ok(())
        })?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(known);
        Ok(Credentials { api_key: key.into(), wallet_secret: secret.into() })
    }

    /// Who presents this key, if anyone. Every key is looked at, whichever it is, so that time tells nothing.
    pub(super) fn holder(&self, key: &str, secret: Option<&str>) -> Option<Holder> {
        let (key, secret) = (hash(key), secret.map(hash));
        let mut holder = None;
        for known in self.0.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let is_key = known.key.ct_eq(&key);
            let is_secret = secret.as_ref().map_or(Choice::from(0), |secret| known.secret.ct_eq(secret));
            if bool::from(is_key) {
                holder = Some(Holder { tenant: known.tenant, may_change: is_secret.into() });
            }
        }
        holder
    }
}

impl Credentials {
    /// The ready file: what a program needs to call the service at an address.
    pub fn ready_file(&self, base_url: &str) -> String {
        serde_json::json!({
            "baseUrl": base_url,
            "apiKey": self.api_key.expose_secret(),
            "walletSecret": self.wallet_secret.expose_secret(),
        })
        .to_string()
    }
}

fn known(file: &Connection) -> rusqlite::Result<Vec<Known>> {
    file.prepare("SELECT workspace, key_hash, secret_hash FROM api_keys ORDER BY no")?
        .query_map([], |row| {
            Ok(Known { tenant: Tenant::of_number(row.get(0)?), key: row.get(1)?, secret: row.get(2)? })
        })?
        .collect()
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// 256 bits in hex behind a word that says what they are. A version 4 UUID holds 122 bits from the system's generator;
/// three of them hold more than a hash gives out.
fn random(word: &str) -> String {
    let mut hasher = Sha256::new();
    (0..3).for_each(|_| hasher.update(Uuid::new_v4().as_bytes()));
    hasher.finalize().iter().fold(word.to_owned(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::chain::Pace;
    use crate::service::ledger::Place;

    #[test]
    fn a_key_opens_its_workspace_and_needs_its_own_secret_to_change_anything() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&Place::Folder(folder.path().into()), Pace::USUAL).unwrap();
        let keys = Keys::open(&ledger).unwrap();
        assert!(keys.is_empty());
        let (house, other) = (Tenant::of_number(1), Tenant::of_number(2));
        let now = Timestamp::from_millis(0);
        let first = keys.mint(&ledger, house, now).unwrap();
        let second = keys.mint(&ledger, other, now).unwrap();
        let keys = Keys::open(&ledger).unwrap();
        let holder = |key: &Credentials, secret: Option<&Credentials>| {
            keys.holder(key.api_key.expose_secret(), secret.map(|secret| secret.wallet_secret.expose_secret()))
        };
        let of = |tenant, may_change| Some(Holder { tenant, may_change });
        assert_eq!(holder(&first, Some(&first)), of(house, true));
        assert_eq!(holder(&first, None), of(house, false));
        assert_eq!(holder(&first, Some(&second)), of(house, false));
        assert_eq!(holder(&second, Some(&second)), of(other, true));
        assert_eq!(keys.holder(first.wallet_secret.expose_secret(), None), None);
        assert_eq!(keys.holder("", None), None);
    }

    #[test]
    fn nothing_that_opens_the_service_stands_in_its_files_or_in_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&Place::Folder(folder.path().into()), Pace::USUAL).unwrap();
        let keys = Keys::open(&ledger).unwrap();
        let minted = keys.mint(&ledger, Tenant::of_number(1), Timestamp::from_millis(0)).unwrap();
        let key = minted.api_key.expose_secret();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            for shown in [key, minted.wallet_secret.expose_secret()] {
                assert_eq!(memchr::memmem::find(&bytes, shown.as_bytes()), None);
            }
        }
        assert!(!format!("{minted:?}{keys:?}").contains(key));
        assert_eq!(key.len(), "bursar_key_".len() + 64);
    }
}
