//! Slow queries that run beside the store's worker thread: sums over days, reports, look-alikes, names, findings.

use std::sync::Arc;

use super::address_names::NamesCache;
use super::attention_facts::read_findings_with_index;
use super::look_alikes::LookAlikeIndex;
use super::watch_readings::read_facts_for_watch_trial;
use crate::app::data::analyses::{AnalysisQuery, AnalysisResult, TokenHistory, TokenQuery};
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, MAX_SUMMED_WALLETS, ScopeHoldings};
use crate::domain::filter::Filter;
use crate::domain::history::{Query, Scope};
use crate::domain::watch::trial::try_watch;
use crate::domain::{Text, Timestamp};
use crate::store::{Cancel, ReportRequest, Store, StoreError};

/// How many of the newest transactions are examined for the confirmations at which they settled.
const ROWS_SEARCHED_FOR_CONFIRMATIONS: u32 = 500;

/// The holdings of each account or wallet of a scope.
fn read_holdings_by_account_or_wallet(
    store: &Store,
    scope: &Scope,
    grouping: BalanceGrouping,
) -> Result<Vec<ScopeHoldings>, StoreError> {
    let parts: Vec<(Scope, Option<Text>)> =
        if grouping == BalanceGrouping::Account && !matches!(scope, Scope::Wallet(_)) {
            let accounts = store.accounts()?.into_iter().map(|account| account.entry);
            let accounts = accounts.map(|account| (Scope::Account(account.id), account.name));
            accounts.filter(|(part, _)| *scope == Scope::All || part == scope).collect()
        } else {
            let wallets = store.wallets(scope, "", 0, MAX_SUMMED_WALLETS)?.rows.into_iter().map(|wallet| wallet.entry);
            wallets.map(|wallet| (Scope::Wallet(wallet.id), wallet.name)).collect()
        };
    let part_holdings =
        parts.into_iter().map(|(scope, name)| Ok(ScopeHoldings { holdings: store.holdings(&scope)?, scope, name }));
    part_holdings.collect()
}

/// What one computation leaves for the next.
#[derive(Debug, Default)]
pub(super) struct AddressCaches {
    look_alikes: LookAlikeIndex,
    names: NamesCache,
}

/// Runs an analysis. It may take a while, and runs on a blocking thread.
pub(super) fn run_analysis(
    store: &Store,
    query: &AnalysisQuery,
    caches: &AddressCaches,
    now: Timestamp,
) -> Result<AnalysisResult, StoreError> {
    let cancel = Cancel::new();
    match query {
        AnalysisQuery::AccountHoldings(accounts) => {
            let account_holdings =
                accounts.iter().map(|id| Ok((id.clone(), store.holdings(&Scope::Account(id.clone()))?)));
            Ok(AnalysisResult::AccountHoldings(account_holdings.collect::<Result<_, StoreError>>()?))
        }
        AnalysisQuery::LookAlikes(compared) => {
            Ok(AnalysisResult::LookAlikes(caches.look_alikes.find_look_alikes(store, compared, now)?))
        }
        AnalysisQuery::Names(book) => Ok(AnalysisResult::Names(caches.names.collect(store, book)?)),
        AnalysisQuery::Findings(compared) => {
            Ok(AnalysisResult::Findings(Box::new(read_findings_with_index(store, &caches.look_alikes, compared, now)?)))
        }
        AnalysisQuery::WatchTrial(trial) => {
            let facts = read_facts_for_watch_trial(store, &trial.watch, &trial.book, &trial.totals, now)?;
            let tried = facts.and_then(|facts| try_watch(&trial.watch, &facts, store.final_statuses()));
            Ok(AnalysisResult::WatchTrial(tried))
        }
        AnalysisQuery::Confirmations => {
            Ok(AnalysisResult::Confirmations(store.confirmation_thresholds(ROWS_SEARCHED_FOR_CONFIRMATIONS)?))
        }
        AnalysisQuery::HoldingsByPart { scope, grouping } => {
            Ok(AnalysisResult::HoldingsByPart(read_holdings_by_account_or_wallet(store, scope, *grouping)?))
        }
        AnalysisQuery::Report(query) => {
            let request = ReportRequest {
                kind: query.kind,
                scope: query.scope.clone(),
                period: query.period,
                prices: store.price_history(&query.valuation)?.with_latest(&query.prices, now),
                names: Arc::clone(&query.names),
                now,
            };
            Ok(AnalysisResult::Report(Box::new(store.report(&request, &cancel)?)))
        }
        AnalysisQuery::RowSums { scope, filter } => {
            Ok(AnalysisResult::RowSums(store.row_sums(scope, filter, &cancel)?))
        }
        AnalysisQuery::FoldedRows { scope, filter } => {
            let of =
                |filter: Filter| store.count_rows(&Query { scope: scope.clone(), filter, ..Query::default() }, &cancel);
            let (visible, all) = (of(filter.clone())?, of(Filter { poison_filter: None, ..filter.clone() })?);
            Ok(AnalysisResult::FoldedRows(all.saturating_sub(visible)))
        }
        AnalysisQuery::Week { scope, since } => {
            Ok(AnalysisResult::Week(store.balance_history(scope, None, *since, &cancel)?))
        }
        AnalysisQuery::Token(TokenQuery { scope, token, since, valuation, prices }) => {
            let holding = store.holdings(scope)?.into_iter().find(|holding| holding.token == *token);
            let history = store.balance_history(scope, Some(token), *since, &cancel)?;
            // An imitation has the symbol of another token, and not its price.
            let is_priced = holding.as_ref().is_some_and(|holding| !holding.suspicious);
            let valuation = if is_priced { valuation.clone() } else { Text::default() };
            let prices = store.price_history(&valuation)?.with_latest(prices, now);
            Ok(AnalysisResult::Token(Box::new(TokenHistory { history, holding, prices })))
        }
        AnalysisQuery::Prices { valuation, today: _ } => {
            Ok(AnalysisResult::Prices(Box::new(store.price_history(valuation)?)))
        }
    }
}
