//! The encryption of a sealed file.

use std::path::Path;

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{SealedFault, Secrets};
use crate::secrets::{Owner, Passphrase};

const MAGIC: &[u8; 14] = b"bursar sealed\n";
const VERSION: u8 = 1;
const SALT_LENGTH: usize = 16;
const NONCE_LENGTH: usize = 24;
const OWNER_DIGEST_LENGTH: usize = 32;
const HASH_LENGTH: usize = 32;
/// Length of everything before the ciphertext.
const HEADER_LENGTH: usize = MAGIC.len() + 1 + 12 + OWNER_DIGEST_LENGTH + SALT_LENGTH + NONCE_LENGTH;

/// The plaintext is padded to a multiple of this, so that its length does not reveal that of a key.
const PADDING_BLOCK: usize = 512;

/// The cost of trying a passphrase (argon2id).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassphraseHashCost {
    /// In KiB.
    pub memory: u32,
    pub passes: u32,
    pub lanes: u32,
}

impl PassphraseHashCost {
    /// 64 MiB and three passes: the second recommendation of RFC 9106, on one thread.
    pub const DEFAULT: Self = Self { memory: 64 * 1024, passes: 3, lanes: 1 };
    /// The most that a file may require when it is read.
    const MAX_ACCEPTED: Self = Self { memory: 256 * 1024, passes: 16, lanes: 8 };

    pub(in crate::secrets) fn params(self) -> Option<Params> {
        let most = Self::MAX_ACCEPTED;
        let sane = self.memory <= most.memory && self.passes <= most.passes && self.lanes <= most.lanes;
        sane.then(|| Params::new(self.memory, self.passes, self.lanes, Some(32)).ok()).flatten()
    }
}

/// A fault of the bytes; the caller adds the file's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CryptFlaw {
    NotASealedFile,
    Newer(u8),
    Damaged,
    Unreasonable,
    OfOtherOwner,
    WrongPassphrase,
    NoRandomness,
}

impl CryptFlaw {
    pub(super) fn into_fault(self, path: &Path) -> SealedFault {
        let path = path.to_owned();
        match self {
            Self::NotASealedFile => SealedFault::NotASealedFile(path),
            Self::Newer(version) => SealedFault::Newer { path, version },
            Self::Damaged => SealedFault::Damaged(path),
            Self::Unreasonable => SealedFault::Unreasonable(path),
            Self::OfOtherOwner => SealedFault::OfOtherOwner(path),
            Self::WrongPassphrase => SealedFault::WrongPassphrase(path),
            Self::NoRandomness => SealedFault::NoRandomness,
        }
    }
}

/// Seals a content under a passphrase, with a new salt and a new nonce.
pub(super) fn encrypt_secrets(
    content: &Secrets,
    owner: &Owner,
    passphrase: &Passphrase,
    cost: PassphraseHashCost,
) -> Result<Vec<u8>, CryptFlaw> {
    let salt = <[u8; SALT_LENGTH]>::try_generate().map_err(|_| CryptFlaw::NoRandomness)?;
    let nonce = <[u8; NONCE_LENGTH]>::try_generate().map_err(|_| CryptFlaw::NoRandomness)?;
    let mut bytes = Vec::with_capacity(HEADER_LENGTH + 2 * PADDING_BLOCK);
    bytes.extend_from_slice(MAGIC);
    bytes.push(VERSION);
    for number in [cost.memory, cost.passes, cost.lanes] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.extend_from_slice(&owner.digest());
    bytes.extend_from_slice(&salt);
    bytes.extend_from_slice(&nonce);
    let cipher = derive_cipher(passphrase, &salt, cost)?;
    let plain = encode_secrets(content);
    let payload = Payload { msg: &plain, aad: &bytes };
    let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| CryptFlaw::Damaged)?;
    bytes.extend_from_slice(&sealed);
    let hash = Sha256::digest(&bytes);
    bytes.extend_from_slice(&hash);
    Ok(bytes)
}

