//! A list of which only a window is in memory: the selection, the visible part, and which rows to request.
//!
//! Rows are identified by their keys, so a refresh never moves the selection and never scrolls. While nothing is
//! selected the list follows its first row. A motion beyond the window is remembered as a goal, and the screen stays as
//! it is until the rows are there: keys typed meanwhile move the goal.

mod keyed;
mod masking;
mod pane_list;
mod window_requests;

pub use keyed::Keyed;
pub(in crate::app) use pane_list::PaneList;

use crate::domain::history::{RowCount, Window};

/// The target of a motion: the ranks of the row to select and of the first visible row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ScrollGoal {
    rank: u64,
    top: u64,
}

/// The rank of the last row while their number is unknown.
const LAST_RANK: u64 = u64::MAX;

#[derive(Debug, Clone)]
pub struct Listing<T: Keyed> {
    window: Window<T>,
    loaded: bool,
    top: u64,
    selected: Option<(T::Key, u64)>,
    goal: Option<ScrollGoal>,
    height: u64,
    is_awaiting_window: bool,
    rows_arrived_above: u64,
    /// A row to select once the window contains it.
    pending_selection: Option<T::Key>,
    /// The selected row around which the next window was requested, whatever its rank is by then.
    requested_around: Option<T::Key>,
}

impl<T: Keyed> Default for Listing<T> {
    fn default() -> Self {
        Self {
            window: Window::default(),
            loaded: false,
            top: 0,
            selected: None,
            goal: None,
            height: 1,
            is_awaiting_window: false,
            rows_arrived_above: 0,
            pending_selection: None,
            requested_around: None,
        }
    }
}

impl<T: Keyed> Listing<T> {
    /// The rows on screen, each with whether a key acts on it: on the selected one, else on the first.
    pub fn visible_rows(&self) -> impl Iterator<Item = (&T, bool)> {
        let skip = usize::try_from(self.top.saturating_sub(self.window.first)).unwrap_or(usize::MAX);
        let height = usize::try_from(self.height).unwrap_or(usize::MAX);
        self.window
            .rows
            .iter()
            .skip(skip)
            .take(height)
            .enumerate()
            .map(|(index, row)| (row, self.selected.as_ref().map_or(index == 0, |(key, _)| *key == row.key())))
    }

    pub fn rows(&self) -> &[T] {
        &self.window.rows
    }

    pub fn count(&self) -> RowCount {
        self.window.count
    }

    /// Whether a first window has arrived.
    pub fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// The selected row, if it is in the window.
    pub fn selected(&self) -> Option<&T> {
        let (key, _) = self.selected.as_ref()?;
        self.window.rows.iter().find(|row| row.key() == *key)
    }

    pub fn selected_key(&self) -> Option<&T::Key> {
        self.selected.as_ref().map(|(key, _)| key)
    }

    /// The rank of the selected row, from 0.
    pub fn selected_rank(&self) -> Option<u64> {
        self.selected.as_ref().map(|(_, rank)| *rank)
    }

    pub fn first_visible_rank(&self) -> u64 {
        self.top
    }

    /// How many rows arrived above the first visible one since the list was last at its top.
    pub fn rows_arrived_above(&self) -> u64 {
        self.rows_arrived_above
    }

    /// Sets how many rows fit on screen. Returns whether more rows must be requested.
    pub fn set_height(&mut self, height: u16) -> bool {
        let height = u64::from(height.max(1));
        if height == self.height {
            return false;
        }
        self.height = height;
        // A list with more room fills it, as far as there are rows.
        if let Some((_, rank)) = &self.selected {
            let lowest = (self.last_rank() + 1).saturating_sub(height);
            self.top = scroll_into_view(self.top.min(lowest), *rank, height);
        }
        self.needs_more_rows()
    }

    /// Selects a row, which may be outside of the window. Returns whether it must be requested.
    pub fn select_or_fetch(&mut self, key: &T::Key) -> bool {
        let is_in_window = self.select(key);
        self.pending_selection = (!is_in_window).then(|| key.clone());
        !is_in_window
    }

    /// Clears selection and scroll position, as for another query.
    pub fn reset_position(&mut self) {
        self.pending_selection = None;
        self.selected = None;
        self.goal = None;
        self.top = 0;
        self.rows_arrived_above = 0;
    }

    /// Clears the rows too: the next ones belong to something else.
    pub fn unload(&mut self) {
        *self = Self { height: self.height, ..Self::default() };
    }

    /// Clears the selection. Returns whether there was one.
    pub fn deselect(&mut self) -> bool {
        let had = self.selected.take().is_some();
        self.goal = None;
        had
    }

