//! When the console sends a request a second time by itself: the same bytes, under the same key.

use std::time::Duration;

use crate::domain::order::{Attempt, SendReason};
use crate::domain::{Order, Outcome, Timestamp};

/// The wait after an answer that left the outcome unknown, before the first and second automatic resend.
const RESEND_PAUSES: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// When an order is due to be resent automatically, by what is recorded of it; `None` where it is not resent. Requests
/// are paused until `quiet_until`: before that nothing is read that could cancel the resend.
///
/// Whether this console may send anything now, and whether it sent the order, is for the caller to ask.
pub fn automatic_resend_at(order: &Order, quiet_until: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    // The operator knows a reason of their own.
    let is_by_operator = order.attempts.iter().any(|attempt| matches!(attempt.reason, SendReason::Operator { .. }));
    let is_rejected_key = order
        .attempts
        .iter()
        .any(|attempt| attempt.answer.as_ref().is_some_and(|(_, answer)| matches!(answer.status, Some(401 | 403))));
    // A service that mixes up requests gets no further one unasked.
    let has_differences = !order.differences().is_empty();
    // It may be this payment under another name: a service may show no keys, and honour none.
    let has_similar = order.lookups.iter().any(|(_, look)| look.similar_transaction.is_some());
    if is_by_operator
        || is_rejected_key
        || has_differences
        || has_similar
        || !order.drafted.draft.operation().moves_money()
    {
        return None;
    }
    let is_unanswered = match order.outcome()? {
        Outcome::Unknown => true,
        // The request was only rate-limited.
        Outcome::ProbablyRefused { wait } => wait.is_some(),
        Outcome::NotSent | Outcome::Accepted | Outcome::Refused | Outcome::Declined => false,
    };
    let last = order.attempts.last()?;
    let requested_pause = match last.answer.as_ref().map(|(_, answer)| answer.outcome) {
        Some(Outcome::ProbablyRefused { wait }) => wait,
        _ => None,
    };
    let pause = *RESEND_PAUSES.get(order.attempts.len().checked_sub(1)?)?;
    let since = answer_ended_at(last);
    let at = since
        .plus(requested_pause.map_or(pause, |service_pause| service_pause.max(pause)))
        .max(quiet_until.unwrap_or(since));
    (is_unanswered && order.check_send(SendReason::Retry, at.max(now)).is_ok()).then_some(at)
}

/// Whether a read of the history began since the last attempt ended, and succeeded: only then may an order be resent
/// automatically.
pub fn was_history_read_since_send(order: &Order, last_read_began: Option<Timestamp>) -> bool {
    let sent_at = order.attempts.last().map(answer_ended_at);
    last_read_began.zip(sent_at).is_some_and(|(read_at, sent_at)| read_at >= sent_at)
}

/// When the answer of an attempt was last awaited.
fn answer_ended_at(attempt: &Attempt) -> Timestamp {
    attempt.answer.as_ref().map_or(attempt.gives_up_at, |(at, _)| *at)
}
