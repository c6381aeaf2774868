//! Follow-up payments opened from their orders.

use super::FollowUp;
use crate::app::data::queries;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::Picked;
use crate::app::forms::open::check_can_open;
use crate::app::forms::withdraw;
use crate::app::forms::{Form, FormStage};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::orders::find_order;
use crate::domain::address::is_same_address;
use crate::domain::draft::V1Payment;
use crate::domain::{Draft, Operation, Order, OrderId, Wallet, WalletId, chain};

/// Whether a field of a follow-up is fixed by the earlier order.
pub(in crate::app::forms) fn is_fixed_field(sheet: &FormState, slot: FieldId) -> bool {
    sheet.follow_up.is_some() && matches!(slot, FieldId::Wallet | FieldId::Token | FieldId::Recipient | FieldId::Memo)
}

/// The error on typing into a fixed field.
pub(in crate::app::forms) const FIXED_FIELD_ERROR: &str =
    "this follows another payment, and only the amount can be changed; to pay somebody else, press Esc, then w";

pub(in crate::app) fn open_follow_up(model: &mut Model, id: OrderId) -> Vec<Effect> {
    if let Err(why) = check_can_open(model) {
        model.notice = Some(why);
        return Vec::new();
    }
    let Some(order) = find_order(model, id).cloned() else { return Vec::new() };
    let Some(sheet) = follow_up_form(model, &order) else {
        model.notice = Some("the paying wallet is not listed here; select it on page 1, then pay with w or m".into());
        return Vec::new();
    };
    let is_used = if sheet.operation == Operation::Payment { model.v1 } else { model.v2 };
    if !is_used {
        model.notice = Some("the payment used a version that the profile no longer uses; pay with w".into());
        return Vec::new();
    }
    let mut sheet = sheet;
    let mut effects = sheet.start_due_lookups(&mut model.forms.last_request_id);
    if !model.tokens.is_loaded() {
        effects.push(queries::query_tokens(model));
    }
    model.mode = Mode::Form(Box::new(Form { state: sheet, stage: FormStage::Editing }));
    effects
}

fn follow_up_form(model: &Model, order: &Order) -> Option<FormState> {
    let draft = &order.drafted.draft;
    let (paid, sender) = (draft.single_payment()?.clone(), order.drafted.sender.as_ref()?);
    let mut sheet = FormState::new(draft.operation());
    let listed = model.wallets.rows().iter().map(|known| &known.entry);
    // A version 1 request names the sub-wallet that pays; the wallet itself is recognised by its address.
    let wallet = if draft.operation() == Operation::Payment {
        let address = sender.address.as_ref()?;
        let is_its = |wallet: &&Wallet| {
            wallet.address.as_ref().is_some_and(|its| is_same_address(its, address))
                && chain::is_same_chain(&wallet.blockchain, &paid.blockchain)
        };
        listed.into_iter().find(is_its)?.clone()
    } else {
        find_wallet(listed, &paid.wallet).unwrap_or_else(|| Wallet {
            name: sender.name.clone(),
            address: sender.address.clone(),
            user: sender.user.clone(),
            account: sender.account.clone(),
            ..Wallet::new(paid.wallet.clone(), paid.blockchain.clone())
        })
    };
    sheet.apply_choice(FieldId::Wallet, &withdraw::wallet_name(&wallet), Picked::Wallet(Box::new(wallet)));
    sheet.apply_choice(FieldId::Token, &paid.token, Picked::Token(sender.token.clone()));
    sheet.apply_choice(FieldId::Recipient, &paid.to, Picked::TextOnly);
    if let Draft::Payment(V1Payment { fee, memo, .. }) = draft {
        for (slot, value) in [(FieldId::Memo, memo), (FieldId::Fee, fee)] {
            sheet.apply_choice(slot, value.as_deref().unwrap_or_default(), Picked::TextOnly);
        }
    }
    let sent =
        order.first_sent().map_or_else(String::new, |at| model.zone.format_with_zone(at, " on %Y-%m-%d at %H:%M"));
    let words = format!("{} {}{sent}", sender.amount.format_grouped(), paid.token);
    sheet.follow_up = Some(FollowUp { earlier_order: order.id, earlier_payment: paid, words });
    sheet.move_focus_to(FieldId::Amount);
    Some(sheet)
}

fn find_wallet<'a>(mut listed: impl Iterator<Item = &'a Wallet>, id: &WalletId) -> Option<Wallet> {
    listed.find(|wallet| wallet.id == *id).cloned()
}
