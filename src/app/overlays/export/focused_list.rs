//! What an export of a list contains: the name of its rows, their count, and the rows.

use super::{ExportRows, UserRows, count_with_noun};
use crate::app::data::prices::QuoteHistory;
use crate::app::marked_rows;
use crate::app::model::{History, Mode, Model, Page};
use crate::app::orders::{self, MAX_CLOSED_ORDERS};
use crate::app::overlays::reports;
use crate::app::pages::group_thousands;
use crate::app::pages::overview::state::Balances;
use crate::app::pages::users::{CachedPart, CachedUserReport};
use crate::app::screen::Pane;
use crate::domain::history::{RowCount, Scope};
use crate::domain::receipt::ReceiptSubject;
use crate::domain::{Holding, PagedList, Timestamp};

struct ListDescription {
    nouns: [&'static str; 2],
    count: RowCount,
    /// Owner, filter, and what is left out.
    qualifiers: String,
}

/// The description of the list that has the focus; `None` if the focus is on no list.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other panes make sentences of what lists show")]
fn describe_list(model: &Model) -> Option<ListDescription> {
    let users = &model.pages.users;
    let (words, count, rest) = match model.focus() {
        Pane::Recent | Pane::History => {
            let history = model.focused_history()?;
            let rest = scope_suffix(model, &history.query.scope)
                + &filter_suffix(&history.query.filter.text)
                + &hidden_rows_remark(model, history);
            (["transaction", "transactions"], history.listing.count(), rest)
        }
        Pane::Accounts => (["account", "accounts"], model.pages.overview.accounts.count(), String::new()),
        Pane::Wallets => {
            let rest = scope_suffix(model, &model.pages.overview.wallets_scope)
                + &filter_suffix(&model.pages.overview.wallet_filter);
            (["wallet", "wallets"], model.pages.overview.wallets.count(), rest)
        }
        Pane::Balances => {
            let Balances { scope: shown, all, filter, .. } = &model.pages.overview.balances;
            let rest = scope_suffix(model, shown) + &filter_suffix(filter) + &hidden_tokens_remark(model, all);
            (["balance", "balances"], model.pages.overview.balances.listing.count(), rest)
        }
        Pane::Users => (["user", "users"], users.listing.count(), filter_suffix(&users.filter)),
        Pane::Holdings => {
            let rest = user_suffix(model) + &hidden_tokens_remark(model, &users.all_holdings);
            (["balance", "balances"], users.holdings.count(), rest)
        }
        Pane::Assets => (["asset", "assets"], users.assets.count(), user_suffix(model)),
        Pane::Addresses => (["address", "addresses"], users.addresses.count(), user_suffix(model)),
        Pane::Deposits => {
            let rest = user_suffix(model) + newest_page_remark(users.cached_report().map(|memory| &memory.deposits));
            (["deposit", "deposits"], users.deposits.count(), rest)
        }
        Pane::Withdrawals => {
            let rest = user_suffix(model) + newest_page_remark(users.cached_report().map(|memory| &memory.withdrawals));
            (["withdrawal", "withdrawals"], users.withdrawals.count(), rest)
        }
        Pane::Transfers => {
            let rest = user_suffix(model) + newest_page_remark(users.cached_report().map(|memory| &memory.transfers));
            (["transfer", "transfers"], users.transfers.count(), rest)
        }
        Pane::Orders => (["order", "orders"], model.pages.orders.listing.count(), missing_orders_remark(model)),
        Pane::Tokens => {
            (["token", "tokens"], model.pages.markets.tokens.count(), filter_suffix(&model.pages.markets.filter))
        }
        Pane::Chains => (["blockchain", "blockchains"], model.pages.markets.chains.count(), token_suffix(model)),
        Pane::Pairs => (["pair", "pairs"], model.pages.markets.pairs.count(), token_suffix(model)),
        Pane::Events => {
            (["event", "events"], model.pages.events.listing.count(), filter_suffix(&model.pages.events.filter))
        }
        Pane::Book => {
            let rest = format!(" of the address book{}", filter_suffix(&model.pages.book.filter));
            (["entry", "entries"], model.pages.book.listing.count(), rest)
        }
        _ => return None,
    };
    Some(ListDescription { nouns: words, count, qualifiers: rest })
}

/// All rows of the list that has the focus, in their order; of transactions only the marked ones, if there are any.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other panes make sentences of what lists show")]
fn focused_rows(model: &Model) -> Option<ExportRows> {
    let users = &model.pages.users;
    Some(match model.focus() {
        Pane::Recent | Pane::History => {
            let history = model.focused_history()?;
            match history.marks.rows.as_slice() {
                [] => ExportRows::Matching(history.query.clone()),
                marked => ExportRows::Marked(marked.iter().map(|row| row.seq).collect()),
            }
        }
        Pane::Accounts => ExportRows::Accounts(model.pages.overview.accounts.rows().to_vec()),
        Pane::Wallets => {
            ExportRows::Wallets(model.pages.overview.wallets_scope.clone(), model.pages.overview.wallet_filter.clone())
        }
        Pane::Balances => balance_rows(
            model,
            model.pages.overview.balances.scope.clone(),
            model.pages.overview.balances.listing.rows(),
        ),
        Pane::Users => ExportRows::Users(users.filter.clone()),
        Pane::Holdings => balance_rows(model, Scope::User(users.shown_user.clone()?), users.holdings.rows()),
        Pane::Assets => ExportRows::Assets(user_rows(model, |memory| memory.assets.read_at(), users.assets.rows())),
        Pane::Addresses => ExportRows::Addresses(user_rows(model, |_| None, users.addresses.rows())),
        Pane::Deposits => {
            ExportRows::Deposits(user_rows(model, |memory| memory.deposits.read_at(), users.deposits.rows()))
        }
        Pane::Withdrawals => {
            ExportRows::Withdrawals(user_rows(model, |memory| memory.withdrawals.read_at(), users.withdrawals.rows()))
        }
        Pane::Transfers => {
            ExportRows::Transfers(user_rows(model, |memory| memory.transfers.read_at(), users.transfers.rows()))
        }
        Pane::Orders => {
            let listed = model.pages.orders.listing.rows().iter().filter_map(|id| orders::find_order(model, *id));
            ExportRows::Orders(listed.cloned().collect())
        }
        Pane::Tokens => ExportRows::Tokens(model.pages.markets.tokens.rows().to_vec()),
        Pane::Chains => ExportRows::Chains(
            model.pages.markets.tokens.selected()?.symbol.clone(),
            model.pages.markets.chains.rows().to_vec(),
        ),
        Pane::Pairs => {
            let quoted = |pair| model.data.prices.history_of(pair).and_then(QuoteHistory::newest);
            ExportRows::Pairs(
                model.pages.markets.pairs.rows().iter().map(|pair| (pair.clone(), quoted(pair))).collect(),
            )
        }
        Pane::Events => {
            let listed = model.pages.events.listing.rows().iter().filter_map(|id| model.pages.events.find(*id));
            ExportRows::Events(listed.cloned().collect())
        }
        Pane::Book => ExportRows::Book(
            model.pages.book.listing.rows().iter().map(|line| line.entry.clone()).collect(),
            if model.pages.book.filter.is_empty() { model.journal.book.labels().to_vec() } else { Vec::new() },
        ),
        _ => return None,
    })
}

/// What an export would write now: a description and the rows.
pub(super) fn export_source(model: &Model) -> Option<(String, ExportRows)> {
    if let Some(reports) = model.mode.reports() {
        let rows = reports::export_rows(model, reports)?;
        let period = reports.period_text(model.now);
        return Some((format!("the report on {}, {period}, as shown", reports.kind.title().to_lowercase()), rows));
    }
    if let Some(receipt) = receipt_of_open_payment(model, &model.mode) {
        let says = "the receipt of this payment: who paid whom, how much, when, and whether it is settled";
        return Some((says.into(), ExportRows::Receipt(Box::new(receipt.ok()?))));
    }
    let ListDescription { nouns: words, count, qualifiers: rest } = describe_list(model)?;
    let says = if has_marks(model) { marked_rows::marks_summary(model) } else { describe_count(count, words) + &rest };
    Some((says, focused_rows(model)?))
}

/// What the receipt of the open transaction or order is of, or why there is none; `None` where neither is open.
fn receipt_of_open_payment(model: &Model, mode: &Mode) -> Option<Result<ReceiptSubject, &'static str>> {
    let business = model.console.identity.name.clone();
    let subject =
        ReceiptSubject { business, valuation: model.data.prices.settings.valuation.clone(), ..Default::default() };
    if let Mode::Order { id, .. } = mode {
        return Some(subject.of_order(orders::find_order(model, *id)?, None));
    }
    let Mode::Detail { row, .. } = mode else { return None };
    Some(subject.of_row(row, orders::order_of(&model.journal.orders, &row.transaction)))
}

pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    // The key then stops the running export.
    if model.overlays.exports.progress.is_some() {
        return None;
    }
    if let Some(reports) = mode.reports() {
        let rows = reports::export_rows(model, reports);
        return rows.is_none().then(|| "the report is still being calculated".into());
    }
    if let Some(receipt) = receipt_of_open_payment(model, mode) {
        return receipt.err().map(str::to_owned);
    }
    if !matches!(mode, Mode::Browse | Mode::Filter { .. }) {
        return Some("x exports lists, and this is not a list; Esc goes back to one".into());
    }
    match describe_list(model) {
        _ if has_marks(model) => None,
        None if model.page == Page::Attention => Some("what needs you and the watches are not exported".into()),
        None => Some("x exports lists, and this is not a list; Tab goes on to one".into()),
        Some(ListDescription { nouns: words, count, .. }) => {
            (count.number() == 0).then(|| format!("no {} are shown here to export", words[1]))
        }
    }
}

fn has_marks(model: &Model) -> bool {
    model.focused_history().is_some_and(|history| !history.marks.rows.is_empty())
}

fn describe_count(count: RowCount, words: [&str; 2]) -> String {
    match count {
        RowCount::Exact(number) => count_with_noun(number, words),
        RowCount::AtLeast(number) => format!("at least {}", count_with_noun(number, words)),
    }
}

