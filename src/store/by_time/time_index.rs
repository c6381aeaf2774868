//! Cached part of the order by time: all time ranges, and the times of the segments read last.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{SegmentRowCounts, SegmentTimeRange};

/// Segments whose times are cached: 8 KiB each.
pub(super) const MAX_CACHED_SEGMENTS: usize = 12;

/// A value as of a version, for a history with these first and last rows.
type Versioned<T> = (u64, (i64, i64), Arc<T>);

pub(super) type SegmentTimeRanges = BTreeMap<i64, SegmentTimeRange>;

#[derive(Default)]
pub(in crate::store) struct TimeIndex {
    pub(super) time_ranges: Option<Versioned<SegmentTimeRanges>>,
    pub(super) times: VecDeque<SegmentTimes>,
    pub(super) row_counts: Option<Versioned<SegmentRowCounts>>,
}

pub(super) struct SegmentTimes {
    pub(super) number: i64,
    pub(super) version: u64,
    /// The ends of the history, for a segment that may still grow.
    pub(super) ends: Option<(i64, i64)>,
    pub(super) by_position: Arc<Vec<i64>>,
}
