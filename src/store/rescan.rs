//! Rescan: another pass over a list that was read to its end and has more rows than are stored.
//!
//! A row that moves up past the page being read is on none of the following pages, and the rows between shift by one.
//! Pages do not show that, but the list's end does: it counts one row more than are stored. The whole list is then read
//! again, and rows not stored yet are added. Their original position is unknown, so they go to the head.

use std::collections::HashSet;

use super::cache_state::{ListState, RescanState, flaw};
use super::cursor::count_rows_through_page;
use super::write::{IdSlot, find_id_slot, hash_of_id};
use super::{Store, StoreError};
use crate::domain::history::Page;
use crate::domain::{Direction, Timestamp, Transaction};

/// Consecutive pages that may lead no further, as where a service changes its page size again and again.
const MAX_STUCK_PAGES: u32 = 10;

/// Consecutive pages that may begin with the same row.
const MAX_SAME_PAGES: u32 = 2;

/// Pages beyond the list's former length that a pass reads: only an endless list continues there.
const MAX_EXTRA_PAGES: u64 = 1_000;

/// New rows that are stored together, however short the budget of the read is.
const MIN_BATCH_ROWS: usize = 2_000;

/// One part of a rescan.
pub(super) struct RescanSlice {
    pub(super) direction: Direction,
    /// Rows not stored yet, the newest first, each with the time of the row above it where it has none itself.
    pub(super) new_rows: Vec<(Option<i64>, Transaction)>,
    /// Stored rows as the service reports them now; only where the stored rows may be wrong.
    pub(super) known_rows: Vec<(i64, Transaction)>,
    pub(super) distrust: Option<&'static str>,
    pub(super) ended: bool,
    /// Rows of the list, if its end was reached.
    pub(super) row_count: Option<u64>,
    /// Entries read in this part, without pages that had only new rows.
    pub(super) entries_seen: u64,
    state: RescanState,
    limit: u64,
    seen_seqs: HashSet<i64>,
    /// Whether the next page is the first of this part.
    resumes: bool,
    stuck_pages: u32,
    /// The most pages that the pass reads.
    max_pages: u64,
    last_at: Option<i64>,
}

impl RescanSlice {
    pub(super) fn new(direction: Direction, state: RescanState, list: &ListState) -> Self {
        let limit = state.page_limit.or(list.page_limit).unwrap_or(1).max(1);
        Self {
            direction,
            new_rows: Vec::new(),
            known_rows: Vec::new(),
            distrust: None,
            max_pages: (list.entries_read().max(list.expected.unwrap_or(0)) / limit)
                .saturating_mul(2)
                .saturating_add(MAX_EXTRA_PAGES),
            last_at: None,
            ended: false,
            row_count: None,
            entries_seen: 0,
            state,
            limit,
            seen_seqs: HashSet::new(),
            resumes: true,
            stuck_pages: 0,
        }
    }

    pub(super) fn next_page_no(&self) -> u64 {
        self.state.covered / self.limit + 1
    }

    /// `None` at the end of the list.
    pub(super) fn state_to_resume(&self) -> Option<RescanState> {
        (!self.ended).then_some(self.state)
    }

    /// Whether the pass searched for missing rows and brought none.
    pub(super) fn brought_nothing(&self) -> bool {
        self.state.brought == 0 && !self.state.mending
    }

    pub(super) fn is_repairing(&self) -> bool {
        self.state.mending
    }

    /// Records the findings of a pass that reached the end of the list.
    pub(super) fn update_list(&self, list: &mut ListState) {
        list.looked_through = true;
        if self.distrust.is_none() && self.stuck_pages < MAX_STUCK_PAGES {
            (list.unread, list.unread_since) = (self.state.unread, 0);
            (list.earlier, list.later) = (self.state.earlier, self.state.later);
        }
    }

