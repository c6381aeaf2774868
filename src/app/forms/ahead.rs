//! What is typed before the store has answered: it waits, and goes where it would have gone had the answer been there.

use super::sheet::Ahead;
use super::{changes, form_mut, key, paste};
use crate::app::key::KeyCode;
use crate::app::model::Model;
use crate::app::msg::{Effect, Turn};
use crate::domain::history::{Known, Window};
use crate::domain::{Holding, Wallet, WalletId};

/// What was typed while an answer was waited for goes where it would have gone had that been there at once.
fn catch_up(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    let Some(form) = form_mut(&mut model.mode) else { return effects };
    let mut ahead = form.sheet.take_ahead().into_iter();
    while let Some(next) = ahead.next() {
        let leads_on = matches!(&next, Ahead::Key(key) if matches!(key.code, KeyCode::Enter | KeyCode::Tab));
        effects.extend(match next {
            Ahead::Key(pressed) => key(model, pressed),
            Ahead::Paste(text) => paste(model, &text),
        });
        let Some(form) = form_mut(&mut model.mode) else { break };
        if (leads_on || form.sheet.waits()) && form.sheet.put_off(ahead.by_ref()) {
            break;
        }
    }
    effects
}

/// What is waited for cannot be looked up: nobody waits for it any more, and what was typed behind it is not taken.
pub(in crate::app) fn give_up(model: &mut Model) {
    if let Some(form) = form_mut(&mut model.mode)
        && !form.sheet.take_ahead().is_empty()
    {
        form.sheet.told = Some("it could not be looked up, and what was typed behind it was not taken".into());
    }
}

/// Wallets were found.
pub(in crate::app) fn found(
    model: &mut Model,
    turn: Turn,
    filter: String,
    window: Window<Known<Wallet>>,
) -> Vec<Effect> {
    let Some(form) = form_mut(&mut model.mode).filter(|form| form.sheet.found.turn == turn) else { return Vec::new() };
    form.sheet.found.filter = Some(filter);
    form.sheet.found.window = window;
    form.sheet.choice = None;
    catch_up(model)
}

/// What a wallet holds was looked up.
pub(in crate::app) fn held(model: &mut Model, turn: Turn, wallet: WalletId, rows: Vec<Holding>) -> Vec<Effect> {
    if form_mut(&mut model.mode).is_none_or(|form| form.sheet.held.turn != turn) {
        return Vec::new();
    }
    changes(model, |model| {
        if let Some(form) = form_mut(&mut model.mode) {
            form.sheet.held.of = Some(wallet);
            form.sheet.held.rows = rows;
        }
    });
    catch_up(model)
}
