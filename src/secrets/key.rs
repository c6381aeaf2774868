//! Secrets as values that cannot be printed.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::domain::text::is_forbidden_in_text;

/// The longest secret, in characters: what a header may reasonably have.
const MAX_SECRET_CHARS: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// The key for requests to the service.
    ApiKey,
    /// The secret that accompanies requests which change something.
    WalletSecret,
    /// The secret by which the service signs its webhooks.
    ListenerSecret,
    /// The API key for changes, where it is not the reading key.
    PayingApiKey,
    /// The hash of the passphrase that unlocks paying.
    Lock,
}

impl SecretKind {
    pub const ALL: [Self; 5] = [Self::ApiKey, Self::WalletSecret, Self::ListenerSecret, Self::PayingApiKey, Self::Lock];

    /// The secrets that a person types or pipes in as they are.
    pub const TYPED_BY_HAND: [Self; 4] = [Self::ApiKey, Self::WalletSecret, Self::ListenerSecret, Self::PayingApiKey];

    /// Its name on the command line.
    pub const fn cli_name(self) -> &'static str {
        match self {
            Self::ApiKey => "api-key",
            Self::WalletSecret => "wallet-secret",
            Self::ListenerSecret => "listener-secret",
            Self::PayingApiKey => "paying-api-key",
            Self::Lock => "lock",
        }
    }

    /// Where to set it for a profile whose keys come from the environment: a variable, or a setting of the
    /// configuration.
    pub const fn manual_setting(self) -> &'static str {
        match self {
            Self::ApiKey => "BURSAR_API_KEY",
            Self::WalletSecret => "BURSAR_WALLET_SECRET",
            Self::ListenerSecret => "secret_file of the listener in config.toml",
            Self::PayingApiKey => "BURSAR_PAYING_API_KEY",
            Self::Lock => "secrets = \"keyring\" in config.toml",
        }
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ApiKey => "API key",
            Self::WalletSecret => "wallet secret",
            Self::ListenerSecret => "listener secret",
            Self::PayingApiKey => "paying API key",
            Self::Lock => "passphrase of the lock",
        })
    }
}

/// Why a text is not a valid secret. The message states the position, never the content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {which} {flaw}")]
pub struct KeyFault {
    pub which: SecretKind,
    pub flaw: SecretFlaw,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretFlaw {
    #[error("is empty")]
    Empty,
    /// A line break, as at the end of a file that was read whole.
    #[error("contains a line break at character {0}; enter it alone")]
    LineBreak(usize),
    #[error("contains a space at character {0}; copy it again without spaces")]
    Space(usize),
    /// An invisible character, or one that no key has.
    #[error("contains U+{code:04X} at character {position}, which is not allowed; copy it again from its source")]
    ForbiddenCharacter {
        /// Counted from 1.
        position: usize,
        code: u32,
    },
    #[error("has {0} characters; at most 4096 are allowed")]
    TooLong(usize),
}

#[derive(Debug, Clone)]
pub struct ApiKey(SecretString);

#[derive(Debug, Clone)]
pub struct WalletSecret(SecretString);

impl ApiKey {
    /// Parses a key. Anything but visible ASCII is refused, not trimmed: this program must not guess what was meant.
    pub fn parse(text: impl Into<SecretString>) -> Result<Self, KeyFault> {
        validate_secret(SecretKind::ApiKey, text.into()).map(Self)
    }

    pub fn parse_paying(text: impl Into<SecretString>) -> Result<Self, KeyFault> {
        validate_secret(SecretKind::PayingApiKey, text.into()).map(Self)
    }

    /// Identifies this key for a purpose: 16 hexadecimal digits of a hash, from which a key of reasonable length cannot
    /// be found.
    pub fn mark(&self, purpose: &str) -> String {
        secret_mark(&self.0, purpose)
    }

    /// The secret, for the client that sends it.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

impl WalletSecret {
    /// Parses a wallet secret, by the same rules as a key.
    pub fn parse(text: impl Into<SecretString>) -> Result<Self, KeyFault> {
        validate_secret(SecretKind::WalletSecret, text.into()).map(Self)
    }

    /// Identifies this secret, as [`ApiKey::mark`] does.
    pub fn mark(&self, purpose: &str) -> String {
        secret_mark(&self.0, purpose)
    }

    /// The secret, for the client that sends it.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

#[derive(Debug, Clone)]
pub struct ListenerSecret(SecretString);

impl ListenerSecret {
    /// Parses a listener's secret, by the same rules as a key.
    pub fn parse(text: impl Into<SecretString>) -> Result<Self, KeyFault> {
        validate_secret(SecretKind::ListenerSecret, text.into()).map(Self)
    }

