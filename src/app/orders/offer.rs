//! The actions that an operator can take on an order, and why not, where not.

use std::time::Duration;

use super::super::model::Model;
use super::{OrderCommand, check_resend, may_change, other_service_of_order};
use crate::domain::Order;
use crate::domain::order::{IllegalOrderEvent, OrderEnd, OrderEvent, OrderState, SendReason};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOffer {
    pub command: OrderCommand,
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
pub fn command_offers(model: &Model, order: &Order) -> Vec<CommandOffer> {
    let (now, state) = (model.now, order.state(model.now));
    let plain = |command| CommandOffer { command, refusal: None, warning: None };
    let refused_offer = |command, illegal: IllegalOrderEvent| CommandOffer {
        command,
        refusal: Some(illegal.to_string()),
        warning: None,
    };
    let send_again = || match (may_change(model), check_resend(model, order)) {
        (Err(reason), _) => CommandOffer { command: OrderCommand::SendAgain, refusal: Some(reason), warning: None },
        (_, Err(illegal)) => refused_offer(OrderCommand::SendAgain, illegal),
        (Ok(()), Ok(())) => {
            let later = model.data.skew.later_clock(now);
            let old =
                order.check_send(SendReason::Operator { warned: false }, later) == Err(IllegalOrderEvent::KeyExpired);
            CommandOffer { warning: old.then_some(OLD_KEY_WARNING), ..plain(OrderCommand::SendAgain) }
        }
    };
    let close = |command, end| match order.check_event(&OrderEvent::Ended(end), now) {
        Ok(()) => plain(command),
        Err(illegal) => refused_offer(command, illegal),
    };
    let check = || {
        let money = order.drafted.draft.operation().moves_money();
        let refusal = if money {
            other_service_of_order(model, order)
                .map(|destination| format!("the order went to {destination}, which this console does not watch"))
        } else {
            Some("only payments can be found in the history".to_owned())
        };
        CommandOffer { refusal, ..plain(OrderCommand::CheckAgain) }
    };
    let write_off = || close(OrderCommand::WriteOff, OrderEnd::WrittenOff("".into()));
    let mut offers = match state {
        // It goes on in its own list.
        OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent if order.awaits_approval(now) => {
            vec![close(OrderCommand::Abandon, OrderEnd::Abandoned(None))]
        }
        OrderState::Drafted => vec![close(OrderCommand::Abandon, OrderEnd::Abandoned(None))],
        OrderState::Confirmed | OrderState::NotSent => {
            vec![send_again(), close(OrderCommand::Abandon, OrderEnd::Abandoned(None))]
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
            vec![check(), CommandOffer { refusal, ..offer }]
        }
        OrderState::Settled | OrderState::PartlySettled if order.drafted.draft.payment_details().is_some() => {
            let refusal = may_change(model).err().or_else(|| {
                other_service_of_order(model, order)
                    .map(|destination| format!("the order went to {destination}, which this console does not watch"))
            });
            vec![CommandOffer { refusal, ..plain(OrderCommand::SendRest) }]
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
