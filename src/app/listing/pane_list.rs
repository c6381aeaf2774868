//! The list of a pane, whatever its rows are.

use crate::app::input::keymap::Command;
use crate::app::listing::{Keyed, Listing};
use crate::domain::history::RowCount;

/// A list of rows of any type.
pub(in crate::app) trait PaneList {
    fn row_count(&self) -> RowCount;
    fn run_motion(&mut self, command: Command, follows: bool) -> bool;
    fn set_height(&mut self, rows: u16) -> bool;
    fn deselect(&mut self) -> bool;
    fn select_first_visible(&mut self) -> bool;
}

impl<T: Keyed> PaneList for Listing<T> {
    fn row_count(&self) -> RowCount {
        self.count()
    }

    /// Follows a motion; returns whether rows must be queried.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands are no motions")]
    fn run_motion(&mut self, command: Command, follows: bool) -> bool {
        match command {
            Command::Up => self.move_by(-1),
            Command::Down => self.move_by(1),
            Command::HalfUp => self.scroll_by(-self.half_page_rows()),
            Command::HalfDown => self.scroll_by(self.half_page_rows()),
            Command::PageUp => self.scroll_by(-self.page_rows()),
            Command::PageDown => self.scroll_by(self.page_rows()),
            Command::First => self.go_to_first(follows),
            Command::Last => self.go_to_last(),
            _ => false,
        }
    }

    fn set_height(&mut self, rows: u16) -> bool {
        Self::set_height(self, rows)
    }

    fn deselect(&mut self) -> bool {
        Self::deselect(self)
    }

    fn select_first_visible(&mut self) -> bool {
        Self::select_first_visible(self)
    }
}

impl<T: Keyed> Listing<T> {
    /// Above the first row stands the one of all rows, which is selected where no other is. Returns whether the motion
    /// ends there.
    pub(in crate::app) fn moves_to_row_of_all(&mut self, command: Command) -> bool {
        let goes_up = matches!(command, Command::Up | Command::HalfUp | Command::PageUp);
        let is_at_top = self.goal.is_none() && self.selected.as_ref().is_none_or(|(_, rank)| *rank == 0);
        if goes_up && is_at_top {
            Self::deselect(self);
        }
        goes_up && is_at_top
    }
}