fn filter_suffix(filter: &str) -> String {
    if filter.is_empty() { String::new() } else { format!(", filtered by {filter}") }
}

fn scope_suffix(model: &Model, scope: &Scope) -> String {
    if *scope == Scope::All { String::new() } else { format!(" of {}", model.scope_name(scope)) }
}

fn user_suffix(model: &Model) -> String {
    model
        .pages
        .users
        .shown_user
        .as_ref()
        .map_or_else(String::new, |user| format!(" of {}", orders::user_name(model, user)))
}

fn token_suffix(model: &Model) -> String {
    model.pages.markets.tokens.selected().map_or_else(String::new, |token| format!(" of {}", token.symbol))
}

/// The remark on balances that are hidden on screen, and left out of the export too.
fn hidden_tokens_remark(model: &Model, all: &[Holding]) -> String {
    let hidden = all.iter().filter(|holding| holding.suspicious).count();
    match hidden {
        _ if model.pages.shows_suspicious => String::new(),
        0 => String::new(),
        1 => "; 1 imitation token is hidden (h) and left out".into(),
        _ => format!("; {hidden} imitation tokens are hidden (h) and left out"),
    }
}

/// The remark on transactions that deceive, which are hidden on screen and left out of the export too.
fn hidden_rows_remark(model: &Model, history: &History) -> String {
    match model.data.charts.folded_rows(&history.query) {
        None | Some(0) => String::new(),
        Some(1) => "; 1 that deceives is hidden (h) and left out".into(),
        Some(hidden) => format!("; {} that deceive are hidden (h) and left out", group_thousands(hidden)),
    }
}

/// The remark on a list that was not read to its end.
fn newest_page_remark<T>(part: Option<&CachedPart<PagedList<T>>>) -> &'static str {
    let has_more = part.and_then(|part| part.value.as_ref()).is_some_and(|(listed, _)| listed.has_more);
    if has_more { ", the newest; the service has more" } else { "" }
}

/// The remark on orders that the list hides, or that are not loaded.
fn missing_orders_remark(model: &Model) -> String {
    let hidden_remark = match orders::abandoned_count(model) {
        _ if model.pages.orders.shows_abandoned => String::new(),
        0 => String::new(),
        1 => "; 1 that was given up is hidden (h) and left out".into(),
        hidden => format!("; {hidden} that were given up are hidden (h) and left out"),
    };
    let over = model.journal.orders.iter().filter(|order| !order.is_open(model.now)).count();
    if over >= MAX_CLOSED_ORDERS {
        return format!("{hidden_remark}; of closed orders only the newest {MAX_CLOSED_ORDERS} are known here");
    }
    hidden_remark
}

fn balance_rows(model: &Model, scope: Scope, holdings: &[Holding]) -> ExportRows {
    let name = model.scope_title(&scope).cloned();
    ExportRows::Balances(scope, name, holdings.to_vec())
}

/// Rows of the selected user, with when they were reported.
fn user_rows<T: Clone>(model: &Model, at: fn(&CachedUserReport) -> Option<Timestamp>, rows: &[T]) -> UserRows<T> {
    let users = &model.pages.users;
    let name = users.shown_user.as_ref().and_then(|user| model.scope_title(&Scope::User(user.clone())));
    UserRows {
        user: users.shown_user.clone(),
        name: name.cloned(),
        as_of: users.cached_report().and_then(at),
        imitations: users.imitations.clone(),
        rows: rows.to_vec(),
    }
}

#[cfg(test)]
mod tests;
