//! What came of sending a request that changes state.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::v1::WalletAddress;
use super::{Account, Status, SwapDetails, Text, Timestamp, Transaction, TransactionId, User, Wallet};

/// What one attempt came to, and what several came to together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No byte of the request left this machine: free to send again.
    NotSent,
    /// The service took it and said so.
    Accepted,
    /// The service refused it in its own words, and nothing can have been executed: what moves no money, and what older
    /// versions of this program took for that.
    Refused,
    /// The service refused this copy of the request in its own words. Something on the way may have delivered another
    /// copy before: one read of the history that began later and covers it closes the order.
    Declined,
    /// It reads like a refusal, and only a read of the history can close it.
    ProbablyRefused {
        /// How long the service asked to wait, when it only wanted fewer requests.
        wait: Option<Duration>,
    },
    /// The request left, and nothing that came back says what became of it.
    Unknown,
}

impl Outcome {
    /// What an attempt with this outcome leaves us with after earlier ones with that outcome.
    ///
    /// Nothing but an acceptance clears what was not known before: a refusal answers its own attempt alone.
    #[must_use]
    pub fn after(self, earlier: Self) -> Self {
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

/// What the service said of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// What this attempt came to, taken by itself.
    pub outcome: Outcome,
    /// The HTTP status, where an answer came.
    pub status: Option<u16>,
    /// In words: what the service said, or why no answer came.
    pub message: Text,
    /// The answer's body as it came, cut to what the journal keeps.
    pub raw: Option<String>,
    /// What was made by it.
    pub made: Option<Made>,
    /// Where the answer says something else than the request: each an alarm, in words.
    pub differences: Vec<Text>,
    /// Where it says that it costs far more than was to be expected: an alarm, too, though the payment is the one that was
    /// asked for.
    pub costs: Vec<Text>,
}

/// What a change brought into being, or what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Made {
    /// A transaction.
    Transaction(ObservedTransaction),
    /// A user.
    User(User),
    /// An account.
    Account(Account),
    /// A wallet.
    Wallet(Wallet),
    /// A deposit address of version 1.
    Address(WalletAddress),
}

/// What the service tells of an order's transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObservedTransaction {
    /// The transaction; absent where the answer left it out.
    pub transaction: Option<TransactionId>,
    /// How far it has come.
    pub status: Option<Status>,
    /// Whether the service calls it final.
    pub confirmed: Option<bool>,
    /// When it became final.
    pub confirmed_at: Option<Timestamp>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    /// The chain's name for it.
    pub tx_hash: Option<Text>,
    /// Of a swap: what belongs together, and what came of it.
    pub swap: Option<SwapDetails>,
}

impl ObservedTransaction {
    /// What a transaction tells.
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

/// What the service tells of one recipient of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientObservation {
    /// The recipient's place in the request, counted from 0.
    pub recipient: u32,
    /// What is told of its transaction.
    pub observed: ObservedTransaction,
}

/// Which words of this service are final. Upper and lower case are one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FinalStatuses {
    /// Done.
    pub ok: Vec<String>,
    /// Will not happen.
    pub failed: Vec<String>,
}

impl Default for FinalStatuses {
    fn default() -> Self {
        Self { ok: Self::OK.map(str::to_owned).into(), failed: Self::FAILED.map(str::to_owned).into() }
    }
}

/// What the service's words say of a transaction's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Not final, or a word that nobody knows, be it confirmed or not: it goes on being watched.
    Open,
    /// Done.
    Settled,
    /// Will not happen.
    Failed,
    /// It failed and is confirmed: somebody must look.
    Contradiction,
}

impl FinalStatuses {
    /// What is done, where the profile does not say otherwise.
    pub const OK: [&str; 4] = ["success", "completed", "complete", "confirmed"];
    /// What will not happen, where the profile does not say otherwise.
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

    /// Tells these words from others, whatever their order and case.
    pub fn mark(&self) -> String {
        let list = |words: &[String]| {
            let mut words: Vec<String> = words.iter().map(|word| word.trim().to_lowercase()).collect();
            words.sort();
            words.dedup();
            words.join("\u{1f}")
        };
        let digest = Sha256::digest(format!("{}\u{1e}{}", list(&self.ok), list(&self.failed)));
        hex::encode(digest.get(..4).unwrap_or_default())
    }

    /// What is to be made of what was seen. A chain also confirms what it undid, so that `confirmed` counts only beside no
    /// word at all.
    pub fn verdict(&self, seen: &ObservedTransaction) -> Verdict {
        self.judge(seen.status.as_ref(), seen.confirmed)
    }

    /// The same of a status and of whether the service calls it final: the one judgement for orders, sums and filters.
    pub fn judge(&self, status: Option<&Status>, confirmed: Option<bool>) -> Verdict {
        let word = status.map(|status| status.word().trim()).unwrap_or_default();
        let among = |words: &[String]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
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
    /// Whether it says that something will not happen, by what is called so where no profile says otherwise.
    pub fn has_failed(&self) -> bool {
        FinalStatuses::FAILED.iter().any(|known| known.eq_ignore_ascii_case(self.word().trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(status: &str, confirmed: Option<bool>) -> ObservedTransaction {
        ObservedTransaction {
            transaction: None,
            status: Some(Status::read(status)),
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
            assert_eq!(latest.after(Outcome::Unknown), Outcome::Unknown);
            assert_eq!(Outcome::Unknown.after(latest), Outcome::Unknown);
            assert_eq!(latest.after(Outcome::Accepted), Outcome::Accepted);
            assert_eq!(Outcome::Accepted.after(latest), Outcome::Accepted);
            assert_eq!(latest.after(Outcome::NotSent), latest);
        }
        for doubtful in [probably, Outcome::Declined] {
            assert_eq!(Outcome::Refused.after(doubtful), doubtful);
            assert_eq!(Outcome::NotSent.after(doubtful), doubtful);
        }
        assert_eq!((Outcome::Declined.after(probably), probably.after(Outcome::Declined)), (probably, probably));
    }

    #[test]
    fn the_service_has_the_word_on_the_end() {
        let words = FinalStatuses::default();
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
            assert_eq!(words.verdict(&seen(status, confirmed)), verdict, "{status} {confirmed:?}");
        }
        let nothing = ObservedTransaction { status: None, ..seen("", Some(true)) };
        assert_eq!(words.verdict(&nothing), Verdict::Settled);
    }

    #[test]
    fn a_reverted_transaction_is_mined_and_confirmed_and_never_settled() {
        let words = FinalStatuses::default();
        for word in ["reverted", "canceled", "expired", "error", "dropped", "replaced", "returned", "Cancelled"] {
            assert_eq!(words.verdict(&seen(word, Some(true))), Verdict::Contradiction, "{word}");
            assert_eq!(words.verdict(&seen(word, None)), Verdict::Failed, "{word}");
            assert!(Status::read(word).has_failed());
        }
        // A word in neither list stays open, whatever the chain says.
        for word in ["rolled_back", "finalised?", "void", "out of gas"] {
            for confirmed in [None, Some(false), Some(true)] {
                assert_eq!(words.verdict(&seen(word, confirmed)), Verdict::Open, "{word} {confirmed:?}");
            }
        }
    }
}
