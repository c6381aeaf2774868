//! The state of the console: everything that the screen shows and the next key depends on.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use super::data::attention::AttentionState;
use super::data::charts::Charts;
use super::data::initial_sync::InitialSync;
use super::data::link::Link;
use super::data::poll::PollStates;
use super::data::prices::Prices;
use super::data::proposals::Proposals;
use super::data::total::Total;
use super::forms::Forms;
use super::listing::Listing;
use super::msg::RequestId;
use super::orders::SendTracker;
use super::overlays::copying::CopyState;
use super::overlays::detail::raw::RawJson;
use super::overlays::export::ExportState;
use super::overlays::policy::LimitCounts;
use super::pages::book::BookPage;
use super::pages::orders::OrderSort;
use super::pages::overview::balances::grouping::{BalanceGroup, BalanceGrouping};
use super::pages::overview::balances::ranking::BalanceOrder;
use super::pages::users::Users;
use super::screen::{self, HistoryList, Pane, Size};
use super::session::absence::AbsenceTracker;
use super::session::events::Events;
use super::session::lock::Lock;
use super::session::profile_switch::OtherProfile;
use super::session::veil::Veil;
use super::session::views::SavedViews;
use super::session::watches::WatchList;
use crate::domain::address::ShortAddresses;
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::order::ServiceAddresses;
use crate::domain::report::ReportKind;
use crate::domain::sourced::Sourced;
use crate::domain::v1::SwapPair;
use crate::domain::{
    Account, Appearance, Blockchain, ClipboardRoute, Failure, Holding, Order, OrderId, ReadOnlyReason, Skew, Text,
    Timestamp, Token, UserStats, Wallet, Zone,
};

mod history;
mod names;
#[cfg(test)]
mod sample;
mod settings;

pub use super::input::mode::{Mode, Page};
pub use history::History;
pub use settings::{Identity, Settings};

#[derive(Debug, Clone, Default)]
pub struct Balances {
    /// The rows that match the filter, without suspicious ones unless they are shown.
    pub listing: Listing<Holding>,
    pub all: Vec<Holding>,
    /// As typed.
    pub filter: String,
    pub scope: Scope,
    /// How many users' balances the sums contain.
    pub users: u64,
    pub shows_suspicious: bool,
    /// What the rows sum; `listing` keeps the balances themselves.
    pub grouping: BalanceGrouping,
    pub groups: Listing<BalanceGroup>,
    /// The sort order, here and on the Users page.
    pub ranking: BalanceOrder,
    pub request_id: RequestId,
}

