//! The state of the console: everything that the screen shows and the next key depends on.

use std::sync::OnceLock;

use super::forms::Forms;
use super::orders::SendTracker;
use super::pages::Pages;
use super::screen::{HistoryList, Pane, Size};
use super::session::absence::AbsenceTracker;
use super::session::lock::Lock;
use super::session::views::SavedViews;
use super::session::watches::WatchList;
use crate::domain::Timestamp;
use crate::domain::address::ShortAddresses;
use crate::domain::history::Scope;

mod console;
mod data;
mod history;
mod journal;
mod names;
mod open_modes;
mod overlays;
#[cfg(test)]
mod sample;
mod session;
mod settings;

pub use super::input::mode::Mode;
pub use super::screen::Page;
pub use console::ConsoleInfo;
pub use data::{Data, RequestIds};
pub use history::History;
pub use journal::JournalData;
pub use overlays::OverlayState;
pub use session::SessionState;
pub use settings::{ProfileIdentity, Settings};

#[derive(Debug)]
pub struct Model {
    pub console: ConsoleInfo,
    pub data: Data,
    pub journal: JournalData,
    pub session: SessionState,
    pub pages: Pages,
    pub overlays: OverlayState,
    pub size: Size,
    /// The time of the last message.
    pub now: Timestamp,
    pub page: Page,
    /// How the addresses of the present frame are shortened; empty from each message to the next frame.
    pub frame_addresses: OnceLock<ShortAddresses>,
    /// What has the keys, over the modes below.
    pub mode: Mode,
    /// What returns when the mode above it closes; the page itself is first.
    pub modes_below: Vec<Mode>,
    /// The state of forms that outlives an open form.
    pub forms: Forms,
    /// Shown in the footer until the next key.
    pub notice: Option<String>,
    /// What this run of the program has sent, and why sending is stopped.
    pub send_tracker: SendTracker,
}

impl Model {
    pub fn new(settings: Settings, size: Size, now: Timestamp) -> Self {
        let Settings { identity, preferences, zone, appearance, profiles, read_only, prices, veil, lock, seed } =
            settings;
        let absence = AbsenceTracker::new(preferences.away_after);
        Self {
            console: ConsoleInfo::new(identity, preferences, zone, appearance, profiles, read_only),
            data: Data::new(prices, seed),
            journal: JournalData::default(),
            session: SessionState {
                views: SavedViews::default(),
                watches: WatchList::default(),
                absence,
                veil,
                lock: Lock::new(lock),
            },
            pages: Pages::default(),
            overlays: OverlayState::default(),
            size,
            now,
            page: Page::default(),
            frame_addresses: OnceLock::new(),
            mode: Mode::default(),
            modes_below: Vec::new(),
            forms: Forms::default(),
            notice: None,
            send_tracker: SendTracker::default(),
        }
    }

    pub fn focus(&self) -> Pane {
        let panes = self.page.panes();
        let index = self.pages.focused.get(self.page_index()).copied().unwrap_or(0);
        panes.get(index).or(panes.first()).copied().unwrap_or(Pane::Accounts)
    }

    /// Moves the focus to a pane of this page.
    pub fn set_focus(&mut self, pane: Pane) {
        let page = self.page_index();
        if let (Some(index), Some(slot)) =
            (self.page.panes().iter().position(|candidate| *candidate == pane), self.pages.focused.get_mut(page))
        {
            *slot = index;
        }
    }

    /// The index of this page, from 0.
    pub fn page_index(&self) -> usize {
        self.page.digit() - 1
    }

    /// The selection of account and wallet, which narrows the panes to their right.
    pub fn scope(&self) -> Scope {
        match (self.pages.overview.wallets.selected_key(), self.pages.overview.accounts.selected_key()) {
            (Some(wallet), _) => Scope::Wallet(wallet.clone()),
            (None, Some(account)) => Scope::Account(account.clone()),
            (None, None) => Scope::All,
        }
    }

    pub fn account_scope(&self) -> Scope {
        self.pages.overview.accounts.selected_key().map_or(Scope::All, |account| Scope::Account(account.clone()))
    }

    pub fn history_of(&self, list: HistoryList) -> &History {
        match list {
            HistoryList::Recent => &self.pages.overview.recent,
            HistoryList::Page => &self.pages.transactions,
        }
    }

    pub fn history_mut(&mut self, list: HistoryList) -> &mut History {
        match list {
            HistoryList::Recent => &mut self.pages.overview.recent,
            HistoryList::Page => &mut self.pages.transactions,
        }
    }

    /// The list of transactions that has the focus.
    pub fn focused_history(&self) -> Option<&History> {
        self.focus().history_list().map(|list| self.history_of(list))
    }

    /// The list of transactions on the page.
    pub fn page_history(&self) -> Option<&History> {
        let list = self.page.panes().iter().find_map(|pane| pane.history_list())?;
        Some(self.history_of(list))
    }

    pub fn focused_history_mut(&mut self) -> Option<&mut History> {
        self.focus().history_list().map(|list| self.history_mut(list))
    }
}
