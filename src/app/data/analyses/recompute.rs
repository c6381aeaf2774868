//! Which analyses run when, and what becomes of the results.

use std::time::Duration;

use super::query::{AnalysisQuery, AnalysisResult};
use super::{AnalysisSlot, WEEK_DAYS};
use crate::app::data::{look_alikes, names};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::line_prompt;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::request_id::RequestId;
use crate::app::session::attention;
use crate::domain::history::Query;
use crate::domain::{AccountId, ConfirmationThresholds, Day, Failure, Holding, Timestamp};

const MAX_VALUED_ACCOUNTS: usize = 32;

/// A query that the screen needs, and the pause before it is repeated.
type AnalysisRequest = Option<(AnalysisQuery, Duration)>;

fn needed_queries(model: &Model) -> [AnalysisRequest; 9] {
    let overview = model.page == Page::Overview && model.data.is_connected;
    let balances = &model.pages.overview.balances;
    let today = Day::from_timestamp(model.now);
    let since = today.days_before(WEEK_DAYS - 1);
    let week = overview && balances.listing.is_loaded();
    let week = week.then(|| AnalysisQuery::Week { scope: balances.scope.clone(), since });
    let accounts: Vec<AccountId> = model
        .pages
        .overview
        .accounts
        .visible_rows()
        .map(|(account, _)| account.entry.id.clone())
        .take(MAX_VALUED_ACCOUNTS)
        .collect();
    let worths = overview && model.data.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(AnalysisQuery::AccountHoldings(accounts));
    let has_parts = overview && matches!(balances.grouping, BalanceGrouping::Account | BalanceGrouping::Wallet);
    let parts =
        has_parts.then(|| AnalysisQuery::HoldingsByPart { scope: balances.scope.clone(), grouping: balances.grouping });
    let chart = model.open_chart().map(|chart| AnalysisQuery::Token(chart.token_query(model)));
    let report = model.open_reports().map(|reports| AnalysisQuery::Report(reports.query(model)));
    let valuation = model.data.prices.settings.valuation.clone().filter(|_| model.page == Page::Markets);
    let prices = valuation.map(|valuation| AnalysisQuery::Prices { valuation, today });
    let pause = |times: u32| model.console.preferences.poll_period.saturating_mul(times).max(Duration::from_secs(5));
    // Until the first balances arrive, values are refreshed often. Once the service stops answering, they are
    // recomputed at once as of the last read: a sum that moved later would pass for news.
    let first = model.data.analyses.holdings_of_each_account().all(<[Holding]>::is_empty);
    let slowly = match (first, model.data.connection.is_answered()) {
        (_, false) => Duration::ZERO,
        (true, true) => model.console.preferences.poll_period,
        (false, true) => pause(6),
    };
    // The thresholds of the first rows are refreshed often, until some are known.
    let is_shown = model
        .data
        .analyses
        .confirmations
        .last_result
        .as_ref()
        .is_some_and(|(_, settling)| *settling != ConfirmationThresholds::default());
    let settled = if is_shown { pause(12) } else { model.console.preferences.poll_period };
    let needs_confirmations = model.data.is_connected && matches!(model.page, Page::Overview | Page::Transactions);
    [
        worths.map(|query| (query, slowly)),
        needs_confirmations.then_some((AnalysisQuery::Confirmations, settled)),
        week.map(|query| (query, pause(5))),
        chart.map(|query| (query, pause(1))),
        needed_row_sums(model).map(|query| (query, pause(1))),
        parts.map(|query| (query, pause(5))),
        report.map(|query| (query, pause(6))),
        needed_fold_count(model).map(|query| (query, pause(1))),
        prices.map(|query| (query, pause(6))),
    ]
}

/// The sums of the list with a filter on screen, once the filter is typed.
fn needed_row_sums(model: &Model) -> Option<AnalysisQuery> {
    let history = model.page_history()?;
    let is_typed = !matches!(model.mode, Mode::Filter { .. });
    (is_typed && history.needs_sum())
        .then(|| AnalysisQuery::RowSums { scope: history.query.scope.clone(), filter: history.query.filter.clone() })
}

/// The number of rows that the list of transactions on screen leaves out.
fn needed_fold_count(model: &Model) -> Option<AnalysisQuery> {
    let Query { scope, filter, .. } = &model.page_history()?.query;
    filter.poison_filter.is_some().then(|| AnalysisQuery::FoldedRows { scope: scope.clone(), filter: filter.clone() })
}

pub(in crate::app) fn start_due(model: &mut Model) -> Vec<Effect> {
    let [worths, settling, week, chart, sums, parts, report, folded, prices] = needed_queries(model);
    let (now, analyses) = (model.now, &mut model.data.analyses);
    let due = [
        start_if_due(&mut analyses.account_holdings, worths, now),
        start_if_due(&mut analyses.confirmations, settling, now),
        start_if_due(&mut analyses.past_week_balances, week, now),
        start_if_due(&mut analyses.token_chart, chart, now),
        start_if_due(&mut analyses.row_sums, sums, now),
        start_if_due(&mut analyses.holdings_by_part, parts, now),
        start_if_due(&mut analyses.report, report, now),
        start_if_due(&mut analyses.folded_rows, folded, now),
        start_if_due(&mut analyses.prices, prices, now),
        look_alikes::start_due(model),
        names::start_due(model),
        attention::start_due_examination(model),
    ];
    due.into_iter().flatten().collect()
}

