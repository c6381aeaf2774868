//! The Users page: which users are listed, which one is selected, and what is known of that one.
//!
//! ```text
//!  a key moves the selection ──▶ the store is asked at once: balances, wallets
//!                           └──▶ what was read of this user before is shown at once, with its age
//!  the selection rests      ──▶ the service is asked: Balances(User), User      (poll)
//! ```

mod known;

use std::time::Duration;

use super::ask;
use super::filtering::set_filter;
use super::keymap::Command;
use super::keys::{moved, show_page};
use super::listing::Listing;
use super::model::{Model, Page};
use super::msg::{Effect, Turn};
use super::poll;
use super::screen::Pane;
use super::update::whole;
use crate::domain::history::{Known, Scope, Window};
use crate::domain::v1::{Asset, Deposit, Transfer};
use crate::domain::{Failure, Holding, Timestamp, User, UserId, Wallet};

pub use known::{AddressKey, FromV1, KnownAddress, Memory, Part, Particulars};

/// How long the selection must rest before the service is asked.
const REST: Duration = Duration::from_millis(250);
/// Of how many users what was read is remembered.
const REMEMBERED: usize = 32;

/// What the store knows of one user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// What they hold.
    pub holdings: Vec<Holding>,
    /// Their wallets, as far as they are known.
    pub wallets: Vec<Known<Wallet>>,
    /// When the service was last asked what they hold; `None` if it never answered.
    pub balances_at: Option<Timestamp>,
}

/// The Users page.
#[derive(Debug, Clone)]
pub struct Users {
    /// Users that are known, by name.
    pub listing: Listing<Known<User>>,
    /// The filter on them, as typed.
    pub filter: String,
    /// The turn of the newest question for them.
    pub turn: Turn,
    /// Whether the first user was selected by itself once.
    greeted: bool,
    /// When the selection will have rested.
    rests_at: Option<Timestamp>,
    /// Which of the panes of the selected user stands below the list where there is room for one alone.
    pub below: Pane,
    /// Whom the following is about.
    pub shown: Option<UserId>,
    /// The turn of the newest question for what the store knows of them.
    pub kept_turn: Turn,
    /// When the service last told what they hold.
    pub balances_at: Option<Timestamp>,
    /// What they hold, as version 2 tells it.
    pub held: Listing<Holding>,
    /// Their wallets, as far as they are known.
    wallets: Vec<Known<Wallet>>,
    /// Where they can be paid.
    pub addresses: Listing<KnownAddress>,
    /// What they hold, as version 1 tells it.
    pub assets: Listing<Asset>,
    /// Deposits of version 1, the newest first.
    pub deposits: Listing<Deposit>,
    /// Transfers of version 1, the newest first.
    pub transfers: Listing<Transfer>,
    /// What was read of users, those read last at the end.
    read: Vec<(UserId, Memory)>,
}

impl Default for Users {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            filter: String::new(),
            turn: Turn::default(),
            greeted: false,
            rests_at: None,
            below: Pane::Held,
            shown: None,
            kept_turn: Turn::default(),
            balances_at: None,
            held: Listing::default(),
            wallets: Vec::new(),
            addresses: Listing::default(),
            assets: Listing::default(),
            deposits: Listing::default(),
            transfers: Listing::default(),
            read: Vec::new(),
        }
    }
}

impl Users {
    /// What was read of the selected user, if anything was.
    pub fn memory(&self) -> Option<&Memory> {
        let shown = self.shown.as_ref()?;
        self.read.iter().find(|(user, _)| user == shown).map(|(_, memory)| memory)
    }

    /// The selected user, while the list holds their row.
    pub fn selected(&self) -> Option<&Known<User>> {
        self.listing.selected()
    }

