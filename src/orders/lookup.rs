//! One lookup of orders in the history: for which orders the history is read, what the read may claim of each, how it
//! ends the order, and whether it is worth a record.

use std::time::Duration;

use super::claim::is_instant_swap;
use super::evidence::add_retry_alarm;
use super::evidence::by_v1::V1Lookup;
use super::evidence::outgoing_history::OutgoingHistory;
use super::settle::order_end_from_lookup;
use crate::domain::order::{HistoryLookup, OrderEnd, OrderState};
use crate::domain::{FinalStatuses, Order, Text, Timestamp};

/// The least time between reads that count towards an order which was not found, or failed: they must be independent.
pub(super) const MIN_TIME_BETWEEN_READS: Duration = Duration::from_mins(3);

/// How many pages of the history a lookup reads at most.
pub const MAX_LOOKUP_PAGES: u64 = 20;

/// The outgoing history as it was read for a lookup, and what that read may claim.
pub struct Lookup {
    pub history: OutgoingHistory,
    pub final_statuses: FinalStatuses,
    /// The mark of the key under which the history was read.
    pub reading_key_mark: Text,
    /// When the lookup began.
    pub began: Timestamp,
    /// Whether the pages may be taken for the list, as far as they reach.
    pub is_consistent: bool,
    /// Whether the service is known to list only part of the history.
    pub is_partial: bool,
    /// Whether this machine's clock can measure the time between reads: it was not set meanwhile.
    pub is_timed: bool,
    /// Whether a page could not be read.
    pub is_interrupted: bool,
    /// Whether this history is known to show version 1 swaps made by this console, so that a missing one was not made.
    /// The specification does not promise that it shows them.
    pub shows_instant_swaps: bool,
}

impl Lookup {
    /// Whether the read, if a second one confirms it, would claim that an order is absent or failed.
    pub fn would_claim(&self, order: &Order) -> bool {
        let is_absent = !self.is_partial && self.history.find_by_key(order).is_none();
        (is_absent && self.is_complete_read_of(order)) || self.history_shows_failure(order)
    }

    /// Whether all of an order's rows failed, or some recipients' of a batch, in a history that may be taken for the list.
    pub fn shows_failure(&self, order: &Order) -> bool {
        self.is_consistent && self.history_shows_failure(order)
    }

    fn history_shows_failure(&self, order: &Order) -> bool {
        let has_failed = self.history.shows_failure(order) || self.history.shows_failed_recipient(order);
        has_failed && self.history.retry_rows(order).next().is_none()
    }

    /// Completes the evidence that was found for an order with what the read proves, and says how it ends the order.
    pub fn conclude(
        &self,
        order: &Order,
        mut look: HistoryLookup,
        by_v1: &V1Lookup,
    ) -> (HistoryLookup, Option<OrderEnd>) {
        add_retry_alarm(&mut look, &self.history, order, &self.final_statuses);
        let is_proven = self.is_consistent && !self.is_partial && self.is_timed;
        // Version 1 has no list of its swaps. A missing row proves absence only where the history is known to show
        // such swaps, and shows none that resembles this one.
        let may_be_hidden = if is_instant_swap(order) {
            !self.shows_instant_swaps || look.similar_transaction.is_some()
        } else {
            by_v1.may_have_been_paid(order, &look)
        };
        let is_absent =
            look.observed.is_none() && !self.history.has_keyless_row_with_reference(order) && !may_be_hidden;
        look.is_complete = is_proven && is_absent && self.is_complete_read_of(order);
        // One read proves nothing: a failure takes as many reads, over as long a time, as absence does.
        let fails = self.shows_failure(order) || by_v1.shows_failure();
        look.shows_failure = self.is_timed && fails && look.observed.is_some();
        let may_fail = look.shows_failure && order.is_surely_failed(&self.final_statuses, self.began);
        let is_silent = !self.is_interrupted && self.proves_absence(order) && look.observed.is_none();
        let end = order_end_from_lookup(&self.final_statuses, order, &look, may_fail, is_silent, self.began);
        (look, end)
    }

    /// Whether the read covers everything since an order was drafted, and proving that is worth a record.
    fn is_complete_read_of(&self, order: &Order) -> bool {
        let complete = HistoryLookup { is_complete: true, ..HistoryLookup::default() };
        is_worth_recording(order, &complete, None, &self.final_statuses, self.began)
            && self.covers_order(order)
            && are_attempts_answered(order, self.began)
    }

    /// Whether the read reaches rows from before an order's draft, so that a missing row is missing from the history.
    fn proves_absence(&self, order: &Order) -> bool {
        self.history.is_consistent_and_newest_first() && self.covers_order(order)
    }

    fn covers_order(&self, order: &Order) -> bool {
        self.history.covers_since_draft(order) && self.history.is_of_workspace(order, &self.reading_key_mark)
    }
}

/// Whether the history can say something of an order now.
pub fn needs_lookup(order: &Order, now: Timestamp) -> bool {
    let may_be_found = match order.state(now) {
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
    may_be_found && order.drafted.draft.operation().moves_money()
}

/// Whether every attempt has its answer or has timed out: a read before that proves nothing.
fn are_attempts_answered(order: &Order, began: Timestamp) -> bool {
    order.attempts.iter().all(|attempt| match &attempt.answer {
        Some((at, _)) => *at <= began,
        None => attempt.gives_up_at <= began,
    })
}

/// Whether a lookup is worth a record: polls would fill the journal otherwise. Reads that find nothing count until the
/// order may be reported as not found, and only if they are far enough apart to be independent. A lookup that ends the
/// order is recorded unless it is the one before once more; each read that shows a failure is, since they are counted.
pub fn is_worth_recording(
    order: &Order,
    look: &HistoryLookup,
    end: Option<&OrderEnd>,
    final_statuses: &FinalStatuses,
    at: Timestamp,
) -> bool {
    if end.is_some() {
        return look.shows_failure || order.lookups.last().is_none_or(|(_, last)| last != look);
    }
    if look.observed.is_none() && order.state(at) == OrderState::Sending {
        return false;
    }
    let suggested = order.lookups.iter().rev().find_map(|(_, look)| look.similar_transaction.as_ref());
    match &look.observed {
        _ if order.has_new_alarm(look) || has_new_recipient_reports(order, look) => true,
        Some(observed) if look.shows_failure => {
            let last = order.failing_read_times(final_statuses).last().copied();
            order.last_observation() != Some(observed) || last.is_none_or(|last| last.age(at) >= MIN_TIME_BETWEEN_READS)
        }
        Some(observed) => order.last_observation() != Some(observed),
        None if look.similar_transaction.is_some() && look.similar_transaction.as_ref() != suggested => true,
        // The first read that can prove nothing is recorded once.
        None if !look.is_complete => order.lookups.is_empty() && are_attempts_answered(order, at),
        None => {
            let last = order.complete_miss_times().last().copied();
            let is_closed = order.counts_as_not_seen() || order.is_refusal_confirmed_by_history();
            order.last_observation().is_none()
                && !is_closed
                && last.is_none_or(|last| last.age(at) >= MIN_TIME_BETWEEN_READS)
        }
    }
}

fn has_new_recipient_reports(order: &Order, look: &HistoryLookup) -> bool {
    if look.recipient_reports.is_empty() {
        return false;
    }
    let reports = order.recipient_reports();
    look.recipient_reports.iter().any(|part| reports.get(&part.recipient) != Some(&&part.observed))
}
