//! Backfill: reads both lists of the history, page by page from the newest row down to the oldest.
//!
//! The lists are merged by time while they are read, with about a page of each waiting for the other. Merged rows are
//! stored together with the number of stored rows per list, so that a later start resumes there. Rows that arrive
//! meanwhile push the others down the pages: a row read twice is skipped, and none is missed, since a page can only
//! follow the stored rows if it overlaps with them (see `cursor`). Where a list was reordered while it was read, its
//! end shows that rows are missing, and the list is read again (see `rescan`).

use super::cursor::{Cursor, WaitingRow};
use super::rescan::RescanPass;
use super::state::{LISTS, State, flaw};
use super::write::{RowChange, SyncResult};
use super::{Store, StoreError, lock, state};
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Timestamp, Transaction};

/// Steps without a new row after which the service is judged to repeat itself.
const MAX_FRUITLESS_STEPS: u32 = 100;
/// The next stretch of the backfill. Fetch pages while [`next_page`](Self::next_page) names one, pass them to
/// [`add_page`](Self::add_page), then [`finish`](Self::finish).
pub struct BackfillRead {
    store: Store,
    budget: u64,
    first_pages_only: bool,
    complete: bool,
    lists: [Cursor; 2],
    /// Rescans under way, by list.
    passes: [Option<RescanPass>; 2],
    ready: Vec<(usize, WaitingRow)>,
}

/// Rows received and not merged yet, carried from one stretch to the next.
pub(super) struct UnplacedRows {
    lists: [Cursor; 2],
}

impl BackfillRead {
    /// Resumes the backfill for about `budget` rows.
    pub fn start(store: &Store, budget: u64) -> Result<Self, StoreError> {
        Self::begin(store, budget, false)
    }

    /// Fetches only the first page of each list, to show the newest rows at once.
    pub(super) fn first_pages(store: &Store) -> Result<Self, StoreError> {
        Self::begin(store, u64::MAX, true)
    }

