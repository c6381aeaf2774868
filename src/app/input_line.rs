//! Editing keys, the same in every input line.

use tui_input::InputRequest;

use super::key::{Key, KeyCode};

/// The edit that a key makes; `None` for a key with another meaning.
pub(super) fn input_edit_of_key(key: Key) -> Option<InputRequest> {
    Some(match key.code {
        KeyCode::Char('u') if key.ctrl => InputRequest::DeleteLine,
        KeyCode::Char('w') if key.ctrl => InputRequest::DeletePrevWord,
        KeyCode::Char('a') if key.ctrl => InputRequest::GoToStart,
        KeyCode::Char('e') if key.ctrl => InputRequest::GoToEnd,
        KeyCode::Char(character) if !key.ctrl && !key.alt => InputRequest::InsertChar(character),
        KeyCode::Backspace => InputRequest::DeletePrevChar,
        KeyCode::Delete => InputRequest::DeleteNextChar,
        KeyCode::Left => InputRequest::GoToPrevChar,
        KeyCode::Right => InputRequest::GoToNextChar,
        KeyCode::Home => InputRequest::GoToStart,
        KeyCode::End => InputRequest::GoToEnd,
        _ => return None,
    })
}