#[derive(Debug)]
pub struct Model {
    pub identity: Identity,
    /// The poll period of what is on screen.
    pub period: Duration,
    /// Whether to request the lists that the specification does not document.
    pub probe_lists: bool,
    /// Whether version 1 is used for data of users.
    pub v1: bool,
    /// Whether version 2 is used for payments; otherwise version 1 is.
    pub v2: bool,
    pub zone: Zone,
    pub appearance: Appearance,
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only; `None` if it is not.
    pub read_only: Option<ReadOnlyReason>,
    pub size: Size,
    /// The time of the last message.
    pub now: Timestamp,
    pub page: Page,
    /// How the addresses of the present frame are shortened; empty from each message to the next frame.
    pub frame_addresses: OnceLock<ShortAddresses>,
    pub mode: Mode,
    /// The state of forms that outlives an open form.
    pub forms: Forms,
    pub proposals: Proposals,
    /// The focused pane of each page.
    pub focused: [usize; Page::ALL.len()],
    /// Whether the focused pane fills the page.
    pub is_zoomed: bool,
    /// Shown in the footer until the next key.
    pub notice: Option<String>,
    pub accounts: Listing<Sourced<Account>>,
    /// Whether the first account was once selected automatically.
    pub is_account_preselected: bool,
    pub wallets: Listing<Sourced<Wallet>>,
    pub wallet_filter: String,
    /// The scope of the wallets on screen.
    pub wallets_scope: Scope,
    /// Wallets for which the service reported a second address, until the operator resolves it.
    pub address_conflicts: Vec<Sourced<Wallet>>,
    /// The address in the copy menu that awaits its comparison with known addresses.
    pub copy_state: CopyState,
    /// The operator's answer on a wallet's page to which of two addresses is right.
    pub conflict_input: String,
    pub request_ids: RequestIds,
    pub balances: Balances,
    pub total: Total,
    pub users: Users,
    pub recent: History,
    pub history: History,
    /// Orders, in the order of their page.
    pub order_list: Listing<OrderId>,
    pub order_filter: String,
    pub order_sort: OrderSort,
    /// Whether orders abandoned before anything was sent are listed.
    pub shows_abandoned: bool,
    pub listed_tokens: Vec<Token>,
    /// The listed tokens that match the filter.
    pub tokens: Listing<Token>,
    pub token_filter: String,
    pub chains: Listing<Blockchain>,
    pub pairs: Listing<SwapPair>,
    pub prices: Prices,
    pub charts: Charts,
    pub stats: Option<UserStats>,
    pub progress: SyncProgress,
    pub initial_sync: InitialSync,
    /// Whether this is a visit: the console runs on another machine, whose files are out of the visitor's reach.
    pub is_visit: bool,
    /// Whether another console uses the cache of this service, so that this one has a cache of its own.
    pub has_own_cache: bool,
    /// Whether webhooks are configured but cannot be received.
    pub is_webhook_down: bool,
    /// Whether the last read of the balances on screen found no users to read.
    pub has_no_balance_users: bool,
    pub remotes: PollStates,
    /// When an earlier session last read the newest rows: data from the cache are as old as that.
    pub cached_as_of: Option<Timestamp>,
    /// Whether reads from the service may start: not before the first frame.
    pub is_connected: bool,
    pub link: Link,
    /// The difference between this machine's clock and the service's.
    pub skew: Skew,
    /// Why the store could not be read; shown in a banner.
    pub store_failure: Option<Failure>,
    /// Orders of the journal: all open ones and the newest closed ones; unresolved ones first.
    pub orders: Vec<Order>,
    pub addresses: ServiceAddresses,
    /// Why the journal could not be read.
    pub orders_failure: Option<Failure>,
    /// What this run of the program has sent, and why sending is stopped.
    pub send_tracker: SendTracker,
    pub exports: ExportState,
    /// The folder of the file that was read last, as typed.
    pub last_folder: String,
    /// The report that was shown last, where the reports open again.
    pub last_report: ReportKind,
    /// A transaction as the service sent it, if the operator opened it.
    pub raw: RawJson,
    /// How many alarms of each order the operator has seen.
    pub alarms_seen: HashMap<OrderId, usize>,
    pub events: Events,
    pub views: SavedViews,
    pub watches: WatchList,
    pub attention: AttentionState,
    pub absence: AbsenceTracker,
    /// The network that the data are from, if it is not the profile's.
    pub network_mismatch: Option<Text>,
    /// Distinguishes the API key that reads from others; empty if the key is unknown.
    pub key_mark: Text,
    pub book: BookPage,
    /// What was paid towards the limits of the policy.
    pub limit_counts: LimitCounts,
    /// Whether changes use another API key than reads.
    pub has_separate_keys: bool,
    pub veil: Veil,
    pub lock: Lock,
    /// The carrier of copied text to the clipboard.
    pub clipboard: ClipboardRoute,
}

/// Ids of requests that have no state of their own.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIds {
    pub accounts: RequestId,
    pub total: RequestId,
    pub total_samples: RequestId,
    pub wallets: RequestId,
    pub address_conflicts: RequestId,
    pub markets: RequestId,
    pub chosen_rows: RequestId,
    pub directory_record: RequestId,
    pub sandbox: RequestId,
    pub movement_search: RequestId,
}

/// From this height on, orders have a sum without a filter too: on a low screen the line is worth a row.
const MIN_HEIGHT_WITH_ORDER_SUM: u16 = 30;

