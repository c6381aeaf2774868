//! Between which times the rows of a segment stand.

use rusqlite::{Connection, params};

use crate::store::StoreError;
use crate::store::row::ON_ITS_WAY;

/// The time at a position where no row stands.
pub(in crate::store) const NOWHERE: i64 = i64::MIN;

/// Between which times rows stand, and whether some are on their way. It may be wider than it must be: rows come to their
/// ends, and it is taken in anew only when the segment is written.
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
    /// The reach of rows by their times.
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

    /// Takes in a row.
    pub(in crate::store) fn take_in(&mut self, time: i64) {
        match time {
            NOWHERE => {}
            ON_ITS_WAY => self.open = true,
            _ => (self.low, self.high) = (self.low.min(time), self.high.max(time)),
        }
    }

    /// The times between which all stand that are not on their way, if there may be any.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        (self.low <= self.high).then_some((self.low, self.high))
    }

    /// The latest time at which any may stand.
    pub(super) fn top(&self) -> i64 {
        if self.open { ON_ITS_WAY } else { self.high }
    }

    /// The earliest.
    pub(super) fn bottom(&self) -> i64 {
        self.range().map_or(ON_ITS_WAY, |(low, _)| low)
    }

    /// Writes it in place of what was known.
    pub(in crate::store) fn write(self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection
            .prepare_cached("INSERT OR REPLACE INTO reach (number, low, high, open) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![number, self.low, self.high, self.open])?;
        Ok(())
    }

    /// Widens what was known by it.
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
