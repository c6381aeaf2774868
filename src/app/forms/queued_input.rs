//! Type-ahead: keys and pastes that come before a look-up is answered are queued, and replayed after it.

use crossterm::event::KeyCode;

use super::field::FieldId;
use super::form_state::QueuedInput;
use super::stages::form_mut;
use super::{batch, change_and_clear_moved_highlight, handle_key, paste_into_form};
use crate::app::data::poll::Dataset;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::request_id::RequestId;
use crate::domain::entry_source::Sourced;
use crate::domain::history::Window;
use crate::domain::{Holding, Operation, Wallet, WalletId};

/// Replays queued input, until a key waits for another look-up or is refused.
fn replay_queued_input(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    let Some(form) = form_mut(model) else { return effects };
    let mut queued_input = form.state.take_queued_input().into_iter();
    while let Some(next) = queued_input.next() {
        let is_leave_key = matches!(&next, QueuedInput::Key(key) if matches!(key.code, KeyCode::Enter | KeyCode::Tab));
        set_input_replayed(model, true);
        effects.extend(match next {
            QueuedInput::Key(pressed) => handle_key(model, pressed),
            QueuedInput::Paste(text) => paste_into_form(model, &text),
        });
        set_input_replayed(model, false);
        let Some(form) = form_mut(model) else { break };
        if (is_leave_key || form.state.is_awaiting_lookup()) && form.state.requeue_input(queued_input.by_ref()) {
            break;
        }
    }
    effects
}

fn set_input_replayed(model: &mut Model, is_replayed: bool) {
    if let Some(form) = form_mut(model) {
        form.state.is_replayed = is_replayed;
    }
}

/// The pairs were loaded, or failed to: input that waits for them is replayed.
pub(in crate::app) fn replay_after_pairs_load(model: &mut Model, dataset: &Dataset) -> Vec<Effect> {
    let waits_for_pairs = form_mut(model).is_some_and(|form| form.state.focused_field() == Some(FieldId::BuyToken));
    if *dataset == Dataset::Pairs && waits_for_pairs { replay_queued_input(model) } else { Vec::new() }
}

/// A look-up failed: drops the input queued behind it.
pub(in crate::app) fn drop_queued_input(model: &mut Model) {
    if let Some(form) = form_mut(model)
        && !form.state.take_queued_input().is_empty()
    {
        form.state.error = Some("the look-up failed, and keys typed after it were ignored".into());
    }
}

pub(in crate::app) fn apply_wallet_matches(
    model: &mut Model,
    request_id: RequestId,
    filter: String,
    window: Window<Sourced<Wallet>>,
) -> Vec<Effect> {
    let Some(form) = form_mut(model).filter(|form| form.state.wallet_matches.request_id == request_id) else {
        return Vec::new();
    };
    form.state.wallet_matches.filter = Some(filter);
    form.state.wallet_matches.window = window;
    form.state.highlighted_index = None;
    replay_queued_input(model)
}

pub(in crate::app) fn apply_holdings(
    model: &mut Model,
    request_id: RequestId,
    wallet: WalletId,
    rows: Vec<Holding>,
) -> Vec<Effect> {
    if form_mut(model).is_none_or(|form| form.state.holdings.request_id != request_id) {
        return Vec::new();
    }
    change_and_clear_moved_highlight(model, |model| {
        if let Some(form) = form_mut(model) {
            form.state.holdings.wallet = Some(wallet);
            form.state.holdings.rows = rows;
        }
    });
    let mut effects = check_waiting_rows(model);
    effects.extend(replay_queued_input(model));
    effects
}

/// The rows of a batch that was filled in before the wallet's holdings were known are checked against them.
fn check_waiting_rows(model: &mut Model) -> Vec<Effect> {
    if !matches!(&model.mode, Mode::Form(form) if form.state.operation == Operation::Batch) {
        return Vec::new();
    }
    let mut mode = std::mem::take(&mut model.mode);
    let mut effects = Vec::new();
    if let Mode::Form(form) = &mut mode {
        batch::update_row_context(model, &mut form.state);
        effects = form.state.start_due_lookups(&mut model.forms.last_request_id);
    }
    model.mode = mode;
    effects
}
