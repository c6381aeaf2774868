//! A line that somebody types, shown or masked.

use std::fmt;

use secrecy::SecretString;
use zeroize::{Zeroize, Zeroizing};

use crate::app::{Key, KeyCode};

/// The most bytes that a field takes: the longest key and a little more, so that one too long is noticed.
const ROOM: usize = 4096 + 64;

/// A line that somebody types at its end. It is wiped when it is let go.
pub struct SetupField {
    /// Its room is made once: a text that grew elsewhere would leave copies behind.
    text: Zeroizing<String>,
    masked: bool,
    /// What is wrong with it, since it was last left.
    pub fault: Option<String>,
}

impl SetupField {
    /// A line that is shown, with this in it at first.
    pub fn with_text(text: &str) -> Self {
        let mut field = Self { masked: false, ..Self::masked() };
        field.paste(text);
        field
    }

    /// A line that nobody sees.
    pub fn masked() -> Self {
        Self { text: Zeroizing::new(String::with_capacity(ROOM)), masked: true, fault: None }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was typed, as a secret.
    pub fn secret(&self) -> SecretString {
        SecretString::from(self.text.as_str())
    }

    /// What is shown: of a secret a mark for each character.
    pub fn display_text(&self) -> String {
        if self.masked { "•".repeat(self.text.chars().count()) } else { self.text.to_string() }
    }

    /// Takes a key that changes the text; others change nothing.
    pub(super) fn key(&mut self, key: Key) {
        match key.code {
            KeyCode::Char('u') if key.ctrl => self.clear(),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Char(character) if !key.ctrl && !key.alt => self.push(character),
            _ => {}
        }
    }

    fn push(&mut self, character: char) {
        self.fault = None;
        if self.text.len() + character.len_utf8() > ROOM {
            self.fault = Some("this text is too long for the field".into());
        } else {
            self.text.push(character);
        }
    }

    /// Takes a paste without the line end that often comes with it. One inside stays, and is found to be wrong.
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
