//! The effects of a read from the service, once the result is in the store.

use crate::app::data::connection::ConnectionState;
use crate::app::data::poll::Dataset;
use crate::app::data::poll::Snapshot;
use crate::app::data::{analyses, poll, prices, queries, remote};
use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::directory_record;
use crate::app::pages::registry::page_logic;
use crate::app::pages::users;
use crate::app::request_id::RequestId;
use crate::app::session::{absence, events};
use crate::app::{orders, pages};
use crate::domain::history::Scope;
use crate::domain::{BalanceBasis, Failure, FailureReason};

pub(super) fn apply_load_result(
    model: &mut Model,
    dataset: &Dataset,
    request_id: RequestId,
    mut result: Result<Snapshot, Failure>,
) -> Vec<Effect> {
    let (now, period) = (model.now, model.console.preferences.poll_period);
    let orders_pause = orders::lookup_interval(model);
    let elsewhere = match dataset {
        Dataset::Balances(scope) => *scope != Scope::All && *scope != model.shown_balance_scope(),
        Dataset::User { user, .. } => users::polled_user(model) != Some(user),
        Dataset::Latest
        | Dataset::Backfill
        | Dataset::Lists { .. }
        | Dataset::WatchedBalances(_)
        | Dataset::Stats
        | Dataset::Markets
        | Dataset::Pairs
        | Dataset::Quotes(_)
        | Dataset::Orders => false,
    };
    if model.data.remotes.get(dataset).request_id != request_id {
        return Vec::new();
    }
    if let Ok(Snapshot::User(user_report)) = &result
        && let Some(failure) = users::apply_user_report(model, user_report)
    {
        result = Err(failure);
    }
    let remote = model.data.remotes.get_mut(dataset);
    // The scope changed while its balances were on their way: they are in the store, and another read is due.
    if elsewhere {
        remote.discard_answer(now, result.as_ref().err().cloned(), period);
        model.data.remotes.pause_all_if_service_busy(dataset);
        if !matches!(&result, Err(Failure { reason: FailureReason::KeyRejected, .. })) {
            return Vec::new();
        }
    }
    match result {
        Ok(snapshot) => {
            let pause = match &snapshot {
                Snapshot::Orders => orders_pause,
                // The initial read of the lists continues until their end.
                Snapshot::Lists { more: true, .. } => period,
                // Lists that are not served now may be served later.
                Snapshot::Lists { served: false, .. } => remote::MAX_REREAD_PAUSE,
                Snapshot::History { .. }
                | Snapshot::Lists { .. }
                | Snapshot::Balances { .. }
                | Snapshot::WatchedBalances
                | Snapshot::Stats(_)
                | Snapshot::User(_)
                | Snapshot::Markets { .. }
                | Snapshot::Pairs { .. }
                | Snapshot::Quotes(_) => poll::poll_interval(dataset, period),
            };
            let remote = model.data.remotes.get_mut(dataset);
            match snapshot.unreadable_count() {
                0 => remote.succeed(now, pause),
                unreadable => remote.succeed_in_part(now, pause, unreadable, period),
            }
            if *dataset == Dataset::Latest {
                model.data.remotes.retry_failed();
                model.data.initial_sync.record_progress(now, &snapshot);
            } else if *dataset == Dataset::Backfill {
                model.data.initial_sync.record_progress(now, &snapshot);
                model.data.initial_sync.retry_requested = false;
            }
            requery_after_load(model, dataset, snapshot)
        }
        Err(failure) => {
            // Without the history the console is useless; any other forbidden data set is optional.
            let rejected = failure.reason == FailureReason::KeyRejected
                || failure.reason == FailureReason::Forbidden && matches!(dataset, Dataset::Latest | Dataset::Backfill);
            if failure.reason == FailureReason::Forbidden && !rejected {
                events::record_forbidden_reads(model, dataset);
            }
            model.data.remotes.get_mut(dataset).fail(now, failure.clone(), period);
            model.data.remotes.pause_all_if_service_busy(dataset);
            if rejected {
                if *dataset != Dataset::Latest {
                    // A read under way began before the rejection: its answer does not count.
                    let _dropped = model.data.remotes.latest.request_id.advance();
                    model.data.remotes.latest.fail(now, failure, period);
                }
                model.data.connection = ConnectionState::KeyRejected;
            }
            // Some of several users may have been read.
            if matches!(dataset, Dataset::Balances(_)) && !rejected {
                model.data.analyses.mark_stale();
                page_logic(model.page).query_balances(model)
            } else {
                Vec::new()
            }
        }
    }
}

