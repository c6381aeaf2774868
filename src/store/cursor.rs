//! Cursor of the backfill in one list: its position, and whether the next page follows the stored rows without a gap.
//!
//! Without interruption the next page is simply the next number. After a pause, with another page size, or when more
//! rows arrived than a page has, the position may have moved. Then the page must *overlap*: have a stored row, or one
//! that was at the top when the list was first read. Pages above and below are tried until one does. Rows above the
//! overlap have arrived since, and belong to the head of the history.

use std::collections::{HashSet, VecDeque};

use super::cache_state::{ListState, flaw};
use super::write::{IdSlot, find_id_slot, hash_of_id};
use super::{Store, StoreError};
use crate::domain::history::Page;
use crate::domain::{Direction, Timestamp, Transaction};

/// Entries of a page while the service has not reported its limit.
const DEFAULT_PAGE_LIMIT: u64 = 100;
/// Identifiers of a list's first page that are stored, to tell arrivals from earlier rows.
const FIRST_ID_COUNT: usize = 3;

/// A received row that waits to be merged.
pub(super) struct UnmergedRow {
    pub(super) time: i64,
    /// Entries of the list down to this one.
    pub(super) entries_down_to_row: u64,
    pub(super) transaction: Transaction,
}

pub(super) struct ListCursor {
    pub(super) direction: Direction,
    pub(super) page: u64,
    pub(super) unmerged: VecDeque<UnmergedRow>,
    /// Rows that arrived since the last sync of the newest rows, the newest first.
    pub(super) new_rows: Vec<Transaction>,
    pub(super) ended: bool,
    pub(super) first_ids: Vec<String>,
    pub(super) limit: Option<u64>,
    pub(super) expected: Option<u64>,
    pub(super) unreadable: u64,
    pub(super) distrust: Option<&'static str>,
    /// The search for a page that overlaps, unless the next page follows for certain.
    search: Option<OverlapSearch>,
    /// Searches without success, after each of which the whole list was read again.
    vain_searches: u32,
    /// Entries of the list down to the last one taken.
    entries_taken: u64,
    /// The rows of the last two pages.
    recent: [HashSet<i64>; 2],
    total_page: Option<u64>,
    /// The page taken before, and its first identifier.
    former_first: Option<(u64, String)>,
    repeats: u32,
    last_time: Option<i64>,
    /// The time of the last row that has one; and the rows that were earlier, and later, than the row above.
    last_at: Option<i64>,
    pub(super) earlier: u64,
    pub(super) later: u64,
    /// The length of the list, where its last page was read.
    pub(super) list_length: Option<u64>,
    /// Entries of pages that were tried in this read and did not follow the stored rows.
    pub(super) tried_entries: u64,
}

/// Rows received and not merged yet, carried from one read to the next.
pub(super) struct PausedBackfill {
    pub(super) lists: [ListCursor; 2],
}

/// A search for the page that overlaps: one by one downwards, in growing steps upwards.
///
/// Rows that are gone overlap with no page. So the search ends at the last page that the service counts, at one that
/// repeats, and after [`MAX_TRIED_PAGES`].
struct OverlapSearch {
    origin: u64,
    up: Option<u64>,
    down: Option<u64>,
    /// Hashes of the pages tried.
    tried: HashSet<i64>,
    pages: u32,
}

pub(super) const MAX_TRIED_PAGES: u32 = 200;
/// Searches without success after which the pages of a list are judged not to follow each other.
const MAX_VAIN_SEARCHES: u32 = 3;
/// The most pages of a list that are read: only an endless list has more.
const MAX_LIST_PAGES: u64 = 1_000_000;

impl OverlapSearch {
    fn around_page(origin: u64) -> Self {
        Self { origin, up: Some(1), down: Some(1), tried: HashSet::new(), pages: 0 }
    }

    fn from_first_page() -> Self {
        Self { origin: 0, up: None, down: Some(2), tried: HashSet::new(), pages: 0 }
    }

    /// The page to try after this one did not overlap; `None` when there is none left.
    fn next_page_to_try(&mut self, page: u64, content: &Page<Transaction>) -> Option<u64> {
        let is_empty = content.items.is_empty() && content.unreadable == 0;
        let is_last = content.total_page.is_some_and(|total| page >= total);
        let ids: String = content.items.iter().map(|row| row.id.as_str()).collect::<Vec<_>>().join("\n");
        let comes_again = !content.items.is_empty() && !self.tried.insert(hash_of_id(&ids));
        self.pages += 1;
        if self.pages >= MAX_TRIED_PAGES {
            return None;
        }
        if page >= self.origin && (is_empty || is_last || comes_again) {
            self.down = None;
        }
        let upwards = self.up.is_some() && (page >= self.origin || self.down.is_none());
        if upwards && let Some(step) = self.up {
            let next = self.origin.saturating_sub(step).max(1);
            self.up = (next > 1).then_some(step * 2);
            if next < self.origin {
                return Some(next);
            }
        }
        let step = self.down?;
        self.down = Some(step + 1);
        Some(self.origin + step)
    }
}

