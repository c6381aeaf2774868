//! The service's own clock: the only module under `service` that reads the time.

#![expect(clippy::disallowed_methods, reason = "this is the place where the service reads its clock")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::Utc;

use crate::domain::Timestamp;

#[derive(Debug, Clone)]
pub enum ServiceClock {
    System,
    /// Milliseconds since 1970, moved by a test.
    Manual(Arc<AtomicI64>),
}

impl ServiceClock {
    pub fn manual(start: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(start.millis())))
    }

    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Utc::now().into(),
            Self::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock forward to `now`, never back; no effect on the system clock.
    pub fn advance_to(&self, now: Timestamp) {
        if let Self::Manual(millis) = self {
            millis.fetch_max(now.millis(), Ordering::SeqCst);
        }
    }
}
