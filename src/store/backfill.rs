//! Backfill: reads both lists of the history, page by page from the newest row down to the oldest.
//!
//! The lists are merged by time while they are read, with about a page of each waiting for the other. Merged rows are
//! stored together with the number of stored rows per list, so that a later start resumes there. Rows that arrive
//! meanwhile push the others down the pages: a row read twice is skipped, and none is missed, since a page can only
//! follow the stored rows if it overlaps with them (see `cursor`). Where a list was reordered while it was read, its
//! end shows that rows are missing, and the list is read again (see `rescan`).

use super::cache_state::{CacheState, LIST_DIRECTIONS, flaw};
use super::cursor::{ListCursor, PausedBackfill, UnmergedRow};
use super::rescan::RescanSlice;
use super::write::{RowChange, SyncResult};
use super::{Store, StoreError, cache_state, lock_mutex};
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Timestamp, Transaction};

/// Steps without a new row after which the service is judged to repeat itself.
const MAX_FRUITLESS_STEPS: u32 = 100;
/// The next part of the backfill. Fetch pages while [`next_page`](Self::next_page) names one, pass them to
/// [`add_page`](Self::add_page), then [`finish`](Self::finish).
pub struct BackfillRead {
    store: Store,
    budget: u64,
    first_pages_only: bool,
    complete: bool,
    lists: [ListCursor; 2],
    /// Rescans under way, by list.
    rescans: [Option<RescanSlice>; 2],
    merged_rows: Vec<(usize, UnmergedRow)>,
}

impl BackfillRead {
    /// Resumes the backfill for about `budget` rows.
    pub fn start(store: &Store, budget: u64) -> Result<Self, StoreError> {
        Self::resume_with_limits(store, budget, false)
    }

    /// Fetches only the first page of each list, to show the newest rows at once.
    pub(super) fn start_first_pages_only(store: &Store) -> Result<Self, StoreError> {
        Self::resume_with_limits(store, u64::MAX, true)
    }

    fn resume_with_limits(store: &Store, budget: u64, first_pages_only: bool) -> Result<Self, StoreError> {
        let mut state = store.read_in_transaction(CacheState::read)?;
        // An explicit request when nothing is left to read starts a repair at once instead of waiting for its time.
        let waits = state.is_idle() || state.partial.is_some();
        if waits && !first_pages_only && state.has_gaps() && !state.is_repairing() {
            state = store.with_write_batch(|batch| {
                batch.state.begin_repair();
                Ok(batch.state.clone())
            })?;
        }
        let paused = lock_mutex(&store.inner.paused_backfill).take();
        let lists = match paused {
            Some(mut paused) => {
                paused.lists.iter_mut().for_each(ListCursor::resume_after_pause);
                paused.lists
            }
            None => std::array::from_fn(|list| ListCursor::new(LIST_DIRECTIONS[list].clone(), &state.lists[list])),
        };
        let slices = std::array::from_fn(|list| {
            let list_state = &state.lists[list];
            list_state.again.map(|progress| RescanSlice::new(LIST_DIRECTIONS[list].clone(), progress, list_state))
        });
        let complete = state.is_idle();
        Ok(Self {
            store: store.clone(),
            budget,
            first_pages_only,
            complete,
            lists,
            rescans: slices,
            merged_rows: Vec::new(),
        })
    }

    pub(super) fn store_handle(&self) -> &Store {
        &self.store
    }

    /// `None` when it is time to [`finish`](Self::finish).
    pub fn next_page(&self) -> Option<TransactionPageRequest> {
        let entries_seen: u64 = self.rescans.iter().flatten().map(|slice| slice.entries_seen).sum();
        let entries_seen = self.lists.iter().map(|list| list.tried_entries).fold(entries_seen, u64::saturating_add);
        if self.complete || entries_seen.saturating_add(self.merged_rows.len() as u64) >= self.budget {
            return None;
        }
        let rescan = self.rescans.iter().flatten().find(|slice| !slice.ended);
        self.lists
            .iter()
            .find(|list| list.needs_next_page() && (!self.first_pages_only || list.page == 1))
            .filter(|_| !self.first_pages_only || self.merged_rows.is_empty())
            .map(|list| TransactionPageRequest { direction: list.direction.clone(), page_no: list.page })
            .or_else(|| {
                rescan.map(|slice| TransactionPageRequest {
                    direction: slice.direction.clone(),
                    page_no: slice.next_page_no(),
                })
            })
    }

    /// Whether the next page may bring nothing new: a page that searches for the resume position, or a rescan. Such
    /// pages are fetched with pauses.
    pub fn is_searching_overlap_or_rescanning(&self) -> bool {
        let searches = self.lists.iter().find(|list| list.needs_next_page()).map(ListCursor::is_searching_overlap);
        searches.unwrap_or_else(|| self.rescans.iter().flatten().any(|slice| !slice.ended))
    }

    pub fn add_page(&mut self, request: &TransactionPageRequest, page: Page<Transaction>) -> Result<(), StoreError> {
        if let Some(slice) = self.rescans.iter_mut().flatten().find(|slice| slice.direction == request.direction) {
            return if slice.next_page_no() == request.page_no && !slice.ended {
                slice.add_page(&self.store, page)
            } else {
                Ok(())
            };
        }
        let Some(list) = self.lists.iter_mut().find(|list| list.direction == request.direction) else { return Ok(()) };
        if list.page == request.page_no && !list.ended {
            list.add_page(&self.store, page)?;
            self.merge_lists_by_time();
        }
        Ok(())
    }

