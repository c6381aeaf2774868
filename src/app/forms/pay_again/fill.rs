//! What a form takes over from an earlier payment.

use super::source::EarlierPayment;
use crate::app::forms::batch::BatchRows;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::{Focus, FormState};
use crate::app::forms::lookups::Picked;
use crate::app::forms::{follow_up, payer};
use crate::app::model::Model;
use crate::app::orders;
use crate::domain::address::is_same_address;
use crate::domain::book::Contact;
use crate::domain::chain::is_same_chain;
use crate::domain::draft::V1Payment;
use crate::domain::history::HistoryRow;
use crate::domain::{Draft, Operation, Order, Sender, Text, Timestamp, TokenKey, Wallet};

/// What a form was filled in from.
pub(super) struct FormSource {
    description: String,
    /// Whether the number at the end of the note was left out.
    pub(super) is_number_cut: bool,
}

impl FormSource {
    pub(super) fn notice_text(&self) -> String {
        let note = if self.is_number_cut { "; type the number at the end of its note" } else { "" };
        format!("filled in from {}, and judged as new{note}", self.description)
    }
}

/// The form, and what it was filled in from.
pub(super) fn filled_form(model: &Model, earlier: &EarlierPayment<'_>) -> Option<(FormState, FormSource)> {
    match earlier {
        EarlierPayment::Order(order) => filled_form_of_order(model, order),
        EarlierPayment::Row(row) => filled_form_of_row(model, row),
    }
}

pub(super) fn filled_form_of_order(model: &Model, order: &Order) -> Option<(FormState, FormSource)> {
    let draft = &order.drafted.draft;
    let mut form = filled_form_of_draft(model, draft, order.drafted.sender.as_ref()?)?;
    let is_number_cut = fill_note(&mut form, draft.note());
    let at = model.console.zone.format_with_zone(order.display_time(), "%Y-%m-%d at %H:%M");
    Some((form, FormSource { description: format!("the order of {at}"), is_number_cut }))
}

/// A form with wallet, token, recipients and amounts of a draft: without its note and its reference.
pub(in crate::app::forms) fn filled_form_of_draft(model: &Model, draft: &Draft, sender: &Sender) -> Option<FormState> {
    let pays = draft.payment_details()?;
    let mut form = FormState::new(draft.operation());
    let payer = follow_up::paying_wallet(model, draft, sender);
    let own = sender.address.as_deref().or(sender.name.as_deref()).unwrap_or(pays.blockchain);
    fill_payer(&mut form, payer, own, (pays.token, &sender.token));
    if let Draft::Batch(batch) = draft {
        form.batch_rows = BatchRows::from_recipients(&batch.to);
        if form.selection.wallet.is_some() {
            form.focus = Focus::Rows;
        }
    } else if let [(to, amount)] = pays.to.as_slice() {
        form.apply_choice(FieldId::Recipient, to, Picked::TextOnly);
        form.apply_choice(FieldId::Amount, amount, Picked::TextOnly);
    }
    if let Draft::Payment(V1Payment { fee, memo, .. }) = draft {
        for (slot, value) in [(FieldId::Memo, memo), (FieldId::Fee, fee)] {
            form.apply_choice(slot, value.as_deref().unwrap_or_default(), Picked::TextOnly);
        }
    }
    Some(form)
}

fn filled_form_of_row(model: &Model, row: &HistoryRow) -> Option<(FormState, FormSource)> {
    let transaction = &row.transaction;
    let chain = &transaction.token.blockchain;
    let operation = if model.console.preferences.v2 { Operation::Withdraw } else { Operation::Payment };
    let mut form = FormState::new(operation);
    let own = transaction.from_address.as_ref();
    let is_payer = |wallet: &&Wallet| {
        let is_at = |address: &Text| wallet.address.as_ref().is_some_and(|payer| is_same_address(payer, address));
        is_same_chain(&wallet.blockchain, chain)
            && transaction.wallet.as_ref().map_or_else(|| own.is_some_and(is_at), |id| wallet.id == *id)
    };
    let payer = model.pages.overview.wallets.rows().iter().map(|sourced| &sourced.entry).find(is_payer).cloned();
    // The wallet is looked up by its address; without one, its chain lists the wallets that can pay there.
    let text = own.map_or(chain.as_str(), Text::as_str);
    fill_payer(&mut form, payer, text, (&transaction.symbol, &transaction.token));
    form.apply_choice(FieldId::Recipient, transaction.to_address.as_ref()?, Picked::TextOnly);
    if let Some(amount) = transaction.exact_amount() {
        form.apply_choice(FieldId::Amount, &amount.to_string(), Picked::TextOnly);
    }
    let is_number_cut = fill_note(&mut form, transaction.note.as_ref());
    let at = model.console.zone.format_with_zone(row.time, "%Y-%m-%d at %H:%M");
    Some((form, FormSource { description: format!("the payment of {at}"), is_number_cut }))
}

/// Fills in wallet and token of the newest payment to a contact that the service accepted; returns when it was made.
pub(in crate::app::forms) fn fill_last_payer(
    model: &Model,
    form: &mut FormState,
    contact: &Contact,
) -> Option<Timestamp> {
    let order = payments_to(model, contact).find(|order| order.drafted.draft.operation() == form.operation)?;
    let (pays, sender) = (order.drafted.draft.payment_details()?, order.drafted.sender.as_ref()?);
    let payer = follow_up::paying_wallet(model, &order.drafted.draft, sender)?;
    fill_payer(form, Some(payer), "", (pays.token, &sender.token));
    Some(order.display_time())
}

/// The payments to a contact that the service accepted, newest first.
pub(in crate::app::forms) fn payments_to<'a>(model: &'a Model, contact: &Contact) -> impl Iterator<Item = &'a Order> {
    model.journal.orders.iter().filter(|order| {
        let is_to = |to: &Text| is_same_address(to, &contact.address);
        let pays = order.drafted.draft.payment_details();
        pays.is_some_and(|pays| is_same_chain(pays.blockchain, &contact.blockchain))
            && orders::recipients_paid_by_order(model, order).into_iter().any(is_to)
    })
}

/// The wallet, else the text that finds it; and the token. The cursor goes to what is left to do.
fn fill_payer(form: &mut FormState, payer: Option<Wallet>, text: &str, (symbol, token): (&Text, &TokenKey)) {
    let Some(wallet) = payer else {
        form.apply_choice(FieldId::Wallet, text, Picked::TextOnly);
        form.apply_choice(FieldId::Token, symbol, Picked::TextOnly);
        form.move_focus_to(FieldId::Wallet);
        return;
    };
    form.apply_choice(FieldId::Wallet, &payer::wallet_name(&wallet), Picked::Wallet(Box::new(wallet)));
    form.apply_choice(FieldId::Token, symbol, Picked::Token(token.clone()));
    form.move_focus_to(FieldId::Amount);
}

/// Takes over a note without the number at its end, as of an invoice: the same number again would be the same invoice
/// paid twice. Returns whether a number was left out.
fn fill_note(form: &mut FormState, note: Option<&Text>) -> bool {
    let Some(note) = note.filter(|_| form.has_field(FieldId::Note)) else { return false };
    let note_text = without_trailing_number(note);
    form.apply_choice(FieldId::Note, note_text, Picked::TextOnly);
    note_text.len() < note.len()
}

/// A note without the number at its end.
pub(in crate::app::forms) fn without_trailing_number(note: &str) -> &str {
    note.trim_end_matches(|c: char| c.is_ascii_digit())
}
