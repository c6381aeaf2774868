//! Queries to the store. Each that may be overtaken has a new [`RequestId`], so that only the newest answer counts.

use crate::app::list_filter::context::filter_context;
use crate::app::model::Model;
use crate::app::msg::{Effect, StoreQuery};
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Query, Scope, Sort, WindowRequest};

/// For queries of which every answer counts until the next one. Answers come in the order of the queries, and while rows
/// arrive faster than they are summed there is always a newer query.
const ANY_REQUEST: RequestId = RequestId(0);

/// Queries rows that are open or marked: the list in which they were chosen may no longer contain them.
pub(in crate::app) fn query_open_and_marked_rows(model: &mut Model) -> Option<Effect> {
    let marked =
        [&model.pages.overview.recent, &model.pages.transactions].into_iter().flat_map(|history| &history.marks.rows);
    let mut rows: Vec<i64> = marked.chain(model.open_transaction()).map(|row| row.seq).collect();
    rows.sort_unstable();
    rows.dedup();
    let query = StoreQuery::Rows(rows.clone());
    (!rows.is_empty()).then(|| Effect::QueryStore { query, request_id: model.data.request_ids.chosen_rows.advance() })
}

/// Queries the Overview without the accounts. The transactions last: their first rows come before they are counted, and
/// the first frame waits for no count.
pub(in crate::app) fn query_overview_lists(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![query_wallets(model), query_holdings(model)];
    effects.extend(query_total(model));
    effects.push(query_history_rows(model, HistoryList::Recent));
    effects
}

/// Queries everything that depends on the selected account or wallet.
pub(in crate::app) fn query_for_selected_scope(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![query_holdings(model), query_history_rows(model, HistoryList::Recent)];
    if model.pages.overview.wallets_scope != model.account_scope() {
        effects.push(query_wallets(model));
    }
    if model.console.is_visit {
        // Hundreds of visitors share one service, and each key press would have it report balances of several users.
        model.data.remotes.scope_balances.change_target_paced(model.now, model.console.preferences.poll_period);
    } else {
        model.data.remotes.scope_balances.change_target();
    }
    effects
}

pub(in crate::app) fn query_wallet_address_conflicts(model: &mut Model) -> Effect {
    Effect::QueryStore {
        query: StoreQuery::AddressConflicts,
        request_id: model.data.request_ids.address_conflicts.advance(),
    }
}

pub(in crate::app) fn query_accounts(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Accounts, request_id: model.data.request_ids.accounts.advance() }
}

pub(in crate::app) fn query_wallets(model: &mut Model) -> Effect {
    let scope = model.account_scope();
    let (first, rows) = model.pages.overview.wallets.next_rank_window();
    let query = StoreQuery::Wallets { scope, filter: model.pages.overview.wallet_filter.clone(), first, rows };
    Effect::QueryStore { query, request_id: model.data.request_ids.wallets.advance() }
}

pub(in crate::app) fn query_holdings(model: &Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Holdings(model.scope()), request_id: ANY_REQUEST }
}

/// Queries the holdings of all accounts together, if they are valued.
pub(in crate::app) fn query_total(model: &Model) -> Option<Effect> {
    model.data.prices.settings.valuation.as_ref()?;
    Some(Effect::QueryStore { query: StoreQuery::Total, request_id: ANY_REQUEST })
}

/// Queries earlier totals for the first time, or keeps the present one for this hour.
pub(in crate::app) fn query_total_samples(model: &mut Model) -> Option<Effect> {
    let valuation = model.data.prices.settings.valuation.clone()?;
    let is_due = model.data.total.is_sample_due(model.now);
    let sample = if is_due { model.total_sample() } else { None };
    if sample.is_none() && !model.data.total.needs_samples() {
        return None;
    }
    model.data.total.note_query(sample.as_ref().map(|sample| sample.at));
    let prices = model.data.prices.price_list();
    let query = StoreQuery::TotalSamples(valuation, sample.map(|sample| Box::new((sample, prices))));
    Some(Effect::QueryStore { query, request_id: model.data.request_ids.total_samples.advance() })
}

/// Queries rows of the history: of the selection on the Overview, of all on the Transactions page.
pub(in crate::app) fn query_history_rows(model: &mut Model, list: HistoryList) -> Effect {
    let scope = match list {
        HistoryList::Recent => model.scope(),
        HistoryList::Page => Scope::All,
    };
    let poison_filter = model.data.analyses.look_alikes.poison_filter();
    let text = model.history_mut(list).filter.clone();
    let filter = Filter::parse(&text, &filter_context(model));
    let history = model.history_mut(list);
    let by_value = matches!(history.sort, Sort::Largest | Sort::Smallest);
    let prices = if by_value { history.prices.clone() } else { PriceList::default() };
    let poison_filter = (!history.shows_poison).then_some(poison_filter);
    let filter = Filter { poison_filter, ..filter };
    let query = Query { scope, filter, sort: history.sort, prices };
    let (anchor, rows) = history.listing.next_window();
    let span = WindowRequest { query, anchor, rows };
    Effect::QueryStore { query: StoreQuery::History(list, span), request_id: history.request_id.advance() }
}

/// Queries rows again whose filter depends on the time or on prices, and now means something else.
pub(in crate::app) fn query_outdated_history(model: &mut Model) -> Option<Effect> {
    let list = model.page_history()?.list;
    let filter = model.history_mut(list).query.filter.clone();
    let poison_filter = filter.poison_filter.is_some().then(|| model.data.analyses.look_alikes.poison_filter());
    let now_meant = || Filter { poison_filter, ..Filter::parse(&filter.text, &filter_context(model)) };
    let is_overtaken = !filter.matches_everything() && now_meant() != filter;
    is_overtaken.then(|| query_history_rows(model, list))
}

pub(in crate::app) fn query_users(model: &mut Model) -> Effect {
    let (first, rows, selected) = model.pages.users.listing.next_window_around_selection();
    let rearrange = std::mem::take(&mut model.pages.users.needs_rearranging);
    let query =
        StoreQuery::Users { filter: model.pages.users.filter.clone(), first, rows, include: selected, rearrange };
    Effect::QueryStore { query, request_id: model.pages.users.request_id.advance() }
}

pub(in crate::app) fn query_user_details(model: &mut Model) -> Option<Effect> {
    let query = StoreQuery::User(model.pages.users.shown_user.clone()?);
    Some(Effect::QueryStore { query, request_id: model.pages.users.details_request_id.advance() })
}

pub(in crate::app) fn query_tokens(model: &mut Model) -> Effect {
    Effect::QueryStore { query: StoreQuery::Tokens, request_id: model.data.request_ids.markets.advance() }
}
