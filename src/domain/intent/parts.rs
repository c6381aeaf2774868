//! A batch is one order, and each of its recipients may fare in a way of its own.

use std::collections::{BTreeMap, HashSet};

use super::{Draft, HistoryLookup, Order, OrderEnd};
use crate::domain::{FinalStatuses, ObservedTransaction, Verdict};

impl Order {
    /// What the service last told of each recipient that it tells apart, by the recipient's place in the request. Nothing
    /// where it tells of the whole alone.
    pub fn parts(&self) -> BTreeMap<u32, &ObservedTransaction> {
        let told = self.lookups.iter().flat_map(|(_, look)| &look.parts);
        told.map(|part| (part.recipient, &part.observed)).collect()
    }

    /// Whether a look tells something new of a recipient.
    pub fn has_new_parts(&self, look: &HistoryLookup) -> bool {
        if look.parts.is_empty() {
            return false;
        }
        let known = self.parts();
        look.parts.iter().any(|part| known.get(&part.recipient) != Some(&&part.observed))
    }

    /// Recipients of a batch that is over who got nothing, by the service's word. While it is open, somebody whose payment
    /// failed may still be paid by it.
    pub fn unpaid_recipients(&self, words: &FinalStatuses) -> HashSet<u32> {
        if !matches!(self.end, Some((_, OrderEnd::PartlySettled))) {
            return HashSet::new();
        }
        let failed =
            |(part, seen): (u32, &ObservedTransaction)| (words.verdict(seen) == Verdict::Failed).then_some(part);
        self.parts().into_iter().filter_map(failed).collect()
    }

    /// How many it pays.
    pub fn recipients(&self) -> usize {
        match &self.drafted.draft {
            Draft::Batch(batch) => batch.to.len(),
            Draft::Withdraw(_) => 1,
            _ => 0,
        }
    }

    /// How it ends by what is told of each recipient, one more look included: only when all of them are told of, and all
    /// that is told is final. `None` where the service does not tell them apart, too.
    pub fn end_from_parts(&self, look: &HistoryLookup, words: &FinalStatuses) -> Option<OrderEnd> {
        let mut parts = self.parts();
        parts.extend(look.parts.iter().map(|part| (part.recipient, &part.observed)));
        if parts.is_empty() || parts.len() < self.recipients() {
            return None;
        }
        let verdicts: Vec<Verdict> = parts.into_values().map(|seen| words.verdict(seen)).collect();
        let all = |wanted: Verdict| verdicts.iter().all(|verdict| *verdict == wanted);
        let is_final = verdicts.iter().all(|verdict| matches!(verdict, Verdict::Settled | Verdict::Failed));
        match is_final {
            true if all(Verdict::Settled) => Some(OrderEnd::Settled),
            true if all(Verdict::Failed) => Some(OrderEnd::Failed),
            true => Some(OrderEnd::PartlySettled),
            false => None,
        }
    }

    /// Whether the service told of single recipients before, or does now: then what it tells of the whole ends nothing.
    pub fn has_parts(&self, look: &HistoryLookup) -> bool {
        !look.parts.is_empty() || self.lookups.iter().any(|(_, look)| !look.parts.is_empty())
    }
}
