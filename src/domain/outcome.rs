//! The outcome of sending a request that changes state.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::v1::WalletAddress;
use super::{Account, Status, SwapObservation, Text, Timestamp, Transaction, TransactionId, User, Wallet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No byte of the request left this machine: it may be sent again.
    NotSent,
    Accepted,
    /// The service rejected the request explicitly, and nothing can have been executed: for operations that move no
    /// money, and for records of older versions of this program.
    Refused,
    /// The service explicitly rejected this copy of the request. Another copy may have been delivered on the way
    /// before: one later complete read of the history closes the order.
    Declined,
    /// The answer reads like a rejection; only reads of the history can confirm it.
    ProbablyRefused {
        /// How long the service asked to wait, when it only wanted fewer requests.
        wait: Option<Duration>,
    },
    /// The request left, and nothing received shows what became of it.
    Unknown,
}

impl Outcome {
    /// The combined outcome of an attempt and the earlier ones.
    ///
    /// Only an acceptance clears an unknown outcome: a rejection answers its own attempt alone.
    #[must_use]
    pub fn combine_after(self, earlier: Self) -> Self {
        match (earlier, self) {
            (_, Self::Accepted) | (Self::Accepted, _) => Self::Accepted,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::ProbablyRefused { .. } | Self::Declined, Self::ProbablyRefused { wait }) => {
                Self::ProbablyRefused { wait }
            }
            (Self::ProbablyRefused { .. }, _) => Self::ProbablyRefused { wait: None },
            (Self::Declined, _) => Self::Declined,
            (_, latest) => latest,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// The outcome of this attempt alone.
    pub outcome: Outcome,
    pub status: Option<u16>,
    /// What the service said, or why no answer came.
    pub message: Text,
    /// The answer's body as received, cut to the journal's limit.
    pub raw: Option<String>,
    pub created: Option<CreatedObject>,
    /// Alarms, in words: where the answer differs from the request.
    pub differences: Vec<Text>,
    /// Alarms, in words, that the answer states a cost far above what was expected; the payment is the requested one.
    pub cost_alarms: Vec<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreatedObject {
    Transaction(ObservedTransaction),
    User(User),
    Account(Account),
    Wallet(Wallet),
    Address(WalletAddress),
}

/// The service's report of an order's transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObservedTransaction {
    /// Absent where the answer left it out.
    pub transaction: Option<TransactionId>,
    pub status: Option<Status>,
    /// Whether the service calls it final.
    pub confirmed: Option<bool>,
    /// When it became final.
    pub confirmed_at: Option<Timestamp>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    pub tx_hash: Option<Text>,
    /// Of a swap: its group and its proceeds.
    pub swap: Option<SwapObservation>,
}

impl ObservedTransaction {
    /// The report that a history row makes.
    pub fn from_transaction(transaction: &Transaction) -> Self {
        Self {
            transaction: Some(transaction.id.clone()),
            status: transaction.status.clone(),
            confirmed: transaction.confirmed,
            confirmed_at: transaction.confirmed_at,
            confirmation: transaction.confirmation,
            tx_hash: transaction.tx_hash.clone(),
            swap: None,
        }
    }
}

/// The service's report of one recipient of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientObservation {
    /// The recipient's index in the request, counted from 0.
    pub recipient: u32,
    pub observed: ObservedTransaction,
}

/// The statuses that are final at this service. Case is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FinalStatuses {
    pub ok: Vec<String>,
    pub failed: Vec<String>,
}

