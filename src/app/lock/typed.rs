//! What is typed and not shown.

use std::fmt;

use zeroize::Zeroizing;

/// The most characters that are taken.
const LONGEST: usize = 1_024;

/// A passphrase while it is typed: shown by nothing, and wiped when it is let go.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretInput(Zeroizing<String>);

impl Default for SecretInput {
    fn default() -> Self {
        // Room for all of it at once: growing would leave copies behind.
        Self(Zeroizing::new(String::with_capacity(4 * LONGEST)))
    }
}

impl fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed")
    }
}

impl SecretInput {
    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many characters were typed.
    pub fn len(&self) -> usize {
        self.0.chars().count()
    }

    /// What was typed, for whoever holds it against what is right.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn matches(&self, word: &str) -> bool {
        self.0.trim() == word
    }

    pub(super) fn push(&mut self, character: char) {
        if self.len() < LONGEST {
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
