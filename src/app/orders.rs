//! Sending orders and describing them. Pure: effects name orders by id, and the runtime sends them.
//!
//! By itself the console resends a payment at most twice, within five minutes, and only if this run of the program sent
//! it before: after a restart it reads and never sends. Everything else is the operator's decision.

mod alarms;
mod attention_items;
mod closing_text;
mod command;
mod find;
mod labelled_value;
mod offer;
mod proposal_text;
mod recipients;
mod send_tracker;
mod state;
mod status_text;
mod subject;

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::data::connection::ConnectionState;
use super::data::environment;
use super::data::poll::PollStates;
use super::data::remote::PollState;
use super::model::{Model, ProfileIdentity};
use super::msg::Effect;
use super::session::{lock, veil};
use crate::domain::order::{Confirmation, IllegalOrderEvent, OrderState, SendReason, ServiceDestination};
use crate::domain::{Failure, FailureReason, Order, OrderId, Text, Timestamp};
use crate::orders::lookup::needs_lookup;
use crate::orders::resend::{self, automatic_resend_at};

pub use alarms::alarm_messages;
pub use attention_items::{has_recent_alarm, order_items, order_title};
pub use command::OrderCommand;
pub(super) use find::may_be_hidden;
pub use find::{abandoned_count, explorer_url, find_order, unresolved_count};
pub use labelled_value::{draft_values, new_user_name, user_name, wallet_name};
pub use offer::{CommandOffer, command_offers};
pub use proposal_text::{approval_count, approval_message, refusal_statement, signer_and_reason, statement_events};
pub use recipients::order_of_transaction;
pub(super) use recipients::recipients_paid_by_order;
pub use send_tracker::SendTracker;
pub use state::{AttentionLevel, attention_level, state_label, state_text};
pub use status_text::{V1_WARNING, closed_message, refusal_message, status_messages};
pub use subject::{group_typed_amount, order_subject, recipients_text};

/// The number of closed orders read beside the open ones.
pub const MAX_CLOSED_ORDERS: usize = 200;

/// The shortest interval between reads of the history for open orders, by the age of the last sending (up to,
/// interval).
const SLOW_LOOKUP_INTERVALS: [(Duration, Duration); 2] =
    [(Duration::from_hours(1), Duration::from_secs(30)), (Duration::MAX, Duration::from_mins(5))];
/// Up to this age of the last sending, the history is read at the profile's polling interval.
const FAST_LOOKUP_AGE: Duration = Duration::from_mins(1);

/// Whether a new change may be sent now; the error says why not. Orders confirmed before values were masked or paying
/// was locked go on: see `may_go_on`.
pub fn may_change(model: &Model) -> Result<(), String> {
    if model.session.veil.is_on() {
        return Err(veil::VEILED_MESSAGE.to_owned());
    }
    if model.session.lock.locked_since().is_some() {
        return Err(lock::LOCKED_MESSAGE.to_owned());
    }
    may_send_confirmed(model)
}

/// Whether a confirmed order may still be sent now; the error says why not.
fn may_send_confirmed(model: &Model) -> Result<(), String> {
    if let Some(alarm) = environment::network_alarm(model) {
        return Err(alarm);
    }
    // A key that reads have just shown to be rejected signs no change, unless changes have a key of their own.
    if model.data.connection == ConnectionState::KeyRejected && !model.console.has_separate_keys {
        return Err("the service rejects the API key, so nothing is sent with it. Correct the key, then press r".into());
    }
    match &model.send_tracker.stop_reason {
        None => Ok(()),
        Some(reason) => Err(format!("changes have stopped: {reason}. Correct the key, then press r")),
    }
}

/// Sends or resends an order: the only way to do so. An order that the veil or the lock holds back is not counted as
/// sent.
pub fn send_order(
    model: &mut Model,
    id: OrderId,
    reason: SendReason,
    confirmation: Option<Confirmation>,
) -> Vec<Effect> {
    let allowed = if reason == SendReason::Retry { may_send_confirmed(model) } else { may_change(model) };
    if let Err(refusal) = allowed {
        model.notice = Some(refusal);
        return Vec::new();
    }
    let own_send = model.send_tracker.sent_by_this_run.entry(id).or_default();
    if own_send.under_way {
        return Vec::new();
    }
    own_send.under_way = true;
    own_send.attempts += 1;
    vec![Effect::Send { order_id: id, reason, confirmation }]
}

/// Whether the service rejected the key of a change, so that nothing is sent until the operator resumes.
pub fn are_changes_stopped(model: &Model) -> bool {
    model.send_tracker.stop_reason.is_some()
}

pub fn is_awaiting_answer(model: &Model, order_id: OrderId) -> bool {
    model.send_tracker.sent_by_this_run.get(&order_id).is_some_and(|own_send| own_send.under_way)
}

pub fn awaited_orders(model: &Model) -> impl Iterator<Item = OrderId> {
    model.send_tracker.sent_by_this_run.iter().filter(|(_, own_send)| own_send.under_way).map(|(id, _)| *id)
}

