//! An input line, shown or masked.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use secrecy::SecretString;
use zeroize::{Zeroize, Zeroizing};

/// The most bytes of a field: the longest key and a little more, so that a key that is too long is noticed.
const MAX_FIELD_BYTES: usize = 4096 + 64;

/// An input line that is edited at its end. Wiped on drop.
pub struct SetupField {
    /// Allocated once: a reallocation would leave copies in memory.
    text: Zeroizing<String>,
    is_masked: bool,
    /// The fault found when the field was last left.
    pub fault: Option<String>,
}

impl SetupField {
    pub fn new_unmasked(text: &str) -> Self {
        let mut field = Self { is_masked: false, ..Self::new_masked() };
        field.paste(text);
        field
    }

    pub fn new_masked() -> Self {
        Self { text: Zeroizing::new(String::with_capacity(MAX_FIELD_BYTES)), is_masked: true, fault: None }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn secret(&self) -> SecretString {
        SecretString::from(self.text.as_str())
    }

    /// The text on screen: one bullet for each character of a secret.
    pub fn display_text(&self) -> String {
        if self.is_masked { "•".repeat(self.text.chars().count()) } else { self.text.to_string() }
    }

    pub(super) fn handle_key(&mut self, key: KeyEvent) {
        match (key.code, key.modifiers) {
            (KeyCode::Char('u'), KeyModifiers::CONTROL) => self.clear(),
            (KeyCode::Backspace, _) => self.backspace(),
            (KeyCode::Char(character), KeyModifiers::NONE | KeyModifiers::SHIFT) => self.push(character),
            _ => {}
        }
    }

    fn push(&mut self, character: char) {
        self.fault = None;
        if self.text.len() + character.len_utf8() > MAX_FIELD_BYTES {
            self.fault = Some("this text is too long for the field".into());
        } else {
            self.text.push(character);
        }
    }

    /// Pastes a text without the line end that often follows it. A line end inside stays, and fails the field's rule.
    pub(super) fn paste(&mut self, text: &str) {
        text.trim_end_matches(['\r', '\n']).chars().for_each(|character| self.push(character));
    }

    fn backspace(&mut self) {
        self.fault = None;
        self.text.pop();
    }

    pub(super) fn clear(&mut self) {
        self.fault = None;
        self.text.zeroize();
    }
}

impl fmt::Debug for SetupField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("text", &self.display_text()).field("fault", &self.fault).finish_non_exhaustive()
    }
}
