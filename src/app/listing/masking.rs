//! A list under the veil.

use super::{Keyed, Listing, slice_len};
use crate::domain::history::{RowCount, Window};

impl<T: Keyed> Listing<T> {
    /// The same window with stand-ins, as if it were the whole list: its length and the position in it are hidden.
    pub(in crate::app) fn to_masked(&self, row: impl Fn(&T) -> T, key: impl Fn(&T::Key) -> T::Key) -> Self {
        let first = self.window.first;
        let rows: Vec<T> = self.window.rows.iter().map(row).collect();
        // An empty list is reported in words.
        let count = if self.window.count.number() == 0 { 0 } else { slice_len(&rows).max(1) };
        Self {
            window: Window { first: 0, rows, count: RowCount::Exact(count) },
            loaded: self.loaded,
            top: self.top.saturating_sub(first),
            selected: self.selected.as_ref().map(|(of, rank)| (key(of), rank.saturating_sub(first))),
            goal: None,
            height: self.height,
            is_awaiting_window: false,
            rows_arrived_above: 0,
            pending_selection: None,
            requested_around: None,
        }
    }
}
