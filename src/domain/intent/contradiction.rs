//! What contradicts how an order was closed, and how often it must be read that one failed.
//!
//! An order that was ever sent is never done with: a service may execute what it refused, a chain may undo what it
//! confirmed, and a reading may be wrong. Whatever a row under an order's own key, transaction or reference says against
//! the word by which the order was closed is evidence: it opens the order again, and the alarm stands until somebody has
//! looked.

use super::{HistoryLookup, NOT_SEEN_AFTER, NOT_SEEN_READS, Order, State};
use crate::domain::{FinalStatuses, ObservedTransaction, Operation, Status, Text, Timestamp, TransactionId, Verdict};

impl Order {
    /// Whether what closed it was contradicted since, and nobody has closed it again.
    pub fn is_reopened(&self) -> bool {
        self.end.is_none() && self.lookups.iter().any(|(_, look)| look.contradiction.is_some())
    }

    /// Whether it was ever sent, so that any row may turn out to be its own: an attempt that was taken for one that never
    /// left may have left all the same.
    pub fn was_ever_sent(&self) -> bool {
        !self.attempts.is_empty() && self.drafted.draft.operation().moves_money()
    }

    /// Whether it is a swap by version 1 that was found in the history of version 2: only then that history bears out that
    /// another one was not made, since no list of version 1 tells of its swaps.
    pub fn is_instant_swap_in_history(&self) -> bool {
        let is_instant = self.drafted.draft.operation() == Operation::InstantSwap;
        is_instant && self.lookups.iter().any(|(_, look)| look.found.is_some())
    }

    /// Where an answer, or what the history was found to say, says something else than the request or than how the order
    /// was closed. Each is told once.
    pub fn differences(&self) -> Vec<&Text> {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let answered = answers.flat_map(|(_, answer)| &answer.differences);
        let looked = self.lookups.iter().flat_map(|(_, look)| look.differences.iter().chain(&look.contradiction));
        let mut all: Vec<&Text> = Vec::new();
        for difference in answered.chain(looked) {
            if !all.contains(&difference) {
                all.push(difference);
            }
        }
        all
    }

    /// The transaction by which the history last told that it was done.
    pub fn done_by_history(&self, words: &FinalStatuses) -> Option<&TransactionId> {
        let last = self.lookups.iter().rev().find_map(|(_, look)| look.found.as_ref())?;
        last.transaction.as_ref().filter(|_| words.verdict(last) == Verdict::Settled)
    }

    /// Where an answer or the history says that it cost far more than expected. Each is told once.
    pub fn costs(&self) -> Vec<&Text> {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let looked = self.lookups.iter().flat_map(|(_, look)| &look.costs);
        let mut all: Vec<&Text> = Vec::new();
        for cost in answers.flat_map(|(_, answer)| &answer.costs).chain(looked) {
            if !all.contains(&cost) {
                all.push(cost);
            }
        }
        all
    }

    /// Whether a look raises an alarm that was not raised before.
    pub fn is_alarmed_by(&self, look: &HistoryLookup) -> bool {
        let (known, costs) = (self.differences(), self.costs());
        look.contradiction.is_some()
            || look.differences.iter().any(|difference| !known.contains(&difference))
            || look.costs.iter().any(|cost| !costs.contains(&cost))
    }

    /// Whether the history was found to contradict the request, or how the order was closed.
    pub fn is_contradicted_by_history(&self) -> bool {
        self.lookups.iter().any(|(_, look)| !look.differences.is_empty() || look.contradiction.is_some())
    }

    /// How a look contradicts the way in which it was closed, in words; `None` where it is open, and where the look says
    /// nothing that was not known when it was closed.
    pub fn contradiction(&self, look: &HistoryLookup, words: &FinalStatuses, now: Timestamp) -> Option<Text> {
        let closed = match self.state(now) {
            State::Refused => "the order was closed as rejected",
            State::NotSent => "the order was recorded as not sent",
            State::Abandoned => "the order was given up as not sent",
            State::Settled => "the order was closed as settled",
            State::PartlySettled => "the order was closed as partly settled",
            State::Failed => "the order was closed as failed",
            State::WrittenOff => "the order was written off",
            State::Drafted
            | State::Confirmed
            | State::Sending
            | State::Unknown
            | State::ProbablyRefused
            | State::Accepted => return None,
        };
        let told = self.part_contradiction(look, words, now).or_else(|| self.whole_contradiction(look, words, now))?;
        Some(Text::clean(&format!("{closed}, and the history now shows {told}")))
    }

