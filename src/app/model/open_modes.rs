//! The open modes: one has the keys, and returns to the one below when it closes.

use super::{Mode, Model};
use crate::app::overlays::chart::Chart;
use crate::app::overlays::menu::MenuKind;
use crate::app::overlays::reports::Reports;
use crate::domain::history::HistoryRow;
use crate::manual::Chapter;

impl Model {
    /// Opens a mode over the present one, which returns when the new one closes.
    pub(in crate::app) fn open_over(&mut self, mode: Mode) {
        self.modes_below.push(std::mem::replace(&mut self.mode, mode));
    }

    /// Closes the mode on top, and returns it. The page is below all others.
    pub(in crate::app) fn close_mode(&mut self) -> Mode {
        let below = self.modes_below.pop().unwrap_or_default();
        std::mem::replace(&mut self.mode, below)
    }

    /// Shows a mode in place of all that are open.
    pub(in crate::app) fn show_mode(&mut self, mode: Mode) {
        self.modes_below.clear();
        self.mode = mode;
    }

    /// The mode that returns when the one on top closes.
    pub fn mode_below(&self) -> &Mode {
        self.modes_below.last().unwrap_or(&Mode::Browse)
    }

    /// The open modes, from the top down.
    pub fn open_modes(&self) -> impl Iterator<Item = &Mode> {
        std::iter::once(&self.mode).chain(self.modes_below.iter().rev())
    }

    pub(in crate::app) fn open_modes_mut(&mut self) -> impl Iterator<Item = &mut Mode> {
        std::iter::once(&mut self.mode).chain(self.modes_below.iter_mut().rev())
    }

    /// What lies below the help; without help, the mode on top.
    pub fn mode_below_help(&self) -> &Mode {
        if matches!(self.mode, Mode::Help { .. }) { self.mode_below() } else { &self.mode }
    }

    /// The chapter of the manual on what is shown, also below the help.
    pub fn help_chapter(&self) -> Chapter {
        match (self.mode_below_help(), self.page.chapter()) {
            (Mode::Menu(menu), _) if menu.kind == MenuKind::Approvals => Chapter::Approvals,
            (Mode::Receive(_), _) | (_, Chapter::Pay) => Chapter::Pay,
            (Mode::Reports(_), _) => Chapter::LookBack,
            (Mode::Chart(_), _) => Chapter::Watch,
            (_, chapter) => chapter,
        }
    }

    /// The open chart, also below another mode.
    pub fn open_chart(&self) -> Option<&Chart> {
        self.open_modes().find_map(|mode| if let Mode::Chart(chart) = mode { Some(&**chart) } else { None })
    }

    /// The open reports, also below another mode.
    pub fn open_reports(&self) -> Option<&Reports> {
        self.open_modes().find_map(|mode| if let Mode::Reports(reports) = mode { Some(&**reports) } else { None })
    }

    /// The open transaction, also below another mode.
    pub fn open_transaction(&self) -> Option<&HistoryRow> {
        self.open_modes().find_map(|mode| if let Mode::Detail { row, .. } = mode { Some(&**row) } else { None })
    }

    pub(in crate::app) fn open_transaction_mut(&mut self) -> Option<&mut HistoryRow> {
        self.open_modes_mut().find_map(|mode| if let Mode::Detail { row, .. } = mode { Some(&mut **row) } else { None })
    }
}
