//! The only module, the service aside, that reads a clock. All other code gets the time as a value.

#![expect(clippy::disallowed_methods, reason = "this is the place where clocks are read")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::Offset;
use tokio::time::Instant;

use crate::domain::{Timestamp, Zone};

/// The time of day, and a monotonic time for deadlines.
#[derive(Debug, Clone)]
pub enum Clock {
    System,
    /// A clock that showed a given time at a moment and runs on. Tests set it, and stop it with tokio's time.
    RunningFrom(Timestamp, Instant),
    /// A test's clock: milliseconds since 1970, until the test moves it.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    pub fn starting_at(time: Timestamp) -> Self {
        Self::RunningFrom(time, Instant::now())
    }

    /// The time of day. It follows the machine's clock, even where that is set back.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => chrono::Utc::now().into(),
            Self::RunningFrom(start, since) => start.plus(since.elapsed()),
            Self::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    pub fn instant(&self) -> Instant {
        Instant::now()
    }

    /// When a time of day is reached: now, if it has passed.
    pub fn instant_of(&self, due: Timestamp) -> Instant {
        let millis_ahead = u64::try_from(due.millis().saturating_sub(self.now().millis())).unwrap_or(0);
        // A day is enough: longer waits ask again. The cap also prevents an overflow of the sum.
        Instant::now() + Duration::from_millis(millis_ahead).min(Duration::from_hours(24))
    }
}

/// This machine's time zone, as its system reports it: read once, from 2009 to three years ahead.
pub fn local_zone(now: Timestamp) -> Zone {
    const ZONE_DATA_START: Timestamp = Timestamp::from_millis(1_230_768_000_000);
    let zone_data_end = now.plus(Duration::from_hours(24 * 366 * 3));
    Zone::from_offset_function(ZONE_DATA_START, zone_data_end, |at| {
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
        let waiting_time = clock.instant_of(Timestamp::from_millis(6_250)) - clock.instant();
        assert_eq!(waiting_time, Duration::from_secs(1));
        assert_eq!(clock.instant_of(Timestamp::from_millis(0)), clock.instant());
    }
}
