//! How a transaction changes its wallet's balance.
//!
//! Incoming rows count once they are settled; outgoing rows count from acceptance on, with their fee; failed rows do
//! not count. Settled and failed are judged by the same final statuses as for orders. The change by a row without
//! enough data (no amount, contradictory amounts, an unknown status) is unclear.

use super::outcome::{FinalStatuses, Verdict};
use super::{Amount, Direction, ReportedAmount, Status, Transaction};

/// How a row changes its wallet's balance of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BalanceDelta {
    In(Amount),
    /// The fee included.
    Out(Amount),
    Unclear,
}

impl BalanceDelta {
    /// The change by a transaction; `None` where there is none.
    pub fn from_transaction(transaction: &Transaction, final_statuses: &FinalStatuses) -> Option<Self> {
        let verdict = transaction.verdict(final_statuses);
        Self::from_fields(
            &transaction.direction,
            verdict,
            transaction.status.as_ref(),
            transaction.amount.as_ref(),
            transaction.total_amount.as_ref(),
        )
    }

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
            // An unknown status, confirmed or not.
            (Verdict::Open, _) => None,
        };
        let delta = match (direction, done) {
            (Direction::Incoming, Some(false)) => return None,
            (Direction::Incoming, Some(true)) => amount.and_then(ReportedAmount::exact).map(Self::In),
            (Direction::Outgoing, Some(_)) => total_amount.and_then(ReportedAmount::exact).map(Self::Out),
            _ => None,
        };
        Some(delta.unwrap_or(Self::Unclear))
    }
}
