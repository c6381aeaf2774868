//! Whether a lookup ends an order, and whether it is worth a record.

use super::super::send_order::end_from_verdict;
use super::MIN_TIME_BETWEEN_READS;
use super::outgoing::OutgoingHistory;
use crate::domain::order::{HistoryLookup, OrderEnd, OrderState};
use crate::domain::{FinalStatuses, ObservedTransaction, Operation, Order, Text, Timestamp, Verdict};

/// See `OrderExecutor::is_workspace_of`; `reads_under` is the mark of the key under which the history was read.
pub(super) fn is_history_of_workspace(history: &OutgoingHistory, order: &Order, reads_under: &Text) -> bool {
    order.drafted.destination.key_mark == *reads_under || history.shows_known_rows(&order.drafted)
}

/// How a lookup ends an order, if it does. It ends as failed only if `may_fail`: one failed row proves nothing about
/// other rows under the same key. An answer ends it only if the history was read and `is_silent`.
pub(super) fn order_end_from_lookup(
    words: &FinalStatuses,
    order: &Order,
    look: &HistoryLookup,
    may_fail: bool,
    is_silent: bool,
    at: Timestamp,
) -> Option<OrderEnd> {
    // A contradiction of the request ends nothing: the operator must decide.
    let is_as_asked = look.differences.is_empty() && !order.is_contradicted_by_history();
    let found =
        look.observed.as_ref().or_else(|| instant_swap_answer(order).filter(|_| is_silent)).filter(|_| is_as_asked)?;
    let is_shown = look.observed.is_some() && found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_awaited = !is_shown && order.awaits_proceeds(|seen| words.verdict(seen) == Verdict::Settled, at);
    let end = if order.has_recipient_reports(look) {
        order.end_from_recipient_reports(look, words)
    } else {
        end_from_verdict(words.verdict(found))
    };
    end.filter(|end| match end {
        OrderEnd::Failed | OrderEnd::PartlySettled => may_fail,
        // A swap ends with its proceeds, which its review is compared with.
        OrderEnd::Settled | OrderEnd::Abandoned(_) | OrderEnd::WrittenOff(_) => !is_awaited,
    })
}

/// Whether the history never showed a swap's proceeds: it may end without them only after they were looked for.
pub(super) fn lacks_swap_proceeds(order: &Order, look: &HistoryLookup) -> bool {
    let shows = |found: &ObservedTransaction| found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_shown = look.observed.as_ref().is_some_and(shows) || order.proceeds_in_history().is_some();
    order.drafted.draft.operation().is_swap() && !is_shown
}

/// The answer to a version 1 swap: the only evidence where the history was read late enough and shows no such swap.
pub(super) fn instant_swap_answer(order: &Order) -> Option<&ObservedTransaction> {
    order.last_observed().filter(|_| is_instant_swap(order) && order.differences().is_empty())
}

pub(super) fn is_instant_swap(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}

/// Whether the history can say something of an order now.
pub(super) fn needs_lookup(order: &Order, now: Timestamp) -> bool {
    let sent = match order.state(now) {
        // The sending console may have ended since, and a row counts whether or not an answer is awaited.
        OrderState::Sending | OrderState::Unknown | OrderState::ProbablyRefused | OrderState::Accepted => true,
        OrderState::Drafted
        | OrderState::Confirmed
        | OrderState::NotSent
        | OrderState::Refused
        | OrderState::Settled
        | OrderState::PartlySettled
        | OrderState::Failed
        | OrderState::Abandoned
        | OrderState::WrittenOff => false,
    };
    sent && order.drafted.draft.operation().moves_money()
}

/// Whether every attempt has its answer or has timed out: a read before that proves nothing.
pub(super) fn are_attempts_answered(order: &Order, began: Timestamp) -> bool {
    order.attempts.iter().all(|attempt| match &attempt.answer {
        Some((at, _)) => *at <= began,
        None => attempt.gives_up_at <= began,
    })
}

/// Whether a lookup is worth a record. Reads that find nothing count until the order may be reported as not found, and
/// only if they are far enough apart to be independent.
pub(super) fn is_worth_recording(words: &FinalStatuses, order: &Order, look: &HistoryLookup, at: Timestamp) -> bool {
    if look.observed.is_none() && order.state(at) == OrderState::Sending {
        return false;
    }
    let suggested = order.lookups.iter().rev().find_map(|(_, look)| look.similar_transaction.as_ref());
    match &look.observed {
        _ if order.has_new_alarm(look) || order.has_new_recipient_reports(look) => true,
        Some(found) if look.shows_failure => {
            let last = order.failing_read_times(words).last().copied();
            order.last_observed() != Some(found) || last.is_none_or(|last| last.age(at) >= MIN_TIME_BETWEEN_READS)
        }
        Some(found) => order.last_observed() != Some(found),
        None if look.similar_transaction.is_some() && look.similar_transaction.as_ref() != suggested => true,
        // The first read that can prove nothing is recorded once.
        None if !look.is_complete => order.lookups.is_empty() && are_attempts_answered(order, at),
        None => {
            let last = order.complete_read_times().last().copied();
            let is_closed = order.was_not_seen() || order.is_refusal_confirmed();
            order.last_observed().is_none()
                && !is_closed
                && last.is_none_or(|last| last.age(at) >= MIN_TIME_BETWEEN_READS)
        }
    }
}