    /// Selects the first visible row if nothing is selected. Returns whether it did.
    pub fn select_first_visible(&mut self) -> bool {
        if self.selected.is_some() {
            return false;
        }
        let Some(row) = self.row_at(self.top) else { return false };
        self.selected = Some((row.key(), self.top));
        true
    }

    /// Selects a row of the window. Returns whether the window contains it.
    pub fn select(&mut self, key: &T::Key) -> bool {
        let Some(rank) = self.rank_of(key) else { return false };
        self.selected = Some((key.clone(), rank));
        self.goal = None;
        self.top = scroll_into_view(self.top, rank, self.height);
        true
    }

    /// Moves the selection. Returns whether more rows must be requested.
    pub fn move_by(&mut self, rows: i64) -> bool {
        if self.goal.is_none() && self.selected.is_none() && rows.abs() == 1 {
            return !self.select_first_visible() && !self.loaded && self.go_to_goal(ScrollGoal { rank: 0, top: 0 });
        }
        let from = self.motion_start();
        let rank = from.rank.saturating_add_signed(rows).min(self.last_rank());
        self.go_to_goal(ScrollGoal { rank, top: scroll_into_view(from.top, rank, self.height) })
    }

    /// Moves selection and view together. Returns whether more rows must be requested.
    pub fn scroll_by(&mut self, rows: i64) -> bool {
        let from = self.motion_start();
        let rank = from.rank.saturating_add_signed(rows).min(self.last_rank());
        let lowest = (self.last_rank() + 1).saturating_sub(self.height);
        let top = from.top.saturating_add_signed(rows).min(lowest);
        self.go_to_goal(ScrollGoal { rank, top: scroll_into_view(top, rank, self.height) })
    }

    pub fn half_page_rows(&self) -> i64 {
        i64::try_from(self.height / 2).unwrap_or(i64::MAX).max(1)
    }

    pub fn page_rows(&self) -> i64 {
        i64::try_from(self.height).unwrap_or(i64::MAX).max(1)
    }

    /// Goes to the first row. With `follow`, clears the selection and lets the list follow new rows.
    pub fn go_to_first(&mut self, follow: bool) -> bool {
        self.rows_arrived_above = 0;
        if follow {
            self.reset_position();
            return self.window.first != 0;
        }
        self.go_to_goal(ScrollGoal { rank: 0, top: 0 })
    }

    pub fn go_to_last(&mut self) -> bool {
        self.go_to_goal(ScrollGoal { rank: LAST_RANK, top: LAST_RANK })
    }

    /// Takes in a window. Returns whether more rows must be requested.
    pub fn apply_window(&mut self, window: Window<T>) -> bool {
        let top_key = self.row_at(self.top).map(Keyed::key);
        let (first_time, still) = (!self.loaded, self.keeps_position());
        self.window = window;
        self.loaded = true;
        self.is_awaiting_window = false;
        if let Some(goal) = self.goal {
            return self.go_to_goal(goal);
        }
        if let Some(rank) = self.pending_selection.take().and_then(|key| self.rank_of(&key)) {
            self.selected = self.row_at(rank).map(|row| (row.key(), rank));
            self.top = scroll_into_view(self.top, rank, self.height);
            return self.needs_more_rows();
        }
        let old_top = self.top;
        if still && !T::RANKED {
            // The selected row stays on its line, whatever its new rank; otherwise the first visible row does.
            let selected = self.selected.as_ref().and_then(|(key, rank)| Some((self.rank_of(key)?, *rank)));
            let new_top = match selected {
                Some((new_rank, rank)) => Some(new_rank.saturating_sub(rank.saturating_sub(old_top))),
                None => top_key.and_then(|key| self.rank_of(&key)),
            };
            self.top = new_top.unwrap_or(old_top);
            self.rows_arrived_above = self.rows_arrived_above.saturating_add(self.top.saturating_sub(old_top));
        }
        let requested = self.requested_around.take();
        let mut is_lost = false;
        if let Some((key, rank)) = self.selected.take() {
            let new_rank = self.rank_of(&key);
            // A selected row that is gone, for example filtered out, is deselected without a substitute: a key must not
            // act on a row that was not chosen. A row outside of this window is requested.
            let is_covered_by_window = requested.as_ref() == Some(&key) || self.window_covers_rank(rank);
            if new_rank.is_some() || !is_covered_by_window {
                is_lost = new_rank.is_none() && requested.is_some();
                let rank = new_rank.unwrap_or(rank);
                self.top = scroll_into_view(self.top, rank, self.height);
                self.selected = Some((key, rank));
            }
        }
        if self.selected.is_none() && (first_time || self.top > self.last_rank()) {
            self.top = 0;
        }
        // A new row of a list that fits on screen must not be scrolled out of sight above it.
        if !T::ANCHORED && matches!(self.window.count, RowCount::Exact(_)) {
            self.top = self.top.min((self.last_rank() + 1).saturating_sub(self.height));
        }
        is_lost || self.needs_more_rows()
    }