impl ListCursor {
    pub(super) fn new(direction: Direction, list: &ListState) -> Self {
        let limit = list.page_limit.unwrap_or(DEFAULT_PAGE_LIMIT).max(1);
        let page = list.entries_read().saturating_sub(1) / limit + 1;
        let is_known = list.passed > 0 || !list.first_ids.is_empty();
        Self {
            direction,
            page,
            unmerged: VecDeque::new(),
            new_rows: Vec::new(),
            ended: list.done,
            first_ids: list.first_ids.clone(),
            limit: list.page_limit,
            expected: list.expected,
            unreadable: 0,
            distrust: None,
            search: (list.opened && is_known).then(|| OverlapSearch::around_page(page)),
            vain_searches: 0,
            entries_taken: list.entries_read(),
            recent: [HashSet::new(), HashSet::new()],
            total_page: None,
            former_first: None,
            repeats: 0,
            last_time: list.last_time,
            last_at: None,
            earlier: 0,
            later: 0,
            list_length: None,
            tried_entries: 0,
        }
    }

    /// Resumes after a pause. Where the service reports the number of pages, a change of it shows that a page's worth
    /// arrived.
    pub(super) fn resume_after_pause(&mut self) {
        self.tried_entries = 0;
        if self.total_page.is_none() {
            self.require_overlap();
        }
    }

    /// Whether the next page is a try that may not follow.
    pub(super) fn is_searching_overlap(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.pages > 0)
    }

    pub(super) fn needs_next_page(&self) -> bool {
        !self.ended && self.unmerged.is_empty()
    }

    fn require_overlap(&mut self) {
        if !self.recent[1].is_empty() || !self.first_ids.is_empty() {
            self.search.get_or_insert_with(|| OverlapSearch::around_page(self.page));
        }
    }

    pub(super) fn add_page(&mut self, store: &Store, page: Page<Transaction>) -> Result<(), StoreError> {
        let entries = page.items.len() as u64 + page.unreadable;
        if page.total_page > self.total_page && self.total_page.is_some() {
            self.require_overlap();
        }
        self.total_page = page.total_page;
        let former_limit = self.limit;
        self.update_page_limit(&page, entries);
        if self.limit != former_limit && self.entries_taken > 0 {
            // With another page size the position is on another page.
            self.require_overlap();
            let right = (self.entries_taken - 1) / self.limit.unwrap_or(DEFAULT_PAGE_LIMIT).max(1) + 1;
            if let Some(search) = &mut self.search
                && right != self.page
            {
                *search = OverlapSearch::around_page(right);
                self.page = right;
                return Ok(());
            }
        }
        let marks = self.stored_row_flags(store, &page)?;
        if let Some(search) = &mut self.search {
            if !marks.contains(&true) {
                self.tried_entries = self.tried_entries.saturating_add(entries.max(1));
                if let Some(next) = search.next_page_to_try(self.page, &page) {
                    self.page = next;
                } else if search.origin > 0 {
                    // The steps upwards may have skipped it.
                    *search = OverlapSearch::from_first_page();
                    self.page = 1;
                } else {
                    // No stored row is listed any more: the whole list is read again, with nothing to overlap with.
                    self.search = None;
                    self.first_ids.clear();
                    self.recent = [HashSet::new(), HashSet::new()];
                    self.page = 1;
                    self.vain_searches += 1;
                    if self.vain_searches == MAX_VAIN_SEARCHES {
                        (self.ended, self.distrust) = (true, Some(flaw::IGNORES_PAGING));
                    }
                }
                return Ok(());
            }
            self.search = None;
        }
        self.queue_page_rows(page, &marks, entries);
        Ok(())
    }

    fn update_page_limit(&mut self, page: &Page<Transaction>, entries: u64) {
        self.limit = match page.page_limit.filter(|limit| *limit > 0) {
            Some(limit) => Some(limit),
            None => Some(self.limit.unwrap_or(0).max(entries).max(1)),
        };
        let limit = self.limit.unwrap_or(DEFAULT_PAGE_LIMIT);
        if let Some(total) = page.total_page {
            let last = if self.page == total { entries } else { limit };
            let last = last.min(limit.saturating_mul(total));
            self.expected = Some(total.saturating_sub(1).saturating_mul(limit).saturating_add(last));
        }
    }

    /// The rows of a page that belong to the list as it was when first read.
    fn stored_row_flags(&self, store: &Store, page: &Page<Transaction>) -> Result<Vec<bool>, StoreError> {
        let near = |transaction: &Transaction| {
            let hash = hash_of_id(transaction.id.as_str());
            self.recent.iter().any(|page| page.contains(&hash))
                || self.first_ids.first().is_some_and(|id| id == transaction.id.as_str())
        };
        if self.search.is_none() {
            return Ok(page.items.iter().map(near).collect());
        }
        store.read_in_transaction(|connection| {
            let mark = |transaction: &Transaction| {
                Ok(near(transaction) || matches!(find_id_slot(connection, transaction.id.as_str())?, IdSlot::Taken(_)))
            };
            page.items.iter().map(mark).collect()
        })
    }

    fn queue_page_rows(&mut self, page: Page<Transaction>, marks: &[bool], entries: u64) {
        if entries == 0 {
            self.ended = true;
            return;
        }
        let id = |transaction: &Transaction| transaction.id.as_str().to_owned();
        let first = page.items.first().map(|transaction| (self.page, id(transaction)));
        if self.page == 1 && self.first_ids.is_empty() {
            self.first_ids = page.items.iter().take(FIRST_ID_COUNT).map(id).collect();
        }
        let is_repeated = |(page, id): &(u64, String)| {
            self.former_first.as_ref().is_some_and(|(former, first_id)| former != page && first_id == id)
        };
        if first.as_ref().is_some_and(is_repeated) {
            // One repeat may be as many arrivals as a page has entries; two are a service that ignores the page number.
            self.repeats += 1;
            if self.repeats == 2 {
                self.ended = true;
                self.distrust = Some(flaw::IGNORES_PAGING);
                return;
            }
        } else {
            self.repeats = 0;
        }
        self.former_first = first;
        self.unreadable += page.unreadable;
        let limit = self.limit.unwrap_or(DEFAULT_PAGE_LIMIT);
        let (before, down_to) =
            ((self.page - 1).saturating_mul(limit), count_rows_through_page(&page, self.page, limit));
        let arrived = marks.iter().position(|mark| *mark).unwrap_or(0);
        let mut hashes = HashSet::with_capacity(page.items.len());
        for (index, transaction) in page.items.into_iter().enumerate() {
            self.distrust = flaw::page_direction_flaw(&self.direction, &transaction.direction).or(self.distrust);
            let hash = hash_of_id(transaction.id.as_str());
            if index < arrived {
                self.new_rows.push(transaction);
                continue;
            }
            hashes.insert(hash);
            if self.recent.iter().any(|page| page.contains(&hash)) {
                continue;
            }
            self.count_earlier_or_later(transaction.reported_time());
            let time = transaction.reported_time().map(Timestamp::millis).or(self.last_time).unwrap_or(i64::MAX);
            self.last_time = Some(time);
            self.entries_taken = before + index as u64 + 1;
            self.unmerged.push_back(UnmergedRow { time, entries_down_to_row: self.entries_taken, transaction });
        }
        self.recent.rotate_left(1);
        self.recent[1] = hashes;
        if page.total_page.is_some_and(|total| self.page >= total) {
            self.list_length = Some(down_to);
            self.ended = true;
        } else if self.page >= MAX_LIST_PAGES {
            (self.ended, self.distrust) = (true, Some(flaw::ENDLESS_LIST));
        } else {
            self.page += 1;
        }
    }

    /// Single rows may be out of order; the direction of most decides.
    fn count_earlier_or_later(&mut self, at: Option<Timestamp>) {
        let Some(at) = at.map(Timestamp::millis) else { return };
        if let Some(above) = self.last_at.replace(at) {
            self.earlier += u64::from(at < above);
            self.later += u64::from(at > above);
        }
    }
}