    /// Shows what is remembered of the selected user in the lists of version 1, and whatever tells addresses.
    fn show(&mut self) {
        let memory = self.memory().cloned().unwrap_or_default();
        let rows =
            |part: &Part<crate::domain::Listed<Deposit>>| part.good.as_ref().map(|(listed, _)| listed.rows.clone());
        let deposits = rows(&memory.deposits).unwrap_or_default();
        self.addresses.accept(whole(known::addresses(&self.wallets, &deposits, self.shown.as_ref())));
        self.deposits.accept(whole(deposits));
        self.assets.accept(whole(memory.assets.good.map(|(listed, _)| listed.rows).unwrap_or_default()));
        self.transfers.accept(whole(memory.transfers.good.map(|(listed, _)| listed.rows).unwrap_or_default()));
    }
}

/// Whom the page reads from the service.
pub(super) fn watched(model: &Model) -> Option<&UserId> {
    (model.page == Page::Users).then(|| model.users.listing.selected_key()).flatten()
}

/// Whose balances the page shows; everybody's, which is nobody's in particular, while nobody is selected.
pub(super) fn scope(model: &Model) -> Scope {
    watched(model).map_or(Scope::All, |user| Scope::User(user.clone()))
}

/// Whether the selection was moved just now.
pub(super) fn is_moving(model: &Model) -> bool {
    model.page == Page::Users && model.users.rests_at.is_some_and(|at| model.now < at)
}

/// When the page next has something to do by itself: the selection rests, or a figure of version 1 turns stale.
pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let user = watched(model)?;
    let rests = model.users.rests_at.filter(|at| *at > model.now);
    let limit = limit(model, user);
    let ages = model.users.memory().into_iter().flat_map(Memory::times);
    let turns_stale = ages.map(|at| at.plus(limit + Duration::from_millis(1))).filter(|at| *at > model.now);
    rests.into_iter().chain(turns_stale).min()
}

/// How old what is read of a user may be before it counts as stale.
fn limit(model: &Model, user: &UserId) -> Duration {
    let what = super::msg::Dataset::User { user: user.clone(), v1: model.v1 };
    super::link::stale_after(poll::pause(&what, model.period))
}

/// How old a part is, if it should have been read again since.
pub fn staleness(model: &Model, read_at: Timestamp) -> Option<Duration> {
    let age = read_at.age(model.now);
    let user = model.users.shown.as_ref()?;
    (age > limit(model, user)).then_some(age)
}

/// A window of users came from the store.
pub(super) fn listed(model: &mut Model, window: Window<Known<User>>) -> Vec<Effect> {
    let before = model.users.listing.selected_key().cloned();
    let short = model.users.listing.accept(window);
    let mut effects = if short { vec![ask::users(model)] } else { Vec::new() };
    // The first user is selected once, so that the page shows what it is for.
    let greeted = !model.users.greeted && model.users.listing.select_visible();
    model.users.greeted |= greeted;
    if model.users.listing.selected_key() != before.as_ref() {
        effects.extend(selected(model));
        if greeted {
            model.users.rests_at = None;
        }
    }
    effects
}

/// Another user is selected, or none.
pub(super) fn selected(model: &mut Model) -> Vec<Effect> {
    let user = model.users.listing.selected_key().cloned();
    if user == model.users.shown {
        return Vec::new();
    }
    let rests_at = model.now.plus(REST);
    let users = &mut model.users;
    users.rests_at = Some(rests_at);
    users.shown = user;
    users.balances_at = None;
    users.wallets.clear();
    users.held.clear();
    users.addresses.clear();
    users.assets.clear();
    users.deposits.clear();
    users.transfers.clear();
    users.show();
    model.remotes.user.turn_elsewhere();
    model.remotes.visible.turn_elsewhere();
    ask::user(model).into_iter().collect()
}

/// What the store knows of the selected user.
pub(super) fn kept(model: &mut Model, user: &UserId, kept: Kept) {
    let users = &mut model.users;
    if users.shown.as_ref() != Some(user) {
        return;
    }
    users.held.accept(whole(kept.holdings));
    users.balances_at = kept.balances_at;
    users.wallets = kept.wallets;
    users.show();
}

