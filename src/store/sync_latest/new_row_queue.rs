//! New rows found by a sync of the newest rows, on their way into the history.

use std::collections::VecDeque;

use rusqlite::params;

use super::ListSync;
use crate::domain::Transaction;
use crate::store::write::WriteBatch;
use crate::store::{StoreError, row};

/// New rows of one list, the oldest first. Pages are read downwards, so staged rows are newer than those still in
/// memory.
pub(super) struct NewRowQueue {
    list: usize,
    pub(super) rows: VecDeque<(i64, Transaction)>,
    staged_count: u64,
}

const STAGED_ROWS_PER_READ: u64 = 256;

impl NewRowQueue {
    pub(super) fn new(list: usize, head: ListSync) -> Self {
        Self { list, rows: head.new_rows.into_iter().rev().collect(), staged_count: head.staged_count }
    }

    pub(super) fn next_new_row_time(&mut self, batch: &WriteBatch<'_>) -> Result<Option<i64>, StoreError> {
        if self.rows.is_empty() && self.staged_count > 0 {
            let from = self.staged_count.saturating_sub(STAGED_ROWS_PER_READ);
            let mut statement = batch.connection.prepare_cached(
                "SELECT time, body FROM staged WHERE list = ?1 AND nth >= ?2 AND nth < ?3 ORDER BY nth DESC",
            )?;
            let bound = |nth: u64| i64::try_from(nth).unwrap_or(i64::MAX);
            let list = i64::try_from(self.list).unwrap_or(0);
            let mut rows = statement.query(params![list, bound(from), bound(self.staged_count)])?;
            while let Some(row) = rows.next()? {
                let body = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
                let unpacked = row::unpack_row(body, &batch.read_dictionary());
                let (transaction, _) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
                self.rows.push_back((row.get(0)?, transaction));
            }
            self.staged_count = from;
        }
        Ok(self.rows.front().map(|(time, _)| *time))
    }
}
