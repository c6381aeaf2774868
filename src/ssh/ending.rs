//! The end of a visit that its time brings: told a while before, and when it is there.

use std::time::Duration;

use super::told::Span;
use crate::domain::Timestamp;

/// When a visit ends.
#[derive(Debug)]
pub(super) struct End {
    at: Timestamp,
    /// From when on it is near.
    near: Timestamp,
    /// Whether it was said that it is.
    said: bool,
}

/// What there is to say of an end.
#[derive(Debug)]
pub(super) enum Due {
    /// It is this far away.
    Near(Span),
    /// It is there.
    Over,
}

impl End {
    /// The end of a span that begins now. It is near when so little is left, or half of the span, whichever is less.
    pub(super) fn of(span: Duration, warning: Duration, now: Timestamp) -> Self {
        let at = now.plus(span);
        let before = i64::try_from(warning.min(span / 2).as_millis()).unwrap_or(i64::MAX);
        Self { at, near: Timestamp::from_millis(at.millis().saturating_sub(before)), said: false }
    }

    /// When there is next something to say.
    pub(super) fn next(&self) -> Timestamp {
        if self.said { self.at } else { self.near }
    }

    /// What there is to say now; each is said once, and the end for good.
    pub(super) fn look(&mut self, now: Timestamp) -> Option<Due> {
        if self.at <= now {
            return Some(Due::Over);
        }
        if self.said || now < self.near {
            return None;
        }
        self.said = true;
        // A part of a second that is left is one to whoever reads it.
        let left = self.at.millis().saturating_sub(now.millis()).unsigned_abs().div_ceil(1_000);
        Some(Due::Near(Span(Duration::from_secs(left))))
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
        for (span, near, left) in [(600, 540_000, "1 minute"), (60, 30_000, "30 seconds"), (10, 5_000, "5 seconds")] {
            let mut end = End::of(Duration::from_secs(span), Duration::from_mins(1), at(0));
            assert_eq!(end.next(), at(near), "{span}");
            assert!(end.look(at(near - 1)).is_none(), "{span}");
            assert!(matches!(end.look(at(near + 10)), Some(Due::Near(span)) if span.to_string() == left), "{span}");
            assert!(end.look(at(near + 20)).is_none(), "it is said once");
            assert!(matches!(end.look(end.next()), Some(Due::Over)), "{span}");
        }
    }

    #[test]
    fn what_was_late_is_said_as_it_is() {
        let mut end = End::of(Duration::from_mins(10), Duration::from_mins(1), at(0));
        assert!(matches!(end.look(at(580_500)), Some(Due::Near(left)) if left.to_string() == "20 seconds"));
    }

    #[test]
    fn what_never_ends_is_never_near() {
        let end = End::of(Duration::MAX, Duration::from_mins(1), at(0));
        assert!(end.next() > Timestamp::from_millis(i64::MAX / 4));
    }
}
