//! Orders that need a person.

use std::time::Duration;

use super::alarms::alarm_messages;
use super::proposal_text::refusal_statement;
use super::state::state_label;
use super::{order_subject, recipients_text};
use crate::app::data::proposals::refusal_message;
use crate::app::pages::orders::ALARM_DURATION;
use crate::domain::address_names::AddressFormatter;
use crate::domain::approval::SignedStatement;
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget};
use crate::domain::order::OrderState;
use crate::domain::{Draft, Order, Timestamp};

/// How long a refusal needs somebody.
const REFUSAL_NEWS: Duration = Duration::from_hours(7 * 24);

/// The items that orders raise: outcomes that nobody knows, contradictions, confirmed orders that were not sent, and refused ones.
pub fn order_items(orders: &[Order], parties: &AddressFormatter<'_>, now: Timestamp) -> Vec<AttentionItem> {
    let mut items = Vec::new();
    for order in orders {
        let (id, target) = (order.id.to_string(), || AttentionTarget::Order(order.id));
        let since = order.attempts.last().map_or(order.created.at, |attempt| attempt.stamp.at);
        let alarms = alarm_messages(order, now);
        // What other people are to approve waits for them.
        let is_waiting =
            matches!(order.state(now), OrderState::Confirmed | OrderState::NotSent) && !order.awaits_approval(now);
        if order.is_unresolved(now) || is_waiting {
            let (kind, status_text) = match &order.approval {
                _ if !is_waiting => (AttentionKind::UnresolvedOrder, state_label(order, now)),
                Some(_) => (AttentionKind::ExpiredProposal, "its proposal has expired"),
                None => (AttentionKind::UnsentOrder, state_label(order, now)),
            };
            let subject = format!("{}: {status_text}", order_title(order, parties));
            items.push(AttentionItem::new(kind, &id, since, subject, target()));
        }
        if let Some((refusal, at)) = recent_refusal(order, now) {
            let status_text = refusal_message(&refusal.principal, refusal.reason.as_ref());
            let subject = format!("{}: {status_text}", order_title(order, parties));
            items.push(AttentionItem::new(AttentionKind::RefusedProposal, &id, at, subject, target()));
        }
        if let Some(alarm) = alarms.last().filter(|_| order.is_open(now) || has_recent_alarm(order, now)) {
            // A further alarm is another occurrence.
            let mark = format!("{id} {}", alarms.len());
            let noticed = order.lookups.last().map_or(since, |(at, _)| (*at).max(since));
            let subject = format!("{}: {}", order_title(order, parties), alarm.trim_start_matches("Alarm: "));
            items.push(AttentionItem::new(AttentionKind::ContradictedOrder, &mark, noticed, subject, target()));
        }
    }
    items
}

/// A refusal that its maker may not know of yet. Whoever withdraws the own proposal knows it.
fn recent_refusal(order: &Order, now: Timestamp) -> Option<(&SignedStatement, Timestamp)> {
    let refusal = refusal_statement(order)?;
    let ended_at = order.end.as_ref()?.0.at;
    let maker = order.approval.as_ref()?.statements.first().map(|(_, proposed)| &proposed.principal);
    (maker != Some(&refusal.principal) && ended_at.age(now) < REFUSAL_NEWS).then_some((refusal, ended_at))
}

/// Whether an order has an alarm that is still news: an unexpected cost of a settled payment is news for a limited time.
pub fn has_recent_alarm(order: &Order, now: Timestamp) -> bool {
    let alarms = alarm_messages(order, now).len();
    alarms > 0 && (order.display_time().age(now) < ALARM_DURATION || alarms > order.cost_alarms().len())
}

/// What an order is, in words: such as `withdrawal of 25 USDC to 0x52…9EE7`.
pub fn order_title(order: &Order, parties: &AddressFormatter<'_>) -> String {
    let draft = &order.drafted.draft;
    let amount = || order.drafted.sender.as_ref().map_or_else(|| "—".into(), |sender| sender.amount.format_grouped());
    match draft.single_payment() {
        Some(payment) => {
            format!(
                "withdrawal of {} {} to {}",
                amount(),
                payment.token,
                parties.format(&payment.to, &payment.blockchain)
            )
        }
        None => {
            if let Draft::Batch(batch) = draft {
                format!("batch of {} {} to {}", amount(), batch.token, recipients_text(batch, parties))
            } else {
                format!("{} {}", draft.operation().title().to_lowercase(), order_subject(draft, parties))
            }
        }
    }
}
