//! Days of UTC.

use super::Timestamp;

/// A day of UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Day(pub(super) i64);

const MILLIS: i64 = 86_400_000;

impl Day {
    pub fn from_timestamp(at: Timestamp) -> Self {
        Self(at.millis().div_euclid(MILLIS))
    }

    #[must_use]
    pub fn days_before(self, days: u16) -> Self {
        Self(self.0.saturating_sub(i64::from(days)))
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    pub fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(MILLIS))
    }

    /// The days from `earlier` to this one; 0 if `earlier` is later.
    pub fn days_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}
