//! The follow-up to a test payment: same wallet, token and address; only the amount can be entered.
//!
//! A test payment invites address poisoning: an attacker who watches the chain sends dust from an address that looks
//! like the recipient's, so that it stands beside it in the history. The address is therefore copied from the order,
//! whose review showed it in full, and never taken from a list.

mod open;

use crate::domain::{OrderId, Withdrawal, chain};
use crate::guard::{Finding, Rule, Severity};
pub(super) use open::{FIXED_FIELD_ERROR, is_fixed_field, paying_wallet};
pub(in crate::app) use open::{open_follow_up, open_rest_for_recipient};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUp {
    pub earlier_order: OrderId,
    /// The earlier payment, as its request states it.
    pub earlier_payment: Withdrawal,
    /// Amount of the earlier payment, and when it was sent, in words.
    pub description: String,
}

impl FollowUp {
    /// The finding on a follow-up: a note, or a stop if payer, token, chain or address differ from the earlier order's.
    pub fn finding(&self, withdrawal: &Withdrawal) -> Finding {
        let is_same = withdrawal.to == self.earlier_payment.to
            && withdrawal.wallet == self.earlier_payment.wallet
            && withdrawal.token == self.earlier_payment.token
            && chain::is_same_chain(&withdrawal.blockchain, &self.earlier_payment.blockchain);
        let (severity, message) = if is_same {
            let message = format!(
                "This payment follows the order that paid {}: the address is copied from that order.",
                self.description
            );
            (Severity::Note, message)
        } else {
            let message = format!(
                "This payment was to follow the order that paid {}, but its payer, token or address differs from that order: \
                 the owner of the wallet may have changed since, for example. Pay from a new form.",
                self.description
            );
            (Severity::Stop, message)
        };
        let lines = vec![format!("order  {}", self.earlier_order)];
        Finding { rule: Rule::FirstPayment, severity, message, lines, override_phrase: None }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::forms::field::FieldId;
    use crate::app::forms::form_state::FormState;
    use crate::app::forms::lookups::Picked;
    use crate::app::forms::{Form, FormStage};
    use crate::app::forms::{close_form, tests::model};
    use crate::app::model::{Mode, Model};
    use crate::app::{Msg, update};
    use crate::domain::{Metadata, Operation, WalletId};

    fn sample_follow_up() -> FollowUp {
        let withdrawal = Withdrawal {
            wallet: WalletId::from_text("user-1"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            amount: "1".into(),
            to: "0x52908400098527886E0F7030069857D2E4169EE7".into(),
            ref_id: None,
            note: None,
            metadata: Metadata::default(),
        };
        FollowUp {
            earlier_order: OrderId(uuid::Uuid::from_u128(1)),
            earlier_payment: withdrawal,
            description: "1 USDC".into(),
        }
    }

    #[test]
    fn what_names_another_payer_than_its_order_is_stopped() {
        let follows = sample_follow_up();
        let rest = Withdrawal { amount: "24".into(), ..follows.earlier_payment.clone() };
        assert_eq!(follows.finding(&rest).severity, Severity::Note);
        let elsewhere = [
            Withdrawal { wallet: WalletId::from_text("user-2"), ..rest.clone() },
            Withdrawal { token: "USDT".into(), ..rest.clone() },
            Withdrawal { to: "0xde709f2102306220921060314715629080e2fb77".into(), ..rest },
        ];
        for withdrawal in elsewhere {
            assert_eq!(follows.finding(&withdrawal).severity, Severity::Stop, "{withdrawal:?}");
        }
    }

    /// The key that pays anybody opens a form that is bound to nobody.
    #[test]
    fn the_rest_of_a_payment_is_never_kept() {
        let bound = |model: &mut Model| {
            let mut form_state = FormState::new(Operation::Withdraw);
            form_state.apply_choice(FieldId::Recipient, "0x52908400098527886E0F7030069857D2E4169EE7", Picked::TextOnly);
            form_state.follow_up = Some(sample_follow_up());
            model.mode = Mode::Form(Box::new(Form { state: form_state, stage: FormStage::Editing, proposal: None }));
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
