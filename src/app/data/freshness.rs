//! The age of figures on screen, and when they are stale.

use std::time::Duration;

use super::connection::{self, ConnectionState};
use super::{poll, prices};
use crate::app::data::poll::Dataset;
use crate::app::forms;
use crate::app::model::{Model, Page};
use crate::domain::history::Scope;
use crate::domain::{Failure, Holding, Timestamp, TotalSample};

impl Model {
    /// Sets the time. Small steps back are differences between clocks; after a larger one, times noted before cannot be
    /// compared with new ones, so everything is read again at once.
    pub fn set_time(&mut self, now: Timestamp) {
        if now.age(self.now) > connection::CLOCK_STEP {
            self.now = now;
            self.data.remotes.reset_times();
            // Otherwise a review would take no key until the clock has caught up.
            forms::mark_review_hidden(self);
        }
        self.now = self.now.max(now);
    }

    /// Why the balances on screen could not be read, while the connection is up: other failures are shown by the header.
    pub fn balances_failure(&self) -> Option<&Failure> {
        let remote = if self.shown_balance_scope() == Scope::All {
            &self.data.remotes.all_balances
        } else {
            &self.data.remotes.scope_balances
        };
        let well = matches!(self.data.connection, ConnectionState::Live | ConnectionState::Slow);
        remote.failure.as_ref().filter(|_| well).map(|(failure, _)| failure)
    }

    /// The age of the workspace's counts, if they are stale.
    pub fn stats_staleness(&self) -> Option<Duration> {
        let pause = poll::poll_interval(&Dataset::Stats, self.console.preferences.poll_period);
        let age = self.data.remotes.stats.last_success?.age(self.now);
        (age > connection::stale_after(pause)).then_some(age)
    }

    /// The age of a figure, if stale. A time in the future is from before the clock was set back: the age is unknown.
    pub fn figure_staleness(&self, as_of: Option<Timestamp>) -> Option<Duration> {
        let as_of = as_of?;
        if self.now.age(as_of) > connection::CLOCK_STEP {
            return Some(Duration::MAX);
        }
        let age = as_of.age(self.now);
        (age > connection::stale_after(self.console.preferences.poll_period)).then_some(age)
    }

    /// The age of the oldest balance on screen, if it is stale, and whether it is older than the polling round allows.
    /// Users are polled in rotation, a few at a time, so that each has been read again after two rounds.
    pub fn balances_age(&self, as_of: Option<Timestamp>) -> Option<(Duration, bool)> {
        let age = self.figure_staleness(as_of)?;
        let round = poll::balance_round_duration(
            &self.pages.overview.balances.scope,
            self.pages.overview.balances.users,
            self.console.preferences.poll_period,
        );
        Some((age, age > connection::stale_after(round)))
    }

    /// The age of the oldest balance in the total, if it is older than two rounds of polling allow.
    pub fn total_staleness(&self) -> Option<Duration> {
        let oldest = self.data.total.holdings().iter().filter_map(|holding| holding.as_of).min();
        let age = self.figure_staleness(oldest)?;
        let round =
            poll::balance_round_duration(&Scope::All, self.data.total.users, self.console.preferences.poll_period);
        (age > connection::stale_after(round)).then_some(age)
    }

    /// Whether the total is still being summed for the first time: history, balances or prices are being read.
    pub fn is_total_preliminary(&self) -> bool {
        let total = &self.data.total;
        // Where the lists were read and name nobody, there is no balance to read.
        let names_nobody = total.users == 0
            && (!self.console.preferences.probe_lists || self.data.remotes.lists.last_success.is_some());
        let is_unread = total.read_since.is_none() && !names_nobody;
        !self.data.progress.complete || is_unread || prices::is_awaiting_prices(self, total.holdings())
    }

    /// The total at this moment; `None` where a part of it is stale or not yet read.
    pub fn total_sample(&self) -> Option<TotalSample> {
        let valuation = self.data.prices.settings.valuation.clone()?;
        // Before anything is valued: this is asked after every message.
        if !self.data.connection.is_answered() || self.is_total_preliminary() || self.total_staleness().is_some() {
            return None;
        }
        let value = self.data.prices.value_holdings(self.data.total.holdings());
        let is_old = value.at.is_some_and(|at| at.age(self.now) > prices::OLD_PRICE_AGE);
        value.total.filter(|_| !is_old)?;
        Some(TotalSample { at: self.now, valuation, values: self.data.prices.value_each(self.data.total.holdings()) })
    }

    /// Whether an account's value is stale. Accounts that are not shown are polled in rotation, however long that
    /// takes, as long as the service answers.
    pub fn is_account_value_stale(&self, is_shown: bool, oldest: Option<Timestamp>) -> bool {
        if is_shown {
            return self.balances_age(oldest).is_some_and(|(_, stale)| stale);
        }
        !self.data.connection.is_answered() && self.figure_staleness(oldest).is_some()
    }

    /// "as of …" for sums that stopped updating because the service does not answer; `None` while it answers.
    pub fn as_of_label<'a>(&self, holdings: impl Iterator<Item = &'a Holding>) -> Option<String> {
        if self.data.connection.is_answered() {
            return None;
        }
        let oldest = holdings.filter_map(|holding| holding.as_of).min()?;
        Some(format!("as of {}", self.console.zone.format_with_offset(oldest, "%H:%M:%S")))
    }

    /// When a figure on screen next ages by a step that the screen shows.
    pub fn next_aging_at(&self) -> Option<Timestamp> {
        let minute = 60_000;
        let clock = Timestamp::from_millis((self.now.millis().div_euclid(minute) + 1) * minute);
        let limit = connection::stale_after(self.console.preferences.poll_period);
        let oldest_balance =
            self.pages.overview.balances.listing.rows().iter().filter_map(|holding| holding.as_of).min();
        let figures =
            [self.data.remotes.latest.last_success, oldest_balance].into_iter().flatten().map(|as_of| (as_of, limit));
        // Orders show their age from the first second on.
        let orders = self.journal.orders.iter().filter(|_| self.page == Page::Orders);
        let orders = orders.map(|order| (order.display_time(), Duration::ZERO));
        let next = figures.chain(orders).map(|(as_of, fresh)| {
            let age = as_of.age(self.now);
            let step = match age.as_secs() {
                _ if age <= fresh => fresh + Duration::from_millis(1),
                seconds @ 0..120 => Duration::from_secs(seconds + 1),
                seconds @ 120..7_200 => Duration::from_secs((seconds / 60 + 1) * 60),
                seconds => Duration::from_secs((seconds / 3_600 + 1) * 3_600),
            };
            as_of.plus(step)
        });
        let arming = self.review().and_then(|review| review.accepts_keys_at).filter(|at| *at > self.now);
        next.chain([clock]).chain(arming).min()
    }
}
