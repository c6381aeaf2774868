//! The menu of new things to create.

pub mod view;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::open_form;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::domain::draft::Operation;

const MENU_ENTRIES: [(Operation, char, &str); 6] = [
    (Operation::CreateAccount, 'a', "a container that keeps wallets and their funds apart"),
    (Operation::CreateWallet, 'w', "one address on one blockchain, in an account"),
    (Operation::CreateUser, 'u', "somebody who can own wallets"),
    (Operation::CreateSubWallet, 's', "a version 1 user, who may be allowed to trade"),
    (Operation::CreateAddress, 'd', "a version 1 address for a user: one coin on one chain"),
    (Operation::CreateSandboxAddress, 'x', "a sandbox Prime Wallet deposit address; test networks only"),
];

/// The operations that this service has: those of version 1 only where the profile uses it.
pub fn available_entries(model: &Model) -> impl Iterator<Item = (Operation, char, &'static str)> + use<> {
    let v1 = model.v1;
    let network = model.identity.environment.clone();
    MENU_ENTRIES
        .into_iter()
        .filter(move |(operation, ..)| (v1 || !operation.is_by_v1()) && operation.is_allowed_on(network.as_deref()))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::OperationMenu(at) = model.mode else { return Vec::new() };
    let last = available_entries(model).count().saturating_sub(1);
    match key.code {
        KeyCode::Esc => model.mode = Mode::Browse,
        KeyCode::Char('j') | KeyCode::Down | KeyCode::Tab => model.mode = Mode::OperationMenu((at + 1).min(last)),
        KeyCode::Char('k') | KeyCode::Up | KeyCode::BackTab => model.mode = Mode::OperationMenu(at.saturating_sub(1)),
        KeyCode::Enter => {
            let chosen = available_entries(model).nth(at);
            if let Some((operation, ..)) = chosen {
                return open_form(model, operation);
            }
        }
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            let chosen = available_entries(model).find(|(_, named, _)| *named == letter);
            if let Some((operation, ..)) = chosen {
                return open_form(model, operation);
            }
        }
        _ => {}
    }
    Vec::new()
}
