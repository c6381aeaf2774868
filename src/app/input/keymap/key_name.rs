//! The names of keys, as footer, help, README and `assets/keys.toml` spell them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const NAMED_KEYS: [KeyCode; 13] = [
    KeyCode::Char(' '),
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
];

#[expect(clippy::wildcard_enum_match_arm, reason = "crossterm names the other keys")]
pub fn key_name(key: KeyEvent) -> String {
    let plain = match key.code {
        // On macOS crossterm calls it Return, which the manual does not.
        KeyCode::Enter => "Enter".to_owned(),
        KeyCode::BackTab => "Shift+Tab".to_owned(),
        KeyCode::PageUp => "PgUp".to_owned(),
        KeyCode::PageDown => "PgDn".to_owned(),
        code => code.to_string(),
    };
    if key.modifiers.contains(KeyModifiers::CONTROL) { format!("Ctrl+{plain}") } else { plain }
}

/// The key of a name that [`key_name`] gives.
pub(super) fn parse_key(name: &str) -> Option<KeyEvent> {
    let (modifiers, plain) = match name.strip_prefix("Ctrl+") {
        Some(plain) => (KeyModifiers::CONTROL, plain),
        None => (KeyModifiers::NONE, name),
    };
    let mut characters = plain.chars();
    let code = match (characters.next()?, characters.next()) {
        (character, None) => KeyCode::Char(character),
        _ => NAMED_KEYS.into_iter().find(|code| key_name((*code).into()) == plain)?,
    };
    Some(KeyEvent::new(code, modifiers))
}
