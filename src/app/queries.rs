//! Questions to the store: each takes a new turn, so that only the newest answer counts.

use super::list_filter;
use super::model::{Model, Page};
use super::msg::{Effect, HistoryList, StoreQuery};
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Query, Scope, Sort, Span};

/// Everything that the page shows.
pub(super) fn for_page(model: &mut Model) -> Vec<Effect> {
    match model.page {
        Page::Overview => {
            let mut effects = vec![accounts(model)];
            effects.extend(overview_lists(model));
            effects
        }
        Page::Users => [Some(users(model)), user(model)].into_iter().flatten().collect(),
        Page::Transactions => vec![history_rows(model, HistoryList::Page)],
        // Every change of the journal is told by itself, and events are made here.
        Page::Orders | Page::Events | Page::Book => Vec::new(),
        Page::Markets => vec![tokens(model)],
    }
}

/// Rows that are open or marked, wherever they stand by now: the list in which somebody chose them may not hold them any
/// more, and then says nothing of them.
pub(super) fn chosen_rows(model: &mut Model) -> Option<Effect> {
    let marked = [&model.recent, &model.history].into_iter().flat_map(|history| &history.marks.rows);
    let mut rows: Vec<i64> = marked.chain(model.mode.transaction()).map(|row| row.seq).collect();
    rows.sort_unstable();
    rows.dedup();
    let question = StoreQuery::Rows(rows.clone());
    (!rows.is_empty()).then(|| Effect::QueryStore { query: question, turn: model.turns.rows.advance() })
}

/// What the Overview shows besides the accounts; what may take longest comes last.
pub(super) fn overview_lists(model: &mut Model) -> Vec<Effect> {
    vec![wallets(model), holdings(model), history_rows(model, HistoryList::Recent)]
}

/// Everything that depends on the selected account or wallet.
pub(super) fn for_selection(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![holdings(model), history_rows(model, HistoryList::Recent)];
    if model.wallets_scope != model.account_scope() {
        effects.push(wallets(model));
    }
    if model.is_visit {
        // Hundreds share one service, and each key of each of them would have it tell the balances of several users.
        model.remotes.scope_balances.change_target_paced(model.now, model.period);
    } else {
        model.remotes.scope_balances.change_target();
    }
    effects
}

/// The wallets of which another address was told.
pub(super) fn address_conflicts(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::AddressConflicts, turn: model.turns.contradicted.advance() }
}

/// Every account.
pub(super) fn accounts(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Accounts, turn: model.turns.accounts.advance() }
}

/// The wallets of the selected account.
pub(super) fn wallets(model: &mut Model) -> Effect {
    let scope = model.account_scope();
    let (first, rows) = model.wallets.next_rank_window();
    let question = StoreQuery::Wallets { scope, filter: model.wallet_filter.clone(), first, rows };
    Effect::QueryStore { query: question, turn: model.turns.wallets.advance() }
}

/// What the selected wallet or account holds.
pub(super) fn holdings(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Holdings(model.scope()), turn: model.balances.turn.advance() }
}

/// Balances on screen, after some were read.
pub(super) fn balances(model: &mut Model) -> Vec<Effect> {
    match model.page {
        Page::Overview => vec![holdings(model)],
        Page::Users => user(model).into_iter().collect(),
        Page::Transactions | Page::Orders | Page::Markets | Page::Events | Page::Book => Vec::new(),
    }
}

/// Rows of the history: of what is selected on the Overview, everybody's on the Transactions page.
pub(super) fn history_rows(model: &mut Model, list: HistoryList) -> Effect {
    let scope = match list {
        HistoryList::Recent => model.scope(),
        HistoryList::Page => Scope::All,
    };
    let context = list_filter::parse_context(model);
    let history = model.history_mut(list);
    let by_value = matches!(history.sort, Sort::Largest | Sort::Smallest);
    let prices = if by_value { history.prices.clone() } else { PriceList::default() };
    let filter = Filter::parse(&history.filter, &context);
    let query = Query { scope, filter, sort: history.sort, prices };
    let (anchor, rows) = history.listing.next_window();
    let span = Span { query, anchor, rows };
    Effect::QueryStore { query: StoreQuery::History(list, span), turn: history.turn.advance() }
}

/// Rows whose filter depends on the time or on prices, and would find others by now.
pub(super) fn outdated_history(model: &mut Model) -> Option<Effect> {
    let list = match model.page {
        Page::Overview => HistoryList::Recent,
        Page::Transactions => HistoryList::Page,
        Page::Users | Page::Orders | Page::Markets | Page::Events | Page::Book => return None,
    };
    let shown = model.history_mut(list).query.filter.clone();
    let is_overtaken = !shown.is_empty() && Filter::parse(&shown.text, &list_filter::parse_context(model)) != shown;
    is_overtaken.then(|| history_rows(model, list))
}

/// Users.
pub(super) fn users(model: &mut Model) -> Effect {
    let (first, rows, kept) = model.users.listing.next_window_around_selection();
    let arranged = std::mem::take(&mut model.users.needs_rearranging);
    let question = StoreQuery::Users { filter: model.users.filter.clone(), first, rows, kept, rearrange: arranged };
    Effect::QueryStore { query: question, turn: model.users.turn.advance() }
}

/// What the store knows of the selected user.
pub(super) fn user(model: &mut Model) -> Option<Effect> {
    let question = StoreQuery::User(model.users.shown_user.clone()?);
    Some(Effect::QueryStore { query: question, turn: model.users.details_request_id.advance() })
}

/// Every token.
pub(super) fn tokens(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Tokens, turn: model.turns.markets.advance() }
}
