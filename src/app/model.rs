//! Everything that the screen shows and the next key depends on.

use std::collections::HashMap;
use std::time::Duration;

use super::absence::AbsenceTracker;
use super::book::BookPage;
use super::charts::Charts;
use super::copying::CopyState;
use super::events::Events;
use super::export::Exports;
use super::forms::Forms;
use super::initial_sync::InitialSync;
use super::link::Link;
use super::listing::Listing;
use super::lock::Lock;
use super::msg::{HistoryList, RequestId, Size};
use super::orders::SendTracker;
use super::panes::balances::ranking::Ranking;
use super::panes::detail::raw::Raw;
use super::panes::orders::OrderSort;
use super::poll::Remotes;
use super::prices::Prices;
use super::profile_switch::OtherProfile;
use super::screen::{self, Pane};
use super::users::Users;
use super::veil::Veil;
use super::watches::WatchList;
use crate::domain::history::{Progress, Scope, Sourced};
use crate::domain::intent::ServiceAddresses;
use crate::domain::v1::SwapPair;
use crate::domain::{
    Account, Appearance, Blockchain, Clipboard, Failure, Holding, Order, OrderId, Skew, Text, Timestamp, Token,
    UserStats, Wallet, Zone,
};

mod history;
mod names;
#[cfg(test)]
mod sample;
mod settings;

pub use super::mode::{Mode, Page};
pub use history::History;
pub use settings::{
    CONFIGURATION_OF_OTHERS, Identity, READ_ONLY_BY_HOST, READ_ONLY_BY_OPTION, Settings, is_read_only_by_choice,
    shows_orders,
};

/// What is held by what is selected.
#[derive(Debug, Clone, Default)]
pub struct Balances {
    /// The rows that match the filter, suspicious ones left out unless wanted.
    pub listing: Listing<Holding>,
    /// All of them.
    pub all: Vec<Holding>,
    /// The filter on them, as typed.
    pub filter: String,
    /// Whose they are.
    pub scope: Scope,
    /// How many users' balances are in them.
    pub users: u64,
    /// Whether suspicious ones are shown.
    pub shows_suspicious: bool,
    /// In which order they stand, here and on the Users page.
    pub ranking: Ranking,
    /// The turn of the newest question.
    pub turn: RequestId,
}

