//! The only place, the service aside, where a clock is read. Everybody else is told the time.

#![expect(clippy::disallowed_methods, reason = "this is the place where clocks are read")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::Offset;
use tokio::time::Instant;

use crate::domain::{Timestamp, Zone};

/// Tells the time of day, and a time that never jumps for deadlines.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The clock of the machine.
    System,
    /// A clock that showed a given time at a moment and goes on evenly from there. Tests set it, and stop it together with
    /// tokio's time.
    From(Timestamp, Instant),
    /// A clock that shows these milliseconds since 1970 until somebody moves it: a test's.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that shows a given time now.
    pub fn starting_at(time: Timestamp) -> Self {
        Self::From(time, Instant::now())
    }

    /// The time of day. It follows the machine's clock, even where that is set back.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => chrono::Utc::now().into(),
            Self::From(start, since) => start.plus(since.elapsed()),
            Self::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// A time that never jumps.
    pub fn instant(&self) -> Instant {
        Instant::now()
    }

    /// When a time of day is reached: at once, if it lies behind.
    pub fn instant_of(&self, due: Timestamp) -> Instant {
        let ahead = u64::try_from(due.millis().saturating_sub(self.now().millis())).unwrap_or(0);
        // A day is far enough: whoever waits that long asks again. It also keeps the sum in range.
        Instant::now() + Duration::from_millis(ahead).min(Duration::from_hours(24))
    }
}

/// The place of this machine, as its system knows it: asked once, for the years that a history may reach back to and
/// some ahead.
pub fn local_zone(now: Timestamp) -> Zone {
    const BEGINNING: Timestamp = Timestamp::from_millis(1_230_768_000_000);
    let ahead = now.plus(Duration::from_hours(24 * 366 * 3));
    Zone::from_offsets(BEGINNING, ahead, |at| {
        at.to_utc().map_or(0, |utc| utc.with_timezone(&chrono::Local).offset().fix().local_minus_utc())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Clock, Timestamp};

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_was_set_goes_on_with_the_time_of_the_test() {
        let clock = Clock::starting_at(Timestamp::from_millis(5_000));
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!(clock.now(), Timestamp::from_millis(5_250));
        let ahead = clock.instant_of(Timestamp::from_millis(6_250)) - clock.instant();
        assert_eq!(ahead, Duration::from_secs(1));
        assert_eq!(clock.instant_of(Timestamp::from_millis(0)), clock.instant());
    }
}
