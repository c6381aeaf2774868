//! Whether this machine's clock is reliable: limits, cooling-off periods and duplicates depend on time.

use super::{Finding, GuardFacts, GuardedPayment, Override, Rule, Timestamp};
use crate::domain::Skew;

const RULE: Rule = Rule::Clock;

pub(super) fn judge(facts: &GuardFacts) -> Vec<Finding> {
    match (facts.skew, facts.skew.display_text()) {
        (_, Some(apart)) => {
            let message = format!(
                "This machine's clock is {apart}. Limits, cooling-off periods and the duplicate check go by whichever clock \
                 is stricter. Correct the clock before you continue."
            );
            vec![Finding::danger(RULE, Override::Clock, message)]
        }
        (Skew::Unknown, None) => {
            let message = "The service reports no time, so this machine's clock was not checked against it.";
            vec![Finding::note(RULE, message.into())]
        }
        (Skew::Ahead(_), None) => Vec::new(),
    }
}

/// The earlier of the two clocks: time windows reach back from it, and address-book entries cool by it.
pub(super) fn earlier_clock(facts: &GuardFacts, now: Timestamp) -> Timestamp {
    facts.skew.earlier_clock(now)
}

impl GuardedPayment<'_> {
    /// The same payment, judged at the earlier of the two clocks.
    pub(super) fn by_earlier_clock(self) -> Self {
        Self { now: earlier_clock(self.facts, self.now), ..self }
    }
}

#[cfg(test)]
mod tests;
