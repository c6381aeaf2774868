//! What is read when: what is on screen first and oftener, everything else slowly. Pure.

use std::time::Duration;

use super::charts;
use super::forms::live_quote;
use super::link::Link;
use super::lock;
use super::model::{Mode, Model, Page};
use super::msg::{Dataset, Effect};
use super::orders;
use super::prices;
use super::remote::Remote;
use super::users;
use crate::domain::history::Scope;
use crate::domain::{Failure, Reason, Timestamp};

/// The state of reading each data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remotes {
    /// The newest rows of the history.
    pub latest: Remote,
    /// The first read of the history.
    pub backfill: Remote,
    /// Accounts, wallets and users.
    pub lists: Remote,
    /// Balances of what is selected.
    pub scope_balances: Remote,
    /// Balances of everybody, slowly.
    pub all_balances: Remote,
    /// What else is told of the selected user.
    pub user: Remote,
    /// Balances of those that watches look at.
    pub watched_balances: Remote,
    /// Counts of the workspace.
    pub stats: Remote,
    /// Tokens and blockchains.
    pub markets: Remote,
    /// The pairs that the service swaps.
    pub pairs: Remote,
    /// Quotes.
    pub quotes: Remote,
    /// What became of the orders that are open.
    pub orders: Remote,
    /// Until when the service asked to be left alone, whatever it had been asked for.
    pub quiet_until: Option<Timestamp>,
    /// Until when data sets are read one after another, since so many at once were too many of late.
    pub one_by_one_until: Option<Timestamp>,
}

/// How long data sets are read one after another once a key asked too often.
const IN_TURN: Duration = Duration::from_mins(1);

impl Remotes {
    /// Nothing was read yet. The seed is this console's own: it sets its pauses apart from those of others.
    pub(super) fn new(seed: u64) -> Self {
        let mut remotes = Self::default();
        for (nth, remote) in (0_u64..).zip(remotes.all_mut()) {
            remote.seed = seed.wrapping_add(nth << 32);
        }
        remotes
    }