/// Whether this run awaits any answer: quitting now would leave an order unknown.
pub fn is_awaiting_any_answer(model: &Model) -> bool {
    model.send_tracker.sent_by_this_run.values().any(|own_send| own_send.under_way)
}

/// The operator corrected what stopped changes, and asks for everything again.
pub fn resume_sending(model: &mut Model) {
    model.send_tracker.stop_reason = None;
}

pub(super) fn apply_journal(model: &mut Model, orders: Result<Vec<Order>, Failure>) {
    match orders {
        Ok(mut orders) => {
            let now = model.now;
            orders.sort_by_key(|order| urgency_rank(order, now));
            let was_looked_for =
                |id: OrderId| model.journal.orders.iter().any(|order| order.id == id && is_looked_up(model, order));
            if orders.iter().any(|order| is_looked_up(model, order) && !was_looked_for(order.id)) {
                model.data.remotes.orders.request_unless_failing();
            }
            model.journal.orders = orders;
            model.journal.orders_failure = None;
        }
        Err(failure) => model.journal.orders_failure = Some(failure),
    }
}

/// Takes the result of sending an order; the journal was read just before.
pub(super) fn track_send_result(model: &mut Model, order_id: OrderId, result: &Result<OrderState, Failure>) {
    let own_send = model.send_tracker.sent_by_this_run.entry(order_id).or_default();
    own_send.under_way = false;
    let Ok(state) = result else {
        // Whatever kept the order from being sent, the operator must act. The answer to an earlier attempt says nothing
        // about the current key.
        own_send.has_stopped_resending = true;
        return;
    };
    if matches!(state, OrderState::Unknown | OrderState::ProbablyRefused | OrderState::Accepted) {
        model.data.remotes.orders.request_now();
    }
    if *state == OrderState::Accepted {
        // The payment changes the history and the balances.
        model.data.remotes.latest.request_unless_failing();
    }
    let answer = model
        .journal
        .orders
        .iter()
        .find(|order| order.id == order_id)
        .and_then(|order| order.attempts.last()?.answer.as_ref());
    if let Some((_, answer)) = answer
        && let Some(status @ (401 | 403)) = answer.status
    {
        model.send_tracker.stop_reason =
            Some(Text::clean(&format!("the service answered {status} to a change ({})", answer.message)));
    }
}

/// A confirmed order was not sent after all; it may be confirmed again.
pub(super) fn apply_not_sent(model: &mut Model, order_id: OrderId) {
    let own_send = model.send_tracker.sent_by_this_run.entry(order_id).or_default();
    own_send.under_way = false;
    own_send.attempts = own_send.attempts.saturating_sub(1);
}

/// The rank of an order in the list: unresolved orders first, then open ones, then the others.
pub fn urgency_rank(order: &Order, now: Timestamp) -> u8 {
    if order.is_unresolved(now) {
        0
    } else if order.is_open(now) {
        1
    } else {
        2
    }
}

/// Where an order was sent, if that does not concern this console: another service than the one polled, or another
/// network of it under another key. The profile was changed since; the order is neither looked up nor sent here.
fn other_service_of_order(model: &Model, order: &Order) -> Option<String> {
    let ProfileIdentity { profile, environment, base_url, .. } = &model.console.identity;
    let own_destination = ServiceDestination {
        profile: profile.clone(),
        environment: *environment,
        base_url: base_url.clone(),
        key_mark: model.console.key_mark.clone(),
    };
    let destination = &order.drafted.destination;
    if model.journal.addresses.may_share_workspace(destination, &own_destination) {
        return None;
    }
    let network = destination.environment.filter(|_| destination.base_url == own_destination.base_url);
    Some(match network {
        Some(network) => format!("{} for {network} under another API key", destination.base_url),
        None => destination.base_url.to_string(),
    })
}

/// Whether an order was created for another base address. It may be looked up here if that leads to the same service,
/// and is never sent from here.
fn was_created_for_other_url(model: &Model, order: &Order) -> bool {
    order.drafted.destination.base_url != model.console.identity.base_url
}

/// Whether the history is to be read for an order: not while this run itself waits for the answer to its only attempt.
fn is_looked_up(model: &Model, order: &Order) -> bool {
    let is_first_attempt = order.state(model.now) == OrderState::Sending && order.attempts.len() <= 1;
    needs_lookup(order, model.now) && !(is_first_attempt && is_awaiting_answer(model, order.id))
}

pub(super) fn has_tracked_orders(model: &Model) -> bool {
    // A match is recorded in the journal, which a read-only console does not do.
    model.console.read_only.is_none()
        && model
            .journal
            .orders
            .iter()
            .any(|order| is_looked_up(model, order) && other_service_of_order(model, order).is_none())
}

