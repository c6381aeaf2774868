//! Syncs the newest rows of both lists: reads arrivals, and refreshes pending rows.
//!
//! Each list is read from its first page down to a stored row, so that nothing between is missed, however long the
//! console was closed; all of it is stored at once or not at all. Rows that do not fit in memory wait on disk
//! (`staged`). Then a few more pages are read, where rows that are not final are expected now.

mod further_pages;
mod new_row_queue;

use std::collections::{BTreeSet, HashSet, VecDeque};

use rusqlite::params;

use super::backfill::BackfillRead;
use super::cache_state::{CacheState, LIST_DIRECTIONS, flaw};
use super::cursor::count_rows_through_page;
use super::write::{IdSlot, RowChange, SyncResult, find_id_slot, hash_of_id};
use super::{Store, StoreError, lock_mutex};
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Direction, Timestamp, Transaction};
use new_row_queue::NewRowQueue;

/// New rows of one list that are buffered in memory before they are staged on disk.
const MAX_BUFFERED_ROWS: usize = 2_000;
/// The most pages of a list that one sync reads before it reaches a stored row.
const MAX_SYNC_PAGES: u64 = 20_000;

/// One sync of the newest rows of both lists. Fetch pages while [`next_page`](Self::next_page) names one, pass them to
/// [`add_page`](Self::add_page), then [`finish`](Self::finish).
pub struct LatestRead(FirstOrLaterRead);

enum FirstOrLaterRead {
    /// Nothing was ever read: the first page of both lists begins the backfill.
    First(Box<BackfillRead>),
    Later(Box<LatestSync>),
}

struct LatestSync {
    store: Store,
    state: CacheState,
    lists: [ListSync; 2],
}

struct ListSync {
    direction: Direction,
    page: u64,
    /// Whether a stored row, or the list's end, was reached.
    reached_known: bool,
    read_page_numbers: BTreeSet<u64>,
    further_pages: VecDeque<u64>,
    /// New rows, the newest first, with their sort times.
    new_rows: Vec<(i64, Transaction)>,
    staged_count: u64,
    seen_hashes: HashSet<i64>,
    /// Stored rows that were read, each with the number of entries above it in the list.
    known_rows: Vec<(i64, u64, Transaction)>,
    /// Rows that are not final, each with the page on which it is expected.
    sought_rows: Vec<(i64, u64)>,
    known_seqs: HashSet<i64>,
    former_first: Option<String>,
    repeats: u32,
    last_time: Option<i64>,
    limit: Option<u64>,
    expected: Option<u64>,
    /// The length of the list, where its last page was read.
    list_length: Option<u64>,
    /// The first empty page.
    ended_on: Option<u64>,
    unreadable: u64,
    distrust: Option<&'static str>,
}

impl ListSync {
    fn new(direction: Direction) -> Self {
        Self {
            direction,
            page: 1,
            reached_known: false,
            read_page_numbers: BTreeSet::new(),
            further_pages: VecDeque::new(),
            new_rows: Vec::new(),
            staged_count: 0,
            seen_hashes: HashSet::new(),
            known_rows: Vec::new(),
            sought_rows: Vec::new(),
            known_seqs: HashSet::new(),
            former_first: None,
            repeats: 0,
            last_time: None,
            limit: None,
            expected: None,
            list_length: None,
            ended_on: None,
            unreadable: 0,
            distrust: None,
        }
    }

    /// Advances the page to search for rows that were not at their expected position; `None` while all were.
    fn advance_missing_row_search(&self, page: &mut Option<u64>) {
        let missing = self
            .sought_rows
            .iter()
            .any(|(seq, on)| self.read_page_numbers.contains(on) && !self.known_seqs.contains(seq));
        let past = self.expected.zip(self.limit).map(|(expected, limit)| expected.div_ceil(limit.max(1)));
        *page = match *page {
            Some(page) if self.read_page_numbers.contains(&page) => {
                let ends = self.ended_on.is_some_and(|last| page >= last) || past.is_some_and(|last| page >= last);
                if ends { missing.then_some(2) } else { Some(page + 1) }
            }
            Some(page) => Some(page),
            None => missing.then_some(2),
        };
    }

    fn next_page_no(&self) -> Option<u64> {
        if self.reached_known { self.further_pages.front().copied() } else { Some(self.page) }
    }
}

impl LatestRead {
    pub fn start(store: &Store) -> Result<Self, StoreError> {
        let state = store.read_in_transaction(CacheState::read)?;
        if !state.lists.iter().any(|list| list.opened) {
            return Ok(Self(FirstOrLaterRead::First(Box::new(BackfillRead::start_first_pages_only(store)?))));
        }
        let lists = LIST_DIRECTIONS.map(ListSync::new);
        Ok(Self(FirstOrLaterRead::Later(Box::new(LatestSync { store: store.clone(), state, lists }))))
    }

