//! The dictionary of phrases, shared by many readers and one writer.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::Dictionary;

pub(in crate::store) struct SharedDictionary(RwLock<Dictionary>);

impl SharedDictionary {
    pub(in crate::store) fn new(phrases: Dictionary) -> Self {
        Self(RwLock::new(phrases))
    }

    /// A thread that holds the guard must not ask for another, nor do anything slow: where a writer waits in between,
    /// the second `read` waits for the writer, the writer for the first guard, and the whole store for them.
    pub(in crate::store) fn read(&self) -> DictionaryReadGuard<'_> {
        holding::none();
        let guard = DictionaryReadGuard(self.0.read().unwrap_or_else(PoisonError::into_inner));
        holding::begins();
        guard
    }

    pub(in crate::store) fn write(&self) -> RwLockWriteGuard<'_, Dictionary> {
        holding::none();
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(in crate::store) struct DictionaryReadGuard<'a>(RwLockReadGuard<'a, Dictionary>);

impl Deref for DictionaryReadGuard<'_> {
    type Target = Dictionary;

    fn deref(&self) -> &Dictionary {
        &self.0
    }
}

impl Drop for DictionaryReadGuard<'_> {
    fn drop(&mut self) {
        holding::ends();
    }
}

/// Counts the guards of each thread, so that a nested `read` is noticed every time, not only when a writer comes in
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