/// Everything that the screen shows and the next key depends on.
#[derive(Debug)]
pub struct Model {
    /// Whose treasury this is.
    pub identity: Identity,
    /// How often what is on screen is read.
    pub period: Duration,
    /// Whether to ask for the lists that the specification does not document.
    pub probe_lists: bool,
    /// Whether version 1 is asked for what it tells of users.
    pub v1: bool,
    /// Whether version 2 is asked for what moves money; version 1 is, where it is not.
    pub v2: bool,
    /// By which clock times are shown.
    pub zone: Zone,
    /// How the screen looks.
    pub looks: Appearance,
    /// Other profiles that may be opened from here.
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only, if it does.
    pub read_only: Option<Text>,
    /// The screen.
    pub size: Size,
    /// The time of the last message.
    pub now: Timestamp,
    /// The page.
    pub page: Page,
    /// What keys go to.
    pub mode: Mode,
    /// What outlives a form.
    pub forms: Forms,
    /// The pane that has the focus, for each page.
    pub focused: [usize; Page::ALL.len()],
    /// Whether the focused pane has the page to itself.
    pub is_zoomed: bool,
    /// Said once in the footer, until the next key.
    pub notice: Option<String>,
    /// Accounts.
    pub accounts: Listing<Sourced<Account>>,
    /// Whether the first account was selected by itself once.
    pub is_account_preselected: bool,
    /// Wallets of the selected account.
    pub wallets: Listing<Sourced<Wallet>>,
    /// The filter on them.
    pub wallet_filter: String,
    /// Whose wallets are on screen.
    pub wallets_scope: Scope,
    /// Wallets of which the service told another address, at which nobody has looked.
    pub address_conflicts: Vec<Sourced<Wallet>>,
    /// What is to be copied, where it is an address that may be taken for another.
    pub copy_state: CopyState,
    /// What is typed on the page of a wallet's address to say which of two is right.
    pub conflict_input: String,
    /// The turns of the questions for accounts, wallets and tokens.
    pub turns: RequestIds,
    /// What is held.
    pub balances: Balances,
    /// Users.
    pub users: Users,
    /// Recent transactions, on the Overview.
    pub recent: History,
    /// The Transactions page.
    pub history: History,
    /// Orders, in the order of their page.
    pub order_list: Listing<OrderId>,
    /// In which order they stand.
    pub order_sort: OrderSort,
    /// Whether those are listed, too, that were given up before anything was sent.
    pub shows_abandoned: bool,
    /// Every token that the service lists.
    pub listed: Vec<Token>,
    /// Those of them that match the filter.
    pub tokens: Listing<Token>,
    /// The filter on them.
    pub token_filter: String,
    /// Blockchains of the selected token.
    pub chains: Listing<Blockchain>,
    /// Pairs in which the selected token is sold.
    pub pairs: Listing<SwapPair>,
    /// Prices of this session.
    pub prices: Prices,
    /// What the store worked out for pictures.
    pub charts: Charts,
    /// Counts of the workspace.
    pub stats: Option<UserStats>,
    /// How far the history has been read.
    pub progress: Progress,
    /// How the first read of the history goes.
    pub initial_sync: InitialSync,
    /// Whether this is a visit: the console runs on a machine of somebody else, whose files are out of reach.
    pub is_visit: bool,
    /// Whether another console has the cache of this service, so that this one reads into one of its own.
    pub has_own_cache: bool,
    /// Whether webhooks were to be listened for and are not.
    pub is_webhook_down: bool,
    /// Whether the last read of the balances on screen found nobody to read them of.
    pub has_no_balance_users: bool,
    /// Freshness of each data set.
    pub remotes: Remotes,
    /// When the history was last looked at in an earlier session: what the cache shows is as old as that.
    pub cached_as_of: Option<Timestamp>,
    /// Whether reads from the service may start: not before the first picture.
    pub is_connected: bool,
    /// How the connection stands.
    pub link: Link,
    /// How this machine's clock stands against the service's.
    pub skew: Skew,
    /// The store failed in reading; said in a banner.
    pub store_failure: Option<Failure>,
    /// Orders of the journal: those that are open, and the newest of the others; unresolved ones first.
    pub orders: Vec<Order>,
    /// Under which base addresses this profile stood, by the journal.
    pub addresses: ServiceAddresses,
    /// Why the journal could not be read, if so.
    pub orders_failure: Option<Failure>,
    /// What this run of the program did with orders.
    pub send_tracker: SendTracker,
    /// Exports of what is shown.
    pub exports: Exports,
    /// A transaction as the service writes it, where somebody wanted to see it.
    pub raw: Raw,
    /// How many alarms of an order the operator has looked at.
    pub alarms_seen: HashMap<OrderId, usize>,
    /// What happened while this console ran.
    pub events: Events,
    /// Watches of the profile.
    pub watches: WatchList,
    /// What the operator missed who looked away.
    pub absence: AbsenceTracker,
    /// What the data say of their network, where that is not the profile's.
    pub network_mismatch: Option<Text>,
    /// Tells the API key under which this console reads from others; empty where nobody knows it.
    pub key_mark: Text,
    /// The Book page.
    pub book: BookPage,
    /// Whether changes are asked for under another API key than the one that reads.
    pub has_separate_keys: bool,
    /// Whether the screen is veiled.
    pub veil: Veil,
    /// Whether paying is locked.
    pub lock: Lock,
    /// What takes a copied text on its way to the clipboard.
    pub clipboard: Clipboard,
}

/// Turns of the questions that have no state of their own.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIds {
    /// Of the accounts.
    pub accounts: RequestId,
    /// Of the wallets.
    pub wallets: RequestId,
    /// Of those of which another address was told.
    pub contradicted: RequestId,
    /// Of the tokens.
    pub markets: RequestId,
    /// Of rows that are open or marked.
    pub rows: RequestId,
    /// Of what the sandbox holds.
    pub sandbox: RequestId,
}

