//! Routing of the store's answers.

use crate::app::data::{environment, queries};
use crate::app::model::Model;
use crate::app::msg::{Effect, StoreResult};
use crate::app::overlays::copying::copy;
use crate::app::overlays::{directory_record, receive};
use crate::app::pages::overview::accounts::after_account_change;
use crate::app::pages::overview::balances;
use crate::app::pages::users;
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::app::session::{absence, watches};
use crate::app::{forms, marked_rows};
use crate::domain::history::{HistoryRow, Window};

pub(super) fn apply_store_result(model: &mut Model, request_id: RequestId, answer: StoreResult) -> Vec<Effect> {
    match answer {
        StoreResult::Accounts(accounts) if request_id == model.data.request_ids.accounts => {
            let first = !model.pages.overview.accounts.is_loaded();
            let before = model.pages.overview.accounts.selected_key().cloned();
            model.pages.overview.accounts.apply_window(Window::whole(accounts));
            if model.pages.overview.accounts.selected_key() != before.as_ref() {
                return after_account_change(model);
            }
            // Most operators come for the first account; Esc shows all accounts together.
            let greeted =
                !model.pages.overview.is_account_preselected && model.pages.overview.accounts.select_first_visible();
            model.pages.overview.is_account_preselected |= greeted;
            match (first, greeted) {
                (true, _) => queries::query_overview_lists(model),
                (false, true) => queries::query_for_selected_scope(model),
                (false, false) => Vec::new(),
            }
        }
        StoreResult::AddressConflicts(wallets) if request_id == model.data.request_ids.address_conflicts => {
            receive::apply_conflicts(model, wallets);
            Vec::new()
        }
        StoreResult::KnownAddresses { own, paid } if request_id == model.overlays.copy_state.request_id => {
            copy::apply_look_alike_check(model, own, paid)
        }
        StoreResult::Wallets(scope, window) if request_id == model.data.request_ids.wallets => {
            receive::refresh_wallet(model, &window.rows);
            let mut is_lost = false;
            if model.pages.overview.wallets_scope != scope {
                // A key press may have selected one of the previous wallets while they were still on screen.
                is_lost = model.pages.overview.wallets.selected_key().is_some();
                model.pages.overview.wallets_scope = scope;
                model.pages.overview.wallets.unload();
            }
            let short = model.pages.overview.wallets.apply_window(window);
            let mut effects = if short { vec![queries::query_wallets(model)] } else { Vec::new() };
            if is_lost {
                effects.extend(queries::query_for_selected_scope(model));
            }
            effects
        }
        StoreResult::Users(window) if request_id == model.pages.users.request_id => users::apply_users(model, window),
        StoreResult::User(user, details) if request_id == model.pages.users.details_request_id => {
            users::apply_details(model, &user, *details);
            Vec::new()
        }
        StoreResult::Holdings { scope, all, users } if scope == model.scope() => {
            if model.pages.overview.balances.scope != scope {
                model.pages.overview.balances.scope = scope;
                model.pages.overview.balances.listing.unload();
            }
            model.pages.overview.balances.all = all;
            model.pages.overview.balances.users = users;
            balances::refresh_balance_rows(model);
            Vec::new()
        }
        StoreResult::Total { all, users, read_since } => {
            model.data.total.holdings = Some(all);
            model.data.total.users = users;
            model.data.total.read_since = read_since;
            Vec::new()
        }
        StoreResult::TotalSamples(samples) if request_id == model.data.request_ids.total_samples => {
            model.data.total.apply_samples(samples);
            // The prices of that total were recorded with it.
            model.data.analyses.recompute_report();
            Vec::new()
        }
        StoreResult::History(list, query, window) if request_id == model.history_mut(list).request_id => {
            refresh_detail(model, &window.rows);
            environment::check_network_of_rows(model, &window.rows);
            model.data.analyses.look_alikes.note_new_rows();
            let history = model.history_mut(list);
            history.query = query;
            history.marks.refresh(&window.rows);
            let short = history.listing.apply_window(window);
            let mut effects: Vec<Effect> = marked_rows::query_hidden(history).into_iter().collect();
            if short {
                effects.push(queries::query_history_rows(model, list));
            }
            effects
        }
        StoreResult::NonMatchingRows(list, query, rows) => {
            marked_rows::apply_hidden(model, request_id, list, &query, rows);
            Vec::new()
        }
        StoreResult::Rows(rows) if request_id == model.data.request_ids.chosen_rows => {
            refresh_detail(model, &rows);
            environment::check_network_of_rows(model, &rows);
            model.data.analyses.look_alikes.note_new_rows();
            for list in [HistoryList::Recent, HistoryList::Page] {
                model.history_mut(list).marks.refresh(&rows);
            }
            Vec::new()
        }
        StoreResult::Tokens(tokens) if request_id == model.data.request_ids.markets => {
            environment::check_network_of_tokens(model, &tokens);
            model.data.listed_tokens = tokens;
            model.pages.markets.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
            Vec::new()
        }
        StoreResult::HistoryCheckpoint(mark) => {
            absence::apply_baseline(model, request_id, *mark);
            Vec::new()
        }
        StoreResult::LastVisitState(visit) => absence::apply_last_visit(model, visit),
        StoreResult::ChangesSince(since) => {
            absence::apply_changes(model, request_id, since);
            Vec::new()
        }
        StoreResult::WatchedData(readings) => {
            watches::apply_data(model, request_id, readings);
            Vec::new()
        }
        StoreResult::PayerWallets(filter, window) => forms::apply_wallet_matches(model, request_id, filter, window),
        StoreResult::FeeEstimate(token, fee) => {
            forms::apply_fee(model, request_id, token, fee);
            Vec::new()
        }
        StoreResult::WalletHoldings(wallet, rows) => forms::apply_holdings(model, request_id, wallet, rows),
        StoreResult::DirectoryRecord(record) if request_id == model.data.request_ids.directory_record => {
            directory_record::facts::apply_record(model, record.map(|record| *record));
            Vec::new()
        }
        StoreResult::Accounts(_)
        | StoreResult::AddressConflicts(_)
        | StoreResult::KnownAddresses { .. }
        | StoreResult::Wallets(..)
        | StoreResult::User(..)
        | StoreResult::Users(_)
        | StoreResult::Holdings { .. }
        | StoreResult::TotalSamples(_)
        | StoreResult::History(..)
        | StoreResult::Rows(_)
        | StoreResult::DirectoryRecord(_)
        | StoreResult::Tokens(_) => Vec::new(),
    }
}

fn refresh_detail(model: &mut Model, rows: &[HistoryRow]) {
    if let Some(row) = model.open_transaction_mut()
        && let Some(newer) = rows.iter().find(|candidate| candidate.seq == row.seq)
    {
        row.clone_from(newer);
    }
}
