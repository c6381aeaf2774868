//! Phrases that many read while one adds to them.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::Dictionary;

/// The phrases of a cache, for all who read and write it.
pub(in crate::store) struct Shared(RwLock<Dictionary>);

impl Shared {
    pub(in crate::store) fn new(phrases: Dictionary) -> Self {
        Self(RwLock::new(phrases))
    }

    /// To read them. Whoever holds them asks for them no second time, and for nothing that may take long: where a writer
    /// waits in between, the second question waits for the writer, the writer for the first, and the whole store for them.
    pub(in crate::store) fn read(&self) -> ReadGuard<'_> {
        holding::none();
        let held = ReadGuard(self.0.read().unwrap_or_else(PoisonError::into_inner));
        holding::begins();
        held
    }

    /// To add to them.
    pub(in crate::store) fn write(&self) -> RwLockWriteGuard<'_, Dictionary> {
        holding::none();
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Phrases that are being read.
pub(in crate::store) struct ReadGuard<'a>(RwLockReadGuard<'a, Dictionary>);

impl Deref for ReadGuard<'_> {
    type Target = Dictionary;

    fn deref(&self) -> &Dictionary {
        &self.0
    }
}

impl Drop for ReadGuard<'_> {
    fn drop(&mut self) {
        holding::ends();
    }
}

/// Which threads hold phrases, so that a second question is noticed each time, and not only where a writer comes in
/// between.
#[cfg(debug_assertions)]
mod holding {
    use std::cell::Cell;

    thread_local! {
        static HOLDS: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn none() {
        assert!(!HOLDS.get(), "this thread reads phrases already: with a writer in between it would wait for itself");
    }

    pub(super) fn begins() {
        HOLDS.set(true);
    }

    pub(super) fn ends() {
        HOLDS.set(false);
    }
}

#[cfg(not(debug_assertions))]
mod holding {
    pub(super) const fn none() {}
    pub(super) const fn begins() {}
    pub(super) const fn ends() {}
}
