//! Repairs gaps: unreadable or doubtful entries are fetched again, with growing pauses, until they can be read or are
//! gone.
//!
//! A service may return one bad page among many good ones: null entries, rows without identifiers, unknown statuses.
//! None of that may be final. While something is missing, both lists are rescanned from top to end, page by page; a
//! repair pass that brings nothing new doubles the next pause. The findings of a pass replace the earlier ones: how
//! many entries are unreadable, and whether the service respects filters and order.

use serde::{Deserialize, Serialize};

use super::cache_state::{CacheState, ListState, RESCAN_PAUSE_MS, ROWS_PER_RESCAN_PAUSE, RescanState, flaw};

/// The first pause before a repair pass, in milliseconds.
const FIRST_PAUSE_MS: i64 = 5_000;
/// The least pause for each page that a pass fetches, in milliseconds: repairs must use only a small part of the
/// service's capacity.
const PAUSE_PER_PAGE_MS: u64 = 60;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct GapRepair {
    /// Passes that did not make the history whole.
    tries: u32,
    /// When the next pass begins, in milliseconds; `None` while it is not planned.
    due: Option<i64>,
    pub(super) under_way: bool,
    /// Whether the pass under way found a flaw itself, which ends it.
    flawed: bool,
}

impl CacheState {
    /// Unreadable entries. The first page is read again and again, and its unreadable entries may be among those that
    /// the last whole pass counted.
    pub(super) fn unreadable_entries(&self) -> u64 {
        self.lists.iter().map(ListState::unreadable_count).sum()
    }

    /// Whether something is missing that a repair pass may bring. Rows that a service counts and never lists are
    /// searched for by other rescans.
    pub(super) fn has_gaps(&self) -> bool {
        let doubted = self.partial.as_deref().is_some_and(|flaw| flaw != flaw::MISSING_ROWS);
        doubted || self.unreadable_entries() > 0 || self.incomplete > 0
    }

    pub(super) fn is_repairing(&self) -> bool {
        self.mending.as_ref().is_some_and(|mending| mending.under_way)
    }

    /// When the next pass begins, in milliseconds, while one is planned.
    pub(super) fn repair_due_at(&self) -> Option<i64> {
        self.mending.as_ref().filter(|mending| !mending.under_way).and_then(|mending| mending.due)
    }

    /// Begins a pass now, whatever pause was planned.
    pub(super) fn begin_repair(&mut self) {
        let mending = self.mending.get_or_insert_default();
        (mending.under_way, mending.flawed) = (true, false);
        self.lists.iter_mut().for_each(|list| list.looked_through = false);
        self.start_repair_rescans();
    }

    /// Starts a rescan of each list that was read to its end, unless this pass has done it.
    fn start_repair_rescans(&mut self) {
        for list in self.lists.iter_mut().filter(|list| list.done && list.again.is_none() && !list.looked_through) {
            list.again = Some(RescanState { mending: true, ..RescanState::default() });
        }
    }

    pub(super) fn mark_pass_flawed(&mut self) {
        if let Some(mending) = &mut self.mending {
            mending.flawed |= mending.under_way;
        }
    }

    /// Plans, begins and ends passes. Call it after every read from the service.
    pub(super) fn advance_repair(&mut self, now: i64) {
        let Some(GapRepair { under_way, flawed, due, .. }) = self.mending.clone() else {
            if self.has_gaps() {
                self.mending =
                    Some(GapRepair { due: Some(now.saturating_add(self.repair_pause(0))), ..GapRepair::default() });
            }
            return;
        };
        if under_way {
            self.start_repair_rescans();
            let is_done = self.lists.iter().all(|list| list.looked_through && list.again.is_none());
            if flawed {
                for list in &mut self.lists {
                    list.again = list.again.take().filter(|rescan| !rescan.mending);
                }
                self.end_repair(now);
            } else if is_done {
                if self.partial.as_deref() != Some(flaw::MISSING_ROWS) {
                    self.partial = None;
                }
                self.check_list_order();
                self.end_repair(now);
            }
            return;
        }
        if !self.has_gaps() {
            self.mending = None;
            return;
        }
        let longest = self.longest_repair_pause();
        // A time further away than the longest pause was planned by a clock that has been set back since.
        if due.is_none_or(|due| due <= now || due > now.saturating_add(longest)) {
            self.begin_repair();
        }
    }

    fn end_repair(&mut self, now: i64) {
        let tries = self.mending.take().map_or(0, |mending| mending.tries).saturating_add(1);
        if self.has_gaps() {
            let due = Some(now.saturating_add(self.repair_pause(tries)));
            self.mending = Some(GapRepair { tries, due, ..GapRepair::default() });
        }
    }

    /// The pause after this number of passes without success, in milliseconds.
    fn repair_pause(&self, tries: u32) -> i64 {
        let pages: u64 = self.lists.iter().map(|list| list.entries_read() / list.page_limit.unwrap_or(1).max(1)).sum();
        let by_pages = i64::try_from(pages.saturating_mul(PAUSE_PER_PAGE_MS)).unwrap_or(i64::MAX);
        FIRST_PAUSE_MS.saturating_mul(1_i64 << tries.min(20)).max(by_pages).min(self.longest_repair_pause())
    }

    fn longest_repair_pause(&self) -> i64 {
        let entries: u64 = self.lists.iter().map(ListState::entries_read).sum();
        RESCAN_PAUSE_MS.saturating_mul(i64::try_from(entries / ROWS_PER_RESCAN_PAUSE + 1).unwrap_or(i64::MAX))
    }
}