    /// Identifies this secret, as [`ApiKey::mark`] does.
    pub fn mark(&self, purpose: &str) -> String {
        secret_mark(&self.0, purpose)
    }

    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

#[derive(Debug, Clone)]
pub struct Passphrase(SecretString);

impl Passphrase {
    /// The fewest characters of a new passphrase. Guessing is slow, but not so slow that five letters would do.
    pub const MIN_CHARS: usize = 8;

    /// Takes a passphrase unchanged; `None` for an empty one.
    pub fn from_text(text: impl Into<SecretString>) -> Option<Self> {
        let text = text.into();
        (!text.expose_secret().is_empty()).then_some(Self(text))
    }

    pub fn is_long_enough(&self) -> bool {
        self.0.expose_secret().chars().count() >= Self::MIN_CHARS
    }

    pub fn is_same(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

/// Takes the secret wrapped, so that a refused one is wiped as well.
fn validate_secret(which: SecretKind, secret: SecretString) -> Result<SecretString, KeyFault> {
    match find_secret_flaw(secret.expose_secret()) {
        None => Ok(secret),
        Some(flaw) => Err(KeyFault { which, flaw }),
    }
}

fn find_secret_flaw(text: &str) -> Option<SecretFlaw> {
    if text.is_empty() {
        return Some(SecretFlaw::Empty);
    }
    if text.len() > MAX_SECRET_CHARS {
        return Some(SecretFlaw::TooLong(text.chars().count()));
    }
    let (index, character) = text.chars().enumerate().find(|(_, character)| !character.is_ascii_graphic())?;
    let position = index + 1;
    Some(match character {
        '\n' | '\r' => SecretFlaw::LineBreak(position),
        blank if blank.is_whitespace() && !is_forbidden_in_text(blank) => SecretFlaw::Space(position),
        other => SecretFlaw::ForbiddenCharacter { position, code: u32::from(other) },
    })
}

fn secret_mark(secret: &SecretString, purpose: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(purpose);
    hash.update([0]);
    hash.update(secret.expose_secret());
    let mut digits = hex::encode(hash.finalize());
    digits.truncate(16);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_as_it_is_and_never_shown() {
        let key = ApiKey::parse("sk_test-0123456789.~+/=").unwrap();
        let wallet = WalletSecret::parse("ws_0123456789").unwrap();
        let passphrase = Passphrase::from_text("words 0123456789").unwrap();
        assert!(!format!("{key:?}{wallet:?}{passphrase:?}").contains("0123456789"));
        assert_eq!(key.into_secret().expose_secret(), "sk_test-0123456789.~+/=");
        assert_eq!(wallet.into_secret().expose_secret(), "ws_0123456789");
    }

    #[test]
    fn what_is_no_key_is_refused_in_words_that_do_not_repeat_it() {
        for (text, flaw) in [
            ("", SecretFlaw::Empty),
            ("secret\n", SecretFlaw::LineBreak(7)),
            ("se cret", SecretFlaw::Space(3)),
            ("se\u{a0}cret", SecretFlaw::Space(3)),
            ("secr\u{200b}et", SecretFlaw::ForbiddenCharacter { position: 5, code: 0x200b }),
            ("s\u{0435}cret", SecretFlaw::ForbiddenCharacter { position: 2, code: 0x435 }),
            ("\u{1b}secret", SecretFlaw::ForbiddenCharacter { position: 1, code: 0x1b }),
        ] {
            let fault = ApiKey::parse(text).unwrap_err();
            assert_eq!(fault, KeyFault { which: SecretKind::ApiKey, flaw: flaw.clone() });
            assert!(!fault.to_string().contains("cret"), "{fault}");
            assert_eq!(WalletSecret::parse(text).unwrap_err(), KeyFault { which: SecretKind::WalletSecret, flaw });
        }
        let fault = ApiKey::parse("x".repeat(MAX_SECRET_CHARS + 1)).unwrap_err();
        assert_eq!(fault.to_string(), "the API key has 4097 characters; at most 4096 are allowed");
    }

    #[test]
    fn a_mark_tells_keys_and_purposes_apart() {
        let [a, b] = ["sk_a", "sk_b"].map(|text| ApiKey::parse(text).unwrap());
        assert_eq!(a.mark("cache"), ApiKey::parse("sk_a").unwrap().mark("cache"));
        assert_ne!(a.mark("cache"), b.mark("cache"));
        assert_ne!(a.mark("cache"), a.mark("journal"));
        assert_eq!(a.mark("cache").len(), 16);
    }

    #[test]
    fn a_new_passphrase_has_eight_characters_of_any_kind() {
        assert!(Passphrase::from_text("").is_none());
        assert!(!Passphrase::from_text("7 chars").unwrap().is_long_enough());
        assert!(Passphrase::from_text("8 чаrs ü").unwrap().is_long_enough());
        let [a, b] = ["one", "two"].map(|text| Passphrase::from_text(text).unwrap());
        assert!(a.is_same(&a.clone()) && !a.is_same(&b));
    }
}