/// The service told of a user. What could not be read leaves what was known before, which ages. Returns the failure that
/// speaks of the service and not of the user, if one does.
pub(super) fn told(model: &mut Model, told: &Particulars) -> Option<Failure> {
    let (now, users) = (model.now, &mut model.users);
    let user = told.user.clone();
    let mut memory = match users.read.iter().position(|(known, _)| *known == user) {
        Some(index) => users.read.remove(index).1,
        None => Memory::default(),
    };
    memory.take(told.clone(), now);
    if users.read.len() >= REMEMBERED {
        users.read.remove(0);
    }
    users.read.push((user, memory));
    users.show();
    told.trouble().cloned()
}

/// Moves in a list of the page.
pub(super) fn motion(model: &mut Model, pane: Pane, command: Command) -> Vec<Effect> {
    let users = &mut model.users;
    let short = match pane {
        Pane::Users => moved(&mut users.listing, command, false),
        Pane::Held => moved(&mut users.held, command, false),
        Pane::Assets => moved(&mut users.assets, command, false),
        Pane::Addresses => moved(&mut users.addresses, command, false),
        Pane::Deposits => moved(&mut users.deposits, command, false),
        Pane::Transfers => moved(&mut users.transfers, command, false),
        _ => false,
    };
    if pane != Pane::Users {
        return Vec::new();
    }
    let mut effects = if short { vec![ask::users(model)] } else { Vec::new() };
    effects.extend(selected(model));
    effects
}

/// Opens what is selected: a user leads to what they hold, a balance to its history.
pub(super) fn open(model: &mut Model, pane: Pane) -> Vec<Effect> {
    match pane {
        Pane::Users => {
            let chosen = model.users.listing.select_visible();
            let below = model.users.below;
            model.set_focus(below);
            if chosen { selected(model) } else { Vec::new() }
        }
        Pane::Held => {
            if model.users.held.select_visible() {
                return Vec::new();
            }
            let (Some(holding), Some(user)) = (model.users.held.selected(), &model.users.shown) else {
                return Vec::new();
            };
            let filter = format!("user:{user} token:{} chain:{}", holding.symbol, holding.token.blockchain);
            let mut effects = show_page(model, Page::Transactions);
            effects.extend(set_filter(model, Pane::History, filter));
            effects
        }
        _ => Vec::new(),
    }
}

/// A pane of the page has the focus: one of the selected user stays where there is room for one alone.
pub(super) fn focused(model: &mut Model, pane: Pane) {
    if model.page == Page::Users && pane != Pane::Users {
        model.users.below = pane;
    }
}

/// Drops the selection of a list of the page; says whether there was one.
pub(super) fn deselect(model: &mut Model, pane: Pane) -> bool {
    let users = &mut model.users;
    match pane {
        Pane::Users => users.listing.deselect(),
        Pane::Held => users.held.deselect(),
        Pane::Assets => users.assets.deselect(),
        Pane::Addresses => users.addresses.deselect(),
        Pane::Deposits => users.deposits.deselect(),
        Pane::Transfers => users.transfers.deselect(),
        _ => false,
    }
}

/// Tells a list of the page how many of its rows are visible; says whether rows must be asked for.
pub(super) fn fit(users: &mut Users, pane: Pane, rows: u16) -> bool {
    match pane {
        Pane::Users => return users.listing.set_height(rows),
        Pane::Held => users.held.set_height(rows),
        Pane::Assets => users.assets.set_height(rows),
        Pane::Addresses => users.addresses.set_height(rows),
        Pane::Deposits => users.deposits.set_height(rows),
        Pane::Transfers => users.transfers.set_height(rows),
        _ => false,
    };
    // These are held whole.
    false
}

#[cfg(test)]
mod tests;