    /// `None` when it is time to [`finish`](Self::finish).
    pub fn next_page(&self) -> Option<TransactionPageRequest> {
        match &self.0 {
            FirstOrLaterRead::First(backfill) => backfill.next_page(),
            FirstOrLaterRead::Later(later) => later.lists.iter().find_map(|list| {
                list.next_page_no().map(|page_no| TransactionPageRequest { direction: list.direction.clone(), page_no })
            }),
        }
    }

    pub fn add_page(&mut self, request: &TransactionPageRequest, page: Page<Transaction>) -> Result<(), StoreError> {
        match &mut self.0 {
            FirstOrLaterRead::First(backfill) => backfill.add_page(request, page),
            FirstOrLaterRead::Later(later) => later.add_page(request, page),
        }
    }

    /// Stores everything read, at once.
    pub fn finish(self, now: Timestamp) -> Result<SyncResult, StoreError> {
        match self.0 {
            FirstOrLaterRead::First(backfill) => {
                let store = backfill.store_handle().clone();
                let merged = backfill.finish(now)?;
                store.with_write_batch(|batch| {
                    batch.state.head_at = Some(now.millis());
                    Ok(())
                })?;
                Ok(merged)
            }
            FirstOrLaterRead::Later(later) => later.finish(now),
        }
    }
}

impl LatestSync {
    fn add_page(&mut self, request: &TransactionPageRequest, page: Page<Transaction>) -> Result<(), StoreError> {
        let Some(nth) = self.lists.iter().position(|list| list.direction == request.direction) else { return Ok(()) };
        if self.lists[nth].next_page_no() != Some(request.page_no) {
            return Ok(());
        }
        let looked_up = self.store.read_in_transaction(|connection| {
            page.items
                .iter()
                .map(|transaction| match find_id_slot(connection, transaction.id.as_str())? {
                    IdSlot::Taken(seq) => Ok(Some(seq)),
                    IdSlot::Free(_) => Ok(None),
                })
                .collect::<Result<Vec<_>, StoreError>>()
        })?;
        let list_state = &self.state.lists[nth];
        let list = &mut self.lists[nth];
        list.read_page_numbers.insert(request.page_no);
        let entries = page.items.len() as u64 + page.unreadable;
        let limit = page.page_limit.filter(|limit| *limit > 0).or(list_state.page_limit).unwrap_or(entries.max(1));
        list.limit = Some(limit);
        if entries == 0 {
            list.ended_on = list.ended_on.into_iter().chain([request.page_no]).min();
        }
        if let Some(total) = page.total_page {
            let last = if request.page_no == total { entries } else { limit };
            if request.page_no >= total {
                list.list_length = Some(count_rows_through_page(&page, request.page_no, limit));
            }
            list.expected = Some(total.saturating_sub(1).saturating_mul(limit).saturating_add(last.min(limit * total)));
        }
        let is_top = !list.reached_known;
        list.unreadable += page.unreadable;
        if is_top {
            let first = page.items.first().map(|transaction| transaction.id.as_str().to_owned());
            let is_met = |row: &Transaction| list.seen_hashes.contains(&hash_of_id(row.id.as_str()));
            // Pages may repeat in a cycle, too.
            let brings_nothing = !page.items.is_empty() && page.items.iter().all(is_met);
            if first.is_some() && first == list.former_first || brings_nothing {
                list.repeats += 1;
            } else {
                list.repeats = 0;
            }
            list.former_first = first;
            if list.repeats == 2 {
                list.distrust = Some(flaw::IGNORES_PAGING);
                list.reached_known = true;
            } else if request.page_no >= MAX_SYNC_PAGES {
                list.distrust = Some(flaw::ENDLESS_LIST);
                list.reached_known = true;
            }
        } else {
            list.further_pages.pop_front();
        }
        // Rows above a stored row are new. Rows below the last one are new too, if the list was read to its end once;
        // otherwise they belong to the backfill.
        let bounds = |transaction: &Transaction| list_state.first_ids.iter().any(|id| id == transaction.id.as_str());
        let last_known =
            page.items.iter().zip(&looked_up).rposition(|(transaction, seq)| seq.is_some() || bounds(transaction));
        let rows = page.items.len();
        for (index, (transaction, seq)) in page.items.into_iter().zip(looked_up).enumerate() {
            list.distrust = flaw::page_direction_flaw(&list.direction, &transaction.direction).or(list.distrust);
            let time = transaction.reported_time().map(Timestamp::millis).or(list.last_time).unwrap_or(i64::MAX);
            list.last_time = Some(time);
            if let Some(seq) = seq {
                if list.known_seqs.insert(seq) {
                    let above = (request.page_no - 1).saturating_mul(limit).saturating_add(index as u64);
                    list.known_rows.push((seq, above, transaction));
                }
                continue;
            }
            let above_known = is_top && last_known.is_none_or(|last| index < last);
            let is_new = list_state.done || (above_known && !bounds(&transaction));
            if is_new && list.seen_hashes.insert(hash_of_id(transaction.id.as_str())) {
                list.new_rows.push((time, transaction));
            }
        }
        if is_top {
            let ended = entries == 0 || page.total_page.is_some_and(|total| request.page_no >= total);
            // In a list read to its end, a page whose last row is new has a stored one above it only by disorder:
            // further new rows may follow.
            let reaches = |last: usize| !list_state.done || last + 1 == rows;
            list.reached_known |= last_known.is_some_and(reaches) || ended;
            list.page += 1;
            if list.reached_known {
                self.choose_further_pages(nth)?;
            }
        }
        if self.lists[nth].new_rows.len() >= MAX_BUFFERED_ROWS {
            self.stage_rows(nth)?;
        }
        Ok(())
    }