/// Rows of a list down to the last one of a page; a row that is on the page twice counts once.
pub(super) fn count_rows_through_page(page: &Page<Transaction>, page_no: u64, limit: u64) -> u64 {
    let distinct = page.items.iter().map(|row| row.id.as_str()).collect::<HashSet<_>>().len() as u64;
    page_no.saturating_sub(1).saturating_mul(limit).saturating_add(distinct).saturating_add(page.unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::CacheLocation;
    use crate::store::tests::transaction;

    /// The millionth page of a list that has always another one.
    #[test]
    fn a_list_without_an_end_is_read_no_further_than_to_its_millionth_page() {
        let store = Store::open(&CacheLocation::Memory).unwrap().store;
        let of_a_page = |page: u64| transaction(page, &Direction::Incoming, None);
        let list = ListState { opened: true, passed: MAX_LIST_PAGES - 1, page_limit: Some(1), ..ListState::default() };
        let mut cursor = ListCursor::new(Direction::Incoming, &list);
        cursor.search = None;
        for (page, is_last) in [(MAX_LIST_PAGES - 1, false), (MAX_LIST_PAGES, true)] {
            assert_eq!((cursor.page, cursor.ended), (page, false));
            let items = vec![of_a_page(page)];
            let one_item_page =
                Page { items, unreadable: 0, page_no: Some(page), page_limit: Some(1), total_page: None };
            cursor.add_page(&store, one_item_page).unwrap();
            assert_eq!(cursor.ended, is_last, "{page}");
        }
        assert_eq!(cursor.distrust, Some(flaw::ENDLESS_LIST));
    }
}
