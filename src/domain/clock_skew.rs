//! The skew between this machine's clock and the service's, measured by the `Date` of its responses. Pure.
//!
//! Time-bound rules use whichever clock makes them stricter: an event is inside a window if either clock puts it there,
//! and an address-book entry has cooled once it has by both clocks.

use std::time::Duration;

use super::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skew {
    /// The service never sent its time.
    Unknown,
    /// Milliseconds by which this machine's clock is ahead, or behind if negative. Zero where both may agree.
    Ahead(i64),
}

impl Default for Skew {
    fn default() -> Self {
        Self::Ahead(0)
    }
}

impl Skew {
    /// A larger skew counts as a wrong clock.
    pub const TOLERANCE: Duration = Duration::from_mins(5);

    /// The skew by a response with this `date`, in whole seconds: the request left at `sent_at`, and the response came at
    /// `received_at`, both by this machine's clock. The smallest possible skew.
    pub fn from_response(sent_at: Timestamp, received_at: Timestamp, date: Timestamp) -> Self {
        let most = received_at.millis().saturating_sub(date.millis());
        let least = sent_at.millis().saturating_sub(date.millis()).saturating_sub(1_000).min(most);
        Self::Ahead(if least > 0 { least } else { most.min(0) })
    }

    pub fn exceeds_tolerance(self) -> bool {
        self.magnitude() > Self::TOLERANCE
    }

    fn magnitude(self) -> Duration {
        match self {
            Self::Unknown => Duration::ZERO,
            Self::Ahead(millis) => Duration::from_millis(millis.unsigned_abs()),
        }
    }

    /// Whether this measurement is news to an operator: it differs by half a minute, or crosses the tolerance.
    pub fn differs_noticeably_from(self, before: Self) -> bool {
        const NOTABLE: i64 = 30_000;
        match (before, self) {
            (Self::Ahead(before_millis), Self::Ahead(millis)) => {
                before.exceeds_tolerance() != self.exceeds_tolerance()
                    || before_millis.saturating_sub(millis).saturating_abs() >= NOTABLE
            }
            (before, now) => before != now,
        }
    }

    /// The earlier of the two clocks, where this machine's shows `now`: windows of time reach back from it.
    pub fn earlier_clock(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Ahead(millis @ 1..) => Timestamp::from_millis(now.millis().saturating_sub(millis)),
            Self::Ahead(_) | Self::Unknown => now,
        }
    }

    /// The later of the two clocks, where this machine's shows `now`: temporary permissions end by it.
    pub fn later_clock(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Ahead(millis @ ..0) => Timestamp::from_millis(now.millis().saturating_sub(millis)),
            Self::Ahead(_) | Self::Unknown => now,
        }
    }

    /// The service's time when this machine's clock shows `now`, where the two certainly disagree.
    pub fn service_time(self, now: Timestamp) -> Option<Timestamp> {
        let Self::Ahead(millis) = self else { return None };
        self.exceeds_tolerance().then(|| Timestamp::from_millis(now.millis().saturating_sub(millis)))
    }

    /// The skew for people: `25 h ahead of the service's`; `None` within the tolerance, and where it is unknown.
    pub fn display_text(self) -> Option<String> {
        let Self::Ahead(millis) = self else { return None };
        // Rounded: a measurement is up to a second or two below the truth.
        let (seconds, round) = (self.magnitude().as_secs(), |of: u64, unit: u64| of.saturating_add(unit / 2) / unit);
        let span = match seconds {
            0..7_200 => format!("{} min", round(seconds, 60)),
            7_200..172_800 => format!("{} h", round(seconds, 3_600)),
            _ => format!("{} days", round(seconds, 86_400)),
        };
        let way = if millis > 0 { "ahead of" } else { "behind" };
        self.exceeds_tolerance().then(|| format!("{span} {way} the service's"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_790_000_000_000 + millis)
    }

    #[test]
    fn latency_and_whole_seconds_are_no_skew() {
        // Asked, answered, and what the date of the answer says, in milliseconds.
        for (request_time, response_time, date, ahead) in [
            (0, 80, 0, 0),
            // The date was cut to whole seconds, and the answer took its time.
            (900, 15_900, 0, 0),
            (0, 15_000, 14_000, 0),
            (90 * MINUTE, 90 * MINUTE + 200, 0, 90 * MINUTE - 1_000),
            (-90 * MINUTE, -90 * MINUTE + 200, 0, 200 - 90 * MINUTE),
            // The clock was set while the answer was on its way: the next one tells.
            (0, 90 * MINUTE, 0, 0),
            (0, -90 * MINUTE, 0, -90 * MINUTE),
        ] {
            assert_eq!(
                Skew::from_response(at(request_time), at(response_time), at(date)),
                Skew::Ahead(ahead),
                "{request_time} {response_time} {date}"
            );
        }
    }

    #[test]
    fn windows_reach_back_from_the_earlier_clock_and_permissions_end_by_the_later() {
        for (ahead, earlier, later) in [(MINUTE, -MINUTE, 0), (-MINUTE, 0, MINUTE), (0, 0, 0)] {
            let skew = Skew::Ahead(ahead);
            assert_eq!((skew.earlier_clock(at(0)), skew.later_clock(at(0))), (at(earlier), at(later)), "{ahead}");
        }
        assert_eq!((Skew::Unknown.earlier_clock(at(0)), Skew::Unknown.later_clock(at(0))), (at(0), at(0)));
        let furthest = Skew::Ahead(i64::MIN);
        assert!(
            furthest.exceeds_tolerance() && furthest.later_clock(at(0)) > at(0) && furthest.display_text().is_some()
        );
    }

    #[test]
    fn only_more_than_five_minutes_are_told_and_how_many() {
        for (ahead, expected) in [
            (5 * MINUTE, None),
            (-5 * MINUTE, None),
            (6 * MINUTE, Some("6 min ahead of the service's")),
            (-25 * 60 * MINUTE, Some("25 h behind the service's")),
            (72 * 60 * MINUTE, Some("3 days ahead of the service's")),
        ] {
            assert_eq!(Skew::Ahead(ahead).display_text().as_deref(), expected);
        }
        assert_eq!(Skew::Unknown.display_text(), None);
        assert!(Skew::Ahead(6 * MINUTE).differs_noticeably_from(Skew::Ahead(5 * MINUTE)));
        assert!(!Skew::Ahead(6 * MINUTE).differs_noticeably_from(Skew::Ahead(6 * MINUTE + 900)));
        assert!(
            Skew::default().differs_noticeably_from(Skew::Unknown)
                && !Skew::Unknown.differs_noticeably_from(Skew::Unknown)
        );
    }
}