    /// Stages new rows on disk, invisible to readers until the end.
    fn stage_rows(&mut self, nth: usize) -> Result<(), StoreError> {
        let first = self.lists.iter().all(|list| list.staged_count == 0);
        let list = &mut self.lists[nth];
        let rows = std::mem::take(&mut list.new_rows);
        let before = list.staged_count;
        list.staged_count += rows.len() as u64;
        self.store.with_write_batch(|batch| {
            batch.index_dictionary()?;
            if first {
                // Left behind by an interrupted sync.
                batch.connection.execute("DELETE FROM staged", [])?;
            }
            for (index, (time, transaction)) in rows.iter().enumerate() {
                let never = Timestamp::from_millis(0);
                let body = batch.pack_row(transaction, never, never)?;
                let at = i64::try_from(before + index as u64).unwrap_or(i64::MAX);
                batch
                    .connection
                    .prepare_cached("INSERT INTO staged (list, nth, time, body) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![i64::try_from(nth).unwrap_or(0), at, time, body])?;
            }
            Ok(())
        })
    }

    fn finish(self, now: Timestamp) -> Result<SyncResult, StoreError> {
        let Self { store, lists, .. } = self;
        store.with_write_batch(|batch| {
            batch.index_dictionary()?;
            let arrived_before = [0, 1].map(|nth: usize| batch.state.lists[nth].arrived);
            let (mut added, mut changed) = (0, 0);
            for (nth, list) in lists.iter().enumerate() {
                let arrived = batch.state.lists[nth].arrived + list.staged_count + list.new_rows.len() as u64;
                for (seq, above, transaction) in &list.known_rows {
                    changed += u64::from(batch.update_row(*seq, transaction)?);
                    if !transaction.is_final(store.final_statuses()) {
                        batch.update_ordinal(
                            *seq,
                            i64::try_from(arrived).unwrap_or(i64::MAX).saturating_sub_unsigned(*above),
                        )?;
                    }
                }
                list.advance_missing_row_search(&mut lock_mutex(&store.inner.search_pages)[nth]);
            }
            let [first, second] = lists;
            let facts = [
                (first.unreadable, first.expected, first.limit, first.distrust),
                (second.unreadable, second.expected, second.limit, second.distrust),
            ];
            let list_lengths = [first.list_length, second.list_length];
            let staged = first.staged_count + second.staged_count > 0;
            let mut oldest_first = [NewRowQueue::new(0, first), NewRowQueue::new(1, second)];
            // Rows of equal time from both lists get the order that the backfill would have given them.
            loop {
                let next = match (oldest_first[0].next_new_row_time(batch)?, oldest_first[1].next_new_row_time(batch)?)
                {
                    (Some(first), Some(second)) => usize::from(second <= first),
                    (Some(_), None) => 0,
                    (None, Some(_)) => 1,
                    (None, None) => break,
                };
                let Some((time, transaction)) = oldest_first[next].rows.pop_front() else { break };
                match batch.add_latest(&transaction, now, next, Some(time))? {
                    RowChange::New => added += 1,
                    RowChange::Changed => changed += 1,
                    RowChange::Known => {}
                }
            }
            if staged {
                batch.connection.execute("DELETE FROM staged", [])?;
            }
            let before = batch.state.clone();
            let mut gap = false;
            for (nth, list_state) in batch.state.lists.iter_mut().enumerate().filter(|(_, list)| list.done) {
                // Rows not read must be among those that arrived meanwhile.
                gap |= list_state.update_missing_rows(
                    list_state.arrived.saturating_sub(arrived_before[nth]),
                    list_lengths[nth],
                    now,
                );
            }
            if gap {
                batch.state.record_flaw(flaw::MISSING_ROWS);
            } else {
                batch.state.clear_gap();
            }
            batch.state.check_list_order();
            let mut flaws = Vec::new();
            for (list_state, (unreadable, expected, limit, distrust)) in batch.state.lists.iter_mut().zip(facts) {
                list_state.expected = expected.or(list_state.expected);
                list_state.page_limit = limit.or(list_state.page_limit);
                list_state.unread_since = list_state.unread_since.max(unreadable);
                flaws.extend(distrust);
            }
            for flaw in flaws {
                batch.state.record_flaw(flaw);
            }
            batch.state.advance_repair(now.millis());
            if batch.state != before {
                batch.mark_changed();
            }
            batch.state.head_at = Some(now.millis());
            batch.sync_result(added, changed)
        })
    }
}
