//! How long transactions take to settle, by blockchain, measured from the history.
//!
//! A transaction that is pending for much longer than its blockchain usually takes is stuck. Where too few rows show
//! how long that is, a default applies, and whoever shows the limit says so.

use std::collections::HashMap;
use std::time::Duration;

use super::address::Family;
use super::{Text, chain};

/// Fewer settled rows do not show what is usual.
const MIN_SAMPLES: usize = 20;
/// A transaction is stuck after this many times what 95 of 100 took.
const STUCK_FACTOR: u32 = 3;
/// However fast a blockchain is, a service may take a few minutes by itself.
const SHORTEST_LIMIT: Duration = Duration::from_mins(10);
const DEFAULT_LIMIT: Duration = Duration::from_hours(1);
/// Of blockchains with blocks every ten minutes, of which several must follow.
const DEFAULT_SLOW_LIMIT: Duration = Duration::from_hours(3);

/// What 95 of 100 transactions of a blockchain took at most; of those with enough settled rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettlementTimes(HashMap<Text, Duration>);

/// After how long a pending transaction is stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StuckLimit {
    pub after: Duration,
    /// What 95 of 100 took at most; `None` where that is not known and the limit is a default.
    pub usual: Option<Duration>,
}

impl SettlementTimes {
    pub fn from_samples(samples: impl IntoIterator<Item = (Text, Vec<Duration>)>) -> Self {
        let usual = |(chain, mut times): (Text, Vec<Duration>)| {
            times.sort_unstable();
            let longest = times.get(times.len().saturating_sub(1) * 95 / 100).copied();
            longest.filter(|_| times.len() >= MIN_SAMPLES).map(|longest| (chain, longest))
        };
        Self(samples.into_iter().filter_map(usual).collect())
    }

    pub fn stuck_limit(&self, blockchain: &str) -> StuckLimit {
        match self.0.get(&Text::clean(blockchain)) {
            Some(usual) => {
                StuckLimit { after: usual.saturating_mul(STUCK_FACTOR).max(SHORTEST_LIMIT), usual: Some(*usual) }
            }
            None if chain::address_family_of(blockchain, None) == Some(Family::Bitcoin) => {
                StuckLimit { after: DEFAULT_SLOW_LIMIT, usual: None }
            }
            None => StuckLimit { after: DEFAULT_LIMIT, usual: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(chain: &str, minutes: impl IntoIterator<Item = u64>) -> (Text, Vec<Duration>) {
        (chain.into(), minutes.into_iter().map(Duration::from_mins).collect())
    }

    #[test]
    fn a_limit_follows_from_what_95_of_100_took_and_is_a_default_where_that_is_unknown() {
        let times_by_chain = SettlementTimes::from_samples([
            times("ethereum", 1..=100),
            times("solana", [0; 40]),
            times("base", [30; 19]),
        ]);
        let limit = |chain: &str| {
            let StuckLimit { after, usual } = times_by_chain.stuck_limit(chain);
            (after.as_secs() / 60, usual.map(|usual| usual.as_secs() / 60))
        };
        assert_eq!(limit("ethereum"), (285, Some(95)));
        assert_eq!(limit("solana"), (10, Some(0)), "a service takes a few minutes by itself");
        assert_eq!(limit("base"), (60, None), "19 rows show nothing");
        assert_eq!(limit("bitcoin"), (180, None));
        assert_eq!(limit("a chain that nobody knows"), (60, None));
    }
}
