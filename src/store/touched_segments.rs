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

impl TouchedSegments {
    pub(super) fn mark_touched(&mut self, segments: &BTreeSet<i64>, version: u64) {
        for number in segments {
            self.versions.insert(*number, version);
            self.unsealed.remove(number);
        }
    }

    pub(super) fn mark_renamed(&mut self, version: u64) {
        self.renamed_at = version;
    }

    pub(super) fn mark_directory_changed(&mut self, version: u64) {
        self.directory_changed_at = version;
    }

    pub(super) fn last_directory_change(&self) -> u64 {
        self.directory_changed_at
    }

    pub(super) fn last_renamed(&self) -> u64 {
        self.renamed_at
    }

    pub(super) fn touched_since(&self, version: u64) -> impl Iterator<Item = i64> + '_ {
        self.versions.iter().filter(move |(_, touched)| **touched > version).map(|(number, _)| *number)
    }
}
