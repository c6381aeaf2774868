//! A list of which only a window is held: what is selected, what is visible, and which rows to ask for.
//!
//! Rows are known by their keys, so a refresh never moves the selection and never scrolls. While nothing is selected
//! the list follows its first row. A motion that leads out of the window is kept as a goal, and the picture stays as
//! it is until the rows are there: keys typed meanwhile move the goal.

mod asking;
mod keyed;
mod veiled;

pub use keyed::Keyed;

use crate::domain::history::{Count, Window};

/// Where a motion leads: ranks of the row to select and of the first visible row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Goal {
    rank: u64,
    top: u64,
}

/// The rank that stands for the last row, however many there are.
const LAST: u64 = u64::MAX;

/// A list on screen.
#[derive(Debug, Clone)]
pub struct Listing<T: Keyed> {
    window: Window<T>,
    loaded: bool,
    top: u64,
    selected: Option<(T::Key, u64)>,
    goal: Option<Goal>,
    height: u64,
    awaiting: bool,
    above: u64,
    /// A row that is to be selected once the window holds it.
    sought: Option<T::Key>,
    /// The selected row around which the next window was asked for, wherever it stands by now.
    kept: Option<T::Key>,
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
            awaiting: false,
            above: 0,
            sought: None,
            kept: None,
        }
    }
}

impl<T: Keyed> Listing<T> {
    /// The rows on screen, each with whether it is selected.
    pub fn visible(&self) -> impl Iterator<Item = (&T, bool)> {
        let skip = usize::try_from(self.top.saturating_sub(self.window.first)).unwrap_or(usize::MAX);
        let height = usize::try_from(self.height).unwrap_or(usize::MAX);
        self.window.rows.iter().skip(skip).take(height).map(|row| {
            let chosen = self.selected.as_ref().is_some_and(|(key, _)| *key == row.key());
            (row, chosen)
        })
    }

    /// Every row that is held.
    pub fn rows(&self) -> &[T] {
        &self.window.rows
    }

    /// How many rows there are.
    pub fn count(&self) -> Count {
        self.window.count
    }

    /// Whether an answer has come at all.
    pub fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// The selected row, if it is among those that are held.
    pub fn selected(&self) -> Option<&T> {
        let (key, _) = self.selected.as_ref()?;
        self.window.rows.iter().find(|row| row.key() == *key)
    }

    /// The key of the selected row.
    pub fn selected_key(&self) -> Option<&T::Key> {
        self.selected.as_ref().map(|(key, _)| key)
    }

    /// The rank of the selected row, counted from 0.
    pub fn rank(&self) -> Option<u64> {
        self.selected.as_ref().map(|(_, rank)| *rank)
    }

    /// The rank of the first visible row.
    pub fn top(&self) -> u64 {
        self.top
    }

    /// How many rows arrived above the first visible one since the operator last stood at the top.
    pub fn arrived_above(&self) -> u64 {
        self.above
    }

    /// How many rows fit on screen. Returns whether rows must be asked for.
    pub fn set_height(&mut self, height: u16) -> bool {
        let height = u64::from(height.max(1));
        if height == self.height {
            return false;
        }
        self.height = height;
        // A list that was given more room fills it, as far as there are rows.
        if let Some((_, rank)) = &self.selected {
            let lowest = (self.last() + 1).saturating_sub(height);
            self.top = within(self.top.min(lowest), *rank, height);
        }
        self.is_short()
    }

    /// Selects a row, whether it is held or must be asked for first. Returns whether it must.
    pub fn select_or_fetch(&mut self, key: &T::Key) -> bool {
        let held = self.select(key);
        self.sought = (!held).then(|| key.clone());
        !held
    }

    /// Forgets selection and place, as when another question is asked.
    pub fn reset(&mut self) {
        self.sought = None;
        self.selected = None;
        self.goal = None;
        self.top = 0;
        self.above = 0;
    }

    /// Forgets the rows too: what is shown next belongs to something else.
    pub fn clear(&mut self) {
        *self = Self { height: self.height, ..Self::default() };
    }

