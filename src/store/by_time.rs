//! Rows ordered by their time, whatever order the service lists them in.
//!
//! Pending rows are on top, the first read lowest; then all others by time, the newest first. A row's `seq` follows the
//! service's lists, which are ordered by creation, while rows settle in another order. So a rank by time is no
//! subtraction of `seq`s. But rows far apart in the lists are mostly far apart in time, too: each segment has a
//! *time range*, that of its rows' times, and only segments whose range includes the wanted time are read. The cost of
//! a window depends on how many ranges overlap there, not on the number of rows; a service that lists in no order at
//! all makes it read the times of all rows.

mod segment_shares;
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

pub(super) use segment_shares::SegmentShares;
use segment_shares::{SegmentShare, SortKey};
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

pub(super) struct TimeOrder<'a, 'p> {
    snapshot: &'a HistorySnapshot<'p>,
    rows: RowSelection<'a>,
    shares: Arc<SegmentShares>,
}

impl<'a, 'p> TimeOrder<'a, 'p> {
    pub(super) fn new(snapshot: &'a HistorySnapshot<'p>, rows: RowSelection<'a>) -> Result<Self, StoreError> {
        let cached_shares = match rows {
            RowSelection::All => snapshot.cached_shares(),
            RowSelection::Matching(result) => result.shares.get().cloned(),
        };
        if let Some(shares) = cached_shares {
            return Ok(Self { snapshot, rows, shares });
        }
        let shares = Arc::new(SegmentShares::compute(snapshot, rows)?);
        match rows {
            RowSelection::All => snapshot.cache_shares(&shares),
            RowSelection::Matching(result) => drop(result.shares.set(Arc::clone(&shares))),
        }
        Ok(Self { snapshot, rows, shares })
    }
}

impl SegmentShares {
    fn compute(snapshot: &HistorySnapshot<'_>, rows: RowSelection<'_>) -> Result<Self, StoreError> {
        let time_ranges = snapshot.segment_time_ranges()?;
        let mut shares = Self::default();
        for number in snapshot.segment_numbers() {
            let hits = rows.rows_in_segment(snapshot, number);
            if hits.is_empty() {
                continue;
            }
            let time_range = time_ranges.get(&number).copied().unwrap_or_default();
            shares.add_segment(snapshot, number, time_range, &hits)?;
        }
        shares.ends = shares.all.iter().flat_map(|share| [share.low, share.high]).collect();
        shares.ends.sort_unstable();
        shares.ends.dedup();
        shares.total = shares.all.iter().map(|share| share.count).sum();
        Ok(shares)
    }

    fn add_segment(
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
            self.all.push(SegmentShare { number, low, high, count: open, is_pending: true });
        }
        if let Some((low, high)) = time_range.settled_range().filter(|_| count > open) {
            let (low, high) = ((low, oldest), (high, newest));
            self.all.push(SegmentShare { number, low, high, count: count - open, is_pending: false });
        }
        Ok(())
    }
}

fn count_pending_hits(times: &[i64], hits: &RowSet) -> u64 {
    hits.positions().filter(|position| times.get(*position) == Some(&PENDING_SORT_TIME)).count() as u64
}

impl TimeOrder<'_, '_> {
    pub(super) fn total(&self) -> u64 {
        self.shares.total
    }

    /// The rank of a row; for a row outside the set, the rank that it would have.
    pub(super) fn rank(&self, seq: i64, oldest_first: bool) -> Result<u64, StoreError> {
        let above = self.count_above(seq)?;
        if !oldest_first {
            return Ok(above);
        }
        let is_among = self.rows.rows_in_segment(self.snapshot, segment_number_of(seq)).has(position_in_segment(seq));
        Ok(self.shares.total.saturating_sub(above + u64::from(is_among)))
    }

    /// The number of rows above a row, which need not be in the set.
    fn count_above(&self, seq: i64) -> Result<u64, StoreError> {
        let (oldest, newest) = self.snapshot.ends;
        if seq > newest {
            return Ok(0);
        }
        if seq < oldest {
            return Ok(self.shares.total);
        }
        let times = self.snapshot.segment_times(segment_number_of(seq))?;
        self.count_above_key((times.get(position_in_segment(seq)).copied().unwrap_or(NO_ROW_TIME), seq))
    }

    fn count_above_key(&self, key: SortKey) -> Result<u64, StoreError> {
        let mut above = 0;
        for share in &self.shares.all {
            if share.low > key {
                above += share.count;
            } else if share.high > key {
                above += self.sort_keys_of(share)?.into_iter().filter(|of| *of > key).count() as u64;
            }
        }
        Ok(above)
    }

    fn sort_keys_of(&self, share: &SegmentShare) -> Result<Vec<SortKey>, StoreError> {
        let hits = self.rows.rows_in_segment(self.snapshot, share.number);
        let times = self.snapshot.segment_times(share.number)?;
        let key = |position: usize| {
            let time = times.get(position).copied().unwrap_or(NO_ROW_TIME);
            ((time == PENDING_SORT_TIME) == share.is_pending).then(|| (time, seq_at(share.number, position)))
        };
        Ok(hits.positions().filter_map(key).collect())
    }

    /// Up to `rows` rows from rank `first` on, the newest first.
    pub(super) fn window(&self, first: u64, rows: u64) -> Result<Vec<i64>, StoreError> {
        let SegmentShares { all, ends, total } = &*self.shares;
        let last = first.saturating_add(rows).min(*total);
        if first >= last {
            return Ok(Vec::new());
        }
        // The ends of time ranges that enclose the rows for certain.
        let at_most = |key: SortKey| all.iter().filter(|share| share.high > key).map(|share| share.count).sum::<u64>();
        let at_least = |key: SortKey| all.iter().filter(|share| share.low > key).map(|share| share.count).sum::<u64>();
        let top = ends.partition_point(|end| at_most(*end) > first);
        let bottom = ends.partition_point(|end| at_least(*end) >= last);
        let top = ends.get(top).copied().unwrap_or((i64::MAX, i64::MAX));
        let bottom = bottom.checked_sub(1).and_then(|nth| ends.get(nth)).copied().unwrap_or((NO_ROW_TIME, i64::MIN));
        let (mut above, mut keys) = (0, Vec::new());
        for share in all {
            if share.low > top {
                above += share.count;
            } else if share.high > bottom {
                for key in self.sort_keys_of(share)?.into_iter().filter(|key| *key > bottom) {
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
    pub(super) fn window_oldest_first(&self, first: u64, rows: u64) -> Result<Vec<i64>, StoreError> {
        let end = self.shares.total.saturating_sub(first);
        let begin = end.saturating_sub(rows);
        let mut seqs = self.window(begin, end - begin)?;
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
