//! What new thing is to be made: a short list.

pub mod view;

use super::open;
use crate::app::key::{Key, KeyCode};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::panes::orders::prompt;
use crate::domain::draft::Operation;

/// What can be made, with its key and what it is for.
pub const KINDS: [(Operation, char, &str); 3] = [
    (Operation::CreateAccount, 'a', "a container that keeps wallets and their funds apart"),
    (Operation::CreateWallet, 'w', "one address on one blockchain, in an account"),
    (Operation::CreateUser, 'u', "somebody who can own wallets"),
];

/// A key while the list has the keys.
pub(in crate::app) fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Choose(at) = model.mode else { return Vec::new() };
    let named = |letter| KINDS.iter().find(|(_, named, _)| *named == letter);
    match key.code {
        KeyCode::Char('c') if key.ctrl => return prompt::leave(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        KeyCode::Esc => model.mode = Mode::Browse,
        KeyCode::Char('j') | KeyCode::Down | KeyCode::Tab => model.mode = Mode::Choose((at + 1).min(KINDS.len() - 1)),
        KeyCode::Char('k') | KeyCode::Up | KeyCode::BackTab => model.mode = Mode::Choose(at.saturating_sub(1)),
        KeyCode::Enter => {
            if let Some((operation, ..)) = KINDS.get(at) {
                return open(model, *operation);
            }
        }
        KeyCode::Char(letter) if !key.ctrl && !key.alt => {
            if let Some((operation, ..)) = named(letter) {
                return open(model, *operation);
            }
        }
        _ => {}
    }
    Vec::new()
}
