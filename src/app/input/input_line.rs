//! Editing keys, the same in every input line.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

/// The edit that a key makes; `None` for a key with another meaning.
pub(in crate::app) fn input_edit_of_key(key: KeyEvent) -> Option<InputRequest> {
    Some(match (key.code, key.modifiers) {
        (KeyCode::Char('u'), KeyModifiers::CONTROL) => InputRequest::DeleteLine,
        (KeyCode::Char('w'), KeyModifiers::CONTROL) => InputRequest::DeletePrevWord,
        (KeyCode::Char('a'), KeyModifiers::CONTROL) | (KeyCode::Home, _) => InputRequest::GoToStart,
        (KeyCode::Char('e'), KeyModifiers::CONTROL) | (KeyCode::End, _) => InputRequest::GoToEnd,
        (KeyCode::Char(character), KeyModifiers::NONE | KeyModifiers::SHIFT) => InputRequest::InsertChar(character),
        (KeyCode::Backspace, _) => InputRequest::DeletePrevChar,
        (KeyCode::Delete, _) => InputRequest::DeleteNextChar,
        (KeyCode::Left, _) => InputRequest::GoToPrevChar,
        (KeyCode::Right, _) => InputRequest::GoToNextChar,
        _ => return None,
    })
}
