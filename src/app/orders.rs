//! What is to be done for orders, and how they are told. Pure: it names intents, and the runtime does the rest.
//!
//! By itself the console sends a payment again at most twice, within five minutes, and only what this very run of the
//! program sent before: after a restart it reads and never sends. Everything else is the operator's word.

mod alarms;
mod labelled_value;
mod offer;
mod paid;
mod words;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use super::environment;
use super::link::Link;
use super::lock;
use super::model::{Identity, Model};
use super::msg::Effect;
use super::poll::Remotes;
use super::remote::Remote;
use super::veil;
use crate::domain::intent::{Attempt, Because, Confirmation, Destination, Illegal, State};
use crate::domain::outcome::Outcome;
use crate::domain::{Failure, Order, OrderId, Reason, Text, Timestamp};

pub use alarms::alarms;
pub use labelled_value::{draft_values, new_user_name, user_name, wallet_name};
pub use offer::{ActionOffer, OrderAction, available_actions};
pub(super) use paid::paid_recipients;
pub use words::{Attention, V1_WARNING, attention, closed_message, refusal_message, state_label, status_messages};

/// What this run of the program did with orders, and whether it may go on.
#[derive(Debug, Clone, Default)]
pub struct SendTracker {
    /// Orders that this run sent, with how often it did.
    ours: HashMap<OrderId, Sent>,
    /// Why nothing is changed any more until the operator says so: the service rejected the key of a change.
    stopped: Option<Text>,
}

/// How often this run sent an order.
#[derive(Debug, Clone, Copy, Default)]
struct Sent {
    times: usize,
    /// Whether an answer is waited for.
    under_way: bool,
    /// Whether it is sent no more by itself.
    given_up: bool,
}

/// How many orders that are over are told beside those that are open.
pub const CLOSED: usize = 200;

/// How long after an answer that left an order unknown it is sent again, the first time and the second.
const AGAIN_AFTER: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// How often the history is read for an order: up to this age of its last sending at least so far apart.
const SLOWER: [(Duration, Duration); 2] =
    [(Duration::from_hours(1), Duration::from_secs(30)), (Duration::MAX, Duration::from_mins(5))];
/// How long an order is read for at the pace of the screen.
const FRESH: Duration = Duration::from_mins(1);

/// Whether something new may be changed at the service now; if not, why, in words. What was confirmed before the veil
/// came, or before paying was locked, is looked after as ever: `may_go_on`.
pub fn may_change(model: &Model) -> Result<(), String> {
    if model.veil.is_on() {
        return Err(veil::VEILED_MESSAGE.to_owned());
    }
    if model.lock.locked_since().is_some() {
        return Err(lock::LOCKED_MESSAGE.to_owned());
    }
    may_go_on(model)
}

/// Whether what was confirmed may still be sent now; if not, why, in words.
fn may_go_on(model: &Model) -> Result<(), String> {
    if let Some(alarm) = environment::alarm(model) {
        return Err(alarm);
    }
    // What reads have just shown to be rejected signs no change; a key of its own for changes is another one.
    if model.link == Link::KeyRejected && !model.has_separate_keys {
        return Err("the service rejects the API key, so nothing is sent with it. Correct the key, then press r".into());
    }
    match &model.send_tracker.stopped {
        None => Ok(()),
        Some(said) => Err(format!("changes have stopped: {said}. Correct the key, then press r")),
    }
}

/// Sends an order, or sends it again: the only way to do so. Nothing is taken for sent that the veil or the lock would
/// hold back.
pub fn send(model: &mut Model, intent: OrderId, because: Because, confirmation: Option<Confirmation>) -> Vec<Effect> {
    let allowed = if because == Because::Retry { may_go_on(model) } else { may_change(model) };
    if let Err(why) = allowed {
        model.notice = Some(why);
        return Vec::new();
    }
    let sent = model.send_tracker.ours.entry(intent).or_default();
    if sent.under_way {
        return Vec::new();
    }
    sent.under_way = true;
    sent.times += 1;
    vec![Effect::Send { intent, reason: because, confirmation }]
}

/// Whether this run waits for the answer of an order.
pub fn is_awaiting(model: &Model, intent: OrderId) -> bool {
    model.send_tracker.ours.get(&intent).is_some_and(|sent| sent.under_way)
}

/// The orders whose answers this run waits for.
pub fn awaited_orders(model: &Model) -> impl Iterator<Item = OrderId> {
    model.send_tracker.ours.iter().filter(|(_, sent)| sent.under_way).map(|(id, _)| *id)
}

/// Whether this run waits for any answer: leaving now would leave an order unknown.
pub fn is_awaiting_any(model: &Model) -> bool {
    model.send_tracker.ours.values().any(|sent| sent.under_way)
}

/// The operator mended what stopped changes, and asks for everything again.
pub fn resume_sending(model: &mut Model) {
    model.send_tracker.stopped = None;
}

