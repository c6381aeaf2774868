//! Keeps what was searched for in the whole dictionary, for as long as it has the same phrases.

use std::sync::{Arc, Mutex};

use super::{Dictionary, DictionaryRevision};
use crate::store::lock_mutex;

/// What was found last, with the dictionary's revision and what else it depends on.
pub(in crate::store) struct PhraseCache<K, T>(Mutex<Option<(DictionaryRevision, K, Arc<T>)>>);

impl<K, T> Default for PhraseCache<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, T> PhraseCache<K, T> {
    /// What was found for the same dictionary and key, or is found now. Every phrase must be loaded.
    pub(in crate::store) fn get_or_find(&self, phrases: &Dictionary, key: K, find: impl FnOnce() -> T) -> Arc<T> {
        let revision = phrases.revision();
        if let Some((found_in, found_for, found)) = &*lock_mutex(&self.0)
            && (*found_in, found_for) == (revision, &key)
        {
            return Arc::clone(found);
        }
        let found = Arc::new(find());
        *lock_mutex(&self.0) = Some((revision, key, Arc::clone(&found)));
        found
    }
}
