//! Opens forms: a draft that was kept, or a new form filled in from the selection.

use super::field::FieldId;
use super::form_state::{Focus, FormState};
use super::lookups::{Picked, Selection};
use super::review::ReviewStatus;
use super::stages::show_order;
use super::{Form, FormStage, batch, payer};
use crate::app::data::connection::ConnectionState;
use crate::app::data::queries;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::overlays::record::policy;
use crate::domain::approval::DeskRole;
use crate::domain::history::Scope;
use crate::domain::{FailureReason, Operation, Wallet};

/// Opens a form: the draft that was kept, or a new form filled in from the selection.
pub(in crate::app) fn open_form(model: &mut Model, operation: Operation) -> Vec<Effect> {
    // On the Markets page the selected pair is meant, whatever an earlier draft holds.
    let on_markets = operation.is_swap() && model.page == Page::Markets;
    let pair =
        model.pages.markets.pairs.selected().filter(|_| on_markets).map(|pair| (pair.from.clone(), pair.to.clone()));
    open_draft_or_new_form(model, operation, |form| {
        pair.as_ref().is_none_or(|(from, to)| {
            form.value(FieldId::Token).eq_ignore_ascii_case(from)
                && form.value(FieldId::BuyToken).eq_ignore_ascii_case(to)
        })
    })
}

/// Opens the newest draft of the operation for which `is_meant` holds, or a new form; other drafts stay kept.
pub(super) fn open_draft_or_new_form(
    model: &mut Model,
    operation: Operation,
    is_meant: impl Fn(&FormState) -> bool,
) -> Vec<Effect> {
    if let Err(reason) = check_can_open(model) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let draft_index = model.forms.drafts.iter().rposition(|form| form.operation == operation && is_meant(form));
    if let Some(index) = draft_index {
        let form = model.forms.drafts.remove(index);
        return restore_draft(model, form, "draft restored");
    }
    let form = prefilled_form(model, operation).with_initial_values();
    show_form(model, form)
}

/// Opens a draft again; `message` says what it is.
pub(super) fn restore_draft(model: &mut Model, mut form: FormState, message: &str) -> Vec<Effect> {
    let more = match model.forms.count_drafts(form.operation) {
        0 => String::new(),
        more => format!(" ({more} more kept)"),
    };
    model.notice = Some(format!("{message}{more}; “Clear form” empties it"));
    // Wallets known when the draft was closed may have changed since.
    form.wallet_matches.filter = None;
    form.error = None;
    // Nobody remembers where the cursor was: the first input goes into the first field.
    if form.batch_rows.editing.is_none() {
        (form.focus, form.highlighted_index) = (Focus::Field(0), None);
    }
    form.batch_rows.resume();
    show_form(model, form)
}

/// Shows a form, and starts its look-ups.
pub(super) fn show_form(model: &mut Model, mut form: FormState) -> Vec<Effect> {
    if form.operation == Operation::Batch {
        batch::update_row_context(model, &mut form);
    }
    let mut effects = form.start_due_lookups(&mut model.forms.last_request_id);
    if form.operation.moves_money() {
        effects.extend(policy::count_limits(model));
    }
    if form.selection.wallet.is_some() && form.holdings.wallet.is_some() {
        effects.push(form.query_holdings(&mut model.forms.last_request_id));
    }
    if !model.pages.markets.tokens.is_loaded() {
        effects.push(queries::query_tokens(model));
    }
    model.show_mode(Mode::Form(Box::new(Form { state: form, stage: FormStage::Editing, proposal: None })));
    effects
}

/// Opens the payment form of the version that the profile pays with.
pub(in crate::app) fn open_payment(model: &mut Model) -> Vec<Effect> {
    let operation = if model.console.preferences.v2 { Operation::Withdraw } else { Operation::Payment };
    open_form(model, operation)
}

/// Opens the swap form of the version that the profile swaps with.
pub(in crate::app) fn open_swap(model: &mut Model) -> Vec<Effect> {
    let operation = if model.console.preferences.v2 { Operation::Swap } else { Operation::InstantSwap };
    open_form(model, operation)
}

pub(in crate::app) fn open_simulated_deposit(model: &mut Model, wallet: Wallet) -> Vec<Effect> {
    open_form_about(model, Operation::SimulateDeposit, Selection { wallet: Some(wallet), ..Selection::default() })
}

/// Opens the form that changes the selected user.
pub(in crate::app) fn open_user_change(model: &mut Model) -> Vec<Effect> {
    let user = model.pages.users.selected().map(|user| user.entry.clone());
    open_form_about(model, Operation::UpdateUser, Selection { user, ..Selection::default() })
}

/// Opens the form that changes the selected wallet.
pub(in crate::app) fn open_wallet_change(model: &mut Model) -> Vec<Effect> {
    let wallet = model.pages.overview.wallets.selected().map(|wallet| wallet.entry.clone());
    open_form_about(model, Operation::UpdateWallet, Selection { wallet, ..Selection::default() })
}

/// Opens a form about a wallet or user that was chosen before. A draft about another one is not for it.
fn open_form_about(model: &mut Model, operation: Operation, selection: Selection) -> Vec<Effect> {
    let id = |picked: &Selection| {
        (picked.wallet.as_ref().map(|wallet| wallet.id.clone()), picked.user.as_ref().map(|user| user.id.clone()))
    };
    let effects = open_draft_or_new_form(model, operation, |form_state| id(&form_state.selection) == id(&selection));
    if let Mode::Form(form) = &mut model.mode {
        form.state.selection = selection;
    }
    effects
}