    /// Whether the window would contain the selected row of about this rank if it still existed.
    fn window_covers_rank(&self, rank: u64) -> bool {
        let whole = self.window.first == 0 && slice_len(&self.window.rows) >= self.window.count.number();
        whole || (T::ANCHORED && self.row_at(rank).is_some())
    }

    /// Whether new rows must not scroll the list: a row is selected, or the list is not at its top.
    fn keeps_position(&self) -> bool {
        self.selected.is_some() || self.top > 0
    }

    /// The start of motions: the goal, else the selection, else the first visible row.
    fn motion_start(&self) -> ScrollGoal {
        match (self.goal, &self.selected) {
            (Some(goal), _) if goal.rank == LAST_RANK => {
                let last = self.last_rank();
                ScrollGoal { rank: last, top: (last + 1).saturating_sub(self.height) }
            }
            (Some(goal), _) => goal,
            (None, Some((_, rank))) => ScrollGoal { rank: *rank, top: self.top },
            (None, None) => ScrollGoal { rank: self.top, top: self.top },
        }
    }

    /// Goes to a goal if its rows are in the window; else remembers it. Returns whether more rows must be requested.
    fn go_to_goal(&mut self, goal: ScrollGoal) -> bool {
        self.pending_selection = None;
        // Keys may be typed before the first rows arrive.
        if !self.loaded {
            self.goal = Some(goal);
            return !self.is_awaiting_window;
        }
        let last = self.last_rank();
        let exact = matches!(self.window.count, RowCount::Exact(_));
        let settled = if goal.rank == LAST_RANK && exact {
            ScrollGoal { rank: last, top: (last + 1).saturating_sub(self.height) }
        } else {
            ScrollGoal { rank: goal.rank.min(last), top: goal.top.min(last) }
        };
        if goal.rank != LAST_RANK || exact {
            if let Some(row) = self.row_at(settled.rank)
                && self.covers_page_at(settled.top)
            {
                self.selected = Some((row.key(), settled.rank));
                self.top = settled.top;
                self.rows_arrived_above = self.rows_arrived_above.min(settled.top);
                self.goal = None;
                return !self.is_awaiting_window && self.needs_more_rows();
            }
            if self.window.count.number() == 0 {
                self.goal = None;
                return false;
            }
        }
        self.goal = Some(goal);
        true
    }

    fn covers_page_at(&self, top: u64) -> bool {
        let window_end = self.window.first.saturating_add(slice_len(&self.window.rows));
        let needed = top.saturating_add(self.height).min(self.window.count.number());
        top >= self.window.first && needed <= window_end
    }

    /// Whether the view is close to an end of the window beyond which there are more rows.
    fn needs_more_rows(&self) -> bool {
        let window_end = self.window.first.saturating_add(slice_len(&self.window.rows));
        // A whole page, so that the next page is there before its key is pressed again.
        let margin = self.height;
        let above = self.window.first > 0 && self.top < self.window.first.saturating_add(margin);
        let below =
            window_end < self.window.count.number() && self.top.saturating_add(self.height + margin) > window_end;
        above || below
    }

    /// The rank of the last row; before the first window, any rank is allowed.
    fn last_rank(&self) -> u64 {
        if !self.loaded {
            return LAST_RANK / 2;
        }
        self.window.count.number().saturating_sub(1)
    }

    fn row_at(&self, rank: u64) -> Option<&T> {
        let index = usize::try_from(rank.checked_sub(self.window.first)?).ok()?;
        self.window.rows.get(index)
    }

    fn rank_of(&self, key: &T::Key) -> Option<u64> {
        let index = self.window.rows.iter().position(|row| row.key() == *key)?;
        Some(self.window.first.saturating_add(u64::try_from(index).ok()?))
    }
}

/// The rank of the first visible row such that row `rank` is visible, moved as little as possible.
fn scroll_into_view(top: u64, rank: u64, height: u64) -> u64 {
    top.min(rank).max((rank + 1).saturating_sub(height))
}

fn slice_len<T>(rows: &[T]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