/// Has all but prices computed again at once, since what is shown was computed from a part of the data.
pub(in crate::app) fn recompute_all(model: &mut Model) {
    model.data.analyses.recompute_all();
    model.pages.attention.reexamine();
}

fn start_if_due<T>(slot: &mut AnalysisSlot<T>, request: AnalysisRequest, now: Timestamp) -> Option<Effect> {
    let (query, pause) = request?;
    slot.due_at(&query, pause, now).filter(|due| *due <= now)?;
    Some(slot.start_query(query, now))
}

pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let [worths, settling, week, chart, sums, parts, report, folded, prices] = needed_queries(model);
    let (now, analyses) = (model.now, &model.data.analyses);
    let due = [
        worths.and_then(|(query, pause)| analyses.account_holdings.due_at(&query, pause, now)),
        settling.and_then(|(query, pause)| analyses.confirmations.due_at(&query, pause, now)),
        week.and_then(|(query, pause)| analyses.past_week_balances.due_at(&query, pause, now)),
        chart.and_then(|(query, pause)| analyses.token_chart.due_at(&query, pause, now)),
        sums.and_then(|(query, pause)| analyses.row_sums.due_at(&query, pause, now)),
        parts.and_then(|(query, pause)| analyses.holdings_by_part.due_at(&query, pause, now)),
        report.and_then(|(query, pause)| analyses.report.due_at(&query, pause, now)),
        folded.and_then(|(query, pause)| analyses.folded_rows.due_at(&query, pause, now)),
        prices.and_then(|(query, pause)| analyses.prices.due_at(&query, pause, now)),
        analyses.look_alikes.next_due(),
        attention::next_examination_due(model),
    ];
    due.into_iter().flatten().min()
}

pub(in crate::app) fn apply_analysis_result(
    model: &mut Model,
    query: AnalysisQuery,
    request_id: RequestId,
    result: Result<AnalysisResult, Failure>,
) {
    let analyses = &mut model.data.analyses;
    match result {
        Err(failure) => {
            model.data.store_failure = Some(failure.clone());
            apply_failure(model, query, request_id, failure);
        }
        Ok(AnalysisResult::AccountHoldings(holdings)) => {
            analyses.account_holdings.apply_result(request_id, query, Ok(holdings));
        }
        Ok(AnalysisResult::Confirmations(thresholds)) => {
            analyses.confirmations.apply_result(request_id, query, Ok(thresholds));
        }
        Ok(AnalysisResult::Week(past)) => analyses.past_week_balances.apply_result(request_id, query, Ok(past)),
        Ok(AnalysisResult::Token(history)) => analyses.token_chart.apply_result(request_id, query, Ok(history)),
        Ok(AnalysisResult::HoldingsByPart(parts)) => {
            analyses.holdings_by_part.apply_result(request_id, query, Ok(parts));
        }
        Ok(AnalysisResult::Report(table)) => analyses.report.apply_result(request_id, query, Ok(table)),
        Ok(AnalysisResult::RowSums(sums)) => analyses.row_sums.apply_result(request_id, query, Ok(sums)),
        Ok(AnalysisResult::FoldedRows(count)) => analyses.folded_rows.apply_result(request_id, query, Ok(count)),
        Ok(AnalysisResult::Prices(prices)) => analyses.prices.apply_result(request_id, query, Ok(prices)),
        Ok(AnalysisResult::LookAlikes(look_alikes)) => analyses.look_alikes.apply_result(request_id, Some(look_alikes)),
        Ok(AnalysisResult::Names(names)) => analyses.names.apply_result(request_id, Some(names)),
        Ok(AnalysisResult::Findings(findings)) => attention::apply_findings(model, request_id, Some(*findings)),
        Ok(AnalysisResult::WatchTrial(result)) => {
            if let AnalysisQuery::WatchTrial(trial) = &query {
                line_prompt::apply_watch_trial(model, request_id, trial, Ok(result));
            }
        }
    }
}

fn apply_failure(model: &mut Model, query: AnalysisQuery, request_id: RequestId, failure: Failure) {
    let analyses = &mut model.data.analyses;
    match &query {
        AnalysisQuery::AccountHoldings(_) => analyses.account_holdings.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::Confirmations => analyses.confirmations.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::Week { .. } => analyses.past_week_balances.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::Token(_) => analyses.token_chart.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::HoldingsByPart { .. } => {
            analyses.holdings_by_part.apply_result(request_id, query, Err(failure));
        }
        AnalysisQuery::Report(_) => analyses.report.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::RowSums { .. } => analyses.row_sums.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::FoldedRows { .. } => analyses.folded_rows.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::Prices { .. } => analyses.prices.apply_result(request_id, query, Err(failure)),
        AnalysisQuery::LookAlikes(_) => analyses.look_alikes.apply_result(request_id, None),
        AnalysisQuery::Names(_) => analyses.names.apply_result(request_id, None),
        AnalysisQuery::Findings(_) => attention::apply_findings(model, request_id, None),
        AnalysisQuery::WatchTrial(trial) => {
            line_prompt::apply_watch_trial(model, request_id, trial, Err(failure));
        }
    }
}
