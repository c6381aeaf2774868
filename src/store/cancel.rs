//! A handle to cancel a query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::StoreError;

/// Cancels a running query: another letter was typed, or the page was left.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the query, which stops within a millisecond or so.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.is_cancelled() { Err(StoreError::Cancelled) } else { Ok(()) }
    }
}
