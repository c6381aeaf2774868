//! How far a payment is: what a receipt is titled, and what it proves.

use crate::domain::history::HistoryRow;
use crate::domain::order::OrderState;
use crate::domain::{FinalStatuses, Order, Timestamp, Verdict};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReceiptStanding {
    Settled,
    PartlySettled,
    Pending,
    Failed,
    /// The request left, and nobody knows what became of it.
    Unknown,
    NotSent,
    Refused,
    WrittenOff,
    /// The service's reports contradict each other.
    Contradicted,
}

impl ReceiptStanding {
    pub fn title(self) -> &'static str {
        match self {
            Self::Settled => "Receipt",
            Self::PartlySettled => "Payment partly settled",
            Self::Pending => "Payment pending",
            Self::Failed => "Payment failed",
            Self::Unknown => "Payment with unknown outcome",
            Self::NotSent => "Payment not sent",
            Self::Refused => "Payment refused",
            Self::WrittenOff => "Payment written off",
            Self::Contradicted => "Payment under review",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::PartlySettled => "partly settled",
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::NotSent => "not sent",
            Self::Refused => "refused",
            Self::WrittenOff => "written off",
            Self::Contradicted => "contradictory",
        }
    }

    /// What became of the payment, in a sentence; `at` is when it settled.
    pub fn sentence(self, at: Option<&str>) -> String {
        let at = at.map_or_else(String::new, |at| format!(" at {at}"));
        match self {
            Self::Settled => format!("The service reported this payment as settled{at}."),
            Self::PartlySettled => {
                "Only a part is settled: the service reported the payments to some recipients as failed.".into()
            }
            Self::Pending => {
                "Not settled: the service has not reported this payment as settled, and it may still fail.".into()
            }
            Self::Failed => "Not paid: the service reported that this payment failed.".into(),
            Self::Unknown => {
                "Not settled: the request for this payment was sent, and it is not known whether it was made.".into()
            }
            Self::NotSent => "Not paid: no request for this payment was sent.".into(),
            Self::Refused => "Not paid: the service refused this payment.".into(),
            Self::WrittenOff => {
                "Not settled: this order was closed without knowing whether the payment was made.".into()
            }
            Self::Contradicted => {
                "Not settled: the service's reports of this payment contradict each other, and somebody must review it."
                    .into()
            }
        }
    }

    pub(super) fn of_verdict(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Settled => Self::Settled,
            Verdict::Failed => Self::Failed,
            Verdict::Open => Self::Pending,
            Verdict::Contradiction => Self::Contradicted,
        }
    }

    /// By the journal alone.
    pub(super) fn of_order(order: &Order, now: Timestamp) -> Self {
        if order.is_reopened() {
            return Self::Contradicted;
        }
        match order.state(now) {
            OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent | OrderState::Abandoned => Self::NotSent,
            OrderState::Sending if order.is_unresolved(now) => Self::Unknown,
            OrderState::Sending | OrderState::Accepted => Self::Pending,
            OrderState::Unknown | OrderState::ProbablyRefused => Self::Unknown,
            OrderState::Refused => Self::Refused,
            OrderState::Settled => Self::Settled,
            OrderState::PartlySettled => Self::PartlySettled,
            OrderState::Failed => Self::Failed,
            OrderState::WrittenOff => Self::WrittenOff,
        }
    }

    /// By the journal and the rows of the order: what is newer than the journal counts, unless it contradicts how the
    /// order was closed.
    pub(super) fn of_order_and_rows(
        order: &Order,
        rows: &[&HistoryRow],
        final_statuses: &FinalStatuses,
        now: Timestamp,
    ) -> Self {
        let recorded = Self::of_order(order, now);
        if rows.is_empty() {
            return recorded;
        }
        let verdicts: Vec<Verdict> = rows.iter().map(|row| row.transaction.verdict(final_statuses)).collect();
        let all = |expected: Verdict| verdicts.iter().all(|verdict| *verdict == expected);
        let is_whole = order.recipient_count() <= 1
            || rows.len() >= order.recipient_count()
            || rows.iter().any(|row| row.transaction.to_address.is_none());
        let reported = if verdicts.contains(&Verdict::Contradiction) {
            Self::Contradicted
        } else if all(Verdict::Settled) && is_whole {
            Self::Settled
        } else if all(Verdict::Failed) && is_whole {
            Self::Failed
        } else if verdicts.contains(&Verdict::Open) || !is_whole {
            Self::Pending
        } else {
            Self::PartlySettled
        };
        match recorded {
            Self::Contradicted => Self::Contradicted,
            Self::Pending | Self::Unknown => reported,
            _ if recorded == reported => reported,
            // The whole is closed; rows of single recipients may be missing.
            _ if reported == Self::Pending && !is_whole => recorded,
            _ => Self::Contradicted,
        }
    }
}
