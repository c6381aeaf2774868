//! How rows are distributed over segments and times.

/// Time and `seq`: unique for each row.
pub(super) type SortKey = (i64, i64);

/// The pending rows of a segment, or all its others.
#[derive(Clone, Copy)]
pub(super) struct SegmentRowCount {
    pub(super) number: i64,
    /// The range of its rows' keys.
    pub(super) low: SortKey,
    pub(super) high: SortKey,
    pub(super) count: u64,
    pub(super) is_pending: bool,
}

/// How a set of rows is distributed over segments and times; shared by every window of the set.
#[derive(Default)]
pub(in crate::store) struct SegmentRowCounts {
    pub(super) all: Vec<SegmentRowCount>,
    /// All ends of time ranges, ascending.
    pub(super) ends: Vec<SortKey>,
    pub(super) total: u64,
}
