//! A time-out of a visit, with a countdown before it.

use std::time::Duration;

use super::host_event::DurationText;
use crate::domain::Timestamp;

#[derive(Debug)]
pub(super) struct TimeOut {
    expires_at: Timestamp,
    /// From when on it warns.
    warns_at: Timestamp,
    /// When the warning changes next.
    next_change: Timestamp,
}

/// The state of a time-out that warns or has expired.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TimeOutNotice {
    Warning(DurationText),
    Expired,
}

impl TimeOut {
    /// A time-out that starts now. It warns when `warning` is left, or half of the span, whichever is less.
    pub(super) fn starting_at(span: Duration, warning: Duration, now: Timestamp) -> Self {
        let expires_at = now.plus(span);
        let before = i64::try_from(warning.min(span / 2).as_millis()).unwrap_or(i64::MAX);
        let warns_at = Timestamp::from_millis(expires_at.millis().saturating_sub(before));
        Self { expires_at, warns_at, next_change: warns_at }
    }

    /// When the warning changes next.
    pub(super) fn next_change(&self) -> Timestamp {
        self.next_change
    }

    /// `None` until it warns.
    pub(super) fn poll(&mut self, now: Timestamp) -> Option<TimeOutNotice> {
        let rest = self.expires_at.millis().saturating_sub(now.millis());
        if rest <= 0 {
            return Some(TimeOutNotice::Expired);
        }
        if now < self.warns_at {
            return None;
        }
        // Rounded up to whole seconds.
        let seconds = rest.saturating_add(999) / 1_000;
        self.next_change =
            Timestamp::from_millis(self.expires_at.millis().saturating_sub((seconds - 1).saturating_mul(1_000)));
        Some(TimeOutNotice::Warning(DurationText(Duration::from_secs(seconds.unsigned_abs()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn an_end_is_near_as_long_before_as_it_says_and_no_sooner_than_half_way() {
        for (span, near, time_left) in
            [(600_u64, 540_000, "1 minute"), (60, 30_000, "30 seconds"), (10, 5_000, "5 seconds")]
        {
            let mut end = TimeOut::starting_at(Duration::from_secs(span), Duration::from_mins(1), at(0));
            assert_eq!(end.next_change(), at(near), "{span}");
            assert!(end.poll(at(near - 1)).is_none(), "{span}");
            assert!(
                matches!(end.poll(at(near + 10)), Some(TimeOutNotice::Warning(span)) if span.to_string() == time_left),
                "{span}"
            );
            let mut seconds = Vec::new();
            while let Some(TimeOutNotice::Warning(time_left)) = end.poll(end.next_change()) {
                seconds.push(time_left.0.as_secs());
            }
            let expected: Vec<_> = (1..(span * 1_000 - near.unsigned_abs()) / 1_000).rev().collect();
            assert_eq!(seconds, expected, "it is counted down");
            assert_eq!(
                (end.next_change(), end.poll(end.next_change())),
                (at(i64::try_from(span).unwrap() * 1_000), Some(TimeOutNotice::Expired))
            );
        }
    }

    #[test]
    fn what_was_late_is_said_as_it_is() {
        let mut end = TimeOut::starting_at(Duration::from_mins(10), Duration::from_mins(1), at(0));
        assert!(
            matches!(end.poll(at(580_500)), Some(TimeOutNotice::Warning(time_left)) if time_left.to_string() == "20 seconds")
        );
    }

    #[test]
    fn what_never_ends_is_never_near() {
        let end = TimeOut::starting_at(Duration::MAX, Duration::from_mins(1), at(0));
        assert!(end.next_change() > Timestamp::from_millis(i64::MAX / 4));
    }
}
