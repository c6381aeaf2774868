//! How often a program is told that something of it is due.

use std::time::Duration;

use tokio::time::Instant;

/// How far apart ticks are, should a program say that it is due when it just was.
const SHORTEST: Duration = Duration::from_millis(10);
/// And at last, when it goes on saying so: what comes of no tick comes of no hundred a second.
const LONGEST: Duration = Duration::from_secs(1);

/// When the last tick was, and how long the next one is put off at least.
pub(super) struct Ticks {
    last: Option<Instant>,
    apart: Duration,
}

impl Ticks {
    pub(super) fn new() -> Self {
        Self { last: None, apart: SHORTEST }
    }

    /// When a tick may come for what is due at a moment.
    pub(super) fn next_tick(&self, due: Instant) -> Instant {
        self.last.map_or(due, |last| due.max(last + self.apart))
    }

    /// A tick comes.
    pub(super) fn on_tick(&mut self, now: Instant) {
        self.last = Some(now);
    }

    /// Whether the program is due again at once, after a tick.
    pub(super) fn adapt_interval(&mut self, again: bool) {
        self.apart = if again { (self.apart * 2).min(LONGEST) } else { SHORTEST };
    }
}
