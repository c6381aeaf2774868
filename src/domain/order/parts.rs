//! The recipients of a batch, which is one order, may have different outcomes.

use std::collections::{BTreeMap, HashSet};

use super::{Draft, HistoryLookup, Order, OrderEnd};
use crate::domain::{FinalStatuses, ObservedTransaction, Verdict};

impl Order {
    /// The latest report of each recipient that is reported separately, by index in the request. Empty where only the
    /// whole is reported.
    pub fn recipient_reports(&self) -> BTreeMap<u32, &ObservedTransaction> {
        let reports = self.lookups.iter().flat_map(|(_, look)| &look.recipient_reports);
        reports.map(|part| (part.recipient, &part.observed)).collect()
    }

    /// The recipients of a partly settled batch whose payments failed. While a batch is open, a recipient with a failed
    /// payment may still be paid by it.
    pub fn finally_unpaid_recipients(&self, final_statuses: &FinalStatuses) -> HashSet<u32> {
        if !matches!(self.end, Some((_, OrderEnd::PartlySettled))) {
            return HashSet::new();
        }
        let failed = |(part, observed): (u32, &ObservedTransaction)| {
            (final_statuses.verdict(observed) == Verdict::Failed).then_some(part)
        };
        self.recipient_reports().into_iter().filter_map(failed).collect()
    }

    pub fn recipient_count(&self) -> usize {
        match &self.drafted.draft {
            Draft::Batch(batch) => batch.to.len(),
            Draft::Withdraw(_) => 1,
            _ => 0,
        }
    }

    /// Whether single recipients were ever reported, this lookup included: then a report of the whole does not close
    /// the order.
    pub fn has_recipient_reports(&self, look: &HistoryLookup) -> bool {
        !look.recipient_reports.is_empty() || self.lookups.iter().any(|(_, look)| !look.recipient_reports.is_empty())
    }
}
