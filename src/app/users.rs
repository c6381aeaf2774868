//! The Users page: which users are listed, which one is selected, and what is known of that one.
//!
//! ```text
//!  a key moves the selection ──▶ the store is asked at once: balances, wallets
//!                           └──▶ what was read of this user before is shown at once, with its age
//!  the selection rests      ──▶ the service is asked: Balances(User), User      (poll)
//! ```

mod keys;
mod known;
mod veiled;

use std::time::Duration;

use super::ask;
use super::listing::Listing;
use super::model::{Mode, Model, Page};
use super::msg::{Effect, Turn};
use super::poll;
use super::screen::Pane;
use super::update::whole;
use crate::domain::history::{Known, Scope, Window};
use crate::domain::imitation::symbol_imitates;
use crate::domain::v1::{Asset, Deposit, Transfer};
use crate::domain::{Failure, Holding, Text, Timestamp, Token, User, UserId, Wallet};

pub(super) use keys::{deselect, fit, focused, motion, open};
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
    /// Whether the next question puts users in their places whose names came late: while somebody looks, a visit moves
    /// nobody.
    pub to_arrange: bool,
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
    /// What they hold, as version 2 tells it; suspicious tokens are left out unless wanted.
    pub held: Listing<Holding>,
    /// All of it.
    pub all_held: Vec<Holding>,
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
    /// Coins of deposits and transfers that look like listed ones and are spelt otherwise.
    pub imitations: Vec<Text>,
    /// What was read of users, those read last at the end.
    read: Vec<(UserId, Memory)>,
}

impl Default for Users {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            filter: String::new(),
            turn: Turn::default(),
            to_arrange: false,
            greeted: false,
            rests_at: None,
            below: Pane::Held,
            shown: None,
            kept_turn: Turn::default(),
            balances_at: None,
            held: Listing::default(),
            all_held: Vec::new(),
            wallets: Vec::new(),
            addresses: Listing::default(),
            assets: Listing::default(),
            deposits: Listing::default(),
            transfers: Listing::default(),
            imitations: Vec::new(),
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
    fn show(&mut self, listed: &[Token]) {
        let memory = self.memory().cloned().unwrap_or_default();
        let rows =
            |part: &Part<crate::domain::Listed<Deposit>>| part.good.as_ref().map(|(listed, _)| listed.rows.clone());
        let deposits = rows(&memory.deposits).unwrap_or_default();
        self.addresses.accept(whole(known::addresses(&self.wallets, &deposits, self.shown.as_ref())));
        self.deposits.accept(whole(deposits));
        self.assets.accept(whole(memory.assets.good.map(|(listed, _)| listed.rows).unwrap_or_default()));
        self.transfers.accept(whole(memory.transfers.good.map(|(listed, _)| listed.rows).unwrap_or_default()));
        let assets = self.assets.held().iter().map(|row| &row.coin);
        let moved = self.deposits.held().iter().map(|row| &row.coin);
        let moved = moved.chain(self.transfers.held().iter().map(|row| &row.coin));
        let mut coins: Vec<_> = assets.chain(moved).cloned().collect();
        coins.sort_unstable();
        coins.dedup();
        coins.retain(|coin| symbol_imitates(coin, listed));
        self.imitations = coins;
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
    users.all_held.clear();
    users.addresses.clear();
    users.assets.clear();
    users.deposits.clear();
    users.transfers.clear();
    users.show(&model.listed);
    model.pictures.look_alikes.rows_came();
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
    users.all_held = kept.holdings;
    users.balances_at = kept.balances_at;
    users.wallets = kept.wallets;
    users.show(&model.listed);
    model.pictures.look_alikes.rows_came();
    show_held(model);
}

/// Shows what the selected user holds, with or without what is suspicious.
pub(super) fn show_held(model: &mut Model) {
    let with = model.balances.with_suspicious;
    let mut rows: Vec<_> = model.users.all_held.iter().filter(|holding| with || !holding.suspicious).cloned().collect();
    model.balances.ranking.arrange(&model.prices, &mut rows);
    model.users.held.accept(whole(rows));
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
    users.show(&model.listed);
    model.pictures.look_alikes.rows_came();
    let mode = match &mut model.mode {
        Mode::Help { over, .. } => over,
        mode => mode,
    };
    if let Mode::Record { record, .. } = mode {
        record.refresh(users.deposits.held(), users.transfers.held());
    }
    told.trouble().cloned()
}

#[cfg(test)]
mod tests;
