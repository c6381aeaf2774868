//! Which data sets are needed now, and which reads start.

use super::Dataset;
use crate::app::data::connection::ConnectionState;
use crate::app::data::{analyses, prices};
use crate::app::forms::live_quote;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::pages::users;
use crate::app::session::lock;
use crate::domain::Timestamp;
use crate::domain::history::Scope;

/// The data sets that this page needs now, without reads that would be in vain.
fn needed_datasets(model: &Model) -> Vec<Dataset> {
    let mut datasets = vec![Dataset::Latest];
    // The rejection may end; reading the history detects that.
    if model.data.connection == ConnectionState::KeyRejected {
        return datasets;
    }
    // One data set suffices to detect that the service is back; open orders are worth a second one.
    if model.data.remotes.is_service_away() {
        datasets.extend(orders::has_tracked_orders(model).then_some(Dataset::Orders));
        return datasets;
    }
    let visible = model.shown_balance_scope();
    let shows_users = matches!(model.page, Page::Overview | Page::Users) || matches!(model.mode, Mode::Form(_));
    // Moving through the list of users causes no reads on the way.
    let shows_users = shows_users && !users::is_selection_moving(model);
    if shows_users && visible != Scope::All {
        datasets.push(Dataset::Balances(visible));
    }
    if let Some(user) = users::polled_user(model).filter(|_| shows_users) {
        datasets.push(Dataset::User { user: user.clone(), v1: model.console.preferences.v1 });
    }
    if model.console.preferences.probe_lists {
        datasets.push(Dataset::Lists { v1: model.console.preferences.v1 });
    }
    // The initial sync continues only after the newest rows were read, so that no rows are missed between the two.
    if model.data.remotes.latest.last_success.is_some() && model.wants_initial_sync() {
        datasets.push(Dataset::Backfill);
    }
    if orders::has_tracked_orders(model) {
        datasets.push(Dataset::Orders);
    }
    let watched = model.session.watches.watched_scopes();
    if !watched.is_empty() {
        datasets.push(Dataset::WatchedBalances(watched));
    }
    datasets.extend(Dataset::ALWAYS_NEEDED);
    if model.data.prices.settings.valuation.is_some() || live_quote::needs_pairs(model) {
        datasets.push(Dataset::Pairs);
    }
    if model.data.prices.settings.valuation.is_some() {
        // Which quotes are due is worked out only when a read may start. Until then the data set stands for the read under
        // way, or for the pause after the last one.
        let may_start = model.data.remotes.quotes.is_due(model.now);
        let due = if may_start { prices::due_requests(model) } else { Vec::new() };
        if !may_start || !due.is_empty() {
            datasets.push(Dataset::Quotes(due));
        }
    }
    datasets
}

pub fn start_due(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    if model.data.remotes.quiet_until.is_some_and(|until| now < until) {
        return Vec::new();
    }
    let mut due = needed_datasets(model);
    let in_turn = ReadPacing::from_model(model, &due);
    due.retain(|dataset| model.data.remotes.get(dataset).is_due(now));
    match in_turn {
        ReadPacing::Concurrent => {}
        ReadPacing::ReadUnderWay => due.retain(is_exempt_from_pacing),
        ReadPacing::NextMayStart => {
            // The data set that waits longest is next, so that none starves.
            let next = due
                .iter()
                .filter(|dataset| !is_exempt_from_pacing(dataset))
                .min_by_key(|dataset| model.data.remotes.get(dataset).due)
                .cloned();
            due.retain(|dataset| is_exempt_from_pacing(dataset) || Some(dataset) == next.as_ref());
        }
    }
    let mut load = |dataset: Dataset| {
        let request_id = model.data.remotes.get_mut(&dataset).start(now);
        Effect::Load { dataset, request_id }
    };
    due.into_iter().map(&mut load).collect()
}

/// Whether no read is under way or due.
pub(super) fn has_no_pending_read(model: &Model) -> bool {
    let is_pending = |dataset: &Dataset| {
        let remote = model.data.remotes.get(dataset);
        remote.in_flight.is_some() || remote.is_due(model.now)
    };
    !needed_datasets(model).iter().any(is_pending)
}

/// Whether data sets are read one at a time.
enum ReadPacing {
    /// No: each when it is due.
    Concurrent,
    /// Yes, and the next read may start.
    NextMayStart,
    /// Yes, and a read is under way.
    ReadUnderWay,
}

impl ReadPacing {
    fn from_model(model: &Model, datasets: &[Dataset]) -> Self {
        let under_way =
            |dataset: &Dataset| !is_exempt_from_pacing(dataset) && model.data.remotes.get(dataset).in_flight.is_some();
        match model.data.remotes.one_by_one_until.is_some_and(|until| model.now < until) {
            false => Self::Concurrent,
            true if datasets.iter().any(under_way) => Self::ReadUnderWay,
            true => Self::NextMayStart,
        }
    }
}

/// Whether a data set is exempt from taking turns: orders, because money waits for their outcomes.
fn is_exempt_from_pacing(dataset: &Dataset) -> bool {
    *dataset == Dataset::Orders
}

/// When something is next due: a read, or a figure on screen that ages.
pub fn next_due(model: &Model) -> Option<Timestamp> {
    if !model.data.is_connected {
        return Some(model.now);
    }
    let aging = [
        model.next_aging_at(),
        orders::next_due(model),
        users::next_due(model),
        analyses::next_due(model),
        live_quote::next_update_at(model),
        lock::next_due(model),
    ];
    let aging = aging.into_iter().flatten().min();
    let prices = prices::next_due(model).filter(|_| model.data.connection != ConnectionState::KeyRejected);
    let aging = aging.into_iter().chain(prices).min();
    let mut datasets = needed_datasets(model);
    if matches!(ReadPacing::from_model(model, &datasets), ReadPacing::ReadUnderWay) {
        datasets.retain(is_exempt_from_pacing);
    }
    let idle =
        datasets.iter().map(|dataset| model.data.remotes.get(dataset)).filter(|remote| remote.in_flight.is_none());
    let quiet = model.data.remotes.quiet_until;
    let due =
        idle.map(|remote| remote.due.unwrap_or(model.now)).min().map(|due| quiet.map_or(due, |quiet| due.max(quiet)));
    due.into_iter().chain(aging).min()
}