/// The journal was read.
pub(super) fn apply_journal(model: &mut Model, orders: Result<Vec<Order>, Failure>) {
    match orders {
        Ok(mut orders) => {
            let now = model.now;
            orders.sort_by_key(|order| urgency_rank(order, now));
            let was_looked_for =
                |id: OrderId| model.orders.iter().any(|known| known.id == id && is_looked_for(model, known));
            if orders.iter().any(|order| is_looked_for(model, order) && !was_looked_for(order.id)) {
                model.remotes.orders.request_unless_failing();
            }
            model.orders = orders;
            model.orders_failure = None;
        }
        Err(failure) => model.orders_failure = Some(failure),
    }
}

/// An order was sent, and this came of it; the journal was read just before.
pub(super) fn apply_sent(model: &mut Model, intent: OrderId, result: &Result<State, Failure>) {
    let sent = model.send_tracker.ours.entry(intent).or_default();
    sent.under_way = false;
    let Ok(state) = result else {
        // Whatever kept it from being sent, a hand is needed. What an earlier attempt was answered says nothing of the key
        // that is at hand now.
        sent.given_up = true;
        return;
    };
    if matches!(state, State::Unknown | State::ProbablyRefused | State::Accepted) {
        model.remotes.orders.request_now();
    }
    if *state == State::Accepted {
        // What was paid moves the history, and the balances with it.
        model.remotes.latest.request_unless_failing();
    }
    let answer =
        model.orders.iter().find(|known| known.id == intent).and_then(|known| known.attempts.last()?.answer.as_ref());
    if let Some((_, answer)) = answer
        && let Some(status @ (401 | 403)) = answer.status
    {
        model.send_tracker.stopped =
            Some(Text::clean(&format!("the service answered {status} to a change ({})", answer.message)));
    }
}

/// An order was confirmed and did not leave after all; it may be confirmed again.
pub(super) fn apply_not_sent(model: &mut Model, intent: OrderId) {
    let sent = model.send_tracker.ours.entry(intent).or_default();
    sent.under_way = false;
    sent.times = sent.times.saturating_sub(1);
}

/// The place of an order in the list: what is unresolved first, then what is open, then the others.
pub fn urgency_rank(order: &Order, now: Timestamp) -> u8 {
    if order.is_unresolved(now) {
        0
    } else if order.is_open(now) {
        1
    } else {
        2
    }
}

/// Where an order went, if that does not concern this console: to another service than the one that it watches, or to
/// another network of it under another key. Its profile was changed since, and it is neither looked for nor sent here.
fn elsewhere(model: &Model, order: &Order) -> Option<String> {
    let Identity { profile, environment, base_url, .. } = &model.identity;
    let here = Destination {
        profile: profile.clone(),
        environment: environment.clone(),
        base_url: base_url.clone(),
        key_mark: model.key_mark.clone(),
    };
    let there = &order.drafted.destination;
    if model.addresses.concerns(there, &here) {
        return None;
    }
    let network = there.environment.as_ref().filter(|_| there.base_url == here.base_url);
    Some(match network {
        Some(network) => format!("{} for {network} under another API key", there.base_url),
        None => there.base_url.to_string(),
    })
}

/// Whether an order was made at another base address than this one: it may be looked for here where that leads to the same
/// service, and is never sent from here.
fn is_of_another_address(model: &Model, order: &Order) -> bool {
    order.drafted.destination.base_url != model.identity.base_url
}

/// Whether the history is to be read for an order.
fn is_looked_for(model: &Model, order: &Order) -> bool {
    let may_be_found = match order.state(model.now) {
        State::Unknown | State::ProbablyRefused | State::Accepted => true,
        // One that is sent again was sent before; and who sent it first may have ended since.
        State::Sending => order.attempts.len() > 1 || !is_awaiting(model, order.id),
        _ => false,
    };
    may_be_found && order.drafted.draft.operation().moves_money()
}

/// Whether the history is to be read for any order.
pub(super) fn has_tracked_orders(model: &Model) -> bool {
    // What is found is recorded, which a console that only reads does not do.
    model.read_only.is_none()
        && model.orders.iter().any(|order| is_looked_for(model, order) && elsewhere(model, order).is_none())
}

/// How long to wait after the history was read for the orders that are open: as long as the freshest of them allows.
pub(super) fn lookup_interval(model: &Model) -> Duration {
    let looked_for = model.orders.iter().filter(|order| is_looked_for(model, order));
    let last_sent = looked_for.filter_map(|order| order.attempts.last()).map(|attempt| attempt.stamp.at).max();
    let age = last_sent.map_or(Duration::MAX, |at| at.age(model.now));
    if age < FRESH {
        return model.period;
    }
    let slower = SLOWER.iter().find(|(up_to, _)| age < *up_to).map_or(SLOWER[1].1, |(_, pause)| *pause);
    slower.max(model.period)
}

/// Whether the service refuses to let the history be read: then nothing cancels a sending that is due.
fn are_reads_refused(model: &Model) -> bool {
    let Remotes { latest: head, backfill: back, orders, .. } = &model.remotes;
    let refused = |remote: &Remote| {
        let failure = remote.failure.as_ref().map(|(failure, _)| failure);
        failure.is_some_and(|failure| matches!(failure.reason, Reason::KeyRejected | Reason::Forbidden))
    };
    model.link == Link::KeyRejected || [head, back, orders].into_iter().any(refused)
}

