//! This machine's clock held against the `Date` of each answer.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::Tells;
use crate::domain::{Skew, Timestamp};

/// A clock, and how it stood against the service's at the latest answer.
pub(super) struct Comparison {
    clock: Tells,
    latest: Mutex<Skew>,
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Comparison").field(&self.skew()).finish()
    }
}

impl Comparison {
    pub(super) fn with(clock: Tells) -> Self {
        Self { clock, latest: Mutex::new(Skew::Unknown) }
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Takes in the date of an answer that has just come, and was asked for at this time.
    pub(super) fn take(&self, asked: Timestamp, date: Timestamp) {
        let skew = Skew::measured(asked, self.now(), date);
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = skew;
    }

    pub(super) fn skew(&self) -> Skew {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
