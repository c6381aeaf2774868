//! Iterates over every row of a query: for exports and statements, which read all of them once.

use std::ops::ControlFlow;

use super::by_time::{ByTime, Rows};
use super::history_snapshot::HistorySnapshot;
use super::result_set::ResultSet;
use super::state::{self, State};
use super::{Cancel, Store, StoreError, lock};
use crate::domain::Direction;
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Query, Sort};

const BLOCK: usize = 512;
/// Rows that are sorted at a time.
const TOGETHER: u64 = 8_192;

impl Store {
    /// Passes every row of a query to a callback in order, from one unchanging snapshot of the history: first the
    /// count, then each row. Memory use is their `seq`s and some hundred rows, whatever their number.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] when it was cancelled; others where the cache cannot be read.
    pub fn each_row(
        &self,
        query: &Query,
        cancel: &Cancel,
        counted: &mut dyn FnMut(u64),
        each: &mut dyn FnMut(HistoryRow) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let version = self.version();
        self.read(|connection| {
            let Some(ends) = state::ends(connection)? else {
                counted(0);
                return Ok(());
            };
            let sealed = State::read(connection)?.sealed;
            let picture = HistorySnapshot { store: self, connection, version, ends, sealed };
            let found = self.result_set(&picture, query, cancel, &mut |_, _| Ok(true))?;
            let mut places = {
                let mut found = lock(&found);
                match query.sort {
                    Sort::Newest | Sort::Oldest => {
                        let by_time = ByTime::new(&picture, Rows::Of(&found))?;
                        let mut places = Vec::with_capacity(usize::try_from(by_time.total()).unwrap_or(0));
                        while (places.len() as u64) < by_time.total() {
                            cancel.check()?;
                            let block = by_time.window(places.len() as u64, TOGETHER)?;
                            if block.is_empty() {
                                return Err(StoreError::damaged("rows are missing from the order by time"));
                            }
                            places.extend(block);
                        }
                        places
                    }
                    Sort::Listed => found.newest(0, found.total()),
                    Sort::Largest | Sort::Smallest => found.by_amount(&picture, &query.prices, cancel)?.to_vec(),
                }
            };
            if matches!(query.sort, Sort::Oldest | Sort::Smallest) {
                places.reverse();
            }
            counted(u64::try_from(places.len()).unwrap_or(u64::MAX));
            for block in places.chunks(BLOCK) {
                cancel.check()?;
                for row in self.rows(connection, block)? {
                    if each(row).is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }

    /// The rows with these `seq`s, in this order.
    pub fn rows_at(&self, places: &[i64]) -> Result<Vec<HistoryRow>, StoreError> {
        self.read(|connection| self.rows(connection, places))
    }

    /// The number of newer rows of the same direction: the row's position in the service's list.
    pub fn rank_in_list(&self, direction: &Direction, seq: i64) -> Result<u64, StoreError> {
        let query = Query { filter: Filter::from(format!("dir:{}", direction.word()).as_str()), ..Query::default() };
        self.with_result_set(&query, &Cancel::new(), |found| found.count_newer(seq)).map(Option::unwrap_or_default)
    }

    /// The rows among these that a query does not match.
    pub fn rows_not_found(&self, query: &Query, rows: &[i64], cancel: &Cancel) -> Result<Vec<i64>, StoreError> {
        let left_out = |found: &ResultSet| rows.iter().copied().filter(|seq| !found.has(*seq)).collect();
        Ok(self.with_result_set(query, cancel, left_out)?.unwrap_or_else(|| rows.to_vec()))
    }

    /// Applies `look` to the current result set; `None` while there are no rows.
    fn with_result_set<T>(
        &self,
        query: &Query,
        cancel: &Cancel,
        look: impl FnOnce(&ResultSet) -> T,
    ) -> Result<Option<T>, StoreError> {
        let version = self.version();
        self.read(|connection| {
            let Some(ends) = state::ends(connection)? else { return Ok(None) };
            let sealed = State::read(connection)?.sealed;
            let picture = HistorySnapshot { store: self, connection, version, ends, sealed };
            let found = self.result_set(&picture, query, cancel, &mut |_, _| Ok(true))?;
            let found = lock(&found);
            Ok(Some(look(&found)))
        })
    }
}
