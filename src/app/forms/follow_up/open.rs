//! Follow-up payments opened from their orders.

use super::FollowUp;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::Picked;
use crate::app::forms::open::{check_can_open, show_form};
use crate::app::forms::payer;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::orders::{find_order, group_typed_amount};
use crate::app::overlays::menu::{self, MenuItem, MenuKind};
use crate::domain::address::{self, is_same_address};
use crate::domain::draft::V1Payment;
use crate::domain::{Batch, Draft, Operation, Order, OrderId, Sender, Wallet, WalletId, Withdrawal, chain};

/// Whether a field of a follow-up is fixed by the earlier order.
pub(in crate::app::forms) fn is_fixed_field(form: &FormState, slot: FieldId) -> bool {
    form.follow_up.is_some() && matches!(slot, FieldId::Wallet | FieldId::Token | FieldId::Recipient | FieldId::Memo)
}

/// The error on typing into a fixed field.
pub(in crate::app::forms) const FIXED_FIELD_ERROR: &str =
    "this follows another payment, and only the amount can be changed; to pay somebody else, press Esc, then w";

/// Opens the rest of an order that paid one recipient, or asks for the recipient of a batch.
pub(in crate::app) fn open_follow_up(model: &mut Model, id: OrderId) -> Vec<Effect> {
    let Some(order) = find_order(model, id) else { return Vec::new() };
    if let Draft::Batch(batch) = &order.drafted.draft {
        let choices = paid_recipient_items(model, order, batch);
        return match choices.as_slice() {
            [] => {
                model.notice = Some("no recipient of this batch is known to be paid".into());
                Vec::new()
            }
            [only] => open_rest_for_recipient(model, id, &only.payload.clone()),
            _ => {
                let message = "the rest for which recipient? From the same wallet, to the address of this batch";
                menu::open_menu(model, MenuKind::Rest(id), Some(message.to_owned()), choices);
                Vec::new()
            }
        };
    }
    let Some(payment) = order.drafted.draft.single_payment().cloned() else { return Vec::new() };
    open_rest_payment(model, id, payment)
}

/// Opens the rest for the recipient of a batch with this address.
pub(in crate::app) fn open_rest_for_recipient(model: &mut Model, id: OrderId, address: &str) -> Vec<Effect> {
    let order = find_order(model, id);
    let Some(Draft::Batch(batch)) = order.map(|order| &order.drafted.draft) else { return Vec::new() };
    let Some(payment) =
        batch.to.iter().find(|to| to.address.as_str() == address).map(|to| batch.withdrawal_to_recipient(to))
    else {
        return Vec::new();
    };
    open_rest_payment(model, id, payment)
}

/// The recipients of a batch that were paid, each once, with their names and whole addresses.
fn paid_recipient_items(model: &Model, order: &Order, batch: &Batch) -> Vec<MenuItem> {
    let mut items: Vec<MenuItem> = Vec::new();
    for to in orders::recipients_paid_by_order(model, order) {
        if items.iter().any(|item| item.payload == to.as_str()) {
            continue;
        }
        let label = batch.to.iter().find(|row| row.address == *to).and_then(|row| row.label.as_ref());
        let name = model.party_name(to, &batch.blockchain).or(label);
        let name = name.map_or_else(|| address::shorten_address(to), ToString::to_string);
        items.push(MenuItem { name, payload: to.to_string(), is_checked: false, is_dim: false });
    }
    items
}

fn open_rest_payment(model: &mut Model, id: OrderId, payment: Withdrawal) -> Vec<Effect> {
    if let Err(reason) = check_can_open(model) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let Some(order) = find_order(model, id).cloned() else { return Vec::new() };
    let Some(form) = follow_up_form(model, &order, payment) else {
        model.notice = Some("the paying wallet is not listed here; select it on page 1, then pay with w or m".into());
        return Vec::new();
    };
    let is_used =
        if form.operation == Operation::Payment { model.console.preferences.v1 } else { model.console.preferences.v2 };
    if !is_used {
        model.notice = Some("the payment used a version that the profile no longer uses; pay with w".into());
        return Vec::new();
    }
    show_form(model, form)
}

fn follow_up_form(model: &Model, order: &Order, payment: Withdrawal) -> Option<FormState> {
    let draft = &order.drafted.draft;
    let sender = order.drafted.sender.as_ref()?;
    let operation = if draft.operation() == Operation::Batch { Operation::Withdraw } else { draft.operation() };
    let mut form = FormState::new(operation);
    let wallet = paying_wallet(model, draft, sender)?;
    form.apply_choice(FieldId::Wallet, &payer::wallet_name(&wallet), Picked::Wallet(Box::new(wallet)));
    form.apply_choice(FieldId::Token, &payment.token, Picked::Token(sender.token.clone()));
    form.apply_choice(FieldId::Recipient, &payment.to, Picked::TextOnly);
    if let Draft::Payment(V1Payment { fee, memo, .. }) = draft {
        for (slot, value) in [(FieldId::Memo, memo), (FieldId::Fee, fee)] {
            form.apply_choice(slot, value.as_deref().unwrap_or_default(), Picked::TextOnly);
        }
    }
    if let Some(note) = &payment.note {
        form.apply_choice(FieldId::Note, note, Picked::TextOnly);
    }
    let last_sent = order
        .first_sent_at()
        .map_or_else(String::new, |at| model.console.zone.format_with_zone(at, " on %Y-%m-%d at %H:%M"));
    let description = format!("{} {}{last_sent}", group_typed_amount(&payment.amount), payment.token);
    form.follow_up = Some(FollowUp { earlier_order: order.id, earlier_payment: payment, description });
    form.move_focus_to(FieldId::Amount);
    Some(form)
}

/// The wallet that a draft pays from, as far as it is known.
pub(in crate::app::forms) fn paying_wallet(model: &Model, draft: &Draft, sender: &Sender) -> Option<Wallet> {
    let pays = draft.payment_details()?;
    let mut wallets = model.pages.overview.wallets.rows().iter().map(|sourced| &sourced.entry);
    // A version 1 request names the sub-wallet that pays; the wallet itself is recognised by its address.
    if draft.operation() == Operation::Payment {
        let address = sender.address.as_ref()?;
        let is_its = |wallet: &&Wallet| {
            wallet.address.as_ref().is_some_and(|wallet_address| is_same_address(wallet_address, address))
                && chain::is_same_chain(&wallet.blockchain, pays.blockchain)
        };
        return wallets.find(is_its).cloned();
    }
    Some(find_wallet(wallets, pays.wallet).unwrap_or_else(|| Wallet {
        name: sender.name.clone(),
        address: sender.address.clone(),
        user: sender.user.clone(),
        account: sender.account.clone(),
        ..Wallet::new(pays.wallet.clone(), pays.blockchain.clone())
    }))
}

fn find_wallet<'a>(mut wallets: impl Iterator<Item = &'a Wallet>, id: &WalletId) -> Option<Wallet> {
    wallets.find(|wallet| wallet.id == *id).cloned()
}
