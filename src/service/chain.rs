//! The simulated chains: how often a block comes, how many are waited for, and which transactions fail.
//!
//! A transaction is accepted at some time and settles when its chain has grown by [`ChainRules::confirmations`] blocks.
//! Blocks stand on a grid of the chain's block time, so that all transactions of a chain count up together. Whether a
//! transaction fails is drawn from its own identifier, which no caller chooses: the same transactions end the same way,
//! whatever runs beside them.

use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::{Chain, Timestamp};

/// How fast the simulated world goes, in thousandths of its usual speed: 2000 is twice as fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(u32);

impl Pace {
    /// The usual speed, at which every transaction settles in seconds.
    pub const USUAL: Self = Self(1000);

    /// How long a block of Ethereum takes at the usual speed, in milliseconds.
    pub const ETHEREUM_BLOCK: u32 = 2_500;

    /// A speed in thousandths; `None` for 0, at which nothing would ever settle, and above 1000 times the usual.
    pub fn per_mille(value: u32) -> Option<Self> {
        (1..=1_000_000).contains(&value).then_some(Self(value))
    }

    /// A duration of the usual speed at this one; at least a millisecond.
    pub fn scale(self, usual: Duration) -> Duration {
        let millis = usual.as_millis().saturating_mul(1000) / u128::from(self.0);
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX).max(1))
    }
}

/// Which transactions fail on their chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailurePolicy {
    /// Those whose own identifiers say so: one in some dozens.
    #[default]
    ById,
    /// None, for tests that are about something else.
    Never,
    /// All that settle, for tests that are about that.
    Always,
}

/// How all chains of a ledger go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainSettings {
    /// How fast.
    pub pace: Pace,
    /// Which transactions they let fail.
    pub failures: FailurePolicy,
}

/// How a simulated chain behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainRules {
    /// Slug of the chain.
    pub slug: &'static str,
    /// Time between blocks at the usual pace, in milliseconds.
    pub block_millis: u64,
    /// Blocks after which a transaction is final.
    pub confirmations: u32,
    /// One transaction in so many fails.
    pub one_fails_in: u64,
    /// Whether a paymaster pays the fees of wallets on this chain, so that they are gasless.
    pub sponsored: bool,
}

/// The chains on which this service works. Confirmations follow what exchanges commonly wait for, block times are
/// shortened where that would take minutes: the usual pace settles Solana in two seconds and Ethereum in half a minute.
const RULES: &[ChainRules] = &[
    ChainRules { slug: "ethereum", block_millis: 2_500, confirmations: 12, one_fails_in: 60, sponsored: false },
    ChainRules { slug: "base", block_millis: 1_000, confirmations: 10, one_fails_in: 80, sponsored: true },
    ChainRules { slug: "bsc", block_millis: 750, confirmations: 15, one_fails_in: 80, sponsored: false },
    ChainRules { slug: "polygon", block_millis: 1_000, confirmations: 20, one_fails_in: 60, sponsored: false },
    ChainRules { slug: "solana", block_millis: 400, confirmations: 5, one_fails_in: 40, sponsored: false },
    ChainRules { slug: "tron", block_millis: 1_000, confirmations: 19, one_fails_in: 80, sponsored: false },
    ChainRules { slug: "bitcoin", block_millis: 10_000, confirmations: 2, one_fails_in: 200, sponsored: false },
    ChainRules { slug: "xrp", block_millis: 1_000, confirmations: 4, one_fails_in: 80, sponsored: false },
    ChainRules { slug: "ton", block_millis: 1_000, confirmations: 6, one_fails_in: 80, sponsored: false },
];

/// The chains of the service, in the order of their numbers in the ledger.
pub fn served_chains() -> impl Iterator<Item = &'static Chain> {
    RULES.iter().filter_map(|rules| Chain::find(rules.slug))
}

/// The rules of a chain; `None` where this service does not work on it.
pub fn rules(chain: &Chain) -> Option<&'static ChainRules> {
    RULES.iter().find(|rules| rules.slug == chain.slug)
}

/// A chain of this service by slug, name or alias, also with a network behind it.
pub fn find_chain(word: &str) -> Option<&'static Chain> {
    Chain::find(word).filter(|chain| rules(chain).is_some())
}

impl ChainRules {
    /// Blocks that came between `accepted` and `now`.
    pub fn blocks_since(&self, accepted: Timestamp, now: Timestamp, pace: Pace) -> u64 {
        let height = |time: Timestamp| u64::try_from(time.millis()).unwrap_or(0) / self.block(pace);
        height(now).saturating_sub(height(accepted))
    }

    /// When the `n`-th block after `accepted` comes.
    pub fn nth_block_after(&self, accepted: Timestamp, n: u64, pace: Pace) -> Timestamp {
        let block = self.block(pace);
        let height = u64::try_from(accepted.millis()).unwrap_or(0) / block;
        let millis = height.saturating_add(n).saturating_mul(block);
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    /// How a transaction ends, and at which block after its acceptance.
    pub fn fate(&self, transaction: Uuid, failures: FailurePolicy) -> ChainOutcome {
        let drawn = draw(transaction);
        let fails = match failures {
            FailurePolicy::ById => drawn.is_multiple_of(self.one_fails_in),
            FailurePolicy::Never => false,
            FailurePolicy::Always => true,
        };
        if fails {
            ChainOutcome { succeeds: false, blocks: 1 + drawn / self.one_fails_in % u64::from(self.confirmations) }
        } else {
            ChainOutcome { succeeds: true, blocks: u64::from(self.confirmations) }
        }
    }

    fn block(&self, pace: Pace) -> u64 {
        u64::try_from(pace.scale(Duration::from_millis(self.block_millis)).as_millis()).unwrap_or(u64::MAX)
    }
}

/// How a transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainOutcome {
    /// Whether it succeeds.
    pub succeeds: bool,
    /// Blocks after its acceptance.
    pub blocks: u64,
}

fn draw(transaction: Uuid) -> u64 {
    let digest = Sha256::new().chain_update(b"fate").chain_update(transaction).finalize();
    digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests;
