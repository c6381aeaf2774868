//! Caches responses while the ledger is unchanged, so that repeated reads skip the ledger.
//!
//! A response is stored under the ledger version from before it was read: any later write invalidates it. What changes
//! with time alone, such as confirmations that count up, is never cached.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

use super::ledger::WorkspaceNumber;

/// Responses by tenant and request.
#[derive(Debug)]
pub(super) struct ResponseCache {
    /// The most bytes of responses.
    capacity: usize,
    cached: Mutex<CachedResponses>,
}

#[derive(Debug, Default)]
struct CachedResponses {
    version: u64,
    answers: HashMap<(WorkspaceNumber, String), Bytes>,
    bytes: usize,
}

impl ResponseCache {
    /// Capacity in bytes for a busy service.
    pub(super) const USUAL_CAPACITY: usize = 4 * 1024 * 1024;
    /// Capacity in bytes for one console: beside a lively business no other response stays valid for long.
    pub(super) const SMALL_CAPACITY: usize = 64 * 1024;

    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { capacity, cached: Mutex::default() }
    }

    /// The cached response, if it was read under this ledger version.
    pub(super) fn get(&self, version: u64, workspace_number: WorkspaceNumber, path_and_query: &str) -> Option<Bytes> {
        let responses = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        // A borrowed key would need a type of its own; the copy is short.
        (responses.version == version)
            .then(|| responses.answers.get(&(workspace_number, path_and_query.to_owned())).cloned())
            .flatten()
    }

    /// Stores a response read under `version`. A full cache is emptied first.
    pub(super) fn insert(
        &self,
        version: u64,
        workspace_number: WorkspaceNumber,
        path_and_query: String,
        answer: &Bytes,
    ) {
        let mut responses = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if responses.version > version || answer.len() > self.capacity {
            return;
        }
        if responses.version < version || responses.bytes + answer.len() > self.capacity {
            *responses = CachedResponses { version, ..CachedResponses::default() };
        }
        responses.bytes += answer.len();
        responses.answers.insert((workspace_number, path_and_query), answer.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_stands_until_the_ledger_is_another() {
        let (cache, one, other) =
            (ResponseCache::with_capacity(64), WorkspaceNumber::FIRST, WorkspaceNumber::from_i64(2));
        cache.insert(5, one, "/a".into(), &Bytes::from_static(b"first"));
        assert_eq!(cache.get(5, one, "/a").unwrap(), "first");
        assert_eq!((cache.get(6, one, "/a"), cache.get(5, other, "/a"), cache.get(5, one, "/b")), (None, None, None));
        cache.insert(6, one, "/b".into(), &Bytes::from_static(b"second"));
        cache.insert(5, one, "/a".into(), &Bytes::from_static(b"late"));
        assert_eq!((cache.get(5, one, "/a"), cache.get(6, one, "/a")), (None, None));
        assert_eq!(cache.get(6, one, "/b").unwrap(), "second");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        const MOST: usize = 3_000;
        let cache = ResponseCache::with_capacity(MOST);
        let large = Bytes::from(vec![0; MOST / 3]);
        for n in 0..10 {
            cache.insert(1, WorkspaceNumber::FIRST, n.to_string(), &large);
            assert!(cache.cached.lock().unwrap().bytes <= MOST);
        }
        assert!(cache.get(1, WorkspaceNumber::FIRST, "9").is_some());
        cache.insert(1, WorkspaceNumber::FIRST, "whole".into(), &Bytes::from(vec![0; MOST + 1]));
        assert_eq!(cache.get(1, WorkspaceNumber::FIRST, "whole"), None);
    }
}
