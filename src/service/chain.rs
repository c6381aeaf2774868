//! The simulated chains: block times, required confirmations, and which transactions fail.
//!
//! A transaction settles when its chain has grown by [`ChainRules::confirmations`] blocks since its acceptance. Blocks
//! lie on a grid of the chain's block time, so all transactions of a chain count up together. Whether a transaction
//! fails follows from its identifier, which no caller chooses: the same transactions end the same way, whatever runs
//! beside them.

use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::{Chain, Timestamp};

/// Speed of the simulation in thousandths of the usual: 2000 is twice as fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(u32);

impl Pace {
    /// At this pace every transaction settles in seconds.
    pub const USUAL: Self = Self(1000);

    /// Block time of Ethereum at the usual pace, in milliseconds.
    pub const ETHEREUM_BLOCK: u32 = 2_500;

    /// A pace in thousandths; `None` for 0, at which nothing would settle, and above 1000 times the usual.
    pub fn per_mille(value: u32) -> Option<Self> {
        (1..=1_000_000).contains(&value).then_some(Self(value))
    }

    /// A duration of the usual pace at this one; at least a millisecond.
    pub fn scale(self, usual: Duration) -> Duration {
        let millis = usual.as_millis().saturating_mul(1000) / u128::from(self.0);
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX).max(1))
    }
}

/// Which transactions fail on their chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailurePolicy {
    /// Decided by the transaction's identifier: one in some dozens.
    #[default]
    ById,
    /// For tests that are about something else.
    Never,
    /// For tests of failures.
    Always,
}

/// Behaviour of all chains of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulationSettings {
    pub pace: Pace,
    /// Of all transactions, pending ones included.
    pub failures: FailurePolicy,
    /// Of the payments that callers send from now on, unless `failures` decides.
    pub failures_of_callers: FailurePolicy,
}

impl SimulationSettings {
    /// Chance decides for the sample business, and no payment of a caller fails.
    pub fn at_pace(pace: Pace) -> Self {
        Self { pace, failures: FailurePolicy::ById, failures_of_callers: FailurePolicy::Never }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainRules {
    pub slug: &'static str,
    /// The block explorer of its test network.
    pub test_explorer: &'static str,
    /// Time between blocks at the usual pace, in milliseconds.
    pub block_millis: u64,
    /// Blocks after which a transaction is final.
    pub confirmations: u32,
    /// One transaction in this many fails.
    pub one_fails_in: u64,
    /// Whether a paymaster pays the fees of wallets on this chain, so that they are gasless.
    pub sponsored: bool,
}

/// The chains of this service. Confirmations are those that exchanges commonly wait for; block times are shortened
/// where that would take minutes: at the usual pace Solana settles in two seconds and Ethereum in half a minute.
const RULES: &[ChainRules] = &[
    ChainRules {
        slug: "ethereum",
        test_explorer: "https://sepolia.etherscan.io",
        block_millis: 2_500,
        confirmations: 12,
        one_fails_in: 60,
        sponsored: false,
    },
    ChainRules {
        slug: "base",
        test_explorer: "https://sepolia.basescan.org",
        block_millis: 1_000,
        confirmations: 10,
        one_fails_in: 80,
        sponsored: true,
    },
    ChainRules {
        slug: "bsc",
        test_explorer: "https://testnet.bscscan.com",
        block_millis: 750,
        confirmations: 15,
        one_fails_in: 80,
        sponsored: false,
    },
    ChainRules {
        slug: "polygon",
        test_explorer: "https://amoy.polygonscan.com",
        block_millis: 1_000,
        confirmations: 20,
        one_fails_in: 60,
        sponsored: false,
    },
    ChainRules {
        slug: "solana",
        test_explorer: "https://solscan.io/?cluster=devnet",
        block_millis: 400,
        confirmations: 5,
        one_fails_in: 40,
        sponsored: false,
    },
    ChainRules {
        slug: "tron",
        test_explorer: "https://nile.tronscan.org",
        block_millis: 1_000,
        confirmations: 19,
        one_fails_in: 80,
        sponsored: false,
    },
    ChainRules {
        slug: "bitcoin",
        test_explorer: "https://mempool.space/testnet4",
        block_millis: 10_000,
        confirmations: 2,
        one_fails_in: 200,
        sponsored: false,
    },
    ChainRules {
        slug: "xrp",
        test_explorer: "https://testnet.xrpscan.com",
        block_millis: 1_000,
        confirmations: 4,
        one_fails_in: 80,
        sponsored: false,
    },
    ChainRules {
        slug: "ton",
        test_explorer: "https://testnet.tonviewer.com",
        block_millis: 1_000,
        confirmations: 6,
        one_fails_in: 80,
        sponsored: false,
    },
];

/// The chains of the service, in the order of their numbers in the ledger.
pub fn served_chains() -> impl Iterator<Item = &'static Chain> {
    RULES.iter().filter_map(|rules| Chain::find(rules.slug))
}

/// The rules of a chain; `None` if this service does not serve it.
pub fn rules(chain: &Chain) -> Option<&'static ChainRules> {
    RULES.iter().find(|rules| rules.slug == chain.slug)
}

/// The block explorer of a chain, or of its test network.
pub fn block_explorer(chain: &Chain, is_testnet: bool) -> &'static str {
    rules(chain).filter(|_| is_testnet).map_or(chain.explorer, |rules| rules.test_explorer)
}

/// A served chain by slug, name or alias, optionally followed by a network.
pub fn find_chain(word: &str) -> Option<&'static Chain> {
    Chain::find(word).filter(|chain| rules(chain).is_some())
}

impl ChainRules {
    /// Blocks between `accepted` and `now`.
    pub fn blocks_since(&self, accepted: Timestamp, now: Timestamp, pace: Pace) -> u64 {
        let height = |time: Timestamp| u64::try_from(time.millis()).unwrap_or(0) / self.block_time_millis(pace);
        height(now).saturating_sub(height(accepted))
    }

    /// Time of the `n`-th block after `accepted`.
    pub fn nth_block_after(&self, accepted: Timestamp, n: u64, pace: Pace) -> Timestamp {
        let block = self.block_time_millis(pace);
        let height = u64::try_from(accepted.millis()).unwrap_or(0) / block;
        let millis = height.saturating_add(n).saturating_mul(block);
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    /// Outcome of a transaction, and the block after its acceptance at which it is reached.
    pub fn outcome_of(&self, transaction: Uuid, failures: FailurePolicy) -> ChainOutcome {
        let drawn = outcome_hash(transaction);
        let fails = match failures {
            FailurePolicy::ById => drawn.is_multiple_of(self.one_fails_in),
            FailurePolicy::Never => false,
            FailurePolicy::Always => true,
        };
        if fails {
            ChainOutcome {
                succeeds: false,
                blocks_until_outcome: 1 + drawn / self.one_fails_in % u64::from(self.confirmations),
            }
        } else {
            ChainOutcome { succeeds: true, blocks_until_outcome: u64::from(self.confirmations) }
        }
    }

    fn block_time_millis(&self, pace: Pace) -> u64 {
        u64::try_from(pace.scale(Duration::from_millis(self.block_millis)).as_millis()).unwrap_or(u64::MAX)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainOutcome {
    pub succeeds: bool,
    /// Blocks after acceptance.
    pub blocks_until_outcome: u64,
}

fn outcome_hash(transaction: Uuid) -> u64 {
    let digest = Sha256::new().chain_update(b"fate").chain_update(transaction).finalize();
    digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests;