    /// Drops the selection; says whether there was one.
    pub fn deselect(&mut self) -> bool {
        let had = self.selected.take().is_some();
        self.goal = None;
        had
    }

    /// Selects the first visible row, if nothing is selected; says whether it did.
    pub fn select_visible(&mut self) -> bool {
        if self.selected.is_some() {
            return false;
        }
        let Some(row) = self.row_at(self.top) else { return false };
        self.selected = Some((row.key(), self.top));
        true
    }

    /// Selects a row that is held; says whether there is one of this key.
    pub fn select(&mut self, key: &T::Key) -> bool {
        let Some(rank) = self.rank_of(key) else { return false };
        self.selected = Some((key.clone(), rank));
        self.goal = None;
        self.top = within(self.top, rank, self.height);
        true
    }

    /// Moves the selection by so many rows. Returns whether rows must be asked for.
    pub fn move_by(&mut self, rows: i64) -> bool {
        if self.goal.is_none() && self.selected.is_none() && rows.abs() == 1 {
            return !self.select_visible() && !self.loaded && self.aim(Goal { rank: 0, top: 0 });
        }
        let from = self.base();
        let rank = from.rank.saturating_add_signed(rows).min(self.last());
        self.aim(Goal { rank, top: within(from.top, rank, self.height) })
    }

    /// Moves selection and view together by so many rows. Returns whether rows must be asked for.
    pub fn scroll_by(&mut self, rows: i64) -> bool {
        let from = self.base();
        let rank = from.rank.saturating_add_signed(rows).min(self.last());
        let lowest = (self.last() + 1).saturating_sub(self.height);
        let top = from.top.saturating_add_signed(rows).min(lowest);
        self.aim(Goal { rank, top: within(top, rank, self.height) })
    }

    /// Half of what is visible.
    pub fn half_page(&self) -> i64 {
        i64::try_from(self.height / 2).unwrap_or(i64::MAX).max(1)
    }

    /// All that is visible.
    pub fn page(&self) -> i64 {
        i64::try_from(self.height).unwrap_or(i64::MAX).max(1)
    }

    /// To the first row. With `follow`, nothing stays selected and the list follows what arrives.
    pub fn go_to_first(&mut self, follow: bool) -> bool {
        self.above = 0;
        if follow {
            self.reset();
            return self.window.first != 0;
        }
        self.aim(Goal { rank: 0, top: 0 })
    }

    /// To the last row.
    pub fn go_to_last(&mut self) -> bool {
        self.aim(Goal { rank: LAST, top: LAST })
    }

    /// Takes in an answer. Returns whether still more rows must be asked for.
    pub fn apply_window(&mut self, window: Window<T>) -> bool {
        let top_key = self.row_at(self.top).map(Keyed::key);
        let (first_time, still) = (!self.loaded, self.holds_still());
        self.window = window;
        self.loaded = true;
        self.awaiting = false;
        if let Some(goal) = self.goal {
            return self.aim(goal);
        }
        if let Some(rank) = self.sought.take().and_then(|key| self.rank_of(&key)) {
            self.selected = self.row_at(rank).map(|row| (row.key(), rank));
            self.top = within(self.top, rank, self.height);
            return self.is_short();
        }
        let old_top = self.top;
        if still && !T::RANKED {
            // The selected row stays on its line, however far its rank has moved; else the first visible one does.
            let selected = self.selected.as_ref().and_then(|(key, rank)| Some((self.rank_of(key)?, *rank)));
            let found = match selected {
                Some((found, rank)) => Some(found.saturating_sub(rank.saturating_sub(old_top))),
                None => top_key.and_then(|key| self.rank_of(&key)),
            };
            self.top = found.unwrap_or(old_top);
            self.above = self.above.saturating_add(self.top.saturating_sub(old_top));
        }
        let kept = self.kept.take();
        let mut lost = false;
        if let Some((key, rank)) = self.selected.take() {
            let found = self.rank_of(&key);
            // A row that is gone, as one that a filter no longer holds, is selected no more, and no other in its stead: a
            // key must not act on what nobody chose. One of which this answer does not tell is asked for.
            let told = kept.as_ref() == Some(&key) || self.would_hold(rank);
            if found.is_some() || !told {
                lost = found.is_none() && kept.is_some();
                let rank = found.unwrap_or(rank);
                self.top = within(self.top, rank, self.height);
                self.selected = Some((key, rank));
            }
        }
        if self.selected.is_none() && (first_time || self.top > self.last()) {
            self.top = 0;
        }
        // A new row of a list that has room for it must not stand above the picture, where nobody sees it.
        if !T::ANCHORED && matches!(self.window.count, Count::Exact(_)) {
            self.top = self.top.min((self.last() + 1).saturating_sub(self.height));
        }
        lost || self.is_short()
    }

