//! How a transaction changes what its wallet holds.
//!
//! Incoming rows count once they are done; outgoing rows count from their acceptance, with their fee; failed rows do
//! not count. What is done and what failed is told by the same words as of an order. A row that does not say enough (no amount, amounts that contradict each other, a status nobody knows)
//! changes it by nobody knows how much.

use super::outcome::{FinalStatuses, Verdict};
use super::{Amount, Direction, ReportedAmount, Status, Transaction};

/// How a row changes what its wallet holds of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BalanceDelta {
    /// It adds so much.
    In(Amount),
    /// It takes so much away, the fee included.
    Out(Amount),
    /// The row does not say enough.
    Unclear,
}

impl BalanceDelta {
    /// How a transaction changes it; `None` where it does not.
    pub fn from_transaction(transaction: &Transaction, words: &FinalStatuses) -> Option<Self> {
        let verdict = transaction.verdict(words);
        Self::from_fields(
            &transaction.direction,
            verdict,
            transaction.status.as_ref(),
            transaction.amount.as_ref(),
            transaction.total_amount.as_ref(),
        )
    }

    /// The same, from the fields that it depends on.
    pub fn from_fields(
        direction: &Direction,
        verdict: Verdict,
        status: Option<&Status>,
        amount: Option<&ReportedAmount>,
        total_amount: Option<&ReportedAmount>,
    ) -> Option<Self> {
        let done = match (verdict, status) {
            (Verdict::Failed | Verdict::Contradiction, _) => return None,
            (Verdict::Settled, _) => Some(true),
            (Verdict::Open, Some(Status::Pending)) => Some(false),
            // A word that nobody knows, be it confirmed or not.
            (Verdict::Open, _) => None,
        };
        let known = match (direction, done) {
            (Direction::Incoming, Some(false)) => return None,
            (Direction::Incoming, Some(true)) => amount.and_then(ReportedAmount::exact).map(Self::In),
            (Direction::Outgoing, Some(_)) => total_amount.and_then(ReportedAmount::exact).map(Self::Out),
            _ => None,
        };
        Some(known.unwrap_or(Self::Unclear))
    }
}
