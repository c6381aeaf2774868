//! Limits the request bodies in transit per API key.
//!
//! A body that arrives byte by byte occupies its connection until the time-out. One key can occupy some connections
//! this way, never all of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bodies in transit per key. Common clients send the body with the header, so theirs count only briefly.
const MAX_UPLOADS_PER_KEY: u32 = 64;

/// Bodies in transit by number of the key.
#[derive(Debug, Clone, Default)]
pub(super) struct UploadLimits(Arc<Mutex<HashMap<i64, u32>>>);

/// Counts one body in transit until dropped.
#[derive(Debug)]
pub(super) struct UploadGuard {
    uploads: UploadLimits,
    key: i64,
}

impl UploadLimits {
    /// `None` if there are too many.
    pub(super) fn begin_upload(&self, key: i64) -> Option<UploadGuard> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_default();
        if *count >= MAX_UPLOADS_PER_KEY {
            return None;
        }
        *count += 1;
        Some(UploadGuard { uploads: self.clone(), key })
    }
}

impl Drop for UploadGuard {
    fn drop(&mut self) {
        let mut counts = self.uploads.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_so_many_bodies_on_their_way_and_another_its_own() {
        let uploads = UploadLimits::default();
        let mut all: Vec<_> = (0..MAX_UPLOADS_PER_KEY).map(|_| uploads.begin_upload(1).unwrap()).collect();
        assert!(uploads.begin_upload(1).is_none() && uploads.begin_upload(2).is_some());
        all.pop();
        assert!(uploads.begin_upload(1).is_some());
        drop(all);
        assert!(uploads.0.lock().unwrap().is_empty());
    }
}
