//! Input that is not shown.

use std::fmt;

use zeroize::Zeroizing;

const MAX_SECRET_CHARS: usize = 1_024;

/// A passphrase while it is typed: never shown, and wiped on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretInput(Zeroizing<String>);

impl Default for SecretInput {
    fn default() -> Self {
        // Full capacity at once: a reallocation would leave copies in memory.
        Self(Zeroizing::new(String::with_capacity(4 * MAX_SECRET_CHARS)))
    }
}

impl fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed")
    }
}

impl SecretInput {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.chars().count()
    }

    /// The typed text, for the check only.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn matches_word(&self, word: &str) -> bool {
        self.0.trim() == word
    }

    pub(super) fn push(&mut self, character: char) {
        if self.len() < MAX_SECRET_CHARS {
            self.0.push(character);
        }
    }

    pub(super) fn backspace(&mut self) {
        self.0.pop();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
