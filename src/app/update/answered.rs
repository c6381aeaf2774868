//! Where an answer of the store goes.

use super::whole;
use crate::app::ask;
use crate::app::away;
use crate::app::copying;
use crate::app::environment;
use crate::app::forms;
use crate::app::keys;
use crate::app::marks;
use crate::app::model::Model;
use crate::app::msg::{Answer, Effect, HistoryList, Turn};
use crate::app::panes::{balances, markets, receive};
use crate::app::users;
use crate::app::watching;
use crate::domain::history::HistoryRow;

/// The store's answer goes to its list, unless a newer question is under way.
pub(super) fn answered(model: &mut Model, turn: Turn, answer: Answer) -> Vec<Effect> {
    match answer {
        Answer::Accounts(accounts) if turn == model.turns.accounts => {
            let first = !model.accounts.is_loaded();
            let before = model.accounts.selected_key().cloned();
            model.accounts.accept(whole(accounts));
            if model.accounts.selected_key() != before.as_ref() {
                return keys::account_changed(model);
            }
            // The first account is what most people come to see; Esc shows all of them together.
            let greeted = !model.greeted && model.accounts.select_visible();
            model.greeted |= greeted;
            match (first, greeted) {
                (true, _) => ask::beside_accounts(model),
                (false, true) => ask::scoped(model),
                (false, false) => Vec::new(),
            }
        }
        Answer::Contradicted(wallets) if turn == model.turns.contradicted => {
            receive::contradicted(model, wallets);
            Vec::new()
        }
        Answer::KnownAddresses { own, paid } if turn == model.copying.turn => copying::compared(model, own, paid),
        Answer::Wallets(scope, window) if turn == model.turns.wallets => {
            receive::refresh(model, &window.rows);
            let mut lost = false;
            if model.wallets_shown != scope {
                // A key may have selected one of the wallets that were still on screen.
                lost = model.wallets.selected_key().is_some();
                model.wallets_shown = scope;
                model.wallets.clear();
            }
            let short = model.wallets.accept(window);
            let mut effects = if short { vec![ask::wallets(model)] } else { Vec::new() };
            if lost {
                effects.extend(ask::scoped(model));
            }
            effects
        }
        Answer::Users(window) if turn == model.users.turn => users::listed(model, window),
        Answer::User(user, kept) if turn == model.users.kept_turn => {
            users::kept(model, &user, *kept);
            Vec::new()
        }
        Answer::Holdings { scope, all, users } if turn == model.balances.turn => {
            if model.balances.shown != scope {
                model.balances.shown = scope;
                model.balances.listing.clear();
            }
            model.balances.all = all;
            model.balances.users = users;
            balances::show(model);
            Vec::new()
        }
        Answer::History(list, query, window) if turn == model.history_of(list).turn => {
            refresh_detail(model, &window.rows);
            environment::check(model, &window.rows);
            model.pictures.look_alikes.rows_came();
            let history = model.history_of(list);
            history.shown = query;
            history.marks.refresh(&window.rows);
            let short = history.listing.accept(window);
            let mut effects: Vec<Effect> = marks::ask(history).into_iter().collect();
            if short {
                effects.push(ask::history(model, list));
            }
            effects
        }
        Answer::LeftOut(list, query, rows) => {
            marks::answered(model, turn, list, &query, rows);
            Vec::new()
        }
        Answer::Rows(rows) if turn == model.turns.rows => {
            refresh_detail(model, &rows);
            environment::check(model, &rows);
            model.pictures.look_alikes.rows_came();
            for list in [HistoryList::Recent, HistoryList::Page] {
                model.history_of(list).marks.refresh(&rows);
            }
            Vec::new()
        }
        Answer::Markets(tokens) if turn == model.turns.markets => {
            environment::check_chains(model, &tokens);
            model.listed = tokens;
            markets::show_tokens(model);
            Vec::new()
        }
        Answer::Mark(mark) => {
            away::marked(model, turn, *mark);
            Vec::new()
        }
        Answer::Since(since) => {
            away::told(model, turn, since);
            Vec::new()
        }
        Answer::Watched(looked) => {
            watching::looked(model, turn, looked);
            Vec::new()
        }
        Answer::Payers(filter, window) => forms::found(model, turn, filter, window),
        Answer::Fee(token, fee) => {
            forms::fee(model, turn, token, fee);
            Vec::new()
        }
        Answer::Held(wallet, rows) => forms::held(model, turn, wallet, rows),
        _ => Vec::new(),
    }
}

/// A transaction that is shown whole says what its newest row says.
fn refresh_detail(model: &mut Model, rows: &[HistoryRow]) {
    if let Some(row) = model.mode.transaction_mut()
        && let Some(newer) = rows.iter().find(|candidate| candidate.seq == row.seq)
    {
        row.clone_from(newer);
    }
}
