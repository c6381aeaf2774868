//! Redaction: removes a profile's secrets from every service response before anything reads it.
//!
//! A redaction recognises a secret by its length, first characters and hash, and does not store it: the paying API key
//! is dropped from memory after each payment, but a response may repeat it long after that.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The shortest text that is redacted. A shorter one is no secret, and would match in the middle of words.
const MIN_SECRET_LEN: usize = 8;

/// How many characters of a secret are compared before anything is hashed.
const HEAD_LEN: usize = 4;

/// The secrets that no response may bring onto a screen, into a file or into a log. Clones share their secrets.
#[derive(Clone, Default)]
pub struct Redaction(Arc<RwLock<Vec<Fingerprint>>>);

#[derive(PartialEq, Eq)]
struct Fingerprint {
    name: &'static str,
    head: [u8; HEAD_LEN],
    length: usize,
    hash: [u8; 32],
}

#[derive(Clone, Copy)]
enum SecretEncoding {
    Plain,
    /// With JSON escapes: `\/`, `\u002B`.
    Json,
    /// With repeated JSON escapes, and percent-encoded: `\\u002B`, `%2B`, `%252B`.
    Loose,
}

impl Redaction {
    /// Replaces an API key.
    pub const KEY: &str = "(key)";
    /// Replaces a wallet secret.
    pub const WALLET_SECRET: &str = "(wallet secret)";
    /// Replaces the secret that signs webhooks.
    pub const WEBHOOK_SECRET: &str = "(webhook secret)";

    /// Redacts this secret from now on; `name` replaces it. A text of fewer than eight characters is ignored.
    pub fn add_secret(&self, name: &'static str, secret: &str) {
        let Some(fingerprint) = Fingerprint::from_secret(name, secret) else { return };
        let mut fingerprints = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if !fingerprints.contains(&fingerprint) {
            fingerprints.push(fingerprint);
        }
    }

    /// The text without the secrets, however they are encoded in it.
    #[must_use]
    pub fn apply(&self, text: String) -> String {
        let fingerprints = self.0.read().unwrap_or_else(PoisonError::into_inner);
        fingerprints.iter().fold(text, |text, fingerprint| fingerprint.redact(text))
    }
}

impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fingerprints = self.0.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(fingerprints.iter().map(|fingerprint| fingerprint.name)).finish()
    }
}

impl Fingerprint {
    fn from_secret(name: &'static str, secret: &str) -> Option<Self> {
        let bytes = secret.as_bytes();
        if bytes.len() < MIN_SECRET_LEN || !secret.is_ascii() {
            return None;
        }
        Some(Self { name, head: *bytes.first_chunk()?, length: bytes.len(), hash: Sha256::digest(bytes).into() })
    }

    fn redact(&self, text: String) -> String {
        let [first, second, ..] = self.head;
        let bytes = text.as_bytes();
        let (mut clean, mut done) = (String::new(), 0);
        for at in memchr::memchr3_iter(first, b'\\', b'%', bytes) {
            let may_escape = |byte: u8| matches!(byte, b'\\' | b'%');
            let is_other_text =
                !may_escape(bytes[at]) && bytes.get(at + 1).is_none_or(|next| *next != second && !may_escape(*next));
            if at < done || is_other_text {
                continue;
            }
            let Some(length) = bytes.get(at..).and_then(|rest| self.length_at(rest)) else { continue };
            clean.push_str(&text[done..at]);
            clean.push_str(self.name);
            done = at + length;
        }
        if done == 0 {
            return text;
        }
        clean.push_str(&text[done..]);
        clean
    }

    /// The number of bytes that the secret takes at the beginning of the text.
    fn length_at(&self, text: &[u8]) -> Option<usize> {
        let spellings = [SecretEncoding::Plain, SecretEncoding::Json, SecretEncoding::Loose];
        spellings.into_iter().find_map(|spelling| self.encoded_length(text, spelling))
    }

    fn encoded_length(&self, text: &[u8], spelling: SecretEncoding) -> Option<usize> {
        let mut plain_text = Zeroizing::new(Vec::new());
        let mut at = 0;
        while plain_text.len() < self.length {
            let (character, length) = spelling.decode_char(text.get(at..)?)?;
            if self.head.get(plain_text.len()).is_some_and(|expected| *expected != character) {
                return None;
            }
            plain_text.push(character);
            at += length;
        }
        (<[u8; 32]>::from(Sha256::digest(&*plain_text)) == self.hash).then_some(at)
    }
}

impl SecretEncoding {
    /// The first character of the text, and its encoded length in bytes.
    fn decode_char(self, text: &[u8]) -> Option<(u8, usize)> {
        let first = *text.first()?;
        match (self, first) {
            (Self::Json, b'\\') => {
                decode_json_escape(text.get(1..)?).map(|(character, length)| (character, length + 1))
            }
            (Self::Loose, b'\\') => {
                let slashes = text.iter().take_while(|byte| **byte == b'\\').count();
                decode_json_escape(text.get(slashes..)?).map(|(character, length)| (character, length + slashes))
            }
            (Self::Loose, b'%') => Some(decode_percent(text).unwrap_or((first, 1))),
            _ => Some((first, 1)),
        }
    }
}

/// The character of a JSON escape, and the escape's length after its `\`.
fn decode_json_escape(text: &[u8]) -> Option<(u8, usize)> {
    match text.first()? {
        b'u' => Some((u8::try_from(parse_hexadecimal(text.get(1..5)?)?).ok()?, 5)),
        plain @ (b'/' | b'"' | b'\\') => Some((*plain, 1)),
        _ => None,
    }
}

/// The character of `%2B`, however often its `%` was encoded as `%25` again.
fn decode_percent(text: &[u8]) -> Option<(u8, usize)> {
    let mut at = 1;
    while text.get(at..)?.starts_with(b"25")
        && parse_hexadecimal(text.get(at + 2..at + 4).unwrap_or_default()).is_some()
    {
        at += 2;
    }
    Some((u8::try_from(parse_hexadecimal(text.get(at..at + 2)?)?).ok()?, at + 2))
}

fn parse_hexadecimal(digits: &[u8]) -> Option<u32> {
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}
