//! The Users page: the list, the selection, and the details of the selected user.
//!
//! ```text
//!  a key moves the selection ──▶ the store is queried at once: balances, wallets
//!                           └──▶ data read of the user before is shown at once, with its age
//!  the selection rests      ──▶ the service is polled: Balances(User), User      (poll)
//! ```

mod keys;
mod masking;
pub mod part_notes;
pub mod record;
mod user_cache;
pub mod view;

use std::time::Duration;

use crate::app::data::poll;
use crate::app::data::queries;
use crate::app::listing::Listing;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, RequestId};
use crate::app::screen::Pane;
use crate::domain::history::{Scope, Sourced, Window};
use crate::domain::imitation::symbol_imitates;
use crate::domain::v1::{Asset, Deposit, Transfer};
use crate::domain::{Failure, Holding, Text, Timestamp, Token, User, UserId, Wallet};

pub(in crate::app) use keys::{move_selection, open_holding, open_record, open_user, remember_detail_pane};
pub use user_cache::{AddressKey, CachedPart, CachedUserReport, DepositAddress, UserReport, V1UserReport};

/// How long the selection must rest before the service is polled.
const SELECTION_REST: Duration = Duration::from_millis(250);
/// The number of users whose data is cached.
const MAX_CACHED_USERS: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserDetails {
    pub holdings: Vec<Holding>,
    pub wallets: Vec<Sourced<Wallet>>,
    /// When the service last reported the balances; `None` if it never did.
    pub balances_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub struct Users {
    /// The known users, by name.
    pub listing: Listing<Sourced<User>>,
    pub filter: String,
    pub request_id: RequestId,
    /// Whether the next query may move users whose names came late to their sorted positions: while the list is on
    /// screen, users do not move.
    pub needs_rearranging: bool,
    /// Whether the first user was selected automatically, which happens once.
    was_user_preselected: bool,
    /// When the selection will have rested.
    rests_at: Option<Timestamp>,
    /// The pane shown below the list where only one fits.
    pub detail_pane: Pane,
    /// The selected user, whose data the fields below hold.
    pub shown_user: Option<UserId>,
    pub details_request_id: RequestId,
    /// When the service last reported the user's balances.
    pub balances_at: Option<Timestamp>,
    /// The version 2 balances, with imitation tokens only if they are shown.
    pub holdings: Listing<Holding>,
    /// All version 2 balances.
    pub all_holdings: Vec<Holding>,
    /// The user's known wallets.
    wallets: Vec<Sourced<Wallet>>,
    /// The known addresses at which the user can be paid.
    pub addresses: Listing<DepositAddress>,
    pub assets: Listing<Asset>,
    /// Version 1 deposits, newest first.
    pub deposits: Listing<Deposit>,
    /// Version 1 transfers, newest first.
    pub transfers: Listing<Transfer>,
    /// Coins that look like listed ones but are spelt differently.
    pub imitations: Vec<Text>,
    /// The cached data of users; those read last are at the end.
    cached_reports: Vec<(UserId, CachedUserReport)>,
}

impl Default for Users {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            filter: String::new(),
            request_id: RequestId::default(),
            needs_rearranging: false,
            was_user_preselected: false,
            rests_at: None,
            detail_pane: Pane::Holdings,
            shown_user: None,
            details_request_id: RequestId::default(),
            balances_at: None,
            holdings: Listing::default(),
            all_holdings: Vec::new(),
            wallets: Vec::new(),
            addresses: Listing::default(),
            assets: Listing::default(),
            deposits: Listing::default(),
            transfers: Listing::default(),
            imitations: Vec::new(),
            cached_reports: Vec::new(),
        }
    }
}

impl Users {
    pub fn cached_report(&self) -> Option<&CachedUserReport> {
        let shown = self.shown_user.as_ref()?;
        self.cached_reports.iter().find(|(user, _)| user == shown).map(|(_, memory)| memory)
    }

    /// The selected user, while the list has the row.
    pub fn selected(&self) -> Option<&Sourced<User>> {
        self.listing.selected()
    }

    /// Shows the cached data of the selected user in the version 1 lists and the list of addresses.
    fn show_cached_report(&mut self, listed: &[Token]) {
        let memory = self.cached_report().cloned().unwrap_or_default();
        let rows = |part: &CachedPart<crate::domain::PagedList<Deposit>>| {
            part.value.as_ref().map(|(listed, _)| listed.rows.clone())
        };
        let deposits = rows(&memory.deposits).unwrap_or_default();
        self.addresses.apply_window(Window::whole(user_cache::deposit_addresses(
            &self.wallets,
            &deposits,
            self.shown_user.as_ref(),
        )));
        self.deposits.apply_window(Window::whole(deposits));
        self.assets.apply_window(Window::whole(memory.assets.value.map(|(listed, _)| listed.rows).unwrap_or_default()));
        self.transfers
            .apply_window(Window::whole(memory.transfers.value.map(|(listed, _)| listed.rows).unwrap_or_default()));
        let assets = self.assets.rows().iter().map(|row| &row.coin);
        let moved = self.deposits.rows().iter().map(|row| &row.coin);
        let moved = moved.chain(self.transfers.rows().iter().map(|row| &row.coin));
        let mut coins: Vec<_> = assets.chain(moved).cloned().collect();
        coins.sort_unstable();
        coins.dedup();
        coins.retain(|coin| symbol_imitates(coin, listed));
        self.imitations = coins;
    }
}

