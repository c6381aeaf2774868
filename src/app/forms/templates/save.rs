//! A template from an open form, from an order, or from an outgoing row of the history.

use crate::app::forms::chains::request_chain_name;
use crate::app::forms::form_state::{FormAction, FormState};
use crate::app::forms::pay_again::{EarlierPayment, without_trailing_number};
use crate::app::forms::{FormStage, drafts};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::{MenuLine, MenuLinePurpose};
use crate::domain::address::is_same_address;
use crate::domain::chain::is_same_chain;
use crate::domain::draft::{Batch, V1Payment};
use crate::domain::history::HistoryRow;
use crate::domain::template::reusable_draft;
use crate::domain::{Draft, Metadata, Sender, Text, Wallet, Withdrawal};

const INCOMPLETE_ROW: &str =
    "this row does not say enough for a template: open it with +, complete the form, and save that with Ctrl+s";

/// Saves the open form, if it is complete; else its faults are shown, as before a review.
pub(in crate::app) fn open_from_form(model: &mut Model) -> Vec<Effect> {
    if !matches!(&model.mode, Mode::Form(form) if matches!(form.stage, FormStage::Editing)) {
        return Vec::new();
    }
    let Mode::Form(mut form) = std::mem::take(&mut model.mode) else { return Vec::new() };
    let form_state: &mut FormState = &mut form.state;
    if form_state.follow_up.is_some() || form_state.operation.is_swap() || !form_state.operation.moves_money() {
        model.notice = Some("only a payment or a batch can be saved as a template".into());
        model.mode = Mode::Form(form);
        return Vec::new();
    }
    let step = form_state.submit(model);
    model.mode = Mode::Form(form);
    match step {
        FormAction::Submit(draft, Some(sender)) => {
            ask_for_name(model, reusable_draft(&draft), *sender);
            Vec::new()
        }
        FormAction::Stay(effects) => {
            model.notice = Some("a template is saved once the form is complete: correct what is marked".into());
            effects
        }
        FormAction::Submit(_, None) | FormAction::Close => Vec::new(),
    }
}

/// Why the selected or open payment cannot be saved as a template, if so.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    match EarlierPayment::selected(model, mode) {
        None => Some("select a payment first: a row that paid somebody, or its order".to_owned()),
        Some(earlier) => match earlier.check(model) {
            Ok(()) => selected_payment(model, mode).is_none().then(|| INCOMPLETE_ROW.to_owned()),
            Err(reason) => Some(reason),
        },
    }
}

pub(in crate::app) fn open_from_selection(model: &mut Model) -> Vec<Effect> {
    match (refusal(model, &model.mode), selected_payment(model, &model.mode)) {
        (None, Some((draft, sender))) => ask_for_name(model, draft, sender),
        (reason, _) => model.notice = reason,
    }
    Vec::new()
}

fn selected_payment(model: &Model, mode: &Mode) -> Option<(Draft, Sender)> {
    let (mut draft, sender) = match EarlierPayment::selected(model, mode)? {
        EarlierPayment::Order(order) => (reusable_draft(&order.drafted.draft), order.drafted.sender.clone()?),
        EarlierPayment::Row(row) => payment_of_row(model, row)?,
    };
    // The same number again would be the same invoice paid twice.
    if let Draft::Withdraw(Withdrawal { note: Some(note), .. })
    | Draft::Payment(V1Payment { withdrawal: Withdrawal { note: Some(note), .. }, .. })
    | Draft::Batch(Batch { note: Some(note), .. }) = &mut draft
    {
        *note = Text::clean(without_trailing_number(note).trim_end());
    }
    Some((draft, sender))
}

fn payment_of_row(model: &Model, row: &HistoryRow) -> Option<(Draft, Sender)> {
    let (transaction, amount) = (&row.transaction, row.transaction.exact_amount()?);
    let is_payer = |wallet: &&Wallet| {
        let is_at = |address: &Text| wallet.address.as_ref().is_some_and(|payer| is_same_address(payer, address));
        is_same_chain(&wallet.blockchain, &transaction.token.blockchain)
            && transaction
                .wallet
                .as_ref()
                .map_or_else(|| transaction.from_address.as_ref().is_some_and(is_at), |id| wallet.id == *id)
    };
    let wallet = model
        .pages
        .overview
        .wallets
        .rows()
        .iter()
        .map(|sourced| &sourced.entry)
        .find(is_payer)
        .filter(|_| model.console.preferences.v2)?;
    let draft = Draft::Withdraw(Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: request_chain_name(model, &wallet.blockchain),
        token: transaction.symbol.clone(),
        amount: Text::clean(&amount.to_string()),
        to: transaction.to_address.clone()?,
        ref_id: None,
        note: transaction.note.clone(),
        metadata: Metadata::default(),
    });
    let sender = Sender {
        name: wallet.name.clone(),
        address: wallet.address.clone(),
        account: wallet.account.clone(),
        user: wallet.user.clone(),
        token: transaction.token.clone(),
        amount,
    };
    Some((draft, sender))
}

/// Asks for the name, over the drafts and templates that there are.
fn ask_for_name(model: &mut Model, draft: Draft, sender: Sender) {
    drafts::open_menu(model);
    let line = MenuLine::new("", MenuLinePurpose::SaveTemplate(Box::new((draft, sender))));
    if let Mode::Menu(menu) = &mut model.mode {
        menu.open_line("Save this payment as a template called:".into(), line);
    }
}
