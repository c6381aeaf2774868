//! The time range of a segment's rows.

use rusqlite::{Connection, params};

use crate::store::StoreError;
use crate::store::row::PENDING_SORT_TIME;

/// The time at a position without a row.
pub(in crate::store) const NO_ROW_TIME: i64 = i64::MIN;

/// The range of rows' times, and whether some are pending. It may be wider than necessary: rows settle, and the range
/// is narrowed only when the segment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct SegmentTimeRange {
    low: i64,
    high: i64,
    pub(super) has_pending: bool,
}

impl Default for SegmentTimeRange {
    fn default() -> Self {
        Self { low: i64::MAX, high: NO_ROW_TIME, has_pending: false }
    }
}

impl SegmentTimeRange {
    pub(in crate::store) fn of_times(times: &[i64]) -> Self {
        let mut range = Self::default();
        for time in times {
            range.include_time(*time);
        }
        range
    }

    pub(super) fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, Self)> {
        Ok((row.get(0)?, Self { low: row.get(1)?, high: row.get(2)?, has_pending: row.get(3)? }))
    }

    pub(in crate::store) fn include_time(&mut self, time: i64) {
        match time {
            NO_ROW_TIME => {}
            PENDING_SORT_TIME => self.has_pending = true,
            _ => (self.low, self.high) = (self.low.min(time), self.high.max(time)),
        }
    }

    /// The range of the times of rows that are not pending, if there may be any.
    pub(super) fn settled_range(&self) -> Option<(i64, i64)> {
        (self.low <= self.high).then_some((self.low, self.high))
    }

    /// The latest sort time that a row may have.
    pub(super) fn latest_sort_time(&self) -> i64 {
        if self.has_pending { PENDING_SORT_TIME } else { self.high }
    }

    /// The earliest sort time that a row may have.
    pub(super) fn earliest_sort_time(&self) -> i64 {
        self.settled_range().map_or(PENDING_SORT_TIME, |(low, _)| low)
    }

    pub(in crate::store) fn replace_stored(self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection
            .prepare_cached("INSERT OR REPLACE INTO reach (number, low, high, open) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![number, self.low, self.high, self.has_pending])?;
        Ok(())
    }

    /// Widens the stored time range.
    pub(in crate::store) fn merge_into_stored(self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection
            .prepare_cached(
                "INSERT INTO reach (number, low, high, open) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (number) DO UPDATE SET low = min(low, ?2), high = max(high, ?3), open = max(open, ?4)",
            )?
            .execute(params![number, self.low, self.high, self.has_pending])?;
        Ok(())
    }
}