impl Default for FinalStatuses {
    fn default() -> Self {
        Self { ok: Self::OK.map(str::to_owned).into(), failed: Self::FAILED.map(str::to_owned).into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Not final, or an unknown status, confirmed or not: it is still watched.
    Open,
    Settled,
    Failed,
    /// It failed and is confirmed: an operator must review it.
    Contradiction,
}

impl FinalStatuses {
    /// The settled statuses, unless the profile names others.
    pub const OK: [&str; 4] = ["success", "completed", "complete", "confirmed"];
    /// The failed statuses, unless the profile names others.
    pub const FAILED: [&str; 10] = [
        "failed",
        "rejected",
        "cancelled",
        "canceled",
        "reverted",
        "expired",
        "error",
        "dropped",
        "replaced",
        "returned",
    ];

    /// A digest of these statuses, whatever their order and case.
    pub fn digest(&self) -> String {
        let list = |words: &[String]| {
            let mut words: Vec<String> = words.iter().map(|word| word.trim().to_lowercase()).collect();
            words.sort();
            words.dedup();
            words.join("\u{1f}")
        };
        let digest = Sha256::digest(format!("{}\u{1e}{}", list(&self.ok), list(&self.failed)));
        hex::encode(digest.get(..4).unwrap_or_default())
    }

    /// The verdict on a report. A chain also confirms what it reverted, so `confirmed` counts only without any status.
    pub fn verdict(&self, observation: &ObservedTransaction) -> Verdict {
        self.verdict_of_status(observation.status.as_ref(), observation.confirmed)
    }

    /// The verdict on a status and the service's `confirmed`: the one judgement for orders, sums and filters.
    pub fn verdict_of_status(&self, status: Option<&Status>, confirmed: Option<bool>) -> Verdict {
        let word = status.map(|status| status.word().trim()).unwrap_or_default();
        let among = |words: &[String]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
        match confirmed == Some(true) {
            true if among(&self.failed) => Verdict::Contradiction,
            false if among(&self.failed) => Verdict::Failed,
            _ if among(&self.ok) => Verdict::Settled,
            true if word.is_empty() => Verdict::Settled,
            _ => Verdict::Open,
        }
    }
}

impl Status {
    /// Whether the status means failure by the default statuses.
    pub fn has_failed(&self) -> bool {
        FinalStatuses::FAILED.iter().any(|failed| failed.eq_ignore_ascii_case(self.word().trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed_with_status(status: &str, confirmed: Option<bool>) -> ObservedTransaction {
        ObservedTransaction {
            transaction: None,
            status: Some(Status::from_word(status)),
            confirmed,
            confirmed_at: None,
            confirmation: None,
            tx_hash: None,
            swap: None,
        }
    }

    #[test]
    fn only_an_acceptance_clears_what_was_not_known() {
        let probably = Outcome::ProbablyRefused { wait: None };
        let all = [Outcome::NotSent, Outcome::Refused, Outcome::Declined, probably, Outcome::Unknown];
        for latest in all {
            assert_eq!(latest.combine_after(Outcome::Unknown), Outcome::Unknown);
            assert_eq!(Outcome::Unknown.combine_after(latest), Outcome::Unknown);
            assert_eq!(latest.combine_after(Outcome::Accepted), Outcome::Accepted);
            assert_eq!(Outcome::Accepted.combine_after(latest), Outcome::Accepted);
            assert_eq!(latest.combine_after(Outcome::NotSent), latest);
        }
        for doubtful in [probably, Outcome::Declined] {
            assert_eq!(Outcome::Refused.combine_after(doubtful), doubtful);
            assert_eq!(Outcome::NotSent.combine_after(doubtful), doubtful);
        }
        assert_eq!(
            (Outcome::Declined.combine_after(probably), probably.combine_after(Outcome::Declined)),
            (probably, probably)
        );
    }

    #[test]
    fn the_service_has_the_word_on_the_end() {
        let final_statuses = FinalStatuses::default();
        for (status, confirmed, verdict) in [
            ("pending", None, Verdict::Open),
            ("", Some(true), Verdict::Settled),
            ("", None, Verdict::Open),
            // Words of progress stay open, also where they contradict themselves.
            ("pending", Some(true), Verdict::Open),
            ("processing", None, Verdict::Open),
            ("broadcasting", Some(false), Verdict::Open),
            ("Completed", None, Verdict::Settled),
            ("finalised?", None, Verdict::Open),
            ("REJECTED", Some(false), Verdict::Failed),
            ("failed", Some(true), Verdict::Contradiction),
        ] {
            assert_eq!(
                final_statuses.verdict(&observed_with_status(status, confirmed)),
                verdict,
                "{status} {confirmed:?}"
            );
        }
        let nothing = ObservedTransaction { status: None, ..observed_with_status("", Some(true)) };
        assert_eq!(final_statuses.verdict(&nothing), Verdict::Settled);
    }

    #[test]
    fn a_reverted_transaction_is_mined_and_confirmed_and_never_settled() {
        let final_statuses = FinalStatuses::default();
        for word in ["reverted", "canceled", "expired", "error", "dropped", "replaced", "returned", "Cancelled"] {
            assert_eq!(
                final_statuses.verdict(&observed_with_status(word, Some(true))),
                Verdict::Contradiction,
                "{word}"
            );
            assert_eq!(final_statuses.verdict(&observed_with_status(word, None)), Verdict::Failed, "{word}");
            assert!(Status::from_word(word).has_failed());
        }
        // A word in neither list stays open, whatever the chain says.
        for word in ["rolled_back", "finalised?", "void", "out of gas"] {
            for confirmed in [None, Some(false), Some(true)] {
                assert_eq!(
                    final_statuses.verdict(&observed_with_status(word, confirmed)),
                    Verdict::Open,
                    "{word} {confirmed:?}"
                );
            }
        }
    }
}
