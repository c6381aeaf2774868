//! Secrets, blind to whoever prints them.
//!
//! A key comes from the environment. It is held in memory that is wiped when it is let go, and shown by nothing: not
//! by `Debug`, not by an error that refuses it.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::domain::text::is_hidden;

/// The key under which the service is asked.
#[derive(Debug, Clone)]
pub struct ApiKey(SecretString);

/// Why a text is no key. The words say where, never what.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// Nothing was given.
    #[error("the API key is empty")]
    Empty,
    /// A line break, as at the end of a file that was read whole.
    #[error("the API key holds a line break at character {0}; give the key alone")]
    LineBreak(usize),
    /// A blank.
    #[error("the API key holds a blank at character {0}; copy it again without blanks")]
    Blank(usize),
    /// A character that cannot be seen, or one that no key holds.
    #[error("the API key holds U+{code:04X} at character {position}, which no key does; copy it again from its source")]
    Foreign {
        /// Counted from 1.
        position: usize,
        /// Its code point.
        code: u32,
    },
    /// Longer than a header may be.
    #[error("the API key has {0} characters; at most 4096 fit")]
    TooLong(usize),
}

impl ApiKey {
    /// Takes a key. It is refused, not trimmed, if it holds anything but visible ASCII: what was meant is not for
    /// this program to guess.
    pub fn read(text: String) -> Result<Self, KeyFault> {
        // Wrapped first, so that a refused one is wiped as well.
        let secret = SecretString::from(text);
        let text = secret.expose_secret();
        if text.is_empty() {
            return Err(KeyFault::Empty);
        }
        if text.len() > 4096 {
            return Err(KeyFault::TooLong(text.chars().count()));
        }
        let stranger = text.chars().enumerate().find(|(_, character)| !character.is_ascii_graphic());
        if let Some((index, character)) = stranger {
            let position = index + 1;
            return Err(match character {
                '\n' | '\r' => KeyFault::LineBreak(position),
                blank if blank.is_whitespace() && !is_hidden(blank) => KeyFault::Blank(position),
                other => KeyFault::Foreign { position, code: u32::from(other) },
            });
        }
        Ok(Self(secret))
    }

    /// Tells this key, used for a purpose, from others: 16 hexadecimal digits of a hash, from which a key of any length
    /// worth having cannot be found.
    pub fn mark(&self, purpose: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(purpose);
        hash.update([0]);
        hash.update(self.0.expose_secret());
        let mut digits = hex::encode(hash.finalize());
        digits.truncate(16);
        digits
    }

    /// The secret, for the client that sends it.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_as_it_is_and_never_shown() {
        let key = ApiKey::read("sk_test-0123456789.~+/=".into()).unwrap();
        assert!(!format!("{key:?}").contains("0123456789"));
        assert_eq!(key.into_secret().expose_secret(), "sk_test-0123456789.~+/=");
    }

    #[test]
    fn what_is_no_key_is_refused_in_words_that_do_not_repeat_it() {
        for (text, fault) in [
            ("", KeyFault::Empty),
            ("secret\n", KeyFault::LineBreak(7)),
            ("se cret", KeyFault::Blank(3)),
            ("se\u{a0}cret", KeyFault::Blank(3)),
            ("secr\u{200b}et", KeyFault::Foreign { position: 5, code: 0x200b }),
            ("sécret", KeyFault::Foreign { position: 2, code: 0xe9 }),
            ("se\u{1b}[31mcret", KeyFault::Foreign { position: 3, code: 0x1b }),
        ] {
            let refused = ApiKey::read(text.into()).unwrap_err();
            assert_eq!(refused, fault);
            assert!(text.is_empty() || !refused.to_string().contains(text));
        }
        assert_eq!(ApiKey::read("k".repeat(5000)).unwrap_err(), KeyFault::TooLong(5000));
    }
}