/// The interval between reads of the history for open orders: that of the order sent last.
pub(super) fn lookup_interval(model: &Model) -> Duration {
    let looked_for = model.journal.orders.iter().filter(|order| is_looked_up(model, order));
    let last_sent = looked_for.filter_map(|order| order.attempts.last()).map(|attempt| attempt.stamp.at).max();
    let age = last_sent.map_or(Duration::MAX, |at| at.age(model.now));
    if age < FAST_LOOKUP_AGE {
        return model.console.preferences.poll_period;
    }
    let slower = SLOW_LOOKUP_INTERVALS
        .iter()
        .find(|(up_to, _)| age < *up_to)
        .map_or(SLOW_LOOKUP_INTERVALS[1].1, |(_, pause)| *pause);
    slower.max(model.console.preferences.poll_period)
}

/// Whether the service refuses reads of the history: then nothing can cancel a resend that is due.
fn are_reads_refused(model: &Model) -> bool {
    let PollStates { latest, backfill, orders, .. } = &model.data.remotes;
    let is_refused = |remote: &PollState| {
        let failure = remote.failure.as_ref().map(|(failure, _)| failure);
        failure.is_some_and(|failure| matches!(failure.reason, FailureReason::KeyRejected | FailureReason::Forbidden))
    };
    model.data.connection == ConnectionState::KeyRejected || [latest, backfill, orders].into_iter().any(is_refused)
}

/// When an order is due to be resent automatically by this console, if it is.
fn resend_due_at(model: &Model, order: &Order) -> Option<Timestamp> {
    let own_send = model.send_tracker.sent_by_this_run.get(&order.id)?;
    // Another console that sent it knows its own reason.
    let is_own = own_send.attempts == order.attempts.len() && !own_send.has_stopped_resending;
    if !is_own
        // A console that cannot read cannot see that the order was executed.
        || are_reads_refused(model)
        || other_service_of_order(model, order).is_some()
        || was_created_for_other_url(model, order)
        // The age of the attempt is not known.
        || model.data.skew.exceeds_tolerance()
        || may_send_confirmed(model).is_err()
    {
        return None;
    }
    automatic_resend_at(order, model.data.remotes.quiet_until, model.now)
}

fn was_history_read_since_send(model: &Model, order: &Order) -> bool {
    resend::was_history_read_since_send(order, model.data.remotes.orders.success_began)
}

/// Resends what is due. Waits while the history is being read: an order found there is not resent.
pub(super) fn resend_due_orders(model: &mut Model) -> Vec<Effect> {
    if model.data.remotes.orders.in_flight.is_some() {
        return Vec::new();
    }
    let is_due = |order: &&Order| {
        !is_awaiting_answer(model, order.id)
            && was_history_read_since_send(model, order)
            && resend_due_at(model, order).is_some_and(|at| at <= model.now)
    };
    let due: Vec<OrderId> = model.journal.orders.iter().filter(is_due).map(|order| order.id).collect();
    due.into_iter().flat_map(|order_id| send_order(model, order_id, SendReason::Retry, None)).collect()
}

/// When an order is next due apart from reads of the history: to be resent, or to be unknown because its sender gave
/// up.
pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let reading = model.data.remotes.orders.in_flight.is_some();
    let resends = model.journal.orders.iter().filter(|order| !reading && !is_awaiting_answer(model, order.id));
    let resends = resends.filter(|order| was_history_read_since_send(model, order));
    let resends = resends.filter_map(|order| resend_due_at(model, order));
    let given_up = model.journal.orders.iter().filter(|order| order.end.is_none()).flat_map(|order| &order.attempts);
    let given_up = given_up.filter(|attempt| attempt.is_under_way(model.now)).map(|attempt| attempt.gives_up_at);
    resends.chain(given_up).min()
}

/// When an order will be resent automatically, for its messages.
pub fn expected_resend_at(model: &Model, order: &Order) -> Option<Timestamp> {
    // While the history cannot be read the resend waits, and it is not known for how long.
    let is_resend_blocked = model.data.remotes.orders.failure.is_some() && !was_history_read_since_send(model, order);
    if is_awaiting_answer(model, order.id) || is_resend_blocked { None } else { resend_due_at(model, order) }
}

/// Why the operator may not resend an order now, if so.
fn check_resend(model: &Model, order: &Order) -> Result<(), IllegalOrderEvent> {
    if is_awaiting_answer(model, order.id) {
        return Err(IllegalOrderEvent::UnderWay);
    }
    if let Some(destination) = other_service_of_order(model, order) {
        return Err(IllegalOrderEvent::OtherDestination(destination));
    }
    if was_created_for_other_url(model, order) {
        return Err(IllegalOrderEvent::OtherDestination(order.drafted.destination.base_url.to_string()));
    }
    match order.check_send(SendReason::Operator { warned: false }, model.now) {
        // Allowed after a warning.
        Err(IllegalOrderEvent::KeyExpired) | Ok(()) => Ok(()),
        Err(illegal) => Err(illegal),
    }
}
