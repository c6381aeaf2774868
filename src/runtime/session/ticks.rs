//! Limits how often a program's timers run.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::TerminalSession;
use crate::runtime::Program;
use crate::terminal::pump::Urgency;

/// The least time between ticks of a program that is due again at once.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
/// The longest time between them, if it remains due: a problem that no tick solves is not solved by a hundred a second.
const LONGEST_INTERVAL: Duration = Duration::from_secs(1);

/// The last tick, and the least time until the next one.
pub(super) struct TickPacer {
    last: Option<Instant>,
    interval: Duration,
}

impl TickPacer {
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

    /// `is_due_again`: whether the program is due again right after a tick.
    pub(super) fn back_off_if_due_again(&mut self, is_due_again: bool) {
        self.interval = if is_due_again { (self.interval * 2).min(LONGEST_INTERVAL) } else { SHORTEST_INTERVAL };
    }
}

impl<R, W, P> TerminalSession<'_, R, W, P>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    pub(super) fn next_tick_at(&self) -> Option<Instant> {
        let due = self.clock.instant_of(self.program.next_timer_at()?);
        Some(self.ticks.next_tick_at(due))
    }

    /// Runs the program's timers that are due, unless they ran a moment ago.
    pub(super) fn run_due_timers(&mut self) {
        let now = self.clock.instant();
        if self.is_timer_due() && self.ticks.next_tick_at(now) <= now {
            self.ticks.record_tick(now);
            self.program.run_due_timers(self.clock.now());
            self.ticks.back_off_if_due_again(self.is_timer_due());
            self.request_frame_if_changed(Urgency::Soon);
        }
    }

    /// Whether a timer is due. Compares times of day: converted to an instant, a past time would become the time of the
    /// conversion, and so always a little later than `now`.
    fn is_timer_due(&self) -> bool {
        self.program.next_timer_at().is_some_and(|due| due <= self.clock.now())
    }
}
