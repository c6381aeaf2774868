//! Whether a lookup ends an order, and whether it is worth a record.

use super::super::send_order::end_by_verdict;
use super::APART;
use super::outgoing::Outgoing;
use crate::domain::order::{HistoryLookup, OrderEnd, State};
use crate::domain::{FinalStatuses, ObservedTransaction, Operation, Order, Text, Timestamp, Verdict};

/// See `OrderExecutor::is_workspace_of`; `reads_under` is the mark of the key under which the history was read.
pub(super) fn is_workspace_of(history: &Outgoing, order: &Order, reads_under: &Text) -> bool {
    order.drafted.destination.key_mark == *reads_under || history.shows_known_rows(&order.drafted)
}

/// How a lookup ends an order, if it does. It ends as failed only if `may_fail`: one failed row proves nothing about
/// other rows under the same key. An answer ends it only if the history was read and `is_silent`.
pub(super) fn ending(
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
        look.observed.as_ref().or_else(|| by_its_answer(order).filter(|_| is_silent)).filter(|_| is_as_asked)?;
    let is_shown = look.observed.is_some() && found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_awaited = !is_shown && order.awaits_proceeds(|seen| words.verdict(seen) == Verdict::Settled, at);
    let end =
        if order.has_parts(look) { order.end_from_parts(look, words) } else { end_by_verdict(words.verdict(found)) };
    end.filter(|end| match end {
        OrderEnd::Failed | OrderEnd::PartlySettled => may_fail,
        // A swap ends with its proceeds, which its review is compared with.
        _ => !is_awaited,
    })
}

/// Whether the history never showed a swap's proceeds: it may end without them only after they were looked for.
pub(super) fn lacks_what_came(order: &Order, look: &HistoryLookup) -> bool {
    let shows = |found: &ObservedTransaction| found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_shown = look.observed.as_ref().is_some_and(shows) || order.proceeds_in_history().is_some();
    order.drafted.draft.operation().is_swap() && !is_shown
}

/// The answer to a version 1 swap: the only evidence where the history was read late enough and shows no such swap.
pub(super) fn by_its_answer(order: &Order) -> Option<&ObservedTransaction> {
    order.last_observed().filter(|_| is_instant_swap(order) && order.differences().is_empty())
}

pub(super) fn is_instant_swap(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}

/// Whether the history can say something of an order now.
pub(super) fn is_sought(order: &Order, now: Timestamp) -> bool {
    let sent = match order.state(now) {
        // The sending console may have ended since, and a row counts whether or not an answer is awaited.
        State::Sending | State::Unknown | State::ProbablyRefused | State::Accepted => true,
        _ => false,
    };
    sent && order.drafted.draft.operation().moves_money()
}

/// Whether every attempt has its answer or has timed out: a read before that proves nothing.
pub(super) fn has_answered(order: &Order, began: Timestamp) -> bool {
    order.attempts.iter().all(|attempt| match &attempt.answer {
        Some((at, _)) => *at <= began,
        None => attempt.gives_up_at <= began,
    })
}

/// Whether a lookup is worth a record. Reads that find nothing count until the order may be reported as not found, and
/// only if they are far enough apart to be independent.
pub(super) fn says_more(words: &FinalStatuses, order: &Order, look: &HistoryLookup, at: Timestamp) -> bool {
    if look.observed.is_none() && order.state(at) == State::Sending {
        return false;
    }
    let suggested = order.lookups.iter().rev().find_map(|(_, look)| look.similar_transaction.as_ref());
    match &look.observed {
        _ if order.is_alarmed_by(look) || order.has_new_parts(look) => true,
        Some(found) if look.shows_failure => {
            let last = order.failing_reads(words).last().copied();
            order.last_observed() != Some(found) || last.is_none_or(|last| last.age(at) >= APART)
        }
        Some(found) => order.last_observed() != Some(found),
        None if look.similar_transaction.is_some() && look.similar_transaction.as_ref() != suggested => true,
        // The first read that can prove nothing is recorded once.
        None if !look.is_complete => order.lookups.is_empty() && has_answered(order, at),
        None => {
            let last = order.complete_reads().last().copied();
            let is_closed = order.was_not_seen() || order.is_refusal_confirmed();
            order.last_observed().is_none() && !is_closed && last.is_none_or(|last| last.age(at) >= APART)
        }
    }
}
