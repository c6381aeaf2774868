//! Limits how often a program's timers run.

use std::time::Duration;

use tokio::time::Instant;

/// The least time between ticks of a program that is due again at once.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
/// The longest time between them, if it remains due: a problem that no tick solves is not solved by a hundred a second.
const LONGEST_INTERVAL: Duration = Duration::from_secs(1);

/// The last tick, and the least time until the next one.
pub(super) struct Ticks {
    last: Option<Instant>,
    interval: Duration,
}

impl Ticks {
    pub(super) fn new() -> Self {
        Self { last: None, interval: SHORTEST_INTERVAL }
    }

    /// When a tick may run for a timer due at this moment.
    pub(super) fn next_tick_at(&self, due: Instant) -> Instant {
        self.last.map_or(due, |last| due.max(last + self.interval))
    }

    pub(super) fn record_tick(&mut self, now: Instant) {
        self.last = Some(now);
    }

    /// `again`: whether the program is due again right after a tick.
    pub(super) fn adapt_interval(&mut self, again: bool) {
        self.interval = if again { (self.interval * 2).min(LONGEST_INTERVAL) } else { SHORTEST_INTERVAL };
    }
}
