//! The first read of the history: both lists, page by page from the newest row down to the oldest.
//!
//! The lists are merged by time while they are read, with about a page of each waiting for the other. What was merged
//! is kept, and how far each list got stands beside it, so that a later start goes on where this one was ended. Rows
//! that arrive meanwhile push the others down the pages: a row met twice is skipped, and none is missed. After a start
//! the first page asked for must overlap with what is kept; where it does not, an earlier page is asked for.

use std::collections::VecDeque;

use super::state::{LISTS, ListState, State};
use super::write::{Added, Merged, Slot, find};
use super::{Store, StoreError, lock, state};
use crate::domain::history::{Page, PageWanted};
use crate::domain::{Direction, Timestamp, Transaction};

/// Entries of a page while the service has not told how many there are.
const USUAL_LIMIT: u64 = 100;
/// Steps without anything new after which the service is found to repeat itself.
const FRUITLESS: u32 = 100;
/// How many identifiers of a list's first page are kept, to tell arrivals from what was there.
const FIRST_IDS: usize = 3;

/// The next stretch of the first read. Ask for pages while [`wanted`](Self::wanted) names one, feed them, then
/// [`finish`](Self::finish).
pub struct BackRead {
    store: Store,
    budget: u64,
    /// Whether only the first page of each list is wanted.
    first_pages_only: bool,
    complete: bool,
    lists: [Cursor; 2],
    ready: Vec<(usize, Waiting)>,
}

/// What was received and could not be placed yet, from one stretch to the next.
pub(super) struct Leftover {
    lists: [Cursor; 2],
}

struct Cursor {
    direction: Direction,
    /// The next page to ask for.
    page: u64,
    /// Whether the page asked for is known to follow what is kept without a gap.
    anchored: bool,
    /// How many pages to go back if it does not.
    step_back: u64,
    waiting: VecDeque<Waiting>,
    /// Whether there are no further pages.
    ended: bool,
    first_ids: Vec<String>,
    former_first: Option<String>,
    repeats: u32,
    last_time: Option<i64>,
    limit: Option<u64>,
    passed: u64,
    expected: Option<u64>,
    unreadable: u64,
    distrust: Option<&'static str>,
}

/// A received row that waits for its turn.
struct Waiting {
    time: i64,
    /// Entries of the list down to this one.
    passed: u64,
    transaction: Transaction,
}

impl Cursor {
    fn resume(direction: Direction, list: &ListState) -> Self {
        let limit = list.page_limit.unwrap_or(USUAL_LIMIT).max(1);
        Self {
            direction,
            page: list.passed.saturating_sub(1) / limit + 1,
            anchored: list.passed == 0,
            step_back: 1,
            waiting: VecDeque::new(),
            ended: list.done,
            first_ids: list.first_ids.clone(),
            former_first: None,
            repeats: 0,
            last_time: list.last_time,
            limit: list.page_limit,
            passed: list.passed,
            expected: list.expected,
            unreadable: 0,
            distrust: None,
        }
    }

    fn wants_page(&self) -> bool {
        !self.ended && self.waiting.is_empty()
    }

