//! Which rows a list requests.

use super::{Keyed, LAST_RANK, Listing};
use crate::domain::history::WindowAnchor;

impl<T: Keyed> Listing<T> {
    /// Start and number of rows of the next window.
    pub fn next_window(&mut self) -> (WindowAnchor, u32)
    where
        T: Keyed<Key = i64>,
    {
        self.is_awaiting_window = true;
        let (lead, rows) = (self.rows_above(), self.window_rows());
        let above = u32::try_from(lead).unwrap_or(u32::MAX);
        let anchor = match (&self.goal, &self.selected, self.row_at(self.top)) {
            _ if self.pending_selection.is_some() => {
                self.pending_selection.map_or(WindowAnchor::Rank(0), |seq| WindowAnchor::Row { seq, above })
            }
            (Some(goal), _, _) if goal.rank == LAST_RANK => WindowAnchor::End,
            (Some(goal), _, _) => WindowAnchor::Rank(goal.top.saturating_sub(lead)),
            (None, _, Some(top)) if self.keeps_position() => WindowAnchor::Row { seq: top.key(), above },
            (None, Some((_, rank)), None) => WindowAnchor::Rank(rank.saturating_sub(lead)),
            (None, _, _) => WindowAnchor::Rank(self.top.saturating_sub(lead)),
        };
        (anchor, rows)
    }

    /// The same by rank, for lists that are queried by rank alone.
    pub fn next_rank_window(&mut self) -> (u64, u32) {
        self.is_awaiting_window = true;
        let (lead, rows) = (self.rows_above(), self.window_rows());
        let top = match self.goal {
            Some(goal) if goal.rank == LAST_RANK => self.window.count.number().saturating_sub(self.height),
            Some(goal) => goal.top,
            None => self.top,
        };
        (top.saturating_sub(lead), rows)
    }

    /// The same, with the selected row, which the window must contain whatever its new rank.
    pub fn next_window_around_selection(&mut self) -> (u64, u32, Option<T::Key>) {
        let (first, rows) = self.next_rank_window();
        self.requested_around = self.selected_key().filter(|_| self.goal.is_none()).cloned();
        (first, rows, self.requested_around.clone())
    }

    /// How many rows above the first visible one a window contains.
    fn rows_above(&self) -> u64 {
        self.height.saturating_mul(2)
    }

    /// How many rows a window contains. The first window has only the visible page and the next one, so that the
    /// console opens fast.
    fn window_rows(&self) -> u32 {
        let pages = if self.loaded { 5 } else { 2 };
        u32::try_from(self.height.saturating_mul(pages).max(40)).unwrap_or(u32::MAX)
    }

    /// The pending request will not be answered: it may be sent again.
    pub fn cancel_request(&mut self) {
        self.is_awaiting_window = false;
    }
}