    pub(super) fn add_page(&mut self, store: &Store, page: Page<Transaction>) -> Result<(), StoreError> {
        let page_number = self.next_page_no();
        let entries = page.items.len() as u64 + page.unreadable;
        if entries == 0 {
            self.ended = true;
            return Ok(());
        }
        self.limit = page.page_limit.unwrap_or_else(|| self.limit.max(entries)).max(1);
        self.state.page_limit = Some(self.limit);
        let resumes = std::mem::take(&mut self.resumes);
        let down_to = count_rows_through_page(&page, page_number, self.limit);
        let above = (page_number - 1).saturating_mul(self.limit);
        if above > self.state.covered {
            // Pages have grown: this one begins below what was read.
            self.entries_seen += entries;
            self.count_stuck_page();
            return Ok(());
        }
        self.check_page_for_flaws(&page, page_number);
        if self.ended {
            return Ok(());
        }
        let slots = store.read_in_transaction(|connection| {
            let slot = |row: &Transaction| match find_id_slot(connection, row.id.as_str())? {
                IdSlot::Taken(seq) => Ok(Some(seq)),
                IdSlot::Free(_) => Ok(None),
            };
            page.items.iter().map(slot).collect::<Result<Vec<Option<i64>>, StoreError>>()
        })?;
        let is_known: Vec<bool> = slots.iter().map(Option::is_some).collect();
        let begins_new = above < self.state.covered && is_known.first() == Some(&false);
        if resumes && (begins_new || !is_known.contains(&true)) && self.restart_from_top(page_number, entries) {
            return Ok(());
        }
        // Rows above the topmost stored row have arrived since; the sync of the newest rows would find them anyway.
        let arrived =
            if page_number == 1 { is_known.iter().position(|is_known_slot| *is_known_slot).unwrap_or(0) } else { 0 };
        let mut above = None;
        let (meets_known, found_before) = (is_known.contains(&true), self.new_rows.len());
        for (nth, (row, slot)) in page.items.into_iter().zip(slots).enumerate() {
            let is_met = !self.seen_seqs.insert(hash_of_id(row.id.as_str()));
            above = row.reported_time().map(Timestamp::millis).or(above);
            match slot {
                _ if is_met => {}
                Some(seq) if self.state.mending => self.known_rows.push((seq, row)),
                Some(_) => {}
                None => {
                    self.state.brought += u64::from(nth >= arrived);
                    self.new_rows.push((above, row));
                }
            }
        }
        // Rows that arrived since are adjacent and are stored together: page by page, the older would go above the
        // newer. A repeated page brings nothing and counts, so that a part always ends.
        let arrives_alone = !meets_known && self.new_rows.len() > found_before && self.new_rows.len() < MIN_BATCH_ROWS;
        if !arrives_alone {
            self.entries_seen += entries;
        }
        let last = page.total_page.is_some_and(|total| page_number >= total);
        // Where the service counts its pages, a page with fewer rows than its limit is one with rows left out.
        let covered = page_number.saturating_mul(self.limit);
        if covered > self.state.covered {
            (self.state.covered, self.stuck_pages) = (covered, 0);
        } else {
            self.count_stuck_page();
        }
        if last {
            (self.ended, self.row_count) = (true, Some(down_to));
        }
        Ok(())
    }

    /// Starts again from the top, once, where a resumed rescan meets rows that arrived since the last one: new rows
    /// where all rows were read before, or a page of new rows alone. Stored before the rows above them, they would be
    /// in the wrong order.
    fn restart_from_top(&mut self, page_no: u64, entries: u64) -> bool {
        if page_no == 1 || self.state.restarted {
            return false;
        }
        let RescanState { brought, mending, .. } = self.state;
        self.state =
            RescanState { brought, mending, page_limit: Some(self.limit), restarted: true, ..RescanState::default() };
        self.last_at = None;
        self.new_rows.clear();
        self.seen_seqs.clear();
        self.entries_seen += entries;
        true
    }

    /// Judges the list by a page: unreadable entries, its order, whether the page repeats.
    fn check_page_for_flaws(&mut self, page: &Page<Transaction>, page_no: u64) {
        self.state.unread += page.unreadable;
        self.state.pages += 1;
        for row in &page.items {
            self.distrust = self.distrust.or(flaw::page_direction_flaw(&self.direction, &row.direction));
            let Some(at) = row.reported_time().map(Timestamp::millis) else { continue };
            if let Some(above) = self.last_at.replace(at) {
                self.state.earlier += u64::from(at < above);
                self.state.later += u64::from(at > above);
            }
        }
        let first = page.items.first().map(|row| hash_of_id(row.id.as_str()));
        let is_other_page = u32::from(page_no != std::mem::replace(&mut self.state.page_no, page_no));
        let repeats = self.state.first.filter(|(earlier, _)| Some(*earlier) == first);
        let repeats_in_row = repeats.map_or(0, |(_, repeats_in_row)| repeats_in_row + is_other_page);
        self.state.first = first.map(|first| (first, repeats_in_row));
        if repeats_in_row == MAX_SAME_PAGES {
            (self.ended, self.distrust) = (true, Some(flaw::IGNORES_PAGING));
        } else if self.state.pages > self.max_pages {
            (self.ended, self.distrust) = (true, Some(flaw::ENDLESS_LIST));
        }
    }

    /// Counts a page that led no further; the pass ends after [`MAX_STUCK_PAGES`] of them.
    fn count_stuck_page(&mut self) {
        self.stuck_pages += 1;
        self.ended |= self.stuck_pages == MAX_STUCK_PAGES;
    }
}