    /// Whether a selected row of about this rank would be in the window if it were still there.
    fn would_hold(&self, rank: u64) -> bool {
        let whole = self.window.first == 0 && len(&self.window.rows) >= self.window.count.number();
        whole || (T::ANCHORED && self.row_at(rank).is_some())
    }

    /// Whether rows that arrive must not move the picture: something is selected, or it is not the first row on top.
    fn holds_still(&self) -> bool {
        self.selected.is_some() || self.top > 0
    }

    /// Where motions start from: the goal, else the selection, else the first visible row.
    fn base(&self) -> Goal {
        match (self.goal, &self.selected) {
            (Some(goal), _) if goal.rank == LAST => {
                let last = self.last();
                Goal { rank: last, top: (last + 1).saturating_sub(self.height) }
            }
            (Some(goal), _) => goal,
            (None, Some((_, rank))) => Goal { rank: *rank, top: self.top },
            (None, None) => Goal { rank: self.top, top: self.top },
        }
    }

    /// Goes where a motion leads, if the rows are held; else remembers it. Returns whether rows must be asked for.
    fn aim(&mut self, goal: Goal) -> bool {
        self.sought = None;
        // Keys may be typed ahead of the first rows.
        if !self.loaded {
            self.goal = Some(goal);
            return !self.awaiting;
        }
        let last = self.last();
        let exact = matches!(self.window.count, Count::Exact(_));
        let settled = if goal.rank == LAST && exact {
            Goal { rank: last, top: (last + 1).saturating_sub(self.height) }
        } else {
            Goal { rank: goal.rank.min(last), top: goal.top.min(last) }
        };
        if goal.rank != LAST || exact {
            if let Some(row) = self.row_at(settled.rank)
                && self.covers(settled.top)
            {
                self.selected = Some((row.key(), settled.rank));
                self.top = settled.top;
                self.above = self.above.min(settled.top);
                self.goal = None;
                return !self.awaiting && self.is_short();
            }
            if self.window.count.number() == 0 {
                self.goal = None;
                return false;
            }
        }
        self.goal = Some(goal);
        true
    }

    /// Whether all rows that would be visible below a first one are held.
    fn covers(&self, top: u64) -> bool {
        let held = self.window.first.saturating_add(len(&self.window.rows));
        let needed = top.saturating_add(self.height).min(self.window.count.number());
        top >= self.window.first && needed <= held
    }

    /// Whether the view comes close to an end of the window behind which there are more rows.
    fn is_short(&self) -> bool {
        let held = self.window.first.saturating_add(len(&self.window.rows));
        // A whole page, so that the next one is there before its key is pressed again.
        let margin = self.height;
        let above = self.window.first > 0 && self.top < self.window.first.saturating_add(margin);
        let below = held < self.window.count.number() && self.top.saturating_add(self.height + margin) > held;
        above || below
    }

    /// The rank of the last row; while none were told, any may be.
    fn last(&self) -> u64 {
        if !self.loaded {
            return LAST / 2;
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

/// The rank of the first visible row such that a row is visible, moved as little as possible.
fn within(top: u64, rank: u64, height: u64) -> u64 {
    top.min(rank).max((rank + 1).saturating_sub(height))
}

fn len<T>(rows: &[T]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
