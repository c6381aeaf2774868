//! The time range of a segment's rows.

use rusqlite::{Connection, params};

use crate::store::StoreError;
use crate::store::row::ON_ITS_WAY;

/// The time at a position without a row.
pub(in crate::store) const NOWHERE: i64 = i64::MIN;

/// The range of rows' times, and whether some are pending. It may be wider than necessary: rows settle, and the range
/// is narrowed only when the segment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Reach {
    low: i64,
    high: i64,
    pub(super) open: bool,
}

impl Default for Reach {
    fn default() -> Self {
        Self { low: i64::MAX, high: NOWHERE, open: false }
    }
}

impl Reach {
    pub(in crate::store) fn of(times: &[i64]) -> Self {
        let mut reach = Self::default();
        for time in times {
            reach.take_in(*time);
        }
        reach
    }

    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, Self)> {
        Ok((row.get(0)?, Self { low: row.get(1)?, high: row.get(2)?, open: row.get(3)? }))
    }

    pub(in crate::store) fn take_in(&mut self, time: i64) {
        match time {
            NOWHERE => {}
            ON_ITS_WAY => self.open = true,
            _ => (self.low, self.high) = (self.low.min(time), self.high.max(time)),
        }
    }

    /// The range of the times of rows that are not pending, if there may be any.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        (self.low <= self.high).then_some((self.low, self.high))
    }

    /// The latest sort time that a row may have.
    pub(super) fn top(&self) -> i64 {
        if self.open { ON_ITS_WAY } else { self.high }
    }

    /// The earliest sort time that a row may have.
    pub(super) fn bottom(&self) -> i64 {
        self.range().map_or(ON_ITS_WAY, |(low, _)| low)
    }

    pub(in crate::store) fn write(self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection
            .prepare_cached("INSERT OR REPLACE INTO reach (number, low, high, open) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![number, self.low, self.high, self.open])?;
        Ok(())
    }

    /// Widens the stored reach.
    pub(in crate::store) fn join(self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection
            .prepare_cached(
                "INSERT INTO reach (number, low, high, open) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (number) DO UPDATE SET low = min(low, ?2), high = max(high, ?3), open = max(open, ?4)",
            )?
            .execute(params![number, self.low, self.high, self.open])?;
        Ok(())
    }
}