    fn begin(store: &Store, budget: u64, first_pages_only: bool) -> Result<Self, StoreError> {
        let mut state = store.read(State::read)?;
        // An explicit request when nothing is left to read starts a repair at once instead of waiting for its time.
        let waits = state.is_idle() || state.partial.is_some();
        if waits && !first_pages_only && state.has_gaps() && !state.is_repairing() {
            state = store.write(|batch| {
                batch.state.begin_repair();
                Ok(batch.state.clone())
            })?;
        }
        let leftover = lock(&store.inner.unplaced_rows).take();
        let lists = match leftover {
            Some(mut leftover) => {
                leftover.lists.iter_mut().for_each(Cursor::resume);
                leftover.lists
            }
            None => std::array::from_fn(|list| Cursor::new(LISTS[list].clone(), &state.lists[list])),
        };
        let passes = std::array::from_fn(|list| {
            let known = &state.lists[list];
            known.again.map(|again| RescanPass::new(LISTS[list].clone(), again, known))
        });
        let complete = state.is_idle();
        Ok(Self { store: store.clone(), budget, first_pages_only, complete, lists, passes, ready: Vec::new() })
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// `None` when it is time to [`finish`](Self::finish).
    pub fn next_page(&self) -> Option<TransactionPageRequest> {
        let looked: u64 = self.passes.iter().flatten().map(|pass| pass.entries_seen).sum();
        let looked = self.lists.iter().map(|list| list.tried_entries).fold(looked, u64::saturating_add);
        if self.complete || looked.saturating_add(self.ready.len() as u64) >= self.budget {
            return None;
        }
        let again = self.passes.iter().flatten().find(|pass| !pass.ended);
        self.lists
            .iter()
            .find(|list| list.wants_page() && (!self.first_pages_only || list.page == 1))
            .filter(|_| !self.first_pages_only || self.ready.is_empty())
            .map(|list| TransactionPageRequest { direction: list.direction.clone(), page_no: list.page })
            .or_else(|| {
                again.map(|pass| TransactionPageRequest { direction: pass.direction.clone(), page_no: pass.page() })
            })
    }

    /// Whether the next page may bring nothing new: a page that searches for the resume position, or a rescan. Such
    /// pages are fetched with pauses.
    pub fn may_be_fruitless(&self) -> bool {
        let searches = self.lists.iter().find(|list| list.wants_page()).map(Cursor::is_searching);
        searches.unwrap_or_else(|| self.passes.iter().flatten().any(|pass| !pass.ended))
    }

    pub fn add_page(&mut self, wanted: &TransactionPageRequest, page: Page<Transaction>) -> Result<(), StoreError> {
        if let Some(pass) = self.passes.iter_mut().flatten().find(|pass| pass.direction == wanted.direction) {
            return if pass.page() == wanted.page_no && !pass.ended {
                pass.add_page(&self.store, page)
            } else {
                Ok(())
            };
        }
        let Some(list) = self.lists.iter_mut().find(|list| list.direction == wanted.direction) else { return Ok(()) };
        if list.page == wanted.page_no && !list.ended {
            list.add_page(&self.store, page)?;
            self.merge();
        }
        Ok(())
    }

    /// Moves rows on for as long as it is certain which comes next.
    fn merge(&mut self) {
        while !self.lists.iter().any(Cursor::wants_page) {
            let next = match (self.lists[0].waiting.front(), self.lists[1].waiting.front()) {
                (Some(first), Some(second)) => usize::from(first.time < second.time),
                (Some(_), None) => 0,
                (None, Some(_)) => 1,
                (None, None) => return,
            };
            if let Some(waiting) = self.lists[next].waiting.pop_front() {
                self.ready.push((next, waiting));
            }
        }
    }

    /// Whether rows were read that can be stored, which needs the beginning of both lists.
    pub fn has_rows(&self) -> bool {
        !self.ready.is_empty()
    }

    pub fn finish(self, now: Timestamp) -> Result<SyncResult, StoreError> {
        let Self { store, mut lists, mut passes, ready, complete, .. } = self;
        if complete {
            return store.read(|connection| {
                let rows = state::rows(state::ends(connection)?);
                Ok(SyncResult {
                    added: 0,
                    changed: 0,
                    affected_users: Vec::new(),
                    progress: State::read(connection)?.progress(rows, state::pending(connection)?),
                })
            });
        }
        let merged = store.write(|batch| {
            batch.prepare()?;
            let (mut added, mut changed) = (0, 0);
            let mut seq = batch.ends.map_or(0, |(oldest, _)| oldest - 1);
            for (list, waiting) in &ready {
                let above = i64::try_from(waiting.passed).unwrap_or(i64::MAX) - 1;
                let arrived = i64::try_from(batch.state.lists[*list].arrived).unwrap_or(i64::MAX);
                let place = (*list, arrived.saturating_sub(above));
                match batch.add(seq, &waiting.transaction, now, place, Some(waiting.time))? {
                    RowChange::New => {
                        seq -= 1;
                        added += 1;
                        batch.state.lists[*list].passed += 1;
                    }
                    RowChange::Changed => changed += 1,
                    RowChange::Known => {}
                }
                batch.state.lists[*list].last_time = Some(waiting.time);
            }
            // Rows that arrived since the last sync of the newest rows and were read here: the oldest first.
            for (list, cursor) in lists.iter_mut().enumerate() {
                for transaction in std::mem::take(&mut cursor.arrivals).into_iter().rev() {
                    added += u64::from(batch.add_latest(&transaction, now, list, None)? == RowChange::New);
                }
            }
            for (list, pass) in passes.iter_mut().enumerate() {
                let Some(pass) = pass else { continue };
                for (time, transaction) in std::mem::take(&mut pass.new_rows).into_iter().rev() {
                    added += u64::from(batch.add_latest(&transaction, now, list, time)? == RowChange::New);
                }
                for (seq, transaction) in std::mem::take(&mut pass.known_rows) {
                    changed += u64::from(batch.correct(seq, &transaction)?);
                }
                let known = &mut batch.state.lists[list];
                known.again = pass.progress();
                if pass.ended {
                    pass.update_list(known);
                    if !pass.is_repairing() {
                        known.vain = if pass.found_nothing() { known.vain + 1 } else { 0 };
                        known.vain_at = pass.found_nothing().then_some(now.millis());
                    }
                    known.lacking = pass.row_count.map_or(0, |counted| counted.saturating_sub(known.entries()));
                }
            }
            for why in passes.iter().flatten().filter_map(|pass| pass.distrust) {
                batch.state.distrust(why);
            }
            let fruitless = added == 0 && !ready.is_empty();
            batch.state.fruitless = if fruitless { batch.state.fruitless + 1 } else { 0 };
            let endless = batch.state.fruitless >= MAX_FRUITLESS_STEPS;
            if endless {
                batch.state.distrust(flaw::REPEATS);
            }
            for (known, list) in batch.state.lists.iter_mut().zip(&mut lists) {
                known.opened = true;
                known.first_ids.clone_from(&list.first_ids);
                known.done = (list.ended && list.waiting.is_empty()) || endless;
                known.page_limit = list.limit;
                known.expected = list.expected;
                known.unread += std::mem::take(&mut list.unreadable);
                known.earlier += std::mem::take(&mut list.earlier);
                known.later += std::mem::take(&mut list.later);
                if known.done
                    && let Some(counted) = list.counted.take()
                {
                    known.lacking = counted.saturating_sub(known.entries());
                }
            }
            batch.state.judge_order();
            for why in lists.iter_mut().filter_map(|list| list.distrust.take()) {
                batch.state.distrust(why);
            }
            batch.state.advance_repair(now.millis());
            batch.mark_changed();
            batch.merged(added, changed)
        })?;
        *lock(&store.inner.unplaced_rows) = Some(UnplacedRows { lists });
        Ok(merged)
    }
}
