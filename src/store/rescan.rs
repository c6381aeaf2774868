//! Another pass over a list that was read to its end and has more rows than were met.
//!
//! A row that moves up past the page that is being read is on none of the pages that follow, and the rows between shift
//! by one. Pages say nothing of that, but the list's end does: it counts one row more than were kept. Then all of the list is
//! looked through again, and what is not kept yet is taken in. Where it stood is not known any more, so that it
//! stands where it was found: at the head.

use std::collections::HashSet;

use super::state::{Again, ListState, flaw};
use super::write::{Slot, find, hash_of};
use super::{Store, StoreError};
use crate::domain::history::Page;
use crate::domain::{Direction, Timestamp, Transaction};

/// Pages in a row that may lead no further, as where a service changes their size again and again.
const MAX_STUCK_PAGES: u32 = 10;

/// Pages in a row that may begin with the same row.
const MAX_SAME_PAGES: u32 = 2;

/// How many pages more than the list had a pass looks at: behind them nothing but an endless list can stand.
const MAX_EXTRA_PAGES: u64 = 1_000;

/// So many rows that nobody knows are kept together, however short a stretch is to be.
const MIN_BATCH_ROWS: usize = 2_000;

/// One stretch of such a pass.
pub(super) struct RescanPass {
    pub(super) direction: Direction,
    /// Rows that are not kept yet, the newest first, each with the time of the row above it where it has none itself.
    pub(super) new_rows: Vec<(Option<i64>, Transaction)>,
    /// Rows that are kept, as they are told now; only where what is kept may be wrong.
    pub(super) known_rows: Vec<(i64, Transaction)>,
    /// What is wrong with the list.
    pub(super) distrust: Option<&'static str>,
    /// Whether the list's end was reached.
    pub(super) ended: bool,
    /// How many rows the list has, if its end was reached.
    pub(super) row_count: Option<u64>,
    /// Entries looked at in this stretch, but for pages of which nothing was known before.
    pub(super) entries_seen: u64,
    progress: Again,
    limit: u64,
    seen_seqs: HashSet<i64>,
    stuck: u32,
    /// The most pages that it looks at.
    most: u64,
    last_at: Option<i64>,
}

impl RescanPass {
    pub(super) fn new(direction: Direction, progress: Again, list: &ListState) -> Self {
        let limit = progress.page_limit.or(list.page_limit).unwrap_or(1).max(1);
        Self {
            direction,
            new_rows: Vec::new(),
            known_rows: Vec::new(),
            distrust: None,
            most: (list.entries().max(list.expected.unwrap_or(0)) / limit)
                .saturating_mul(2)
                .saturating_add(MAX_EXTRA_PAGES),
            last_at: None,
            ended: false,
            row_count: None,
            entries_seen: 0,
            progress,
            limit,
            seen_seqs: HashSet::new(),
            stuck: 0,
        }
    }

    /// The page that is looked at next.
    pub(super) fn page(&self) -> u64 {
        self.progress.covered / self.limit + 1
    }

    /// How far it has come; `None` at its end.
    pub(super) fn progress(&self) -> Option<Again> {
        (!self.ended).then_some(self.progress)
    }

    /// Whether it was to bring rows that are missing, and brought none.
    pub(super) fn found_nothing(&self) -> bool {
        self.progress.brought == 0 && !self.progress.mending
    }

    /// Whether it looks for what could not be read.
    pub(super) fn is_repairing(&self) -> bool {
        self.progress.mending
    }

    /// What it says of a list that it went through to the end.
    pub(super) fn update_list(&self, list: &mut ListState) {
        list.looked_through = true;
        if self.distrust.is_none() && self.stuck < MAX_STUCK_PAGES {
            (list.unread, list.unread_since) = (self.progress.unread, 0);
            (list.earlier, list.later) = (self.progress.earlier, self.progress.later);
        }
    }

