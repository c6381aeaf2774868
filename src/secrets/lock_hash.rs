//! The stored hash of the passphrase that unlocks paying.
//!
//! Its form is `argon2id 1 MEMORY PASSES LANES SALT HASH`, salt and hash in hexadecimal digits.

use argon2::{Algorithm, Argon2, Version};
use chacha20poly1305::aead::Generate;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use super::{Passphrase, PassphraseHashCost, SealedFault};

const ALGORITHM_NAME: &str = "argon2id";
const FORMAT_VERSION: &str = "1";
const SALT_LENGTH: usize = 16;
const HASH_LENGTH: usize = 32;

/// A salted hash of a passphrase (argon2id).
#[derive(Clone)]
pub struct LockHash {
    cost: PassphraseHashCost,
    salt: [u8; SALT_LENGTH],
    hash: [u8; HASH_LENGTH],
}

impl LockHash {
    /// Hashes a passphrase with a new salt.
    ///
    /// # Errors
    /// The passphrase is too short, or the system provides no random numbers.
    pub fn create(passphrase: &Passphrase, cost: PassphraseHashCost) -> Result<Self, SealedFault> {
        if !passphrase.is_long_enough() {
            return Err(SealedFault::TooShort);
        }
        let salt = <[u8; SALT_LENGTH]>::try_generate().map_err(|_| SealedFault::NoRandomness)?;
        let hash = hash_passphrase(passphrase, &salt, cost).ok_or(SealedFault::NoRandomness)?;
        Ok(Self { cost, salt, hash })
    }

    /// Parses the output of [`Self::to_secret`]; `None` for anything else.
    pub(super) fn parse(secret: &SecretString) -> Option<Self> {
        let mut parts = secret.expose_secret().split(' ');
        let mut next = || parts.next();
        if next()? != ALGORITHM_NAME || next()? != FORMAT_VERSION {
            return None;
        }
        let cost = PassphraseHashCost {
            memory: next()?.parse().ok()?,
            passes: next()?.parse().ok()?,
            lanes: next()?.parse().ok()?,
        };
        let (mut salt, mut hash) = ([0; SALT_LENGTH], [0; HASH_LENGTH]);
        hex::decode_to_slice(next()?, &mut salt).ok()?;
        hex::decode_to_slice(next()?, &mut hash).ok()?;
        (next().is_none() && cost.params().is_some()).then_some(Self { cost, salt, hash })
    }

    pub(super) fn to_secret(&self) -> SecretString {
        let PassphraseHashCost { memory, passes, lanes } = self.cost;
        let (salt, hash) = (hex::encode(self.salt), hex::encode(self.hash));
        SecretString::from(format!("{ALGORITHM_NAME} {FORMAT_VERSION} {memory} {passes} {lanes} {salt} {hash}"))
    }

    /// Compares in constant time.
    pub(super) fn matches(&self, passphrase: &Passphrase) -> bool {
        hash_passphrase(passphrase, &self.salt, self.cost).is_some_and(|hash| hash.ct_eq(&self.hash).into())
    }
}

impl std::fmt::Debug for LockHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LockHash")
    }
}

fn hash_passphrase(
    passphrase: &Passphrase,
    salt: &[u8; SALT_LENGTH],
    cost: PassphraseHashCost,
) -> Option<[u8; HASH_LENGTH]> {
    let mut hash = [0; HASH_LENGTH];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost.params()?);
    argon2.hash_password_into(passphrase.bytes(), salt, &mut hash).ok()?;
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP_COST: PassphraseHashCost = PassphraseHashCost { memory: 64, passes: 1, lanes: 1 };

    fn passphrase(text: &str) -> Passphrase {
        Passphrase::from_text(text).unwrap()
    }

    #[test]
    fn a_hash_is_of_its_passphrase_alone_and_survives_being_kept() {
        let hash = LockHash::create(&passphrase("nine words"), CHEAP_COST).unwrap();
        let second = LockHash::create(&passphrase("nine words"), CHEAP_COST).unwrap();
        let secret = hash.to_secret();
        assert_ne!(secret.expose_secret(), second.to_secret().expose_secret(), "the salt is new each time");
        let parsed_hash = LockHash::parse(&secret).unwrap();
        assert!(parsed_hash.matches(&passphrase("nine words")));
        assert!(!parsed_hash.matches(&passphrase("nine wordt")) && !parsed_hash.matches(&passphrase("nine")));
        assert!(!secret.expose_secret().contains("nine") && !format!("{hash:?}").contains("nine"));
    }

    #[test]
    fn what_is_no_hash_unlocks_nothing_and_takes_no_memory() {
        let secret = LockHash::create(&passphrase("nine words"), CHEAP_COST).unwrap().to_secret();
        let secret = secret.expose_secret();
        let dear = secret.replacen(" 64 ", " 4294967295 ", 1);
        for text in
            ["", "nine words", &secret[..secret.len() - 2], &format!("{secret} x"), &format!("x{secret}"), &dear]
        {
            assert!(LockHash::parse(&SecretString::from(text.to_owned())).is_none(), "{text}");
        }
        assert!(matches!(LockHash::create(&passphrase("short"), CHEAP_COST), Err(SealedFault::TooShort)));
    }
}
