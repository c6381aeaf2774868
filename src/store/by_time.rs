//! Rows ordered by their time, whatever order the service lists them in.
//!
//! Pending rows are on top, the first read lowest; then all others by time, the newest first. A row's `seq` follows the
//! service's lists, which are ordered by creation, while rows settle in another order. So a rank by time is no
//! subtraction of `seq`s. But rows far apart in the lists are mostly far apart in time, too: each segment has a
//! *time range*, that of its rows' times, and only segments whose range includes the wanted time are read. The cost of
//! a window depends on how many ranges overlap there, not on the number of rows; a service that lists in no order at
//! all makes it read the times of all rows.

mod segment_row_counts;
mod segment_time_range;
mod segment_times;
mod time_index;

use std::sync::Arc;

use super::StoreError;
use super::history_snapshot::HistorySnapshot;
use super::result_set::ResultSet;
use super::row::PENDING_SORT_TIME;
use super::row_set::RowSet;
use super::segment::{position_in_segment, segment_bounds, segment_number_of, seq_at};

pub(super) use segment_row_counts::SegmentRowCounts;
use segment_row_counts::{SegmentRowCount, SortKey};
pub(super) use segment_time_range::{NO_ROW_TIME, SegmentTimeRange};
pub(super) use time_index::TimeIndex;

#[derive(Clone, Copy)]
pub(super) enum RowSelection<'a> {
    All,
    Matching(&'a ResultSet),
}

impl RowSelection<'_> {
    fn rows_in_segment(self, snapshot: &HistorySnapshot<'_>, number: i64) -> RowSet {
        match self {
            Self::All => snapshot.filled_positions(number),
            Self::Matching(result) => result.hits_in_segment(number),
        }
    }
}

pub(super) struct RowsByTime<'a, 'p> {
    snapshot: &'a HistorySnapshot<'p>,
    rows: RowSelection<'a>,
    row_counts: Arc<SegmentRowCounts>,
}

impl<'a, 'p> RowsByTime<'a, 'p> {
    pub(super) fn new(snapshot: &'a HistorySnapshot<'p>, rows: RowSelection<'a>) -> Result<Self, StoreError> {
        let cached_row_counts = match rows {
            RowSelection::All => snapshot.cached_row_counts(),
            RowSelection::Matching(result) => result.row_counts.get().cloned(),
        };
        if let Some(row_counts) = cached_row_counts {
            return Ok(Self { snapshot, rows, row_counts });
        }
        let row_counts = Arc::new(SegmentRowCounts::compute(snapshot, rows)?);
        match rows {
            RowSelection::All => snapshot.cache_row_counts(&row_counts),
            RowSelection::Matching(result) => drop(result.row_counts.set(Arc::clone(&row_counts))),
        }
        Ok(Self { snapshot, rows, row_counts })
    }
}

impl SegmentRowCounts {
    fn compute(snapshot: &HistorySnapshot<'_>, rows: RowSelection<'_>) -> Result<Self, StoreError> {
        let time_ranges = snapshot.segment_time_ranges()?;
        let mut row_counts = Self::default();
        for number in snapshot.segment_numbers() {
            let hits = rows.rows_in_segment(snapshot, number);
            if hits.is_empty() {
                continue;
            }
            let time_range = time_ranges.get(&number).copied().unwrap_or_default();
            row_counts.add_row_counts(snapshot, number, time_range, &hits)?;
        }
        row_counts.ends = row_counts.all.iter().flat_map(|row_count| [row_count.low, row_count.high]).collect();
        row_counts.ends.sort_unstable();
        row_counts.ends.dedup();
        row_counts.total = row_counts.all.iter().map(|row_count| row_count.count).sum();
        Ok(row_counts)
    }

    fn add_row_counts(
        &mut self,
        snapshot: &HistorySnapshot<'_>,
        number: i64,
        time_range: SegmentTimeRange,
        hits: &RowSet,
    ) -> Result<(), StoreError> {
        let count = u64::from(hits.count());
        let (oldest, newest) = segment_bounds(number);
        let open = match (time_range.has_pending, time_range.settled_range()) {
            (false, _) => 0,
            (true, None) => count,
            (true, Some(_)) => count_pending_hits(&snapshot.segment_times(number)?, hits),
        };
        if open > 0 {
            let (low, high) = ((PENDING_SORT_TIME, oldest), (PENDING_SORT_TIME, newest));
            self.all.push(SegmentRowCount { number, low, high, count: open, is_pending: true });
        }
        if let Some((low, high)) = time_range.settled_range().filter(|_| count > open) {
            let (low, high) = ((low, oldest), (high, newest));
            self.all.push(SegmentRowCount { number, low, high, count: count - open, is_pending: false });
        }
        Ok(())
    }
}

fn count_pending_hits(times: &[i64], hits: &RowSet) -> u64 {
    hits.positions().filter(|position| times.get(*position) == Some(&PENDING_SORT_TIME)).count() as u64
}

impl RowsByTime<'_, '_> {
    pub(super) fn total(&self) -> u64 {
        self.row_counts.total
    }

    /// The rank of a row; for a row outside the set, the rank that it would have.
    pub(super) fn rank(&self, seq: i64, oldest_first: bool) -> Result<u64, StoreError> {
        let above = self.count_above(seq)?;
        if !oldest_first {
            return Ok(above);
        }
        let is_among = self.rows.rows_in_segment(self.snapshot, segment_number_of(seq)).has(position_in_segment(seq));
        Ok(self.row_counts.total.saturating_sub(above + u64::from(is_among)))
    }

