//! What a look at the history says of an order: whether it ends it, and whether it is worth a record.

use super::super::send_order::end_by_verdict;
use super::APART;
use super::outgoing::Outgoing;
use crate::domain::intent::{HistoryLookup, OrderEnd, State};
use crate::domain::{FinalStatuses, ObservedTransaction, Operation, Order, Text, Timestamp, Verdict};

/// The same for a history that was read under the key with this mark.
pub(super) fn is_workspace_of(history: &Outgoing, order: &Order, reads_under: &Text) -> bool {
    order.drafted.destination.key_mark == *reads_under || history.shows_known_rows(&order.drafted)
}

/// How an order ends by a look, if it does. Only where it `may_fail` is the end that it failed: one row that did says
/// nothing of others under the same key; and only where the history was read and `is_silent` is the word of an answer
/// the end.
pub(super) fn ending(
    words: &FinalStatuses,
    order: &Order,
    look: &HistoryLookup,
    may_fail: bool,
    is_silent: bool,
    at: Timestamp,
) -> Option<OrderEnd> {
    // What contradicts the request ends nothing: somebody must look.
    let is_as_asked = look.differences.is_empty() && !order.is_contradicted_by_history();
    let found = look.found.as_ref().or_else(|| by_its_answer(order).filter(|_| is_silent)).filter(|_| is_as_asked)?;
    let is_shown = look.found.is_some() && found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_awaited = !is_shown && order.awaits_proceeds(|seen| words.verdict(seen) == Verdict::Settled, at);
    let end =
        if order.has_parts(look) { order.end_from_parts(look, words) } else { end_by_verdict(words.verdict(found)) };
    end.filter(|end| match end {
        OrderEnd::Failed | OrderEnd::PartlySettled => may_fail,
        // With what came of a swap its review is compared.
        _ => !is_awaited,
    })
}

/// Whether what came of a swap was never told by the history: only where that was read may it end without.
pub(super) fn lacks_what_came(order: &Order, look: &HistoryLookup) -> bool {
    let shows = |found: &ObservedTransaction| found.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_shown = look.found.as_ref().is_some_and(shows) || order.proceeds_in_history().is_some();
    order.drafted.draft.operation().is_swap() && !is_shown
}

/// What the answer to a swap of version 1 said of it. No history needs to show such a swap: where it has had the time to,
/// was read, and did not, the answer's word is the only one.
pub(super) fn by_its_answer(order: &Order) -> Option<&ObservedTransaction> {
    order.last_observed().filter(|_| is_instant(order) && order.differences().is_empty())
}

pub(super) fn is_instant(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}

/// Whether the history can say something of an order now.
pub(super) fn is_sought(order: &Order, now: Timestamp) -> bool {
    let sent = match order.state(now) {
        // Who is sending it may have ended since, and what is found was made, whoever waits for the answer.
        State::Sending | State::Unknown | State::ProbablyRefused | State::Accepted => true,
        _ => false,
    };
    sent && order.drafted.draft.operation().moves_money()
}

/// Whether nobody waits any more for the answer to any of its attempts: a read before that says nothing of it.
pub(super) fn has_answered(order: &Order, began: Timestamp) -> bool {
    order.attempts.iter().all(|attempt| match &attempt.answer {
        Some((at, _)) => *at <= began,
        None => attempt.gives_up_at <= began,
    })
}

/// Whether a look is worth a record. Reads that find nothing count while it may not yet be said that the order was not
/// seen, and only so far apart that they tell of different moments.
pub(super) fn says_more(words: &FinalStatuses, order: &Order, look: &HistoryLookup, at: Timestamp) -> bool {
    if look.found.is_none() && order.state(at) == State::Sending {
        return false;
    }
    let suggested = order.lookups.iter().rev().find_map(|(_, look)| look.similar_transaction.as_ref());
    match &look.found {
        _ if order.is_alarmed_by(look) || order.has_new_parts(look) => true,
        Some(found) if look.shows_failure => {
            let last = order.failing_reads(words).last().copied();
            order.last_observed() != Some(found) || last.is_none_or(|last| last.age(at) >= APART)
        }
        Some(found) => order.last_observed() != Some(found),
        None if look.similar_transaction.is_some() && look.similar_transaction.as_ref() != suggested => true,
        // That the history cannot prove anything is worth one record.
        None if !look.is_complete => order.lookups.is_empty() && has_answered(order, at),
        None => {
            let last = order.complete_reads().last().copied();
            let is_closed = order.was_not_seen() || order.is_refusal_confirmed();
            order.last_observed().is_none() && !is_closed && last.is_none_or(|last| last.age(at) >= APART)
        }
    }
}
