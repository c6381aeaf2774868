//! The names of keys, as footer, help and README spell them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

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