    /// The number of rows above a row, which need not be in the set.
    fn count_above(&self, seq: i64) -> Result<u64, StoreError> {
        let (oldest, newest) = self.snapshot.ends;
        if seq > newest {
            return Ok(0);
        }
        if seq < oldest {
            return Ok(self.row_counts.total);
        }
        let times = self.snapshot.segment_times(segment_number_of(seq))?;
        self.count_above_key((times.get(position_in_segment(seq)).copied().unwrap_or(NO_ROW_TIME), seq))
    }

    fn count_above_key(&self, key: SortKey) -> Result<u64, StoreError> {
        let mut above = 0;
        for row_count in &self.row_counts.all {
            if row_count.low > key {
                above += row_count.count;
            } else if row_count.high > key {
                above += self.sort_keys_of(row_count)?.into_iter().filter(|of| *of > key).count() as u64;
            }
        }
        Ok(above)
    }

    fn sort_keys_of(&self, row_count: &SegmentRowCount) -> Result<Vec<SortKey>, StoreError> {
        let hits = self.rows.rows_in_segment(self.snapshot, row_count.number);
        let times = self.snapshot.segment_times(row_count.number)?;
        let key = |position: usize| {
            let time = times.get(position).copied().unwrap_or(NO_ROW_TIME);
            ((time == PENDING_SORT_TIME) == row_count.is_pending).then(|| (time, seq_at(row_count.number, position)))
        };
        Ok(hits.positions().filter_map(key).collect())
    }

    /// Up to `rows` rows from rank `first` on, the newest first.
    pub(super) fn seqs_from_rank(&self, first: u64, rows: u64) -> Result<Vec<i64>, StoreError> {
        let SegmentRowCounts { all, ends, total } = &*self.row_counts;
        let last = first.saturating_add(rows).min(*total);
        if first >= last {
            return Ok(Vec::new());
        }
        // The ends of time ranges that enclose the rows for certain.
        let at_most = |key: SortKey| {
            all.iter().filter(|row_count| row_count.high > key).map(|row_count| row_count.count).sum::<u64>()
        };
        let at_least = |key: SortKey| {
            all.iter().filter(|row_count| row_count.low > key).map(|row_count| row_count.count).sum::<u64>()
        };
        let top = ends.partition_point(|end| at_most(*end) > first);
        let bottom = ends.partition_point(|end| at_least(*end) >= last);
        let top = ends.get(top).copied().unwrap_or((i64::MAX, i64::MAX));
        let bottom = bottom.checked_sub(1).and_then(|nth| ends.get(nth)).copied().unwrap_or((NO_ROW_TIME, i64::MIN));
        let (mut above, mut keys) = (0, Vec::new());
        for row_count in all {
            if row_count.low > top {
                above += row_count.count;
            } else if row_count.high > bottom {
                for key in self.sort_keys_of(row_count)?.into_iter().filter(|key| *key > bottom) {
                    if key > top { above += 1 } else { keys.push(key) }
                }
            }
        }
        keys.sort_unstable_by(|one, other| other.cmp(one));
        let skipped = usize::try_from(first.saturating_sub(above)).unwrap_or(usize::MAX);
        let count = usize::try_from(last - first).unwrap_or(usize::MAX);
        Ok(keys.into_iter().skip(skipped).take(count).map(|(_, seq)| seq).collect())
    }

    /// The same counted from the other end, the oldest first.
    pub(super) fn seqs_from_rank_oldest_first(&self, first: u64, rows: u64) -> Result<Vec<i64>, StoreError> {
        let end = self.row_counts.total.saturating_sub(first);
        let begin = end.saturating_sub(rows);
        let mut seqs = self.seqs_from_rank(begin, end - begin)?;
        seqs.reverse();
        Ok(seqs)
    }
}

impl HistorySnapshot<'_> {
    /// The segments, first those whose rows may be topmost (or lowest, if `oldest_first`).
    pub(super) fn segments_by_time(&self, oldest_first: bool) -> Result<Vec<i64>, StoreError> {
        let time_ranges = self.segment_time_ranges()?;
        let mut numbers: Vec<i64> = self.segment_numbers().collect();
        let time_range = |number: &i64| time_ranges.get(number).copied().unwrap_or_default();
        if oldest_first {
            numbers.sort_by_key(|number| (time_range(number).earliest_sort_time(), *number));
        } else {
            numbers.sort_by_key(|number| std::cmp::Reverse((time_range(number).latest_sort_time(), *number)));
        }
        Ok(numbers)
    }

    /// Whether all rows that the other segments may still bring are below a row, or above it.
    pub(super) fn row_precedes_segments(
        &self,
        seq: i64,
        others: &[i64],
        oldest_first: bool,
    ) -> Result<bool, StoreError> {
        let time_ranges = self.segment_time_ranges()?;
        let time =
            self.segment_times(segment_number_of(seq))?.get(position_in_segment(seq)).copied().unwrap_or(NO_ROW_TIME);
        Ok(others.iter().all(|number| {
            let time_range = time_ranges.get(number).copied().unwrap_or_default();
            if oldest_first { time_range.earliest_sort_time() > time } else { time_range.latest_sort_time() < time }
        }))
    }
}