impl Model {
    /// A console that knows nothing yet.
    pub fn new(settings: Settings, size: Size, now: Timestamp) -> Self {
        let Settings {
            identity,
            period,
            probe_lists,
            v1,
            v2,
            idle_limit: away_after,
            zone,
            looks,
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
            looks,
            profiles,
            read_only,
            size,
            now,
            page: Page::default(),
            mode: Mode::default(),
            forms: Forms::default(),
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
            turns: RequestIds::default(),
            balances: Balances::default(),
            users: Users::default(),
            recent: History::new(HistoryList::Recent),
            history: History::new(HistoryList::Page),
            order_list: Listing::default(),
            order_sort: OrderSort::default(),
            shows_abandoned: false,
            listed: Vec::new(),
            tokens: Listing::default(),
            token_filter: String::new(),
            chains: Listing::default(),
            pairs: Listing::default(),
            prices: Prices::new(prices),
            charts: Charts::default(),
            stats: None,
            progress: Progress::default(),
            initial_sync: InitialSync::default(),
            is_visit: false,
            has_own_cache: false,
            is_webhook_down: false,
            has_no_balance_users: false,
            remotes: Remotes::new(seed),
            cached_as_of: None,
            is_connected: false,
            link: Link::default(),
            skew: Skew::default(),
            store_failure: None,
            orders: Vec::new(),
            addresses: ServiceAddresses::default(),
            orders_failure: None,
            send_tracker: SendTracker::default(),
            exports: Exports::default(),
            raw: Raw::default(),
            alarms_seen: HashMap::new(),
            events: Events::default(),
            watches: WatchList::default(),
            absence: AbsenceTracker::new(away_after),
            network_mismatch: None,
            key_mark: Text::default(),
            book: BookPage::default(),
            has_separate_keys: false,
            veil,
            lock: Lock::new(lock),
            clipboard: Clipboard::default(),
        }
    }

    /// The pane that has the focus.
    pub fn focus(&self) -> Pane {
        let panes = screen::panes(self.page);
        let index = self.focused.get(self.page_index()).copied().unwrap_or(0);
        panes.get(index).or(panes.first()).copied().unwrap_or(Pane::Accounts)
    }

    /// Gives the focus to a pane of this page.
    pub fn set_focus(&mut self, pane: Pane) {
        let page = self.page_index();
        if let (Some(index), Some(slot)) =
            (screen::panes(self.page).iter().position(|known| *known == pane), self.focused.get_mut(page))
        {
            *slot = index;
        }
    }

    /// The place of this page among all.
    pub fn page_index(&self) -> usize {
        self.page.digit() - 1
    }

    /// What is selected at the left: it narrows what stands at its right.
    pub fn scope(&self) -> Scope {
        match (self.wallets.selected_key(), self.accounts.selected_key()) {
            (Some(wallet), _) => Scope::Wallet(wallet.clone()),
            (None, Some(account)) => Scope::Account(account.clone()),
            (None, None) => Scope::All,
        }
    }

    /// Whose wallets are listed.
    pub fn account_scope(&self) -> Scope {
        self.accounts.selected_key().map_or(Scope::All, |account| Scope::Account(account.clone()))
    }

    /// A list of transactions.
    pub fn history_mut(&mut self, list: HistoryList) -> &mut History {
        match list {
            HistoryList::Recent => &mut self.recent,
            HistoryList::Page => &mut self.history,
        }
    }

    /// The list of transactions that has the focus.
    pub fn focused_history(&self) -> Option<&History> {
        match self.focus() {
            Pane::Recent => Some(&self.recent),
            Pane::History => Some(&self.history),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn focused_history_mut(&mut self) -> Option<&mut History> {
        match self.focus() {
            Pane::Recent => Some(&mut self.recent),
            Pane::History => Some(&mut self.history),
            _ => None,
        }
    }
}
