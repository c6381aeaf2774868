//! The menu of new things to create.

pub mod view;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::open_form;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::domain::draft::Operation;

/// The operations that this service has: those of version 1 only where the profile uses it.
pub fn available_entries(model: &Model) -> impl Iterator<Item = (Operation, char, &'static str)> + use<> {
    let v1 = model.console.preferences.v1;
    let network = model.console.identity.environment;
    let is_available = move |operation: &Operation| (v1 || !operation.is_by_v1()) && operation.is_allowed_on(network);
    let entries = Operation::ALL.into_iter().filter(is_available);
    entries.filter_map(|operation| operation.menu_entry().map(|(key, about)| (operation, key, about)))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::OperationMenu(at) = model.mode else { return Vec::new() };
    let last = available_entries(model).count().saturating_sub(1);
    match key.code {
        KeyCode::Esc => model.show_mode(Mode::Browse),
        KeyCode::Char('j') | KeyCode::Down | KeyCode::Tab => model.mode = Mode::OperationMenu((at + 1).min(last)),
        KeyCode::Char('k') | KeyCode::Up | KeyCode::BackTab => model.mode = Mode::OperationMenu(at.saturating_sub(1)),
        KeyCode::Enter => {
            let chosen = available_entries(model).nth(at);
            if let Some((operation, ..)) = chosen {
                return open_form(model, operation);
            }
        }
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            let chosen = available_entries(model).find(|(_, key_letter, _)| *key_letter == letter);
            if let Some((operation, ..)) = chosen {
                return open_form(model, operation);
            }
        }
        _ => {}
    }
    Vec::new()
}
