//! Rate limit per API key.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::domain::Timestamp;

/// Token buckets that hold one second's worth: a burst of that size is accepted, unused capacity is lost.
#[derive(Debug)]
pub(super) struct RateLimits {
    requests_per_second: Option<NonZeroU32>,
    buckets: Mutex<HashMap<i64, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// Thousandths of a request.
    thousandths_left: u64,
    refilled_at: Timestamp,
}

/// One request, in thousandths: at N per second, each millisecond adds N of them.
const REQUEST_THOUSANDTHS: u64 = 1000;

impl RateLimits {
    /// `None` is unlimited.
    pub(super) fn new(requests_per_second: Option<NonZeroU32>) -> Self {
        Self { requests_per_second, buckets: Mutex::default() }
    }

    /// Counts a request; returns how long to wait if there were too many.
    pub(super) fn take_request(&self, key: i64, now: Timestamp) -> Option<Duration> {
        let a_second = u64::from(self.requests_per_second?.get());
        let most = a_second.saturating_mul(REQUEST_THOUSANDTHS);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.entry(key).or_insert(Bucket { thousandths_left: most, refilled_at: now });
        let passed = u64::try_from(bucket.refilled_at.age(now).as_millis()).unwrap_or(0);
        bucket.thousandths_left = bucket.thousandths_left.saturating_add(passed.saturating_mul(a_second)).min(most);
        // A clock set back adds nothing at once, and the bucket goes on from the new time.
        bucket.refilled_at = now;
        if bucket.thousandths_left >= REQUEST_THOUSANDTHS {
            bucket.thousandths_left -= REQUEST_THOUSANDTHS;
            return None;
        }
        Some(Duration::from_millis((REQUEST_THOUSANDTHS - bucket.thousandths_left).div_ceil(a_second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_requests_of_the_second_and_another_key_its_own() {
        let rates = RateLimits::new(NonZeroU32::new(3));
        let at = Timestamp::from_millis;
        let requests_taken = |key, millis| (0..5).filter(|_| rates.take_request(key, at(millis)).is_none()).count();
        assert_eq!(requests_taken(1, 1_000), 3);
        assert_eq!(requests_taken(2, 1_000), 3);
        assert_eq!(rates.take_request(1, at(1_000)), Some(Duration::from_millis(334)));
        assert_eq!(requests_taken(1, 1_334), 1);
        assert_eq!(requests_taken(1, 60_000), 3, "what was not used is lost");
        assert_eq!(requests_taken(1, 0), 0, "a clock that is set back gives nothing");
        assert_eq!((0..10_000).filter(|_| RateLimits::new(None).take_request(1, at(0)).is_some()).count(), 0);
    }
}
