//! The service's own clock: the only module under `service` that reads the time.

#![expect(clippy::disallowed_methods, reason = "this is the place where the service reads its clock")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::Utc;

use crate::domain::Timestamp;

#[derive(Debug, Clone)]
pub enum ServiceClock {
    System,
    /// Ahead of the system's clock by these milliseconds, which control requests add to.
    Ahead(Arc<AtomicI64>),
    /// Milliseconds since 1970, moved by a test.
    Manual(Arc<AtomicI64>),
}

impl ServiceClock {
    pub fn manual(start: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(start.millis())))
    }

    /// The system's clock, until it is moved ahead.
    pub fn movable() -> Self {
        Self::Ahead(Arc::default())
    }

    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Utc::now().into(),
            Self::Ahead(millis) => {
                let system: Timestamp = Utc::now().into();
                Timestamp::from_millis(system.millis().saturating_add(millis.load(Ordering::SeqCst)))
            }
            Self::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves the clock forward; returns whether it can be moved.
    pub(super) fn advance_by(&self, millis: i64) -> bool {
        match self {
            Self::System => return false,
            Self::Ahead(now) | Self::Manual(now) => now.fetch_add(millis.max(0), Ordering::SeqCst),
        };
        true
    }

    /// By how many milliseconds it is ahead of the system's clock; `None` where that has no meaning.
    pub(super) fn millis_ahead(&self) -> Option<&AtomicI64> {
        if let Self::Ahead(millis) = self { Some(millis) } else { None }
    }

    /// Moves a manual clock forward to `now`, never back; no effect on the others.
    pub fn advance_to(&self, now: Timestamp) {
        if let Self::Manual(millis) = self {
            millis.fetch_max(now.millis(), Ordering::SeqCst);
        }
    }
}
