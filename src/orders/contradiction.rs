//! What contradicts how an order was closed, and how many reads confirm that an order failed.
//!
//! An order that was ever sent is never finally closed: a service may execute what it rejected, a chain may revert what
//! it confirmed, and a reading may be wrong. Any row with the order's own key, transaction or reference that
//! contradicts how the order was closed is evidence: it reopens the order, and the alarm stays until an operator has
//! reviewed it.

use crate::domain::order::{HistoryLookup, NOT_SEEN_AFTER, NOT_SEEN_READS, OrderState};
use crate::domain::{FinalStatuses, ObservedTransaction, Order, Status, Text, Timestamp, Verdict};
use crate::orders::lookup::MIN_TIME_BETWEEN_READS;

impl Order {
    pub fn has_new_alarm(&self, look: &HistoryLookup) -> bool {
        let (recorded, costs) = (self.differences(), self.cost_alarms());
        look.contradiction.is_some()
            || look.differences.iter().any(|difference| !recorded.contains(&difference))
            || look.cost_alarms.iter().any(|cost| !costs.contains(&cost))
    }

    /// How a lookup contradicts the way in which the order was closed, in words; `None` where the order is open, and
    /// where the lookup shows nothing that was not known when it was closed.
    pub fn contradiction(&self, look: &HistoryLookup, final_statuses: &FinalStatuses, now: Timestamp) -> Option<Text> {
        let closed = match self.state(now) {
            OrderState::Refused => "the order was closed as rejected",
            OrderState::NotSent => "the order was recorded as not sent",
            OrderState::Abandoned => "the order was given up as not sent",
            OrderState::Settled => "the order was closed as settled",
            OrderState::PartlySettled => "the order was closed as partly settled",
            OrderState::Failed => "the order was closed as failed",
            OrderState::WrittenOff => "the order was written off",
            OrderState::Drafted
            | OrderState::Confirmed
            | OrderState::Sending
            | OrderState::Unknown
            | OrderState::ProbablyRefused
            | OrderState::Accepted => return None,
        };
        let contradiction = self
            .recipient_contradiction(look, final_statuses, now)
            .or_else(|| self.whole_contradiction(look, final_statuses, now))?;
        Some(Text::clean(&format!("{closed}, and the history now shows {contradiction}")))
    }

    /// The contradiction of the order as a whole: a money movement against an end without one, or a failure against a
    /// settled end. For a batch with separately reported recipients, [`Self::part_contradiction`] decides instead.
    fn whole_contradiction(
        &self,
        look: &HistoryLookup,
        final_statuses: &FinalStatuses,
        now: Timestamp,
    ) -> Option<String> {
        let recorded = self.differences();
        if let Some(new) = look.differences.iter().find(|difference| !recorded.contains(difference)) {
            return Some(new.to_string());
        }
        let observed = look.observed.as_ref()?;
        if self.has_recipient_reports(look)
            && matches!(self.state(now), OrderState::Settled | OrderState::PartlySettled | OrderState::Failed)
        {
            return None;
        }
        let (verdict, before) =
            (final_statuses.verdict(observed), self.last_observation().map(|last| final_statuses.verdict(last)));
        // A failed transaction beside the settled one is no contradiction: the service tried more than once.
        let is_another = || {
            let done = self.transaction_id();
            done.is_some() && observed.transaction.is_some() && done != observed.transaction.as_ref()
        };
        let is_contrary = match self.state(now) {
            OrderState::Settled | OrderState::PartlySettled => is_failed_verdict(verdict) && !is_another(),
            OrderState::WrittenOff => verdict != Verdict::Failed && before != Some(verdict),
            _ => verdict != Verdict::Failed,
        };
        is_contrary.then(|| describe_status(observed))
    }

    /// The contradiction of one recipient of a batch. A recipient that was never reported separately has the verdict of
    /// the whole.
    fn recipient_contradiction(
        &self,
        look: &HistoryLookup,
        final_statuses: &FinalStatuses,
        now: Timestamp,
    ) -> Option<String> {
        let reports = self.recipient_reports();
        let whole = match self.state(now) {
            OrderState::Settled => Verdict::Settled,
            OrderState::Failed => Verdict::Failed,
            _ => Verdict::Open,
        };
        look.recipient_reports.iter().find_map(|part| {
            let verdict = final_statuses.verdict(&part.observed);
            let is_contrary = match reports.get(&part.recipient).map_or(whole, |report| final_statuses.verdict(report))
            {
                Verdict::Settled => is_failed_verdict(verdict),
                Verdict::Failed => verdict != Verdict::Failed,
                Verdict::Open | Verdict::Contradiction => false,
            };
            is_contrary.then(|| {
                format!("{} for recipient {}", describe_status(&part.observed), part.recipient.saturating_add(1))
            })
        })
    }

    /// The latest consecutive reads that show that all or part of the order failed: a read in between that shows
    /// otherwise restarts the count.
    pub fn failing_read_times(&self, final_statuses: &FinalStatuses) -> Vec<Timestamp> {
        let last_sent_at =
            self.attempts.last().map(|attempt| attempt.answer.as_ref().map_or(attempt.stamp.at, |(at, _)| *at));
        let stands = |look: &HistoryLookup| {
            let is_whole =
                !look.shows_failure && look.recipient_reports.is_empty() && self.recipient_reports().is_empty();
            let is_standing = |observed: &ObservedTransaction| final_statuses.verdict(observed) != Verdict::Failed;
            (is_whole && look.observed.as_ref().is_some_and(is_standing))
                || (!look.shows_failure && !look.recipient_reports.is_empty())
        };
        let run = self.lookups.iter().rev().take_while(|(_, look)| !stands(look));
        let mut reads: Vec<Timestamp> =
            run.filter(|(at, look)| look.shows_failure && Some(*at) >= last_sent_at).map(|(at, _)| *at).collect();
        reads.reverse();
        reads
    }

    /// Whether the order counts as failed by those reads and one more: as many independent reads over as long a time as
    /// before an order counts as not seen.
    pub fn is_surely_failed(&self, final_statuses: &FinalStatuses, last: Timestamp) -> bool {
        let reads = self.failing_read_times(final_statuses);
        let is_further = reads.last().is_none_or(|before| before.age(last) >= MIN_TIME_BETWEEN_READS);
        let count = reads.len().saturating_add(usize::from(is_further));
        let is_long = reads.first().is_some_and(|first| first.age(last) >= NOT_SEEN_AFTER);
        is_long && count >= NOT_SEEN_READS
    }
}

fn is_failed_verdict(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Failed | Verdict::Contradiction)
}

fn describe_status(observation: &ObservedTransaction) -> String {
    let word = observation.status.as_ref().map_or("without a status", Status::word);
    let confirmed = if observation.confirmed == Some(true) { ", confirmed" } else { "" };
    match &observation.transaction {
        Some(id) => format!("its transaction {id} as “{word}”{confirmed}"),
        None => format!("it as “{word}”{confirmed}"),
    }
}
