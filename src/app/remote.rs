//! What is known of a data set's freshness: the last good answer, what is under way, what failed, what is due.

use std::time::Duration;

use super::msg::Turn;
use crate::domain::{Failure, Timestamp};

/// The state of reading one data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remote {
    /// The turn of the newest request.
    pub turn: Turn,
    /// Since when a request is under way, if one is.
    pub in_flight: Option<Timestamp>,
    /// When the last good answer came.
    pub last_good: Option<Timestamp>,
    /// The failures since, if any: the newest, and how many in a row.
    pub failure: Option<(Failure, u32)>,
    /// When it is to be read next; `None` for at once.
    pub due: Option<Timestamp>,
    /// Whether it was asked for while a request was under way.
    pub wanted: bool,
}

impl Remote {
    /// Whether a request may start now.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.in_flight.is_none() && self.due.is_none_or(|due| due <= now)
    }

    /// A request starts.
    pub fn start(&mut self, now: Timestamp) -> Turn {
        self.in_flight = Some(now);
        self.wanted = false;
        self.turn.advance()
    }

    /// Asks for a request at once, or right after the one under way.
    pub fn want(&mut self) {
        if self.in_flight.is_some() {
            self.wanted = true;
        } else {
            self.due = None;
        }
    }

    /// A good answer came; the next one is due after a pause.
    pub fn succeed(&mut self, now: Timestamp, pause: Duration) {
        self.in_flight = None;
        self.last_good = Some(now);
        self.failure = None;
        self.due = if self.wanted { None } else { Some(now.plus(pause)) };
        self.wanted = false;
    }

    /// A request failed; the next one is due after a pause that grows with each failure in a row, or after what the
    /// service asked for.
    pub fn fail(&mut self, now: Timestamp, failure: Failure, period: Duration) {
        let count = self.failure.as_ref().map_or(1, |(_, count)| count.saturating_add(1));
        self.in_flight = None;
        self.wanted = false;
        self.due = Some(now.plus(pause_after(&failure, count, period, self.turn)));
        self.failure = Some((failure, count));
    }
}

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_mins(1);
/// The longest that a service may ask to be left alone.
const LONGEST_ASKED: Duration = Duration::from_mins(5);

/// How long to wait after so many failures in a row.
fn pause_after(failure: &Failure, count: u32, period: Duration, turn: Turn) -> Duration {
    if let crate::domain::Reason::Busy { retry_after: Some(asked) } = failure.reason {
        return asked.clamp(Duration::from_millis(200), LONGEST_ASKED);
    }
    let doubled = period.saturating_mul(1_u32.checked_shl(count.saturating_sub(1).min(16)).unwrap_or(u32::MAX));
    let pause = doubled.min(LONGEST);
    // Up to a quarter more, spread by the turn, so that consoles that lost a service together do not return together.
    let spread = u32::try_from(turn.0.wrapping_mul(0x9e37_79b9) >> 7 & 0xff).unwrap_or(0);
    pause + pause.saturating_mul(spread) / 1024
}

#[cfg(test)]
mod tests;