/// The user that the page polls.
pub(in crate::app) fn polled_user(model: &Model) -> Option<&UserId> {
    (model.page == Page::Users).then(|| model.users.listing.selected_key()).flatten()
}

/// The scope of the page's balances; all users while none is selected.
pub(in crate::app) fn balance_scope(model: &Model) -> Scope {
    polled_user(model).map_or(Scope::All, |user| Scope::User(user.clone()))
}

/// Whether the selection was moved just now and has not rested yet.
pub(in crate::app) fn is_selection_moving(model: &Model) -> bool {
    model.page == Page::Users && model.users.rests_at.is_some_and(|at| model.now < at)
}

/// When the page next needs attention: the selection has rested, or a version 1 figure becomes stale.
pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let user = polled_user(model)?;
    let rests = model.users.rests_at.filter(|at| *at > model.now);
    let limit = stale_limit(model, user);
    let ages = model.users.cached_report().into_iter().flat_map(CachedUserReport::read_times);
    let turns_stale = ages.map(|at| at.plus(limit + Duration::from_millis(1))).filter(|at| *at > model.now);
    rests.into_iter().chain(turns_stale).min()
}

/// The age from which data of a user is stale.
fn stale_limit(model: &Model, user: &UserId) -> Duration {
    let what = crate::app::msg::Dataset::User { user: user.clone(), v1: model.v1 };
    crate::app::data::link::stale_after(poll::poll_interval(&what, model.period))
}

/// The age of a part, if it is stale.
pub fn part_staleness(model: &Model, read_at: Timestamp) -> Option<Duration> {
    let age = read_at.age(model.now);
    let user = model.users.shown_user.as_ref()?;
    (age > stale_limit(model, user)).then_some(age)
}

pub(in crate::app) fn apply_users(model: &mut Model, window: Window<Sourced<User>>) -> Vec<Effect> {
    let before = model.users.listing.selected_key().cloned();
    let short = model.users.listing.apply_window(window);
    let mut effects = if short { vec![queries::query_users(model)] } else { Vec::new() };
    // The first user is selected once, so that the page shows its purpose.
    let greeted = !model.users.was_user_preselected && model.users.listing.select_first_visible();
    model.users.was_user_preselected |= greeted;
    if model.users.listing.selected_key() != before.as_ref() {
        effects.extend(after_selection_change(model));
        if greeted {
            model.users.rests_at = None;
        }
    }
    effects
}

/// Another user is selected, or none: clears the details and queries those of the new selection.
pub(in crate::app) fn after_selection_change(model: &mut Model) -> Vec<Effect> {
    let user = model.users.listing.selected_key().cloned();
    if user == model.users.shown_user {
        return Vec::new();
    }
    let rests_at = model.now.plus(SELECTION_REST);
    let users = &mut model.users;
    users.rests_at = Some(rests_at);
    users.shown_user = user;
    users.balances_at = None;
    users.wallets.clear();
    users.holdings.clear();
    users.all_holdings.clear();
    users.addresses.clear();
    users.assets.clear();
    users.deposits.clear();
    users.transfers.clear();
    users.show_cached_report(&model.listed_tokens);
    model.charts.look_alikes.note_new_rows();
    model.remotes.user.change_target();
    model.remotes.scope_balances.change_target();
    queries::query_user_details(model).into_iter().collect()
}

pub(in crate::app) fn apply_details(model: &mut Model, user: &UserId, kept: UserDetails) {
    let users = &mut model.users;
    if users.shown_user.as_ref() != Some(user) {
        return;
    }
    users.all_holdings = kept.holdings;
    users.balances_at = kept.balances_at;
    users.wallets = kept.wallets;
    users.show_cached_report(&model.listed_tokens);
    model.charts.look_alikes.note_new_rows();
    show_holdings(model);
}

/// Shows the selected user's balances, with or without imitation tokens.
pub(in crate::app) fn show_holdings(model: &mut Model) {
    let with = model.balances.shows_suspicious;
    let mut rows: Vec<_> =
        model.users.all_holdings.iter().filter(|holding| with || !holding.suspicious).cloned().collect();
    model.balances.ranking.sort_holdings(&model.prices, &mut rows);
    model.users.holdings.apply_window(Window::whole(rows));
}

/// Takes a user's report from the service. A part that could not be read keeps its earlier data, which ages. Returns
/// the failure that concerns the service and not the user, if there is one.
pub(in crate::app) fn apply_user_report(model: &mut Model, told: &UserReport) -> Option<Failure> {
    let (now, users) = (model.now, &mut model.users);
    let user = told.user.clone();
    let mut memory = match users.cached_reports.iter().position(|(known, _)| *known == user) {
        Some(index) => users.cached_reports.remove(index).1,
        None => CachedUserReport::default(),
    };
    memory.apply(told.clone(), now);
    if users.cached_reports.len() >= MAX_CACHED_USERS {
        users.cached_reports.remove(0);
    }
    users.cached_reports.push((user, memory));
    users.show_cached_report(&model.listed_tokens);
    model.charts.look_alikes.note_new_rows();
    let mode = if let Mode::Help { over, .. } = &mut model.mode { over } else { &mut model.mode };
    if let Mode::Record { record, .. } = mode {
        record.refresh(users.deposits.rows(), users.transfers.rows());
    }
    told.service_failure().cloned()
}

#[cfg(test)]
mod tests;