/// Queries what is on screen again, as far as it may have changed.
fn requery_after_load(model: &mut Model, dataset: &Dataset, snapshot: Snapshot) -> Vec<Effect> {
    match snapshot {
        Snapshot::History { added, changed, progress } => {
            let has_changed = added > 0 || changed > 0 || progress.complete != model.data.progress.complete;
            if has_changed {
                model.data.analyses.mark_stale();
                model.pages.attention.mark_outdated();
                model.data.analyses.look_alikes.mark_known_addresses_outdated();
                if progress.complete && !model.data.progress.complete {
                    analyses::recompute_all(model);
                }
                absence::mark_baseline_outdated(model);
            }
            model.data.progress = *progress;
            // New transactions change balances, and new users have balances to read.
            if has_changed && (*dataset == Dataset::Latest || model.data.has_no_balance_users) {
                model.data.remotes.scope_balances.request_unless_failing();
            }
            if has_changed || !model.pages.overview.recent.listing.is_loaded() {
                let mut effects = page_logic(model.page).query_rows(model);
                effects.extend(queries::query_open_and_marked_rows(model));
                effects.extend(directory_record::facts::query_open_record(model));
                return effects;
            }
            let mut effects: Vec<Effect> = queries::query_outdated_history(model).into_iter().collect();
            // A read of the newest rows that found none makes sums derived from the history as fresh as itself.
            let derived =
                model.pages.overview.balances.all.iter().any(|holding| holding.basis == BalanceBasis::Derived);
            if derived && model.page == Page::Overview {
                effects.push(queries::query_holdings(model));
                effects.extend(queries::query_total(model));
            }
            effects
        }
        Snapshot::Lists { served, more, .. } => {
            model.data.remotes.are_lists_incomplete = more;
            model.data.remotes.scope_balances.request_unless_failing();
            model.data.remotes.all_balances.request_unless_failing();
            if !served {
                return Vec::new();
            }
            model.data.analyses.look_alikes.mark_known_addresses_outdated();
            let mut effects = page_logic(model.page).query_rows(model);
            effects.push(queries::query_wallet_address_conflicts(model));
            effects
        }
        Snapshot::Balances { users: 0 } => {
            model.data.has_no_balance_users |= *dataset != Dataset::Balances(Scope::All);
            Vec::new()
        }
        Snapshot::Balances { .. } => {
            model.data.analyses.mark_stale();
            model.data.has_no_balance_users &= *dataset == Dataset::Balances(Scope::All);
            let mut effects = page_logic(model.page).query_balances(model);
            effects.extend(directory_record::facts::query_open_record(model));
            // Users read in the rotation may have got a name.
            if *dataset == Dataset::Balances(Scope::All) && model.page == Page::Users {
                effects.push(queries::query_users(model));
            }
            effects
        }
        Snapshot::Stats(stats) => {
            model.data.stats = Some(stats);
            Vec::new()
        }
        Snapshot::User(_) => vec![queries::query_users(model)],
        Snapshot::Orders | Snapshot::WatchedBalances => Vec::new(),
        Snapshot::Pairs { pairs, .. } => {
            model.data.prices.pairs = pairs;
            model.pages.markets.refresh_lists_of_token(&model.data.prices);
            Vec::new()
        }
        Snapshot::Quotes(quotes) => {
            prices::apply_quotes(model, quotes);
            pages::holdings::resort_shown(model);
            Vec::new()
        }
        Snapshot::Markets { .. } => {
            let mut effects = vec![queries::query_tokens(model)];
            // The listed tokens determine which others are imitations, on every page.
            if model.page != Page::Markets {
                effects.extend(page_logic(model.page).query_rows(model));
            }
            effects
        }
    }
}