    /// The state of reading a data set.
    pub fn of(&self, what: &Dataset) -> &Remote {
        match what {
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

    /// The same, to be changed.
    pub fn get_mut(&mut self, what: &Dataset) -> &mut Remote {
        match what {
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

    /// The clock was set back: when anything was read or is due lies in a time that does not count any more.
    pub fn reset_times(&mut self) {
        (self.quiet_until, self.one_by_one_until) = (None, None);
        for remote in self.all_mut() {
            remote.last_success = None;
            remote.due = None;
        }
    }

    /// Reads everything again at once.
    pub fn request_all(&mut self) {
        self.quiet_until = None;
        for remote in self.all_mut() {
            remote.request_now();
        }
    }

    pub(super) fn all_mut(&mut self) -> [&mut Remote; 12] {
        let Self {
            latest: head,
            backfill: back,
            lists,
            scope_balances: visible,
            all_balances: everybody,
            user,
            watched_balances: watched,
            stats,
            markets,
            pairs,
            quotes,
            orders,
            quiet_until: _,
            one_by_one_until: _,
        } = self;
        [head, back, lists, visible, everybody, user, watched, stats, markets, pairs, quotes, orders]
    }

    /// A key that asked too often is refused whatever it asks for, and a service that is not up for the history or the
    /// orders is up for nothing: each data set would only be told the same. One that is never up for some other data set
    /// says nothing of the rest.
    pub(super) fn apply_service_failure(&mut self, what: &Dataset) {
        let remote = self.of(what);
        let speaks_of_all = matches!(what, Dataset::Latest | Dataset::Orders);
        if let (Some((Failure { reason: Reason::Busy { too_many, .. }, .. }, _)), Some(due)) =
            (&remote.failure, remote.due)
            && (*too_many || speaks_of_all)
        {
            let asked_too_often = *too_many;
            self.quiet_until = self.quiet_until.max(Some(due));
            // All at once at the end of the pause would be too many again.
            if asked_too_often {
                self.one_by_one_until = self.one_by_one_until.max(Some(due.plus(IN_TURN)));
            }
        }
    }

    /// The service is there again: what failed because it was not is read at once, and its age mends by itself.
    pub(super) fn retry_failed(&mut self) {
        for remote in self.all_mut() {
            if remote.in_flight.is_none() && remote.failure.as_ref().is_some_and(|(failure, _)| is_of_service(failure))
            {
                remote.due = None;
            }
        }
    }

    /// Whether the service as a whole was out of reach, or too busy, when it was last asked for the history.
    fn is_away(&self) -> bool {
        self.latest.failure.as_ref().is_some_and(|(failure, _)| is_of_service(failure))
    }
}

/// Whether a failure says as much of every other data set.
fn is_of_service(failure: &Failure) -> bool {
    matches!(failure.reason, Reason::Unreachable | Reason::Busy { .. })
}

/// Users whose balances one read takes in.
pub const USERS_PER_READ: u32 = 8;

/// How long it takes to read the balances of so many users once, a few at a time.
pub fn round_duration(scope: &Scope, users: u64, period: Duration) -> Duration {
    round_of(&Dataset::Balances(scope.clone()), users, period)
}

/// How old the parts of a sum that is watched grow by themselves: its users are read in turn, and those whom the history
/// tells of before the others, so that each was read within two rounds.
pub(super) fn watched_age(scope: &Scope, users: u64, period: Duration) -> Duration {
    let what = match scope {
        Scope::All => Dataset::Balances(Scope::All),
        _ => Dataset::WatchedBalances(Vec::new()),
    };
    round_of(&what, users, period).saturating_mul(2)
}

fn round_of(what: &Dataset, users: u64, period: Duration) -> Duration {
    let reads = users.div_ceil(u64::from(USERS_PER_READ)).max(1);
    poll_interval(what, period).saturating_mul(u32::try_from(reads).unwrap_or(u32::MAX))
}

/// How long to wait after a good answer. Each is a multiple of the profile's poll period.
pub fn poll_interval(what: &Dataset, period: Duration) -> Duration {
    match what {
        Dataset::Backfill => Duration::ZERO,
        Dataset::Balances(Scope::All) | Dataset::User { .. } => period.saturating_mul(4),
        Dataset::Latest | Dataset::Balances(_) | Dataset::Orders | Dataset::Quotes(_) => period,
        Dataset::WatchedBalances(_) => period.saturating_mul(2),
        Dataset::Stats => period.saturating_mul(12),
        // Served or not, the lists change only when somebody makes an account, a wallet or a user.
        Dataset::Lists { .. } => period.saturating_mul(60).max(Duration::from_mins(1)),
        Dataset::Markets | Dataset::Pairs => period.saturating_mul(120).max(Duration::from_mins(10)),
    }
}

/// What is wanted now: the data sets of this page, each unless nothing would come of it.
fn wanted(model: &Model) -> Vec<Dataset> {
    let mut wanted = vec![Dataset::Latest];
    // What the key may not read may have been refused for once: the history tells when that is over.
    if model.link == Link::KeyRejected {
        return wanted;
    }
    // One data set is enough to find out that the service is there again; orders that are open are worth a second one.
    if model.remotes.is_away() {
        wanted.extend(orders::has_tracked_orders(model).then_some(Dataset::Orders));
        return wanted;
    }
    let visible = model.balance_scope();
    let shown = matches!(model.page, Page::Overview | Page::Users) || matches!(model.mode, Mode::Form(_));
    // Whoever walks down the list of users asks nothing of the service on the way.
    let shown = shown && !users::is_moving(model);
    if shown && visible != Scope::All {
        wanted.push(Dataset::Balances(visible));
    }
    if let Some(user) = users::polled_user(model).filter(|_| shown) {
        wanted.push(Dataset::User { user: user.clone(), v1: model.v1 });
    }
    if model.probe_lists {
        wanted.push(Dataset::Lists { v1: model.v1 });
    }
    // The first read goes on only behind a head that was read, so that nothing falls between the two.
    if model.remotes.latest.last_success.is_some() && model.wants_initial_sync() {
        wanted.push(Dataset::Backfill);
    }
    if orders::has_tracked_orders(model) {
        wanted.push(Dataset::Orders);
    }
    let watched = model.watches.scopes();
    if !watched.is_empty() {
        wanted.push(Dataset::WatchedBalances(watched));
    }
    wanted.extend([Dataset::Markets, Dataset::Stats, Dataset::Balances(Scope::All)]);
    if model.prices.settings.valuation.is_some() || live_quote::wants_pairs(model) {
        wanted.push(Dataset::Pairs);
    }
    if model.prices.settings.valuation.is_some() {
        let due = prices::due_requests(model);
        if !due.is_empty() {
            wanted.push(Dataset::Quotes(due));
        }
    }
    wanted
}

/// Starts every read that is due.
pub fn start_due(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    if model.remotes.quiet_until.is_some_and(|until| now < until) {
        return Vec::new();
    }
    let mut due = wanted(model);
    let in_turn = Turns::of(model, &due);
    due.retain(|what| model.remotes.of(what).is_due(now));
    match in_turn {
        Turns::None => {}
        Turns::Taken => due.retain(is_beside),
        Turns::Free => {
            // Who waits longest is next, so that none keeps the others from it.
            let next =
                due.iter().filter(|what| !is_beside(what)).min_by_key(|what| model.remotes.of(what).due).cloned();
            due.retain(|what| is_beside(what) || Some(what) == next.as_ref());
        }
    }
    let mut load = |what: Dataset| {
        let turn = model.remotes.get_mut(&what).start(now);
        Effect::Load { dataset: what, turn }
    };
    due.into_iter().map(&mut load).collect()
}

/// Whether data sets are read one after another.
enum Turns {
    /// Each when it is due.
    None,
    /// The next one may be read.
    Free,
    /// One is under way.
    Taken,
}

impl Turns {
    fn of(model: &Model, wanted: &[Dataset]) -> Self {
        let under_way = |what: &Dataset| !is_beside(what) && model.remotes.of(what).in_flight.is_some();
        match model.remotes.one_by_one_until.is_some_and(|until| model.now < until) {
            false => Self::None,
            true if wanted.iter().any(under_way) => Self::Taken,
            true => Self::Free,
        }
    }
}

/// Whether a data set takes no turns: money waits for what became of orders.
fn is_beside(what: &Dataset) -> bool {
    *what == Dataset::Orders
}

/// When something is next due: a read, or a figure on screen that ages.
pub fn next_due(model: &Model) -> Option<Timestamp> {
    if !model.is_connected {
        return Some(model.now);
    }
    let aging = [
        model.next_aging(),
        orders::next_due(model),
        users::next_due(model),
        charts::next_due(model),
        live_quote::next_due(model),
        lock::next_due(model),
    ];
    let aging = aging.into_iter().flatten().min();
    let prices = prices::next_due(model).filter(|_| model.link != Link::KeyRejected);
    let aging = aging.into_iter().chain(prices).min();
    let mut wanted = wanted(model);
    if matches!(Turns::of(model, &wanted), Turns::Taken) {
        wanted.retain(is_beside);
    }
    let idle = wanted.iter().map(|what| model.remotes.of(what)).filter(|remote| remote.in_flight.is_none());
    let quiet = model.remotes.quiet_until;
    let due =
        idle.map(|remote| remote.due.unwrap_or(model.now)).min().map(|due| quiet.map_or(due, |quiet| due.max(quiet)));
    due.into_iter().chain(aging).min()
}

#[cfg(test)]
mod tests;
