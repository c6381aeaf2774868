//! What follows the selection, and what is read of the user selected.

use std::time::Duration;

use super::user_cache::{CachedUserReport, UserReport};
use super::{MAX_CACHED_USERS, UserDetails};
use crate::app::data::{poll, queries};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::domain::entry_source::Sourced;
use crate::domain::history::{Scope, Window};
use crate::domain::{Failure, Timestamp, User, UserId};

/// How long the selection must rest before the service is polled.
pub(super) const SELECTION_REST: Duration = Duration::from_millis(250);

/// The user that the page polls.
pub(in crate::app) fn polled_user(model: &Model) -> Option<&UserId> {
    (model.page == Page::Users).then(|| model.pages.users.listing.selected_key()).flatten()
}

/// The scope of the page's balances; all users while none is selected.
pub(in crate::app) fn balance_scope(model: &Model) -> Scope {
    polled_user(model).map_or(Scope::All, |user| Scope::User(user.clone()))
}

/// Whether the selection was moved just now and has not rested yet.
pub(in crate::app) fn is_selection_moving(model: &Model) -> bool {
    model.page == Page::Users && model.pages.users.rests_at.is_some_and(|at| model.now < at)
}

/// When the page next needs attention: the selection has rested, or a version 1 figure becomes stale.
pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let user = polled_user(model)?;
    let rests = model.pages.users.rests_at.filter(|at| *at > model.now);
    let limit = stale_limit(model, user);
    let ages = model.pages.users.cached_report().into_iter().flat_map(CachedUserReport::read_times);
    let turns_stale = ages.map(|at| at.plus(limit + Duration::from_millis(1))).filter(|at| *at > model.now);
    rests.into_iter().chain(turns_stale).min()
}

/// The age from which data of a user is stale.
fn stale_limit(model: &Model, user: &UserId) -> Duration {
    let dataset = crate::app::data::poll::Dataset::User { user: user.clone(), v1: model.console.preferences.v1 };
    crate::app::data::connection::stale_after(poll::poll_interval(&dataset, model.console.preferences.poll_period))
}

/// The age of a part, if it is stale.
pub fn part_staleness(model: &Model, read_at: Timestamp) -> Option<Duration> {
    let age = read_at.age(model.now);
    let user = model.pages.users.shown_user.as_ref()?;
    (age > stale_limit(model, user)).then_some(age)
}

pub(in crate::app) fn apply_users(model: &mut Model, window: Window<Sourced<User>>) -> Vec<Effect> {
    let before = model.pages.users.listing.selected_key().cloned();
    let short = model.pages.users.listing.apply_window(window);
    let mut effects = if short { vec![queries::query_users(model)] } else { Vec::new() };
    // The first user is selected once, so that the page shows its purpose.
    let greeted = !model.pages.users.was_user_preselected && model.pages.users.listing.select_first_visible();
    model.pages.users.was_user_preselected |= greeted;
    if model.pages.users.listing.selected_key() != before.as_ref() {
        effects.extend(after_selection_change(model));
        if greeted {
            model.pages.users.rests_at = None;
        }
    }
    effects
}

/// Another user is selected, or none: clears the details and queries those of the new selection.
pub(in crate::app) fn after_selection_change(model: &mut Model) -> Vec<Effect> {
    let user = model.pages.users.listing.selected_key().cloned();
    if user == model.pages.users.shown_user {
        return Vec::new();
    }
    let rests_at = model.now.plus(SELECTION_REST);
    let users = &mut model.pages.users;
    users.rests_at = Some(rests_at);
    users.shown_user = user;
    users.balances_at = None;
    users.wallets.clear();
    users.holdings.unload();
    users.all_holdings.clear();
    users.addresses.unload();
    users.assets.unload();
    users.deposits.unload();
    users.withdrawals.unload();
    users.transfers.unload();
    users.show_cached_report(&model.data.listed_tokens);
    model.data.analyses.look_alikes.note_new_rows();
    model.data.remotes.user.change_target();
    model.data.remotes.scope_balances.change_target();
    queries::query_user_details(model).into_iter().collect()
}

pub(in crate::app) fn apply_details(model: &mut Model, user: &UserId, details: UserDetails) {
    let users = &mut model.pages.users;
    if users.shown_user.as_ref() != Some(user) {
        return;
    }
    users.all_holdings = details.holdings;
    users.balances_at = details.balances_at;
    users.wallets = details.wallets;
    users.show_cached_report(&model.data.listed_tokens);
    model.data.analyses.look_alikes.note_new_rows();
    refresh_holding_rows(model);
}

/// Shows the selected user's balances, with or without imitation tokens.
pub(in crate::app) fn refresh_holding_rows(model: &mut Model) {
    let with = model.pages.shows_suspicious;
    let mut rows: Vec<_> =
        model.pages.users.all_holdings.iter().filter(|holding| with || !holding.suspicious).cloned().collect();
    model.pages.holding_order.sort_holdings(&model.data.prices, &mut rows);
    model.pages.users.holdings.apply_window(Window::whole(rows));
}

/// Takes a user's report from the service. A part that could not be read keeps its earlier data, which ages. Returns
/// the failure that concerns the service and not the user, if there is one.
pub(in crate::app) fn apply_user_report(model: &mut Model, report: &UserReport) -> Option<Failure> {
    let (now, users) = (model.now, &mut model.pages.users);
    let user = report.user.clone();
    let mut memory = match users.cached_reports.iter().position(|(cached_user, _)| *cached_user == user) {
        Some(index) => users.cached_reports.remove(index).1,
        None => CachedUserReport::default(),
    };
    memory.apply(report.clone(), now);
    if users.cached_reports.len() >= MAX_CACHED_USERS {
        users.cached_reports.remove(0);
    }
    users.cached_reports.push((user, memory));
    users.show_cached_report(&model.data.listed_tokens);
    model.data.analyses.look_alikes.note_new_rows();
    for mode in std::iter::once(&mut model.mode).chain(&mut model.modes_below) {
        if let Mode::Record { record, .. } = mode {
            record.refresh_from_users(users);
        }
    }
    report.service_failure().cloned()
}