pub(super) fn decrypt_secrets(bytes: &[u8], owner: &Owner, passphrase: &Passphrase) -> Result<Secrets, CryptFlaw> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(CryptFlaw::NotASealedFile)?;
    let (&version, _) = rest.split_first().ok_or(CryptFlaw::Damaged)?;
    // Every version ends in this hash: without it, a byte corrupted on the disk would pass for a newer format.
    let intact =
        bytes.len().checked_sub(HASH_LENGTH).is_some_and(|end| Sha256::digest(&bytes[..end])[..] == bytes[end..]);
    if !intact {
        return Err(CryptFlaw::Damaged);
    }
    if version != VERSION {
        return Err(CryptFlaw::Newer(version));
    }
    if bytes.len() < HEADER_LENGTH + HASH_LENGTH {
        return Err(CryptFlaw::Damaged);
    }
    let (header, sealed) = bytes[..bytes.len() - HASH_LENGTH].split_at(HEADER_LENGTH);
    let mut fields = ByteReader(&header[MAGIC.len() + 1..]);
    let cost = PassphraseHashCost { memory: fields.number()?, passes: fields.number()?, lanes: fields.number()? };
    if fields.take::<OWNER_DIGEST_LENGTH>()? != owner.digest() {
        return Err(CryptFlaw::OfOtherOwner);
    }
    let (salt, nonce) = (fields.take::<SALT_LENGTH>()?, fields.take::<NONCE_LENGTH>()?);
    let cipher = derive_cipher(passphrase, &salt, cost)?;
    let payload = Payload { msg: sealed, aad: header };
    let plain = cipher.decrypt(&XNonce::from(nonce), payload).map_err(|_| CryptFlaw::WrongPassphrase)?;
    decode_secrets(&Zeroizing::new(plain))
}

fn derive_cipher(
    passphrase: &Passphrase,
    salt: &[u8],
    cost: PassphraseHashCost,
) -> Result<XChaCha20Poly1305, CryptFlaw> {
    let params = cost.params().ok_or(CryptFlaw::Unreasonable)?;
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.bytes(), salt, key.as_mut())
        .map_err(|_| CryptFlaw::Unreasonable)?;
    Ok(XChaCha20Poly1305::new(&Key::from(*key)))
}

/// Every secret as its length and its bytes, padded to a multiple of [`BLOCK`]. No secret is empty, so that a length of
/// zero marks an absent one.
fn encode_secrets(content: &Secrets) -> Zeroizing<Vec<u8>> {
    let Secrets { api_key, wallet_secret, listener_secret, paying_api_key, lock } = content;
    let secrets = [api_key, wallet_secret, listener_secret, paying_api_key, lock];
    let texts = secrets.map(|secret| secret.as_ref().map_or("", SecretString::expose_secret));
    let length = texts.iter().map(|text| 4 + text.len()).sum::<usize>().next_multiple_of(PADDING_BLOCK);
    // With capacity for all of it at once: growing would leave copies behind.
    let mut plain = Zeroizing::new(Vec::with_capacity(length));
    for text in texts {
        plain.extend_from_slice(&u32::try_from(text.len()).unwrap_or(0).to_be_bytes());
        plain.extend_from_slice(text.as_bytes());
    }
    plain.resize(length, 0);
    plain
}

pub(super) fn decode_secrets(plain: &[u8]) -> Result<Secrets, CryptFlaw> {
    let mut fields = ByteReader(plain);
    let secret = |fields: &mut ByteReader<'_>| {
        let length = usize::try_from(fields.number()?).map_err(|_| CryptFlaw::Damaged)?;
        let text = std::str::from_utf8(fields.slice(length)?).map_err(|_| CryptFlaw::Damaged)?;
        Ok((!text.is_empty()).then(|| SecretString::from(text)))
    };
    let (api_key, wallet_secret) = (secret(&mut fields)?, secret(&mut fields)?);
    // A file from before there were more secrets may end with the second; its padding reads as absent.
    let mut later = || if fields.0.len() < 4 { Ok(None) } else { secret(&mut fields) };
    let (listener_secret, paying_api_key, lock) = (later()?, later()?, later()?);
    Ok(Secrets { api_key, wallet_secret, listener_secret, paying_api_key, lock })
}

struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], CryptFlaw> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(CryptFlaw::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CryptFlaw> {
        self.slice(N)?.try_into().map_err(|_| CryptFlaw::Damaged)
    }

    fn number(&mut self) -> Result<u32, CryptFlaw> {
        Ok(u32::from_be_bytes(self.take()?))
    }
}
