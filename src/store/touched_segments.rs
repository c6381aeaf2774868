//! The segments changed since the cache was opened.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::segment::Segment;

/// The lists of the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectoryList {
    Accounts,
    Wallets,
    Users,
}

/// The version at which an entry of each list of the directory was last written since the cache was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryVersions(BTreeMap<DirectoryList, u64>);

impl DirectoryVersions {
    /// 0 where none was written.
    pub fn of(&self, list: DirectoryList) -> u64 {
        self.0.get(&list).copied().unwrap_or(0)
    }
}

/// The version at which each segment was last changed since the cache was opened, and the few segments not full yet.
#[derive(Default)]
pub(super) struct TouchedSegments {
    pub(super) versions: HashMap<i64, u64>,
    pub(super) unsealed: HashMap<i64, (u64, Arc<Segment>)>,
    /// The version at which an account, a wallet or a user was last renamed.
    renamed_at: u64,
    directory_versions: DirectoryVersions,
}

/// What a batch changed of what readers keep.
#[derive(Default)]
pub(super) struct BatchChanges {
    pub(super) segments: BTreeSet<i64>,
    /// Whether a segment or anything else that is displayed changed.
    pub(super) of_display: bool,
    /// Whether an account, a wallet or a user has another name.
    pub(super) of_names: bool,
    /// The lists of the directory of which an entry was written.
    pub(super) of_directory: BTreeSet<DirectoryList>,
}

impl BatchChanges {
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.of_directory.is_empty() && !(self.of_display || self.of_names)
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
        for list in &changes.of_directory {
            self.directory_versions.0.insert(*list, version);
        }
    }

    pub(super) fn directory_versions(&self) -> &DirectoryVersions {
        &self.directory_versions
    }

    pub(super) fn last_rename_version(&self) -> u64 {
        self.renamed_at
    }

    pub(super) fn segments_touched_since(&self, version: u64) -> impl Iterator<Item = i64> + '_ {
        self.versions.iter().filter(move |(_, touched)| **touched > version).map(|(number, _)| *number)
    }
}
