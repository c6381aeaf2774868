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
        nested_read_check::assert_no_guard();
        let guard = DictionaryReadGuard(self.0.read().unwrap_or_else(PoisonError::into_inner));
        nested_read_check::note_guard_taken();
        guard
    }

    pub(in crate::store) fn write(&self) -> RwLockWriteGuard<'_, Dictionary> {
        nested_read_check::assert_no_guard();
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
        nested_read_check::note_guard_dropped();
    }
}

/// Counts the guards of each thread, so that a nested `read` is noticed every time, not only when a writer comes in
/// between.
#[cfg(debug_assertions)]
mod nested_read_check {
    use std::cell::Cell;

    thread_local! {
        static HAS_GUARD: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn assert_no_guard() {
        assert!(
            !HAS_GUARD.get(),
            "this thread reads phrases already: with a writer in between it would wait for itself"
        );
    }

    pub(super) fn note_guard_taken() {
        HAS_GUARD.set(true);
    }

    pub(super) fn note_guard_dropped() {
        HAS_GUARD.set(false);
    }
}

#[cfg(not(debug_assertions))]
mod nested_read_check {
    pub(super) const fn assert_no_guard() {}
    pub(super) const fn note_guard_taken() {}
    pub(super) const fn note_guard_dropped() {}
}