    /// Moves rows on for as long as it is certain which comes next.
    fn merge_lists_by_time(&mut self) {
        while !self.lists.iter().any(ListCursor::needs_next_page) {
            let next = match (self.lists[0].unmerged.front(), self.lists[1].unmerged.front()) {
                (Some(first), Some(second)) => usize::from(first.time < second.time),
                (Some(_), None) => 0,
                (None, Some(_)) => 1,
                (None, None) => return,
            };
            if let Some(unmerged) = self.lists[next].unmerged.pop_front() {
                self.merged_rows.push((next, unmerged));
            }
        }
    }

    /// Whether rows were read that can be stored, which needs the beginning of both lists.
    pub fn has_rows(&self) -> bool {
        !self.merged_rows.is_empty()
    }

    pub fn finish(self, now: Timestamp) -> Result<SyncResult, StoreError> {
        let Self { store, mut lists, rescans: mut slices, merged_rows: ready, complete, .. } = self;
        if complete {
            return store.read_in_transaction(|connection| {
                let rows = cache_state::count_rows(cache_state::oldest_and_newest_seq(connection)?);
                Ok(SyncResult {
                    added: 0,
                    changed: 0,
                    affected_users: Vec::new(),
                    progress: CacheState::read(connection)?
                        .progress(rows, cache_state::count_pending_rows(connection)?),
                })
            });
        }
        let merged = store.with_write_batch(|batch| {
            batch.index_dictionary()?;
            let (mut added, mut changed) = (0, 0);
            let mut seq = batch.ends.map_or(0, |(oldest, _)| oldest - 1);
            for (list, unmerged) in &ready {
                let above = i64::try_from(unmerged.entries_down_to_row).unwrap_or(i64::MAX) - 1;
                let arrived = i64::try_from(batch.state.lists[*list].arrived).unwrap_or(i64::MAX);
                let position = (*list, arrived.saturating_sub(above));
                match batch.add_row(seq, &unmerged.transaction, now, position, Some(unmerged.time))? {
                    RowChange::New => {
                        seq -= 1;
                        added += 1;
                        batch.state.lists[*list].passed += 1;
                    }
                    RowChange::Changed => changed += 1,
                    RowChange::Known => {}
                }
                batch.state.lists[*list].last_time = Some(unmerged.time);
            }
            // Rows that arrived since the last sync of the newest rows and were read here: the oldest first.
            for (list, cursor) in lists.iter_mut().enumerate() {
                for transaction in std::mem::take(&mut cursor.new_rows).into_iter().rev() {
                    added += u64::from(batch.add_latest(&transaction, now, list, None)? == RowChange::New);
                }
            }
            for (list, slice) in slices.iter_mut().enumerate() {
                let Some(slice) = slice else { continue };
                for (time, transaction) in std::mem::take(&mut slice.new_rows).into_iter().rev() {
                    added += u64::from(batch.add_latest(&transaction, now, list, time)? == RowChange::New);
                }
                for (seq, transaction) in std::mem::take(&mut slice.known_rows) {
                    changed += u64::from(batch.correct_row(seq, &transaction)?);
                }
                let list_state = &mut batch.state.lists[list];
                list_state.again = slice.state_to_resume();
                if slice.ended {
                    slice.update_list(list_state);
                    if !slice.is_repairing() {
                        list_state.vain = if slice.brought_nothing() { list_state.vain + 1 } else { 0 };
                        list_state.vain_at = slice.brought_nothing().then_some(now.millis());
                    }
                    list_state.lacking =
                        slice.row_count.map_or(0, |row_count| row_count.saturating_sub(list_state.entries_read()));
                }
            }
            for flaw in slices.iter().flatten().filter_map(|slice| slice.distrust) {
                batch.state.record_flaw(flaw);
            }
            let fruitless = added == 0 && !ready.is_empty();
            batch.state.fruitless = if fruitless { batch.state.fruitless + 1 } else { 0 };
            let endless = batch.state.fruitless >= MAX_FRUITLESS_STEPS;
            if endless {
                batch.state.record_flaw(flaw::REPEATS_PAGES);
            }
            for (list_state, list) in batch.state.lists.iter_mut().zip(&mut lists) {
                list_state.opened = true;
                list_state.first_ids.clone_from(&list.first_ids);
                list_state.done = (list.ended && list.unmerged.is_empty()) || endless;
                list_state.page_limit = list.limit;
                list_state.expected = list.expected;
                list_state.unread += std::mem::take(&mut list.unreadable);
                list_state.earlier += std::mem::take(&mut list.earlier);
                list_state.later += std::mem::take(&mut list.later);
                if list_state.done
                    && let Some(row_count) = list.list_length.take()
                {
                    list_state.lacking = row_count.saturating_sub(list_state.entries_read());
                }
            }
            batch.state.check_list_order();
            for flaw in lists.iter_mut().filter_map(|list| list.distrust.take()) {
                batch.state.record_flaw(flaw);
            }
            batch.state.advance_repair(now.millis());
            batch.mark_changed();
            batch.sync_result(added, changed)
        })?;
        *lock_mutex(&store.inner.paused_backfill) = Some(PausedBackfill { lists });
        Ok(merged)
    }
}
