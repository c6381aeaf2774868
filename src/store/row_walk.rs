//! Iterates over every row of a query: for exports and statements, which read all of them once.

use std::ops::ControlFlow;

use super::by_time::{RowSelection, RowsByTime};
use super::result_set::ResultSet;
use super::{Cancel, Store, StoreError, lock_mutex};
use crate::domain::Direction;
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Query, Sort};

const ROWS_PER_READ: usize = 512;
/// Rows that are sorted at a time.
const ROWS_PER_SORT: u64 = 8_192;

impl Store {
    /// Passes every row of a query to a callback in order, from one unchanging snapshot of the history: first the
    /// count, then each row. Memory use is their `seq`s and some hundred rows, whatever their number.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] when it was cancelled; others where the cache cannot be read.
    pub fn walk_rows(
        &self,
        query: &Query,
        cancel: &Cancel,
        report_count: &mut dyn FnMut(u64),
        each: &mut dyn FnMut(HistoryRow) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let walked = self.read_history(|snapshot| {
            let result_set = self.result_set(snapshot, query, cancel, &mut |_, _| Ok(true))?;
            let mut seqs = {
                let mut result_set = lock_mutex(&result_set);
                match query.sort {
                    Sort::Newest | Sort::Oldest => {
                        let by_time = RowsByTime::new(snapshot, RowSelection::Matching(&result_set))?;
                        let mut seqs = Vec::with_capacity(usize::try_from(by_time.total()).unwrap_or(0));
                        while (seqs.len() as u64) < by_time.total() {
                            cancel.check()?;
                            let block = by_time.seqs_from_rank(seqs.len() as u64, ROWS_PER_SORT)?;
                            if block.is_empty() {
                                return Err(StoreError::damaged("rows are missing from the order by time"));
                            }
                            seqs.extend(block);
                        }
                        seqs
                    }
                    Sort::Listed => result_set.hits_from_rank(0, result_set.total()),
                    Sort::Largest | Sort::Smallest => {
                        result_set.hits_by_amount(snapshot, &query.prices, cancel)?.to_vec()
                    }
                }
            };
            if matches!(query.sort, Sort::Oldest | Sort::Smallest) {
                seqs.reverse();
            }
            report_count(u64::try_from(seqs.len()).unwrap_or(u64::MAX));
            for block in seqs.chunks(ROWS_PER_READ) {
                cancel.check()?;
                for row in self.rows_by_seq(snapshot.connection, block)? {
                    if each(row).is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })?;
        if walked.is_none() {
            report_count(0);
        }
        Ok(())
    }

    /// The rows with these `seq`s, in this order.
    pub fn read_rows_by_seq(&self, seqs: &[i64]) -> Result<Vec<HistoryRow>, StoreError> {
        self.read_in_transaction(|connection| self.rows_by_seq(connection, seqs))
    }

    /// The number of newer rows of the same direction: the row's position in the service's list.
    pub fn position_in_service_list(&self, direction: &Direction, seq: i64) -> Result<u64, StoreError> {
        let query = Query { filter: Filter::from(format!("dir:{}", direction.word()).as_str()), ..Query::default() };
        self.with_result_set(&query, &Cancel::new(), |result_set| result_set.count_newer(seq))
            .map(Option::unwrap_or_default)
    }

    /// How many rows a query matches.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] when it was cancelled; others where the cache cannot be read.
    pub fn count_rows(&self, query: &Query, cancel: &Cancel) -> Result<u64, StoreError> {
        self.with_result_set(query, cancel, ResultSet::total).map(Option::unwrap_or_default)
    }

    /// The rows among these that a query does not match.
    pub fn rows_not_matched(&self, query: &Query, rows: &[i64], cancel: &Cancel) -> Result<Vec<i64>, StoreError> {
        let left_out = |result_set: &ResultSet| rows.iter().copied().filter(|seq| !result_set.has(*seq)).collect();
        Ok(self.with_result_set(query, cancel, left_out)?.unwrap_or_else(|| rows.to_vec()))
    }

    /// Applies `look` to the current result set; `None` while there are no rows.
    fn with_result_set<T>(
        &self,
        query: &Query,
        cancel: &Cancel,
        look: impl FnOnce(&ResultSet) -> T,
    ) -> Result<Option<T>, StoreError> {
        self.read_history(|snapshot| {
            let result_set = self.result_set(snapshot, query, cancel, &mut |_, _| Ok(true))?;
            let result_set = lock_mutex(&result_set);
            Ok(look(&result_set))
        })
    }
}
