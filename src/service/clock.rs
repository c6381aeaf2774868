//! The service's own clock: the only place under `service` that reads the time.

#![expect(clippy::disallowed_methods, reason = "this is the place where the service reads its clock")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::Utc;

use crate::domain::Timestamp;

/// Where the service takes its time from.
#[derive(Debug, Clone)]
pub enum ServiceClock {
    /// The machine's clock.
    System,
    /// Milliseconds since 1970 that somebody else moves: a test.
    Manual(Arc<AtomicI64>),
}

impl ServiceClock {
    /// A clock that stands at `start` until it is moved.
    pub fn manual(start: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(start.millis())))
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Utc::now().into(),
            Self::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock forward to `now`, never back; the machine's clock cannot be moved.
    pub fn advance_to(&self, now: Timestamp) {
        if let Self::Manual(millis) = self {
            millis.fetch_max(now.millis(), Ordering::SeqCst);
        }
    }
}
