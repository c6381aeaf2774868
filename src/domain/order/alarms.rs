//! What an order's record shows against it: differences from the request, excessive costs, and that it was reopened.

use super::Order;
use crate::domain::{FinalStatuses, Operation, Text, TransactionId, Verdict};

impl Order {
    /// Whether the order was reopened by a contradiction and not closed again.
    pub fn is_reopened(&self) -> bool {
        self.end.is_none() && self.lookups.iter().any(|(_, look)| look.contradiction.is_some())
    }

    /// Whether it was ever sent, so that any row may be its own: an attempt that seemed not to leave may have left all
    /// the same.
    pub fn was_ever_sent(&self) -> bool {
        !self.attempts.is_empty() && self.drafted.draft.operation().moves_money()
    }

    /// Whether it is a swap by version 1 that occurs in the history of version 2: only then can that history prove that
    /// another such swap was not made, since version 1 has no list of swaps.
    pub fn is_instant_swap_in_history(&self) -> bool {
        let is_instant = self.drafted.draft.operation() == Operation::InstantSwap;
        is_instant && self.lookups.iter().any(|(_, look)| look.observed.is_some())
    }

    /// Every distinct difference that an answer or the history shows from the request, or from how the order was
    /// closed.
    pub fn differences(&self) -> Vec<&Text> {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let answered = answers.flat_map(|(_, answer)| &answer.differences);
        let in_history = self.lookups.iter().flat_map(|(_, look)| look.differences.iter().chain(&look.contradiction));
        let mut all: Vec<&Text> = Vec::new();
        for difference in answered.chain(in_history) {
            if !all.contains(&difference) {
                all.push(difference);
            }
        }
        all
    }

    /// The transaction that the history last reported as settled.
    pub fn settled_transaction_in_history(&self, final_statuses: &FinalStatuses) -> Option<&TransactionId> {
        let last = self.lookups.iter().rev().find_map(|(_, look)| look.observed.as_ref())?;
        last.transaction.as_ref().filter(|_| final_statuses.verdict(last) == Verdict::Settled)
    }

    /// Every distinct alarm that the order cost far more than expected.
    pub fn cost_alarms(&self) -> Vec<&Text> {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let in_history = self.lookups.iter().flat_map(|(_, look)| &look.cost_alarms);
        let mut all: Vec<&Text> = Vec::new();
        for cost in answers.flat_map(|(_, answer)| &answer.cost_alarms).chain(in_history) {
            if !all.contains(&cost) {
                all.push(cost);
            }
        }
        all
    }

    /// Whether the history contradicts the request, or how the order was closed.
    pub fn is_contradicted_by_history(&self) -> bool {
        self.lookups.iter().any(|(_, look)| !look.differences.is_empty() || look.contradiction.is_some())
    }
}
