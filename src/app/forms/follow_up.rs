//! The follow-up to a test payment: same wallet, token and address; only the amount can be entered.
//!
//! A test payment invites address poisoning: an attacker who watches the chain sends dust from an address that looks
//! like the recipient's, so that it stands beside it in the history. The address is therefore copied from the order,
//! whose review showed it in full, and never taken from a list.

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::Picked;
use super::{Form, FormStage, open::check_can_open};
use crate::app::data::queries;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::orders::find_order;
use crate::domain::address::is_same_address;
use crate::domain::draft::V1Payment;
use crate::domain::{Draft, Operation, Order, OrderId, Wallet, WalletId, Withdrawal, chain};
use crate::guard::{Finding, Rule, Severity};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUp {
    pub earlier_order: OrderId,
    /// The earlier payment, as its request states it.
    pub earlier_payment: Withdrawal,
    /// Amount of the earlier payment, and when it was sent, in words.
    pub words: String,
}

impl FollowUp {
    /// The finding on a follow-up: a note, or a stop if payer, token, chain or address differ from the earlier order's.
    pub fn finding(&self, says: &Withdrawal) -> Finding {
        let is_same = says.to == self.earlier_payment.to
            && says.wallet == self.earlier_payment.wallet
            && says.token == self.earlier_payment.token
            && chain::is_same_chain(&says.blockchain, &self.earlier_payment.blockchain);
        let (severity, words) = if is_same {
            let words = format!(
                "This payment follows the order that paid {}: the address is copied from that order.",
                self.words
            );
            (Severity::Note, words)
        } else {
            let words = format!(
                "This payment was to follow the order that paid {}, but its payer, token or address differs from that order: \
                 the owner of the wallet may have changed since, for example. Pay from a new form.",
                self.words
            );
            (Severity::Stop, words)
        };
        let lines = vec![format!("order  {}", self.earlier_order)];
        Finding { rule: Rule::FirstPayment, severity, words, lines, override_phrase: None }
    }
}

/// Whether a field of a follow-up is fixed by the earlier order.
pub(super) fn is_fixed_field(sheet: &FormState, slot: FieldId) -> bool {
    sheet.follow_up.is_some() && matches!(slot, FieldId::Wallet | FieldId::Token | FieldId::Recipient | FieldId::Memo)
}

/// The error on typing into a fixed field.
pub(super) const FIXED_FIELD_ERROR: &str =
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
            id: paid.wallet.clone(),
            name: sender.name.clone(),
            address: sender.address.clone(),
            blockchain: paid.blockchain.clone(),
            network: None,
            state: None,
            gasless_withdraw: None,
            auto_sweep: None,
            user: sender.user.clone(),
            account: sender.account.clone(),
            ref_id: None,
            created_at: None,
        })
    };
    sheet.apply_choice(FieldId::Wallet, &super::withdraw::wallet_name(&wallet), Picked::Wallet(Box::new(wallet)));
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

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::forms::{close_form, tests::model};
    use crate::app::{Msg, update};

    fn sample_follow_up() -> FollowUp {
        let paid = Withdrawal {
            wallet: WalletId::read("user-1"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            amount: "1".into(),
            to: "0x52908400098527886E0F7030069857D2E4169EE7".into(),
            ref_id: None,
            note: None,
        };
        FollowUp { earlier_order: OrderId(uuid::Uuid::from_u128(1)), earlier_payment: paid, words: "1 USDC".into() }
    }

    #[test]
    fn what_names_another_payer_than_its_order_is_stopped() {
        let follows = sample_follow_up();
        let rest = Withdrawal { amount: "24".into(), ..follows.earlier_payment.clone() };
        assert_eq!(follows.finding(&rest).severity, Severity::Note);
        let elsewhere = [
            Withdrawal { wallet: WalletId::read("user-2"), ..rest.clone() },
            Withdrawal { token: "USDT".into(), ..rest.clone() },
            Withdrawal { to: "0xde709f2102306220921060314715629080e2fb77".into(), ..rest },
        ];
        for says in elsewhere {
            assert_eq!(follows.finding(&says).severity, Severity::Stop, "{says:?}");
        }
    }

    /// The key that pays anybody opens a form that is bound to nobody.
    #[test]
    fn the_rest_of_a_payment_is_never_kept() {
        let bound = |model: &mut Model| {
            let mut sheet = FormState::new(Operation::Withdraw);
            sheet.apply_choice(FieldId::Recipient, "0x52908400098527886E0F7030069857D2E4169EE7", Picked::TextOnly);
            sheet.follow_up = Some(sample_follow_up());
            model.mode = Mode::Form(Box::new(Form { state: sheet, stage: FormStage::Editing }));
        };
        let mut model = model();
        bound(&mut model);
        update(&mut model, Msg::Key(KeyCode::Esc.into()));
        assert!(model.forms.drafts.is_empty());
        bound(&mut model);
        close_form(&mut model);
        assert!(model.forms.drafts.is_empty());
        update(&mut model, Msg::Key(KeyCode::Char('w').into()));
        let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
        assert!(form.state.follow_up.is_none() && form.state.is_empty());
    }
}