impl Model {
    pub fn new(settings: Settings, size: Size, now: Timestamp) -> Self {
        let Settings {
            identity,
            period,
            probe_lists,
            v1,
            v2,
            idle_limit: away_after,
            zone,
            appearance: looks,
            profiles,
            read_only,
            prices,
            veil,
            lock,
            seed,
        } = settings;
        Self {
            identity,
            period,
            probe_lists,
            v1,
            v2,
            zone,
            appearance: looks,
            profiles,
            read_only,
            size,
            now,
            page: Page::default(),
            frame_addresses: OnceLock::new(),
            mode: Mode::default(),
            forms: Forms::default(),
            proposals: Proposals::default(),
            focused: [0; Page::ALL.len()],
            is_zoomed: false,
            notice: None,
            accounts: Listing::default(),
            is_account_preselected: false,
            wallets: Listing::default(),
            wallet_filter: String::new(),
            wallets_scope: Scope::All,
            address_conflicts: Vec::new(),
            copy_state: CopyState::default(),
            conflict_input: String::new(),
            request_ids: RequestIds::default(),
            balances: Balances::default(),
            total: Total::default(),
            users: Users::default(),
            recent: History::new(HistoryList::Recent),
            history: History::new(HistoryList::Page),
            order_list: Listing::default(),
            order_filter: String::new(),
            order_sort: OrderSort::default(),
            shows_abandoned: false,
            listed_tokens: Vec::new(),
            tokens: Listing::default(),
            token_filter: String::new(),
            chains: Listing::default(),
            pairs: Listing::default(),
            prices: Prices::new(prices),
            charts: Charts::default(),
            stats: None,
            progress: SyncProgress::default(),
            initial_sync: InitialSync::default(),
            is_visit: false,
            has_own_cache: false,
            is_webhook_down: false,
            has_no_balance_users: false,
            remotes: PollStates::new(seed),
            cached_as_of: None,
            is_connected: false,
            link: Link::default(),
            skew: Skew::default(),
            store_failure: None,
            orders: Vec::new(),
            addresses: ServiceAddresses::default(),
            orders_failure: None,
            send_tracker: SendTracker::default(),
            exports: ExportState::default(),
            last_folder: String::new(),
            last_report: ReportKind::default(),
            raw: RawJson::default(),
            alarms_seen: HashMap::new(),
            events: Events::default(),
            views: SavedViews::default(),
            watches: WatchList::default(),
            attention: AttentionState::default(),
            absence: AbsenceTracker::new(away_after),
            network_mismatch: None,
            key_mark: Text::default(),
            book: BookPage::default(),
            limit_counts: LimitCounts::default(),
            has_separate_keys: false,
            veil,
            lock: Lock::new(lock),
            clipboard: ClipboardRoute::default(),
        }
    }

    pub fn focus(&self) -> Pane {
        let panes = screen::panes_of_page(self.page);
        let index = self.focused.get(self.page_index()).copied().unwrap_or(0);
        panes.get(index).or(panes.first()).copied().unwrap_or(Pane::Accounts)
    }

    /// Moves the focus to a pane of this page.
    pub fn set_focus(&mut self, pane: Pane) {
        let page = self.page_index();
        if let (Some(index), Some(slot)) =
            (screen::panes_of_page(self.page).iter().position(|known| *known == pane), self.focused.get_mut(page))
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
        match (self.wallets.selected_key(), self.accounts.selected_key()) {
            (Some(wallet), _) => Scope::Wallet(wallet.clone()),
            (None, Some(account)) => Scope::Account(account.clone()),
            (None, None) => Scope::All,
        }
    }

    pub fn account_scope(&self) -> Scope {
        self.accounts.selected_key().map_or(Scope::All, |account| Scope::Account(account.clone()))
    }

    pub fn history_of(&self, list: HistoryList) -> &History {
        match list {
            HistoryList::Recent => &self.recent,
            HistoryList::Page => &self.history,
        }
    }

    pub fn history_mut(&mut self, list: HistoryList) -> &mut History {
        match list {
            HistoryList::Recent => &mut self.recent,
            HistoryList::Page => &mut self.history,
        }
    }

    /// The list of transactions that has the focus.
    pub fn focused_history(&self) -> Option<&History> {
        self.focus().history_list().map(|list| self.history_of(list))
    }

    /// The list of transactions on the page.
    pub fn page_history(&self) -> Option<&History> {
        let list = screen::panes_of_page(self.page).iter().find_map(|pane| pane.history_list())?;
        Some(self.history_of(list))
    }

    pub fn focused_history_mut(&mut self) -> Option<&mut History> {
        self.focus().history_list().map(|list| self.history_mut(list))
    }

    /// Whether the rows of a pane are those of a filter, and so have a sum.
    pub fn has_sum(&self, pane: Pane) -> bool {
        match pane.history_list() {
            Some(list) => self.history_of(list).has_sum(),
            None => {
                (pane == Pane::Balances && !self.balances.filter.is_empty())
                    || (pane == Pane::Events && !self.events.filter.is_empty())
                    || (pane == Pane::Orders
                        && (!self.order_filter.is_empty() || self.size.height >= MIN_HEIGHT_WITH_ORDER_SUM)
                        && !self.orders.is_empty()
                        && !self.veil.is_on())
            }
        }
    }
}
