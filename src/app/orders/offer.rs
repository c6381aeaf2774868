//! The actions that an operator can take on an order, and why not, where not.

use std::time::Duration;

use super::super::model::Model;
use super::{OrderAction, check_resend, may_change, other_service_of_order};
use crate::domain::Order;
use crate::domain::order::{IllegalOrderEvent, OrderEnd, OrderEvent, OrderState, SendReason};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionOffer {
    pub action: OrderAction,
    /// Why the action cannot be taken now, if so.
    pub refusal: Option<String>,
    /// A warning to show before the action; [`SendReason::Operator`] records whether it was shown.
    pub warning: Option<&'static str>,
}

/// How long an accepted order cannot be written off.
const WRITE_OFF_WAIT: Duration = Duration::from_hours(1);

/// The warning before resending with an old idempotency key.
const OLD_KEY_WARNING: &str = "The idempotency key is older than 12 hours. The service does not document how long it remembers keys: if resent, \
                       this payment may be made twice.";

/// The actions on an order, in the order of their keys; empty for most closed orders.
pub fn action_offers(model: &Model, order: &Order) -> Vec<ActionOffer> {
    let (now, state) = (model.now, order.state(model.now));
    let plain = |action| ActionOffer { action, refusal: None, warning: None };
    let refused_offer =
        |action, illegal: IllegalOrderEvent| ActionOffer { action, refusal: Some(illegal.to_string()), warning: None };
    let send_again = || match (may_change(model), check_resend(model, order)) {
        (Err(reason), _) => ActionOffer { action: OrderAction::SendAgain, refusal: Some(reason), warning: None },
        (_, Err(illegal)) => refused_offer(OrderAction::SendAgain, illegal),
        (Ok(()), Ok(())) => {
            let later = model.data.skew.later_clock(now);
            let old =
                order.check_send(SendReason::Operator { warned: false }, later) == Err(IllegalOrderEvent::KeyExpired);
            ActionOffer { warning: old.then_some(OLD_KEY_WARNING), ..plain(OrderAction::SendAgain) }
        }
    };
    let close = |action, end| match order.check_event(&OrderEvent::Ended(end), now) {
        Ok(()) => plain(action),
        Err(illegal) => refused_offer(action, illegal),
    };
    let check = || {
        let money = order.drafted.draft.operation().moves_money();
        let refusal = if money {
            other_service_of_order(model, order)
                .map(|destination| format!("the order went to {destination}, which this console does not watch"))
        } else {
            Some("only payments can be found in the history".to_owned())
        };
        ActionOffer { refusal, ..plain(OrderAction::CheckAgain) }
    };
    let write_off = || close(OrderAction::WriteOff, OrderEnd::WrittenOff("".into()));
    let mut offers = match state {
        // It goes on in its own list.
        OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent if order.awaits_approval(now) => {
            vec![close(OrderAction::Abandon, OrderEnd::Abandoned(None))]
        }
        OrderState::Drafted => vec![close(OrderAction::Abandon, OrderEnd::Abandoned(None))],
        OrderState::Confirmed | OrderState::NotSent => {
            vec![send_again(), close(OrderAction::Abandon, OrderEnd::Abandoned(None))]
        }
        OrderState::Unknown | OrderState::ProbablyRefused => vec![check(), send_again(), write_off()],
        OrderState::Sending => vec![send_again(), write_off()],
        OrderState::Accepted if order.drafted.draft.operation().moves_money() => {
            let (at, offer) = (order.attempts.last().map(|attempt| attempt.stamp.at), write_off());
            // A reopened order was tracked long enough: an operator has to act.
            let watched = !order.is_reopened() && at.is_some_and(|at| at.age(now) < WRITE_OFF_WAIT);
            let refusal_of_approval = || {
                Some(
                    "the order was accepted and is being tracked; if it stays open, it can be written off later"
                        .to_owned(),
                )
            };
            let refusal = if watched { offer.refusal.or_else(refusal_of_approval) } else { offer.refusal };
            vec![check(), ActionOffer { refusal, ..offer }]
        }
        OrderState::Settled | OrderState::PartlySettled if order.drafted.draft.payment_details().is_some() => {
            let refusal = may_change(model).err().or_else(|| {
                other_service_of_order(model, order)
                    .map(|destination| format!("the order went to {destination}, which this console does not watch"))
            });
            vec![ActionOffer { refusal, ..plain(OrderAction::SendRest) }]
        }
        OrderState::Accepted
        | OrderState::Refused
        | OrderState::Settled
        | OrderState::PartlySettled
        | OrderState::Failed
        | OrderState::Abandoned
        | OrderState::WrittenOff => Vec::new(),
    };
    if model.console.read_only.is_some() {
        // This refusal overrides any other.
        for offer in &mut offers {
            (offer.refusal, offer.warning) = (Some("this console is read-only".to_owned()), None);
        }
    }
    offers
}
