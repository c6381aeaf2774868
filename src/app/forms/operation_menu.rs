//! The menu of new things to create.

pub mod view;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::open;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::domain::draft::Operation;

const KINDS: [(Operation, char, &str); 6] = [
    (Operation::CreateAccount, 'a', "a container that keeps wallets and their funds apart"),
    (Operation::CreateWallet, 'w', "one address on one blockchain, in an account"),
    (Operation::CreateUser, 'u', "somebody who can own wallets"),
    (Operation::CreateSubWallet, 's', "a version 1 user, who may be allowed to trade"),
    (Operation::CreateAddress, 'd', "a version 1 address for a user: one coin on one chain"),
    (Operation::CreateSandboxAddress, 'x', "a sandbox Prime Wallet deposit address; test networks only"),
];

/// The operations that this service has: those of version 1 only where the profile uses it.
pub fn kinds(model: &Model) -> impl Iterator<Item = (Operation, char, &'static str)> + use<> {
    let v1 = model.v1;
    let network = model.identity.environment.clone();
    let is_v1 = |operation| {
        matches!(operation, Operation::CreateSubWallet | Operation::CreateAddress | Operation::CreateSandboxAddress)
    };
    KINDS
        .into_iter()
        .filter(move |(operation, ..)| (v1 || !is_v1(*operation)) && operation.is_allowed_on(network.as_deref()))
}

pub(in crate::app) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Choose(at) = model.mode else { return Vec::new() };
    let last = kinds(model).count().saturating_sub(1);
    match key.code {
        KeyCode::Esc => model.mode = Mode::Browse,
        KeyCode::Char('j') | KeyCode::Down | KeyCode::Tab => model.mode = Mode::Choose((at + 1).min(last)),
        KeyCode::Char('k') | KeyCode::Up | KeyCode::BackTab => model.mode = Mode::Choose(at.saturating_sub(1)),
        KeyCode::Enter => {
            let chosen = kinds(model).nth(at);
            if let Some((operation, ..)) = chosen {
                return open(model, operation);
            }
        }
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            let chosen = kinds(model).find(|(_, named, _)| *named == letter);
            if let Some((operation, ..)) = chosen {
                return open(model, operation);
            }
        }
        _ => {}
    }
    Vec::new()
}
