//! When an order has ended: by the answer to it, or by what a lookup of the history shows.

use crate::domain::order::{HistoryLookup, OrderEnd, OrderState};
use crate::domain::{FinalStatuses, ObservedTransaction, Order, Timestamp, Verdict};
use crate::orders::claim::is_instant_swap;

/// How the answer that was just recorded ends an order, if it does.
pub fn order_end_from_answer(order: &Order, final_statuses: &FinalStatuses, at: Timestamp) -> Option<OrderEnd> {
    let verdict = order.last_observation().map_or(Verdict::Open, |observed| final_statuses.verdict(observed));
    // An answer that differs from the request ends nothing: a lookup by key will decide.
    let is_its_own = order.differences().is_empty() && is_answer_complete(order);
    (order.state(at) == OrderState::Accepted && is_its_own)
        .then(|| end_from_verdict(verdict).filter(may_end_by_answer))
        .flatten()
}

/// How a lookup ends an order, if it does. It ends as failed only if `may_fail`: one failed row proves nothing about
/// other rows under the same key. An answer ends it only if the history was read and `is_silent`.
pub fn order_end_from_lookup(
    final_statuses: &FinalStatuses,
    order: &Order,
    look: &HistoryLookup,
    may_fail: bool,
    is_silent: bool,
    at: Timestamp,
) -> Option<OrderEnd> {
    // A contradiction of the request ends nothing: the operator must decide.
    let is_as_asked = look.differences.is_empty() && !order.is_contradicted_by_history();
    let observed =
        look.observed.as_ref().or_else(|| instant_swap_answer(order).filter(|_| is_silent)).filter(|_| is_as_asked)?;
    let is_shown = look.observed.is_some() && observed.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_awaited =
        !is_shown && order.awaits_proceeds(|transaction| final_statuses.verdict(transaction) == Verdict::Settled, at);
    let end = if order.has_recipient_reports(look) {
        end_from_recipient_reports(order, look, final_statuses)
    } else {
        end_from_verdict(final_statuses.verdict(observed))
    };
    end.filter(|end| match end {
        OrderEnd::Failed | OrderEnd::PartlySettled => may_fail,
        // A swap ends with its proceeds, which its review is compared with.
        OrderEnd::Settled | OrderEnd::Abandoned(_) | OrderEnd::WrittenOff(_) => !is_awaited,
    })
}

/// Whether the history never showed a swap's proceeds: it may end without them only after they were looked for.
pub fn lacks_swap_proceeds(order: &Order, look: &HistoryLookup) -> bool {
    let shows =
        |observed: &ObservedTransaction| observed.swap.as_ref().is_some_and(|swapped| swapped.proceeds.is_some());
    let is_shown = look.observed.as_ref().is_some_and(shows) || order.proceeds_in_history().is_some();
    order.drafted.draft.operation().is_swap() && !is_shown
}

/// The answer to a version 1 swap: the only evidence where the history was read late enough and shows no such swap.
fn instant_swap_answer(order: &Order) -> Option<&ObservedTransaction> {
    order.last_observation().filter(|_| is_instant_swap(order) && order.differences().is_empty())
}

/// How an order ends by its transaction's verdict. A contradiction ends nothing: the operator must decide.
pub fn end_from_verdict(verdict: Verdict) -> Option<OrderEnd> {
    match verdict {
        Verdict::Settled => Some(OrderEnd::Settled),
        Verdict::Failed => Some(OrderEnd::Failed),
        Verdict::Open | Verdict::Contradiction => None,
    }
}

/// The end of the order by the reports of each recipient, including this lookup: only when all of them are reported
/// and final. `None` also where recipients are not reported separately.
pub fn end_from_recipient_reports(
    order: &Order,
    look: &HistoryLookup,
    final_statuses: &FinalStatuses,
) -> Option<OrderEnd> {
    let mut parts = order.recipient_reports();
    parts.extend(look.recipient_reports.iter().map(|part| (part.recipient, &part.observed)));
    if parts.is_empty() || parts.len() < order.recipient_count() {
        return None;
    }
    let verdicts: Vec<Verdict> = parts.into_values().map(|observed| final_statuses.verdict(observed)).collect();
    let all = |expected: Verdict| verdicts.iter().all(|verdict| *verdict == expected);
    let is_final = verdicts.iter().all(|verdict| matches!(verdict, Verdict::Settled | Verdict::Failed));
    match is_final {
        true if all(Verdict::Settled) => Some(OrderEnd::Settled),
        true if all(Verdict::Failed) => Some(OrderEnd::Failed),
        true => Some(OrderEnd::PartlySettled),
        false => None,
    }
}

/// Whether an answer is complete evidence. An answer to a batch may concern a single recipient, and a swap's proceeds
/// in it are a promise, which the history confirms or not. Where no history shows the swap, as none of version 1 need
/// do, the promise counts only after there was time for that.
fn is_answer_complete(order: &Order) -> bool {
    order.recipient_count() <= 1 && !order.drafted.draft.operation().is_swap()
}

/// Whether an answer may end an order in this way. A failed request proves nothing about an earlier one, should the
/// service ignore the key, and a single reading may be wrong: only the history, read whole and more than once, proves
/// that every row under the key failed.
fn may_end_by_answer(end: &OrderEnd) -> bool {
    *end != OrderEnd::Failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_a_request_failed_ends_nothing_by_the_word_of_its_answer() {
        assert!(!may_end_by_answer(&OrderEnd::Failed));
        assert!(may_end_by_answer(&OrderEnd::Settled), "it was paid, whichever attempt did it");
    }

    #[test]
    fn an_answer_to_a_swap_is_not_the_whole_of_it() {
        use crate::domain::draft::InstantSwap;
        use crate::domain::{Draft, Outcome};
        let mut order = crate::orders::fixtures::order(1, 5, Some(Outcome::Accepted));
        assert!(is_answer_complete(&order));
        order.drafted.draft = Draft::InstantSwap(InstantSwap {
            sub_wallet: crate::domain::UserId::from_text("u"),
            from: "USDC".into(),
            amount: "25".into(),
            to: "ETH".into(),
            ext_id: None,
        });
        assert!(!is_answer_complete(&order));
    }
}