/// Why no form may be opened, if so.
pub fn check_can_open(model: &Model) -> Result<(), String> {
    if let Some(reason) = &model.console.read_only {
        return Err(format!("this console is read-only: {reason}"));
    }
    if model.journal.policy.role == DeskRole::Release {
        return Err("this console releases what others proposed, and drafts nothing: & lists it".into());
    }
    orders::may_change(model)?;
    // A rejected key cannot pay: the order would only wait for somebody to attend to it.
    let rejected = model
        .data
        .remotes
        .latest
        .failure
        .as_ref()
        .is_some_and(|(failure, _)| failure.reason == FailureReason::KeyRejected);
    if model.data.connection == ConnectionState::KeyRejected && rejected {
        return Err("the API key is rejected; correct it, then press r".into());
    }
    Ok(())
}

fn prefilled_form(model: &Model, operation: Operation) -> FormState {
    let mut form = FormState::new(operation);
    if operation.is_swap() {
        prefill_swap(model, &mut form);
    } else if operation == Operation::Batch {
        // A visitor's form has no file field.
        prefill_wallet(model, &mut form, if model.console.is_visit { FieldId::Note } else { FieldId::File });
    } else if operation.moves_money() {
        prefill_wallet(model, &mut form, FieldId::Recipient);
    } else if operation == Operation::CreateWallet
        && let Some(account) = model.pages.overview.accounts.selected()
    {
        let account = account.entry.clone();
        let name = account.name.as_ref().map_or_else(|| account.id.to_string(), ToString::to_string);
        form.apply_choice(FieldId::Account, &name, Picked::Account(Box::new(account)));
        form.move_focus_to(FieldId::Chain);
    } else if operation == Operation::CreateAddress
        && model.page == Page::Users
        && let Some(user) = model.pages.users.selected()
    {
        let id = user.entry.id.to_string();
        form.apply_choice(FieldId::SubWallet, &id, Picked::TextOnly);
        form.move_focus_to(FieldId::Token);
    }
    form
}

/// Fills in the selected wallet, and the selected balance if it is the wallet's; `next` is the field after the token.
fn prefill_wallet(model: &Model, form: &mut FormState, next: FieldId) {
    let Some(wallet) = model.pages.overview.wallets.selected() else { return };
    let wallet = wallet.entry.clone();
    let shows_wallet = model.pages.overview.balances.scope == Scope::Wallet(wallet.id.clone());
    form.apply_choice(FieldId::Wallet, &payer::wallet_name(&wallet), Picked::Wallet(Box::new(wallet.clone())));
    form.move_focus_to(FieldId::Token);
    if let Some(holding) =
        model.pages.overview.balances.listing.selected().filter(|holding| shows_wallet && !holding.suspicious)
    {
        form.holdings.rows.clone_from(&model.pages.overview.balances.all);
        form.holdings.wallet = Some(wallet.id);
        form.apply_choice(FieldId::Token, &holding.symbol, Picked::Token(holding.token.clone()));
        form.move_focus_to(next);
    }
}

/// Fills in the pair selected on the Markets page; elsewhere the selected balance is sold.
fn prefill_swap(model: &Model, form: &mut FormState) {
    let Some(pair) = model.pages.markets.pairs.selected().filter(|_| model.page == Page::Markets) else {
        return prefill_wallet(model, form, FieldId::Amount);
    };
    if let Some(wallet) = model.pages.overview.wallets.selected() {
        let wallet = wallet.entry.clone();
        form.apply_choice(FieldId::Wallet, &payer::wallet_name(&wallet), Picked::Wallet(Box::new(wallet)));
        form.move_focus_to(FieldId::Token);
    }
    // Which token has this symbol is settled with the wallet.
    form.apply_choice(FieldId::Token, &pair.from, Picked::TextOnly);
    form.apply_choice(FieldId::BuyToken, &pair.to, Picked::TextOnly);
}

/// Whether a review is open of which nothing was sent, also below another mode.
pub(in crate::app) fn is_review_open(model: &Model) -> bool {
    let is_waiting =
        |form: &Form| matches!(&form.stage, FormStage::Review(review) if review.status == ReviewStatus::Waiting);
    model.open_modes().any(|mode| matches!(mode, Mode::Form(form) if is_waiting(form)))
}

/// Closes the open form: its input becomes a draft, and the order recorded for its review is abandoned. If it is being
/// sent, the order is shown instead.
pub(in crate::app) fn close_form(model: &mut Model) -> Vec<Effect> {
    let Mode::Form(form) = std::mem::take(&mut model.mode) else { return Vec::new() };
    let Form { state: form_state, stage, .. } = *form;
    let recorded = match stage {
        FormStage::Review(review) if review.status == ReviewStatus::Sending => {
            show_order(model, review.order.id);
            return Vec::new();
        }
        FormStage::Review(review) if review.purpose.is_of_proposal() => None,
        FormStage::Review(review) => Some(review.order.id),
        FormStage::Editing | FormStage::Preparing(_) => None,
    };
    if form_state.has_user_input() && form_state.follow_up.is_none() {
        model.forms.drafts.push(form_state);
    }
    recorded.map(Effect::Abandon).into_iter().collect()
}

#[cfg(test)]
mod tests;