    /// Whether a page lies where the first read goes on; if not, which page to ask for instead is noted.
    fn anchor(&mut self, store: &Store, page: &Page<Transaction>) -> Result<bool, StoreError> {
        if self.anchored || self.page == 1 {
            self.anchored = true;
            return Ok(true);
        }
        if let Some(limit) = page.page_limit.filter(|limit| *limit > 0) {
            let right = self.passed.saturating_sub(1) / limit + 1;
            if self.limit != Some(limit) {
                self.limit = Some(limit);
                if right < self.page {
                    self.page = right;
                    return Ok(false);
                }
            }
        }
        let overlaps = store.read(|connection| {
            for transaction in &page.items {
                if matches!(find(connection, transaction.id.as_str())?, Slot::Taken(_)) {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        if overlaps {
            self.anchored = true;
        } else {
            self.page = self.page.saturating_sub(self.step_back).max(1);
            self.step_back *= 2;
        }
        Ok(overlaps)
    }

    fn take(&mut self, page: Page<Transaction>) {
        let entries = page.items.len() as u64 + page.unreadable;
        if let Some(limit) = page.page_limit.filter(|limit| *limit > 0) {
            self.limit = Some(limit);
        } else {
            self.limit = Some(self.limit.unwrap_or(0).max(entries).max(1));
        }
        let limit = self.limit.unwrap_or(USUAL_LIMIT);
        if let Some(total) = page.total_page {
            let last = if self.page == total { entries } else { limit };
            self.expected = Some(total.saturating_sub(1).saturating_mul(limit).saturating_add(last.min(limit * total)));
        }
        if entries == 0 {
            self.ended = true;
            return;
        }
        let first = page.items.first().map(|transaction| transaction.id.as_str().to_owned());
        if self.page == 1 && self.first_ids.is_empty() {
            self.first_ids =
                page.items.iter().take(FIRST_IDS).map(|transaction| transaction.id.as_str().to_owned()).collect();
        }
        if first.is_some() && first == self.former_first {
            // Once may be as many arrivals as a page has entries; twice is a service that ignores the page's number.
            self.repeats += 1;
            if self.repeats == 2 {
                self.ended = true;
                self.distrust = Some("the service ignores paging");
                return;
            }
        } else {
            self.repeats = 0;
        }
        self.former_first = first;
        self.unreadable += page.unreadable;
        let before = (self.page - 1).saturating_mul(limit);
        for (index, transaction) in page.items.into_iter().enumerate() {
            if transaction.direction != self.direction {
                self.distrust = Some("the service ignores txType");
            }
            let time = transaction.at().map(Timestamp::millis).or(self.last_time).unwrap_or(i64::MAX);
            self.last_time = Some(time);
            self.waiting.push_back(Waiting { time, passed: before + index as u64 + 1, transaction });
        }
        if page.total_page.is_some_and(|total| self.page >= total) {
            self.ended = true;
        } else {
            self.page += 1;
        }
    }
}

impl BackRead {
    /// Goes on with the first read for about `budget` rows.
    pub fn start(store: &Store, budget: u64) -> Result<Self, StoreError> {
        Self::begin(store, budget, false)
    }

    /// The first page of each list, to begin with.
    pub(super) fn first_pages(store: &Store) -> Result<Self, StoreError> {
        Self::begin(store, u64::MAX, true)
    }

    fn begin(store: &Store, budget: u64, first_pages_only: bool) -> Result<Self, StoreError> {
        let state = store.read(State::read)?;
        let leftover = lock(&store.inner.leftover).take();
        let lists = match leftover {
            Some(leftover) => leftover.lists,
            None => std::array::from_fn(|list| Cursor::resume(LISTS[list].clone(), &state.lists[list])),
        };
        let complete = state.complete();
        Ok(Self { store: store.clone(), budget, first_pages_only, complete, lists, ready: Vec::new() })
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The page that is needed next; `None` when it is time to [`finish`](Self::finish).
    pub fn wanted(&self) -> Option<PageWanted> {
        if self.complete || self.ready.len() as u64 >= self.budget {
            return None;
        }
        self.lists
            .iter()
            .find(|list| list.wants_page() && (!self.first_pages_only || list.page == 1))
            .filter(|_| !self.first_pages_only || self.ready.is_empty())
            .map(|list| PageWanted { direction: list.direction.clone(), page_no: list.page })
    }

    /// Takes in a page that was wanted.
    pub fn feed(&mut self, wanted: &PageWanted, page: Page<Transaction>) -> Result<(), StoreError> {
        let Some(list) = self.lists.iter_mut().find(|list| list.direction == wanted.direction) else { return Ok(()) };
        if list.page != wanted.page_no || list.ended {
            return Ok(());
        }
        if list.anchor(&self.store, &page)? {
            list.take(page);
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

    /// Keeps what was read.
    pub fn finish(self, now: Timestamp) -> Result<Merged, StoreError> {
        let Self { store, mut lists, ready, complete, .. } = self;
        if complete {
            return store.read(|connection| {
                let rows = state::rows(state::ends(connection)?);
                Ok(Merged {
                    added: 0,
                    changed: 0,
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
                match batch.add(seq, &waiting.transaction, now, *list, arrived.saturating_sub(above))? {
                    Added::New => {
                        seq -= 1;
                        added += 1;
                        batch.state.lists[*list].passed += 1;
                    }
                    Added::Changed => changed += 1,
                    Added::Known => {}
                }
                batch.state.lists[*list].last_time = Some(waiting.time);
            }
            let fruitless = added == 0 && !ready.is_empty();
            batch.state.fruitless = if fruitless { batch.state.fruitless + 1 } else { 0 };
            let endless = batch.state.fruitless >= FRUITLESS;
            if endless {
                batch.state.distrust("the service repeats its pages");
            }
            for (known, list) in batch.state.lists.iter_mut().zip(&mut lists) {
                known.opened = true;
                known.first_ids.clone_from(&list.first_ids);
                known.done = (list.ended && list.waiting.is_empty()) || endless;
                known.page_limit = list.limit;
                known.expected = list.expected;
                known.passed += list.unreadable;
                batch.state.unreadable += std::mem::take(&mut list.unreadable);
            }
            for why in lists.iter().filter_map(|list| list.distrust) {
                batch.state.distrust(why);
            }
            batch.shows();
            batch.merged(added, changed)
        })?;
        *lock(&store.inner.leftover) = Some(Leftover { lists });
        Ok(merged)
    }
}
