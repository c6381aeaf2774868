//! Polling: which data sets are read when, and what a read comes to. Data on screen are read first and oftener, all others slowly. Pure.

mod due;
mod first_round;

use std::time::Duration;

use super::prices::{QuoteRequest, QuoteResult};
use super::remote::PollState;
use crate::app::pages::users::UserReport;
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::v1::SwapPair;
use crate::domain::{Failure, FailureReason, Timestamp, UserId, UserStats};
pub use due::{next_due, start_due};
pub(in crate::app) use first_round::recompute_after_first_round;

/// Data read from the service; of each, at most one read is under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Dataset {
    Latest,
    /// The next stretch of the initial sync.
    Backfill,
    /// Accounts, wallets and users, if the service lists them.
    Lists {
        v1: bool,
    },
    /// Details of one user, without balances.
    User {
        user: UserId,
        v1: bool,
    },
    /// Balances of the users in a scope, those read longest ago first, a few at a time.
    Balances(Scope),
    /// Balances of the scopes that watches refer to.
    WatchedBalances(Vec<Scope>),
    Stats,
    Markets,
    Pairs,
    Quotes(Vec<QuoteRequest>),
    /// Outcomes of open orders: searches the outgoing history for their keys and references, back to where it was known
    /// before the oldest of these orders.
    Orders,
}

impl Dataset {
    /// Read on every page; when the others are needed, [`due`] says.
    const ALWAYS_NEEDED: [Self; 3] = [Self::Markets, Self::Stats, Self::Balances(Scope::All)];

    /// In sentences.
    pub(in crate::app) fn subject(&self) -> &'static str {
        match self {
            Self::Latest | Self::Backfill => "the history",
            Self::Lists { .. } => "accounts, wallets and users",
            Self::Balances(_) | Self::WatchedBalances(_) => "balances",
            Self::User { .. } => "user details",
            Self::Stats => "user counts",
            Self::Markets => "tokens",
            Self::Pairs => "pairs",
            Self::Quotes(_) => "quotes",
            Self::Orders => "order outcomes",
        }
    }
}

/// The result of a read. The rows themselves are in the store by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Snapshot {
    History {
        added: u64,
        /// Known rows whose content changed.
        changed: u64,
        progress: Box<SyncProgress>,
    },
    Lists {
        /// Whether the service serves any of the lists.
        served: bool,
        /// Whether there are entries that were never read.
        more: bool,
        /// How many entries could not be parsed.
        unreadable: u64,
    },
    /// Balances of some users were read.
    Balances {
        users: u64,
    },
    /// Balances for watches were read.
    WatchedBalances,
    Stats(UserStats),
    User(Box<UserReport>),
    Markets {
        unreadable: u64,
    },
    Pairs {
        /// `None` if the service has no such list.
        pairs: Option<Vec<SwapPair>>,
        unreadable: u64,
    },
    /// Quotes, or why the service gives none for a pair.
    Quotes(Vec<QuoteResult>),
    /// Open orders were looked up; the findings are in the journal, whose orders follow.
    Orders,
}