/// When an order is to be sent again by itself, if it is.
fn again_at(model: &Model, order: &Order) -> Option<Timestamp> {
    let sent = model.send_tracker.ours.get(&order.id)?;
    let last = order.attempts.last()?;
    // Who else sends it knows why: another console, or the operator's word.
    let ours = sent.times == order.attempts.len() && !sent.given_up;
    let by_hand = order.attempts.iter().any(|attempt| matches!(attempt.reason, Because::Operator { .. }));
    let rejected = order
        .attempts
        .iter()
        .any(|attempt| attempt.answer.as_ref().is_some_and(|(_, answer)| matches!(answer.status, Some(401 | 403))));
    if !ours
        || by_hand
        || rejected
        // Who cannot read cannot see that it was made; and a service that mixes up requests gets no other one unasked.
        || are_reads_refused(model)
        || !order.differences().is_empty()
        || elsewhere(model, order).is_some()
        || is_of_another_address(model, order)
        || !order.drafted.draft.operation().moves_money()
        // How long ago it was sent is not known then.
        || model.skew.exceeds_tolerance()
        || may_go_on(model).is_err()
    {
        return None;
    }
    let since = left_unknown(last);
    let asked = match last.answer.as_ref().map(|(_, answer)| answer.outcome) {
        Some(Outcome::ProbablyRefused { wait }) => wait,
        _ => None,
    };
    let is_open = match order.outcome()? {
        Outcome::Unknown => true,
        // It was only one request too many.
        Outcome::ProbablyRefused { wait } => wait.is_some(),
        Outcome::NotSent | Outcome::Accepted | Outcome::Refused | Outcome::Declined => false,
    };
    let pause = AGAIN_AFTER.get(order.attempts.len().checked_sub(1)?)?;
    // While the service is to be left alone nothing is read, so that nothing could cancel the sending.
    let at =
        since.plus(asked.map_or(*pause, |asked| asked.max(*pause))).max(model.remotes.quiet_until.unwrap_or(since));
    (is_open && order.check_send(Because::Retry, at.max(model.now)).is_ok()).then_some(at)
}

/// When nobody waited for the answer of an attempt any more.
fn left_unknown(attempt: &Attempt) -> Timestamp {
    attempt.answer.as_ref().map_or(attempt.gives_up_at, |(at, _)| *at)
}

/// Whether the history was read since an order was last sent: only who looked for it may send it again unasked.
fn was_read_since(model: &Model, order: &Order) -> bool {
    let sent = order.attempts.last().map(left_unknown);
    model.remotes.orders.last_success.zip(sent).is_some_and(|(read, sent)| read >= sent)
}

/// Sends again what is due. While the history is being read it waits: what is found there is not sent again.
pub(super) fn start_due(model: &mut Model) -> Vec<Effect> {
    if model.remotes.orders.in_flight.is_some() {
        return Vec::new();
    }
    let is_due = |order: &&Order| {
        !is_awaiting(model, order.id)
            && was_read_since(model, order)
            && again_at(model, order).is_some_and(|at| at <= model.now)
    };
    let due: Vec<OrderId> = model.orders.iter().filter(is_due).map(|order| order.id).collect();
    due.into_iter().flat_map(|intent| send(model, intent, Because::Retry, None)).collect()
}

/// When something is next due for an order beyond the reading of the history: to be sent again, or to be unknown because
/// its sender has given up.
pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let reading = model.remotes.orders.in_flight.is_some();
    let again = model.orders.iter().filter(|order| !reading && !is_awaiting(model, order.id));
    let again = again.filter(|order| was_read_since(model, order));
    let again = again.filter_map(|order| again_at(model, order));
    let given_up = model.orders.iter().filter(|order| order.end.is_none()).flat_map(|order| &order.attempts);
    let given_up = given_up.filter(|attempt| attempt.is_under_way(model.now)).map(|attempt| attempt.gives_up_at);
    again.chain(given_up).min()
}

/// When an order will be sent again by itself, for its words.
pub fn next_resend_at(model: &Model, order: &Order) -> Option<Timestamp> {
    // Where the history could not be read it waits until it can be, and nobody knows when that is.
    let is_held = model.remotes.orders.failure.is_some() && !was_read_since(model, order);
    if is_awaiting(model, order.id) || is_held { None } else { again_at(model, order) }
}

/// Why the operator may not send an order again now, if so.
fn refusal(model: &Model, order: &Order) -> Result<(), Illegal> {
    if is_awaiting(model, order.id) {
        return Err(Illegal::UnderWay);
    }
    if let Some(there) = elsewhere(model, order) {
        return Err(Illegal::OtherDestination(there));
    }
    if is_of_another_address(model, order) {
        return Err(Illegal::OtherDestination(order.drafted.destination.base_url.to_string()));
    }
    match order.check_send(Because::Operator { warned: false }, model.now) {
        // It may be, once the operator was told.
        Err(Illegal::KeyExpired) | Ok(()) => Ok(()),
        Err(illegal) => Err(illegal),
    }
}