    /// Takes in the page that was asked for.
    pub(super) fn add_page(&mut self, store: &Store, page: Page<Transaction>) -> Result<(), StoreError> {
        let asked = self.page();
        let entries = page.items.len() as u64 + page.unreadable;
        if entries == 0 {
            self.ended = true;
            return Ok(());
        }
        self.limit = page.page_limit.unwrap_or_else(|| self.limit.max(entries)).max(1);
        self.progress.page_limit = Some(self.limit);
        let down_to = rows_down_to(&page, asked, self.limit);
        let above = (asked - 1).saturating_mul(self.limit);
        if above > self.progress.covered {
            // Larger pages: this one begins further down than was looked at.
            self.entries_seen += entries;
            self.get_stuck();
            return Ok(());
        }
        self.judge(&page, asked);
        if self.ended {
            return Ok(());
        }
        let slots = store.read(|connection| {
            let slot = |row: &Transaction| match find(connection, row.id.as_str())? {
                Slot::Taken(seq) => Ok(Some(seq)),
                Slot::Free(_) => Ok(None),
            };
            page.items.iter().map(slot).collect::<Result<Vec<Option<i64>>, StoreError>>()
        })?;
        let known: Vec<bool> = slots.iter().map(Option::is_some).collect();
        // What stands above all that is known arrived since, and would have been met without this pass.
        let arrived = if asked == 1 { known.iter().position(|known| *known).unwrap_or(0) } else { 0 };
        let mut above = None;
        let (meets_known, found_before) = (known.contains(&true), self.new_rows.len());
        for (nth, (row, slot)) in page.items.into_iter().zip(slots).enumerate() {
            let is_met = !self.seen_seqs.insert(hash_of(row.id.as_str()));
            above = row.at().map(Timestamp::millis).or(above);
            match slot {
                _ if is_met => {}
                Some(seq) if self.progress.mending => self.known_rows.push((seq, row)),
                Some(_) => {}
                None => {
                    self.progress.brought += u64::from(nth >= arrived);
                    self.new_rows.push((above, row));
                }
            }
        }
        // What arrived since stands together, and is kept together: page by page, the older of it would be put above the newer.
        // A page that comes again brings nothing, and counts, so that a stretch always ends.
        let arrives_alone = !meets_known && self.new_rows.len() > found_before && self.new_rows.len() < MIN_BATCH_ROWS;
        if !arrives_alone {
            self.entries_seen += entries;
        }
        let last = page.total_page.is_some_and(|total| asked >= total);
        // Where pages are counted, one with fewer rows than it may hold is one that something was left out of.
        let covered = asked.saturating_mul(self.limit);
        if covered > self.progress.covered {
            (self.progress.covered, self.stuck) = (covered, 0);
        } else {
            self.get_stuck();
        }
        if last {
            (self.ended, self.row_count) = (true, Some(down_to));
        }
        Ok(())
    }

    /// What a page says of the list: how much of it cannot be read, which way it goes, whether it comes again and again.
    fn judge(&mut self, page: &Page<Transaction>, page_no: u64) {
        self.progress.unread += page.unreadable;
        self.progress.pages += 1;
        for row in &page.items {
            self.distrust = self.distrust.or(flaw::of_row(&self.direction, &row.direction));
            let Some(at) = row.at().map(Timestamp::millis) else { continue };
            if let Some(above) = self.last_at.replace(at) {
                self.progress.earlier += u64::from(at < above);
                self.progress.later += u64::from(at > above);
            }
        }
        let first = page.items.first().map(|row| hash_of(row.id.as_str()));
        let is_other_page = u32::from(page_no != std::mem::replace(&mut self.progress.page_no, page_no));
        let repeats = self.progress.first.filter(|(known, _)| Some(*known) == first);
        let again = repeats.map_or(0, |(_, again)| again + is_other_page);
        self.progress.first = first.map(|first| (first, again));
        if again == MAX_SAME_PAGES {
            (self.ended, self.distrust) = (true, Some(flaw::PAGING));
        } else if self.progress.pages > self.most {
            (self.ended, self.distrust) = (true, Some(flaw::ENDLESS));
        }
    }

    /// It led no further; goes on a few times all the same.
    fn get_stuck(&mut self) {
        self.stuck += 1;
        self.ended |= self.stuck == MAX_STUCK_PAGES;
    }
}

/// How many rows a list has down to the last one of a page; one that the page holds twice counts once.
pub(super) fn rows_down_to(page: &Page<Transaction>, page_no: u64, limit: u64) -> u64 {
    let distinct = page.items.iter().map(|row| row.id.as_str()).collect::<HashSet<_>>().len() as u64;
    page_no.saturating_sub(1).saturating_mul(limit).saturating_add(distinct).saturating_add(page.unreadable)
}
