//! Routing of the store's answers.

use super::whole_window;
use crate::app::absence;
use crate::app::copying;
use crate::app::environment;
use crate::app::forms;
use crate::app::keys;
use crate::app::marked_rows;
use crate::app::model::Model;
use crate::app::msg::{Effect, HistoryList, RequestId, StoreResult};
use crate::app::panes::{balances, markets, receive};
use crate::app::queries;
use crate::app::users;
use crate::app::watches;
use crate::domain::history::HistoryRow;

pub(super) fn apply_store_result(model: &mut Model, turn: RequestId, answer: StoreResult) -> Vec<Effect> {
    match answer {
        StoreResult::Accounts(accounts) if turn == model.request_ids.accounts => {
            let first = !model.accounts.is_loaded();
            let before = model.accounts.selected_key().cloned();
            model.accounts.apply_window(whole_window(accounts));
            if model.accounts.selected_key() != before.as_ref() {
                return keys::after_account_change(model);
            }
            // Most operators come for the first account; Esc shows all accounts together.
            let greeted = !model.is_account_preselected && model.accounts.select_visible();
            model.is_account_preselected |= greeted;
            match (first, greeted) {
                (true, _) => queries::overview_lists(model),
                (false, true) => queries::for_selection(model),
                (false, false) => Vec::new(),
            }
        }
        StoreResult::AddressConflicts(wallets) if turn == model.request_ids.contradicted => {
            receive::apply_conflicts(model, wallets);
            Vec::new()
        }
        StoreResult::KnownAddresses { own, paid } if turn == model.copy_state.turn => {
            copying::apply_comparison(model, own, paid)
        }
        StoreResult::Wallets(scope, window) if turn == model.request_ids.wallets => {
            receive::refresh_wallet(model, &window.rows);
            let mut lost = false;
            if model.wallets_scope != scope {
                // A key press may have selected one of the previous wallets while they were still on screen.
                lost = model.wallets.selected_key().is_some();
                model.wallets_scope = scope;
                model.wallets.clear();
            }
            let short = model.wallets.apply_window(window);
            let mut effects = if short { vec![queries::wallets(model)] } else { Vec::new() };
            if lost {
                effects.extend(queries::for_selection(model));
            }
            effects
        }
        StoreResult::Users(window) if turn == model.users.turn => users::apply_users(model, window),
        StoreResult::User(user, kept) if turn == model.users.details_request_id => {
            users::apply_details(model, &user, *kept);
            Vec::new()
        }
        StoreResult::Holdings { scope, all, users } if turn == model.balances.turn => {
            if model.balances.scope != scope {
                model.balances.scope = scope;
                model.balances.listing.clear();
            }
            model.balances.all = all;
            model.balances.users = users;
            balances::show_balances(model);
            Vec::new()
        }
        StoreResult::History(list, query, window) if turn == model.history_mut(list).turn => {
            refresh_detail(model, &window.rows);
            environment::check(model, &window.rows);
            model.charts.look_alikes.rows_came();
            let history = model.history_mut(list);
            history.query = query;
            history.marks.refresh(&window.rows);
            let short = history.listing.apply_window(window);
            let mut effects: Vec<Effect> = marked_rows::query_hidden(history).into_iter().collect();
            if short {
                effects.push(queries::history_rows(model, list));
            }
            effects
        }
        StoreResult::LeftOut(list, query, rows) => {
            marked_rows::apply_hidden(model, turn, list, &query, rows);
            Vec::new()
        }
        StoreResult::Rows(rows) if turn == model.request_ids.rows => {
            refresh_detail(model, &rows);
            environment::check(model, &rows);
            model.charts.look_alikes.rows_came();
            for list in [HistoryList::Recent, HistoryList::Page] {
                model.history_mut(list).marks.refresh(&rows);
            }
            Vec::new()
        }
        StoreResult::Tokens(tokens) if turn == model.request_ids.markets => {
            environment::check_chains(model, &tokens);
            model.listed_tokens = tokens;
            markets::show_tokens(model);
            Vec::new()
        }
        StoreResult::HistoryMark(mark) => {
            absence::apply_mark(model, turn, *mark);
            Vec::new()
        }
        StoreResult::ChangesSince(since) => {
            absence::apply_changes(model, turn, since);
            Vec::new()
        }
        StoreResult::WatchedData(looked) => {
            watches::apply_data(model, turn, looked);
            Vec::new()
        }
        StoreResult::PayerWallets(filter, window) => forms::apply_wallets(model, turn, filter, window),
        StoreResult::FeeEstimate(token, fee) => {
            forms::apply_fee(model, turn, token, fee);
            Vec::new()
        }
        StoreResult::WalletHoldings(wallet, rows) => forms::apply_holdings(model, turn, wallet, rows),
        _ => Vec::new(),
    }
}

fn refresh_detail(model: &mut Model, rows: &[HistoryRow]) {
    if let Some(row) = model.mode.transaction_mut()
        && let Some(newer) = rows.iter().find(|candidate| candidate.seq == row.seq)
    {
        row.clone_from(newer);
    }
}
