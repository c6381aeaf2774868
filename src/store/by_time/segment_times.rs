//! Times of segments as a snapshot sees them, cached where they are read again.

use std::sync::Arc;

use super::time_index::{MAX_CACHED_SEGMENTS, SegmentTimeRanges, SegmentTimes};
use super::{SegmentRowCounts, SegmentTimeRange};
use crate::store::history_snapshot::HistorySnapshot;
use crate::store::segment::{self, SegmentPart, decode_sort_times, segment_number_of, sort_times_from_rows};
use crate::store::{StoreError, lock_mutex};

impl HistorySnapshot<'_> {
    pub(super) fn segment_time_ranges(&self) -> Result<Arc<SegmentTimeRanges>, StoreError> {
        let cached = lock_mutex(&self.store.inner.time_index).time_ranges.clone();
        let (mut time_ranges, touched) = match cached {
            Some((version, ends, time_ranges)) if version >= self.version && ends == self.ends => {
                return Ok(time_ranges);
            }
            Some((version, _, time_ranges)) if version <= self.version => {
                let mut touched = self.segments_touched_since(version);
                touched.extend([segment_number_of(self.ends.0), segment_number_of(self.ends.1)]);
                (time_ranges, Some(touched))
            }
            _ => (Arc::default(), None),
        };
        let all = Arc::make_mut(&mut time_ranges);
        if let Some(touched) = touched {
            let mut statement = self.connection.prepare_cached("SELECT * FROM reach WHERE number = ?1")?;
            for number in touched {
                all.extend(statement.query_map([number], SegmentTimeRange::from_row)?.collect::<Result<Vec<_>, _>>()?);
            }
        } else {
            let mut statement = self.connection.prepare_cached("SELECT * FROM reach")?;
            all.extend(statement.query_map([], SegmentTimeRange::from_row)?.collect::<Result<Vec<_>, _>>()?);
        }
        lock_mutex(&self.store.inner.time_index).time_ranges =
            Some((self.version, self.ends, Arc::clone(&time_ranges)));
        Ok(time_ranges)
    }

    pub(super) fn cached_row_counts(&self) -> Option<Arc<SegmentRowCounts>> {
        let order = lock_mutex(&self.store.inner.time_index);
        let (_, _, row_counts) =
            order.row_counts.as_ref().filter(|(version, ends, _)| *version == self.version && *ends == self.ends)?;
        Some(Arc::clone(row_counts))
    }

    pub(super) fn cache_row_counts(&self, row_counts: &Arc<SegmentRowCounts>) {
        lock_mutex(&self.store.inner.time_index).row_counts = Some((self.version, self.ends, Arc::clone(row_counts)));
    }

    /// The sort times of a segment's rows, by position.
    pub(super) fn segment_times(&self, number: i64) -> Result<Arc<Vec<i64>>, StoreError> {
        let touched = self.segment_version(number);
        let ends = (!self.is_sealed(number)).then_some(self.ends);
        {
            let mut time_index = lock_mutex(&self.store.inner.time_index);
            let is_it = |times: &SegmentTimes| times.number == number && times.version >= touched && times.ends == ends;
            if let Some(at) = time_index.times.iter().position(is_it)
                && let Some(cached_times) = time_index.times.remove(at)
            {
                let times = Arc::clone(&cached_times.by_position);
                time_index.times.push_front(cached_times);
                return Ok(times);
            }
        }
        let times = if ends.is_none() {
            segment::with_sealed_part(self.connection, number, SegmentPart::Order, |piece| {
                Ok(decode_sort_times(piece))
            })?
        } else {
            sort_times_from_rows(self.connection, number)?
        };
        let times = Arc::new(times);
        // Times from a snapshot older than the last change are of no use to other readers.
        if touched <= self.version {
            let mut time_index = lock_mutex(&self.store.inner.time_index);
            time_index.times.retain(|times| times.number != number);
            let by_position = Arc::clone(&times);
            time_index.times.push_front(SegmentTimes { number, version: self.version, ends, by_position });
            time_index.times.truncate(MAX_CACHED_SEGMENTS);
        }
        Ok(times)
    }
}
