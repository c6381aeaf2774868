//! The segments changed since the cache was opened.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::segment::Segment;

/// The version at which each segment was last changed since the cache was opened, and the few segments not full yet.
#[derive(Default)]
pub(super) struct TouchedSegments {
    pub(super) versions: HashMap<i64, u64>,
    pub(super) unsealed: HashMap<i64, (u64, Arc<Segment>)>,
    /// The version at which an account, a wallet or a user was last renamed.
    renamed_at: u64,
    /// The version at which an account, a wallet or a user was last written.
    directory_changed_at: u64,
}

/// What a batch changed of what readers keep.
#[derive(Default)]
pub(super) struct BatchChanges {
    pub(super) segments: BTreeSet<i64>,
    /// Whether a segment or anything else that is displayed changed.
    pub(super) of_display: bool,
    /// Whether an account, a wallet or a user has another name.
    pub(super) of_names: bool,
    /// Whether an account, a wallet or a user was written.
    pub(super) of_directory: bool,
}

impl BatchChanges {
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty() && !(self.of_display || self.of_names || self.of_directory)
    }
}

impl TouchedSegments {
    pub(super) fn record_batch(&mut self, changes: &BatchChanges, version: u64) {
        for number in &changes.segments {
            self.versions.insert(*number, version);
            self.unsealed.remove(number);
        }
        if changes.of_names {
            self.renamed_at = version;
        }
        if changes.of_directory {
            self.directory_changed_at = version;
        }
    }

    pub(super) fn last_directory_change_version(&self) -> u64 {
        self.directory_changed_at
    }

    pub(super) fn last_rename_version(&self) -> u64 {
        self.renamed_at
    }

    pub(super) fn segments_touched_since(&self, version: u64) -> impl Iterator<Item = i64> + '_ {
        self.versions.iter().filter(move |(_, touched)| **touched > version).map(|(number, _)| *number)
    }
}
