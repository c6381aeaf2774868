//! A payment to an entry of the address book, or to an address that it does not have.

use std::collections::HashSet;

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::Picked;
use super::open::open_draft_or_new_form;
use super::pay_again;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::book;
use crate::domain::book::Contact;
use crate::domain::chain::is_same_chain;
use crate::domain::{Operation, Order, Text, address};

/// How many payments to a contact are offered to be made again.
const MAX_LAST_PAYMENTS: usize = 3;

/// Opens a payment to the selected entry of the address book.
pub(in crate::app) fn open_contact_payment(model: &mut Model) -> Vec<Effect> {
    let contact = book::selected_entry(model).map(|entry| entry.contact.clone());
    contact.map_or_else(Vec::new, |contact| open_payment_to(model, &contact))
}

/// Opens a payment to a contact: by version 1 where it has a tag and the profile uses that version, since no other
/// request carries a tag. Wallet and token are those of the newest payment to it, if there is one.
pub(in crate::app) fn open_payment_to(model: &mut Model, contact: &Contact) -> Vec<Effect> {
    let by_v1 = !model.console.preferences.v2 || (contact.tag.is_some() && model.console.preferences.v1);
    let operation = if by_v1 { Operation::Payment } else { Operation::Withdraw };
    // A draft for another recipient is not for this one.
    let is_to = |form_state: &FormState| {
        let wallet = form_state.selection.wallet.as_ref();
        let tag = contact.tag.as_ref().filter(|_| operation == Operation::Payment);
        wallet.is_none_or(|wallet| is_same_chain(&wallet.blockchain, &contact.blockchain))
            && address::is_same_address(form_state.value(FieldId::Recipient), &contact.address)
            && tag.is_none_or(|tag| form_state.value(FieldId::Memo) == tag.as_str())
    };
    let mut effects = open_draft_or_new_form(model, operation, is_to);
    let Mode::Form(mut form) = std::mem::take(&mut model.mode) else { return effects };
    if form.state.value(FieldId::Recipient).is_empty() {
        fill_in_contact(model, &mut form.state, contact);
        // After the queries made on opening: of two queries of a kind the last one counts.
        effects.extend(form.state.start_due_lookups(&mut model.forms.last_request_id));
    }
    model.mode = Mode::Form(form);
    effects
}

/// Opens a payment to an address. Wallet, chain and token are chosen by hand: nothing tells which are meant.
pub(in crate::app) fn open_payment_to_address(model: &mut Model, address: &Text) -> Vec<Effect> {
    let operation = if model.console.preferences.v2 { Operation::Withdraw } else { Operation::Payment };
    let is_to = |form_state: &FormState| address::is_same_address(form_state.value(FieldId::Recipient), address);
    let effects = open_draft_or_new_form(model, operation, is_to);
    if let Mode::Form(form) = &mut model.mode
        && form.state.value(FieldId::Recipient).is_empty()
    {
        form.state.apply_choice(FieldId::Recipient, address, Picked::TextOnly);
        form.state.record_initial_values();
    }
    effects
}

/// The newest payments to a contact alone that the service accepted, no two of the same amount, token and note.
pub(in crate::app) fn last_payments_to<'a>(model: &'a Model, contact: &Contact) -> Vec<&'a Order> {
    let mut distinct_payments = HashSet::new();
    let is_new = |order: &&Order| {
        let payment = order.drafted.draft.single_payment();
        payment.is_some_and(|payment| {
            distinct_payments.insert((payment.amount.clone(), payment.token.clone(), payment.note.clone()))
        })
    };
    pay_again::payments_to(model, contact).filter(is_new).take(MAX_LAST_PAYMENTS).collect()
}

fn fill_in_contact(model: &mut Model, form: &mut FormState, contact: &Contact) {
    if let Some(at) = pay_again::fill_last_payer(model, form, contact) {
        let at = model.console.zone.format_with_zone(at, "%Y-%m-%d at %H:%M");
        model.notice = Some(format!("wallet and token are those of the payment of {at}"));
    }
    let is_there =
        form.selection.wallet.as_ref().is_some_and(|wallet| is_same_chain(&wallet.blockchain, &contact.blockchain));
    if !is_there {
        // The chain in the wallet field finds the wallets that can pay there.
        *form = FormState::new(form.operation);
        form.apply_choice(FieldId::Wallet, &contact.blockchain, Picked::TextOnly);
    }
    form.apply_choice(FieldId::Recipient, &contact.address, Picked::TextOnly);
    if let Some(tag) = contact.tag.as_ref().filter(|_| form.operation == Operation::Payment) {
        form.apply_choice(FieldId::Memo, tag, Picked::TextOnly);
    }
    let first = if !is_there {
        FieldId::Wallet
    } else if form.selection.token.is_none() {
        FieldId::Token
    } else {
        FieldId::Amount
    };
    form.move_focus_to(first);
    form.record_initial_values();
}
