//! What could not be read, or not believed, is asked for again: with pauses that grow, until it can be read or is gone.
//!
//! A service may answer one bad page among many good ones: entries that are null, rows without identifiers, words that nobody
//! knows. None of that may stand for good. While something is missing, both lists are looked through again from top to end,
//! page by page; a look that brings nothing new makes the next pause twice as long. What such a look finds replaces what was
//! known: how many entries cannot be read, and whether the service does as it is asked.

use serde::{Deserialize, Serialize};

use super::state::{Again, ListState, REST, REST_FOR_EACH, State, flaw};

/// The first pause before a look, in milliseconds.
const FIRST: i64 = 5_000;
/// So much longer for each page that a look asks for, in milliseconds: what is looked through must not cost more than a
/// small part of what the service can do.
const FOR_EACH_PAGE: u64 = 60;

/// How far mending has come.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct GapRepair {
    /// Looks that did not make the history whole.
    tries: u32,
    /// When the next look begins, in milliseconds; none while it was not planned yet.
    due: Option<i64>,
    /// Whether one is under way.
    pub(super) under_way: bool,
    /// Whether the look that is under way found a flaw itself: it goes no further.
    flawed: bool,
}

impl State {
    /// How many entries could not be read. The first page is read again and again, and counts what may also stand among
    /// what a whole look counted.
    pub(super) fn unreadable(&self) -> u64 {
        self.lists.iter().map(ListState::unreadable).sum()
    }

    /// Whether something is missing that another look may bring. What a service counts and never lists is looked for by
    /// other passes.
    pub(super) fn has_gaps(&self) -> bool {
        let doubted = self.partial.as_deref().is_some_and(|why| why != flaw::GAP);
        doubted || self.unreadable() > 0 || self.incomplete > 0
    }

    /// Whether a look is under way.
    pub(super) fn is_repairing(&self) -> bool {
        self.mending.as_ref().is_some_and(|mending| mending.under_way)
    }

    /// When the next look begins, while one is waited for.
    pub(super) fn repair_due_at(&self) -> Option<i64> {
        self.mending.as_ref().filter(|mending| !mending.under_way).and_then(|mending| mending.due)
    }

    /// Begins a look now, whatever pause was planned.
    pub(super) fn begin_repair(&mut self) {
        let mending = self.mending.get_or_insert_default();
        (mending.under_way, mending.flawed) = (true, false);
        self.lists.iter_mut().for_each(|list| list.looked_through = false);
        self.look_through();
    }

    /// Has each list that was read to its end looked through, unless that was done.
    fn look_through(&mut self) {
        for list in self.lists.iter_mut().filter(|list| list.done && list.again.is_none() && !list.looked_through) {
            list.again = Some(Again { mending: true, ..Again::default() });
        }
    }

    /// Notes that a look found the flaw that it was to rule out.
    pub(super) fn note_flaw(&mut self) {
        if let Some(mending) = &mut self.mending {
            mending.flawed |= mending.under_way;
        }
    }

    /// Plans, begins and ends looks. To be called whenever something was read.
    pub(super) fn advance_repair(&mut self, now: i64) {
        let Some(GapRepair { under_way, flawed, due, .. }) = self.mending.clone() else {
            if self.has_gaps() {
                self.mending = Some(GapRepair { due: Some(now.saturating_add(self.pause(0))), ..GapRepair::default() });
            }
            return;
        };
        if under_way {
            self.look_through();
            let is_done = self.lists.iter().all(|list| list.looked_through && list.again.is_none());
            if flawed {
                for list in &mut self.lists {
                    list.again = list.again.take().filter(|again| !again.mending);
                }
                self.end_repair(now);
            } else if is_done {
                if self.partial.as_deref() != Some(flaw::GAP) {
                    self.partial = None;
                }
                self.judge_order();
                self.end_repair(now);
            }
            return;
        }
        if !self.has_gaps() {
            self.mending = None;
            return;
        }
        let longest = self.longest_pause();
        // One further away than the longest pause was planned by a clock that was set back since.
        if due.is_none_or(|due| due <= now || due > now.saturating_add(longest)) {
            self.begin_repair();
        }
    }

    fn end_repair(&mut self, now: i64) {
        let tries = self.mending.take().map_or(0, |mending| mending.tries).saturating_add(1);
        if self.has_gaps() {
            let due = Some(now.saturating_add(self.pause(tries)));
            self.mending = Some(GapRepair { tries, due, ..GapRepair::default() });
        }
    }

    /// How long to wait after so many looks in vain.
    fn pause(&self, tries: u32) -> i64 {
        let pages: u64 = self.lists.iter().map(|list| list.entries() / list.page_limit.unwrap_or(1).max(1)).sum();
        let by_pages = i64::try_from(pages.saturating_mul(FOR_EACH_PAGE)).unwrap_or(i64::MAX);
        FIRST.saturating_mul(1_i64 << tries.min(20)).max(by_pages).min(self.longest_pause())
    }

    fn longest_pause(&self) -> i64 {
        let entries: u64 = self.lists.iter().map(ListState::entries).sum();
        REST.saturating_mul(i64::try_from(entries / REST_FOR_EACH + 1).unwrap_or(i64::MAX))
    }
}