    /// The same of the whole: what moves money against a word that says that none moved, and what failed against one that
    /// says that it was done. Of a batch that is told apart its parts say it.
    fn whole_contradiction(&self, look: &HistoryLookup, words: &FinalStatuses, now: Timestamp) -> Option<String> {
        let known = self.differences();
        if let Some(new) = look.differences.iter().find(|difference| !known.contains(difference)) {
            return Some(new.to_string());
        }
        let found = look.found.as_ref()?;
        if self.has_parts(look) && matches!(self.state(now), State::Settled | State::PartlySettled | State::Failed) {
            return None;
        }
        let (verdict, before) = (words.verdict(found), self.last_observed().map(|seen| words.verdict(seen)));
        // One that failed beside the one that was done says nothing: the service tried more than once.
        let is_another = || {
            let done = self.transaction();
            done.is_some() && found.transaction.is_some() && done != found.transaction.as_ref()
        };
        let is_contrary = match self.state(now) {
            State::Settled | State::PartlySettled => is_failure(verdict) && !is_another(),
            State::WrittenOff => verdict != Verdict::Failed && before != Some(verdict),
            _ => verdict != Verdict::Failed,
        };
        is_contrary.then(|| describe(found))
    }

    /// The same of one recipient of a batch. Of one that was never told of apart, the word of the whole was said.
    fn part_contradiction(&self, look: &HistoryLookup, words: &FinalStatuses, now: Timestamp) -> Option<String> {
        let known = self.parts();
        let whole = match self.state(now) {
            State::Settled => Verdict::Settled,
            State::Failed => Verdict::Failed,
            _ => Verdict::Open,
        };
        look.parts.iter().find_map(|part| {
            let verdict = words.verdict(&part.observed);
            let is_contrary = match known.get(&part.recipient).map_or(whole, |seen| words.verdict(seen)) {
                Verdict::Settled => is_failure(verdict),
                Verdict::Failed => verdict != Verdict::Failed,
                Verdict::Open | Verdict::Contradiction => false,
            };
            is_contrary
                .then(|| format!("{} for recipient {}", describe(&part.observed), part.recipient.saturating_add(1)))
        })
    }

    /// The reads that tell, one after the other and up to now, that all or some of it failed: whatever was read in between
    /// and says otherwise has them counted anew.
    pub fn failing_reads(&self, words: &FinalStatuses) -> Vec<Timestamp> {
        let sent = self.attempts.last().map(|attempt| attempt.answer.as_ref().map_or(attempt.stamp.at, |(at, _)| *at));
        let stands = |look: &HistoryLookup| {
            let is_whole = !look.shows_failure && look.parts.is_empty() && self.parts().is_empty();
            let is_standing = |seen: &ObservedTransaction| words.verdict(seen) != Verdict::Failed;
            (is_whole && look.found.as_ref().is_some_and(is_standing))
                || (!look.shows_failure && !look.parts.is_empty())
        };
        let run = self.lookups.iter().rev().take_while(|(_, look)| !stands(look));
        let mut reads: Vec<Timestamp> =
            run.filter(|(at, look)| look.shows_failure && Some(*at) >= sent).map(|(at, _)| *at).collect();
        reads.reverse();
        reads
    }

    /// Whether it may be said that it failed, by those reads and one more: as many, and over as long a time, as it takes to
    /// say that it was not seen.
    pub fn is_surely_failed(&self, words: &FinalStatuses, last: Timestamp) -> bool {
        let reads = self.failing_reads(words);
        let is_counted = reads.last() == Some(&last);
        let count = if is_counted { reads.len() } else { reads.len().saturating_add(1) };
        let is_long = reads.first().is_some_and(|first| first.age(last) >= NOT_SEEN_AFTER);
        is_long && count >= NOT_SEEN_READS
    }
}

fn is_failure(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Failed | Verdict::Contradiction)
}

fn describe(seen: &ObservedTransaction) -> String {
    let word = seen.status.as_ref().map_or("without a status", Status::word);
    let confirmed = if seen.confirmed == Some(true) { ", confirmed" } else { "" };
    match &seen.transaction {
        Some(id) => format!("its transaction {id} as “{word}”{confirmed}"),
        None => format!("it as “{word}”{confirmed}"),
    }
}
