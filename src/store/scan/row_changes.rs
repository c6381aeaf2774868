//! `new:yes` matches rows that came or changed since the operator was last here.

use std::sync::Arc;

use crate::domain::history_diff::RowChanges;
use crate::store::row_set::RowSet;
use crate::store::segment::{self, ROWS_PER_SEGMENT};

pub(super) struct RowChangeMatcher {
    matches_changes: bool,
    changes: Arc<RowChanges>,
}

impl RowChangeMatcher {
    pub(super) fn new(matches_changes: bool, changes: Arc<RowChanges>) -> Self {
        Self { matches_changes, changes }
    }

    pub(super) fn filter_rows_of_segment(&self, segment: i64, candidates: &RowSet) -> RowSet {
        let mut rows = RowSet::NONE;
        for position in 0..ROWS_PER_SEGMENT {
            if self.changes.contains(segment::seq_at(segment, position)) == self.matches_changes {
                rows.insert(position);
            }
        }
        rows.and(candidates)
    }
}