impl Snapshot {
    /// How many entries of a list could not be parsed, if that is a reason to read the list again. The history reports
    /// its own in [`SyncProgress`].
    pub fn unreadable_count(&self) -> u64 {
        match self {
            Self::Lists { unreadable, .. } | Self::Markets { unreadable } | Self::Pairs { unreadable, .. } => {
                *unreadable
            }
            Self::History { .. }
            | Self::Balances { .. }
            | Self::WatchedBalances
            | Self::Stats(_)
            | Self::User(_)
            | Self::Quotes(_)
            | Self::Orders => 0,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PollStates {
    /// The newest rows of the history.
    pub latest: PollState,
    pub backfill: PollState,
    pub lists: PollState,
    /// Balances of the selected scope.
    pub scope_balances: PollState,
    /// Balances of all users, slowly.
    pub all_balances: PollState,
    /// Details of the selected user, without balances.
    pub user: PollState,
    /// Balances of the scopes that watches refer to.
    pub watched_balances: PollState,
    pub stats: PollState,
    pub markets: PollState,
    pub pairs: PollState,
    pub quotes: PollState,
    /// Outcomes of open orders.
    pub orders: PollState,
    /// Until when the service asked for no requests at all.
    pub quiet_until: Option<Timestamp>,
    /// Until when data sets are read one at a time, after a rate limit.
    pub one_by_one_until: Option<Timestamp>,
    /// Whether the lists have entries that were never read.
    pub are_lists_incomplete: bool,
    /// Whether the history was read once, and every other data set that was needed then was read or has failed.
    is_first_round_over: bool,
}

const ONE_BY_ONE_PERIOD: Duration = Duration::from_mins(1);

impl PollStates {
    /// Nothing was read yet. The seed is random per console, so that retries of several consoles are jittered apart.
    pub(in crate::app) fn new(seed: u64) -> Self {
        let mut remotes = Self::default();
        for (nth, remote) in (0_u64..).zip(remotes.all_mut()) {
            remote.seed = seed.wrapping_add(nth << 32);
        }
        remotes
    }

    pub fn get(&self, dataset: &Dataset) -> &PollState {
        match dataset {
            Dataset::Latest => &self.latest,
            Dataset::Backfill => &self.backfill,
            Dataset::Lists { .. } => &self.lists,
            Dataset::User { .. } => &self.user,
            Dataset::Balances(Scope::All) => &self.all_balances,
            Dataset::Balances(_) => &self.scope_balances,
            Dataset::WatchedBalances(_) => &self.watched_balances,
            Dataset::Stats => &self.stats,
            Dataset::Markets => &self.markets,
            Dataset::Pairs => &self.pairs,
            Dataset::Quotes(_) => &self.quotes,
            Dataset::Orders => &self.orders,
        }
    }

    pub fn get_mut(&mut self, dataset: &Dataset) -> &mut PollState {
        match dataset {
            Dataset::Latest => &mut self.latest,
            Dataset::Backfill => &mut self.backfill,
            Dataset::Lists { .. } => &mut self.lists,
            Dataset::User { .. } => &mut self.user,
            Dataset::Balances(Scope::All) => &mut self.all_balances,
            Dataset::Balances(_) => &mut self.scope_balances,
            Dataset::WatchedBalances(_) => &mut self.watched_balances,
            Dataset::Stats => &mut self.stats,
            Dataset::Markets => &mut self.markets,
            Dataset::Pairs => &mut self.pairs,
            Dataset::Quotes(_) => &mut self.quotes,
            Dataset::Orders => &mut self.orders,
        }
    }

    /// The clock was set back: times of reads and due times are no longer comparable.
    pub fn reset_times(&mut self) {
        (self.quiet_until, self.one_by_one_until) = (None, None);
        for remote in self.all_mut() {
            (remote.last_success, remote.success_began, remote.started_at) = (None, None, None);
            remote.due = None;
        }
    }

    pub fn request_all(&mut self) {
        self.quiet_until = None;
        for remote in self.all_mut() {
            remote.request_now();
        }
    }

    pub(in crate::app) fn all_mut(&mut self) -> [&mut PollState; 12] {
        let Self {
            latest,
            backfill,
            lists,
            scope_balances,
            all_balances,
            user,
            watched_balances,
            stats,
            markets,
            pairs,
            quotes,
            orders,
            quiet_until: _,
            one_by_one_until: _,
            are_lists_incomplete: _,
            is_first_round_over: _,
        } = self;
        [
            latest,
            backfill,
            lists,
            scope_balances,
            all_balances,
            user,
            watched_balances,
            stats,
            markets,
            pairs,
            quotes,
            orders,
        ]
    }

    /// A rate limit applies to the whole key, and a service that is busy for the history or the orders is busy for
    /// everything: other data sets would fail likewise, so all reads pause. A service that is busy for another data set
    /// alone pauses nothing else.
    pub(in crate::app) fn pause_all_if_service_busy(&mut self, dataset: &Dataset) {
        let remote = self.get(dataset);
        let speaks_of_all = matches!(dataset, Dataset::Latest | Dataset::Orders);
        if let (Some((Failure { reason: FailureReason::Busy { too_many, .. }, .. }, _)), Some(due)) =
            (&remote.failure, remote.due)
            && (*too_many || speaks_of_all)
        {
            let asked_too_often = *too_many;
            self.quiet_until = self.quiet_until.max(Some(due));
            // All data sets at once after the pause would exceed the limit again.
            if asked_too_often {
                self.one_by_one_until = self.one_by_one_until.max(Some(due.plus(ONE_BY_ONE_PERIOD)));
            }
        }
    }

    /// The service is back: data sets that failed because it was away are read at once.
    pub(in crate::app) fn retry_failed(&mut self) {
        for remote in self.all_mut() {
            if remote.in_flight.is_none()
                && remote.failure.as_ref().is_some_and(|(failure, _)| concerns_whole_service(failure))
            {
                remote.due = None;
            }
        }
    }

    /// Whether the service as a whole was unreachable or busy at the last read of the history.
    fn is_service_away(&self) -> bool {
        self.latest.failure.as_ref().is_some_and(|(failure, _)| concerns_whole_service(failure))
    }
}

fn concerns_whole_service(failure: &Failure) -> bool {
    matches!(failure.reason, FailureReason::Unreachable | FailureReason::Busy { .. })
}

/// Users whose balances one read covers.
pub const USERS_PER_READ: u32 = 8;

/// How long it takes to read the balances of all users once, [`USERS_PER_READ`] at a time.
pub fn balance_round_duration(scope: &Scope, users: u64, period: Duration) -> Duration {
    round_duration_of_dataset(&Dataset::Balances(scope.clone()), users, period)
}

/// The normal age of the oldest part of a watched sum: users are polled in rotation, and users with new transactions
/// before the others, so that each is read within two rounds.
pub(in crate::app) fn normal_watched_sum_age(scope: &Scope, users: u64, period: Duration) -> Duration {
    let dataset = match scope {
        Scope::All => Dataset::Balances(Scope::All),
        Scope::Account(_) | Scope::Wallet(_) | Scope::User(_) => Dataset::WatchedBalances(Vec::new()),
    };
    round_duration_of_dataset(&dataset, users, period).saturating_mul(2)
}

fn round_duration_of_dataset(dataset: &Dataset, users: u64, period: Duration) -> Duration {
    let reads = users.div_ceil(u64::from(USERS_PER_READ)).max(1);
    poll_interval(dataset, period).saturating_mul(u32::try_from(reads).unwrap_or(u32::MAX))
}

/// The pause after a successful read: a multiple of the profile's poll period.
pub fn poll_interval(dataset: &Dataset, period: Duration) -> Duration {
    match dataset {
        Dataset::Backfill => Duration::ZERO,
        Dataset::Balances(Scope::All) | Dataset::User { .. } => period.saturating_mul(4),
        Dataset::Latest | Dataset::Balances(_) | Dataset::Orders | Dataset::Quotes(_) => period,
        Dataset::WatchedBalances(_) => period.saturating_mul(2),
        Dataset::Stats => period.saturating_mul(12),
        // The lists change only when an account, a wallet or a user is created.
        Dataset::Lists { .. } => period.saturating_mul(60).max(Duration::from_mins(1)),
        Dataset::Markets | Dataset::Pairs => period.saturating_mul(120).max(Duration::from_mins(10)),
    }
}

#[cfg(test)]
mod tests;
