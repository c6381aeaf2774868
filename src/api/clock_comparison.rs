//! Compares this machine's clock with the `Date` of each answer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::ClockFn;
use crate::domain::{Skew, Timestamp};

/// A clock, and its skew from the service's at the latest answer.
pub(super) struct ClockComparison {
    clock: ClockFn,
    latest: Mutex<Skew>,
}

impl fmt::Debug for ClockComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Comparison").field(&self.skew()).finish()
    }
}

impl ClockComparison {
    pub(super) fn new(clock: ClockFn) -> Self {
        Self { clock, latest: Mutex::new(Skew::Unknown) }
    }

    /// Notes that a request is about to leave; its answer is compared if there is a clock.
    pub(super) fn begin_request(compares: Option<&Arc<Self>>) -> PendingComparison<'_> {
        PendingComparison(compares.map(|comparison| (comparison.as_ref(), (comparison.clock)())))
    }

    pub(super) fn skew(&self) -> Skew {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request under way, with the time at which it left.
pub(super) struct PendingComparison<'a>(Option<(&'a ClockComparison, Timestamp)>);

impl PendingComparison<'_> {
    pub(super) fn end_request(self, date: Option<Timestamp>) {
        if let (Some((comparison, request_time)), Some(date)) = (self.0, date) {
            let skew = Skew::from_response(request_time, (comparison.clock)(), date);
            *comparison.latest.lock().unwrap_or_else(PoisonError::into_inner) = skew;
        }
    }
}
