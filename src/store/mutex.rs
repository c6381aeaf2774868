//! Locks that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves nothing half done: an uncommitted batch is rolled back.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
