//! Which charts are computed when, and what becomes of the results.

use std::time::Duration;

use super::query::{ChartQuery, ChartResult};
use super::{ChartSlot, WEEK_DAYS};
use crate::app::data::{look_alikes, names};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::line_prompt;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::request_id::RequestId;
use crate::app::session::attention;
use crate::domain::history::Query;
use crate::domain::{AccountId, ConfirmationThresholds, Day, Failure, Holding, Timestamp};

const MAX_CHARTED_ACCOUNTS: usize = 32;

/// A query that the screen needs, and the pause before it is repeated.
type ChartRequest = Option<(ChartQuery, Duration)>;

fn needed_queries(model: &Model) -> [ChartRequest; 9] {
    let overview = model.page == Page::Overview && model.data.is_connected;
    let balances = &model.pages.overview.balances;
    let today = Day::from_timestamp(model.now);
    let since = today.days_before(WEEK_DAYS - 1);
    let week = overview && balances.listing.is_loaded();
    let week = week.then(|| ChartQuery::Week { scope: balances.scope.clone(), since });
    let accounts: Vec<AccountId> = model
        .pages
        .overview
        .accounts
        .visible_rows()
        .map(|(account, _)| account.entry.id.clone())
        .take(MAX_CHARTED_ACCOUNTS)
        .collect();
    let worths = overview && model.data.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(ChartQuery::AccountHoldings(accounts));
    let has_parts = overview && matches!(balances.grouping, BalanceGrouping::Account | BalanceGrouping::Wallet);
    let parts =
        has_parts.then(|| ChartQuery::HoldingsByPart { scope: balances.scope.clone(), grouping: balances.grouping });
    let chart = model.open_chart().map(|chart| ChartQuery::Token(chart.token_query(model)));
    let report = model.open_reports().map(|reports| ChartQuery::Report(reports.query(model)));
    let valuation = model.data.prices.settings.valuation.clone().filter(|_| model.page == Page::Markets);
    let prices = valuation.map(|valuation| ChartQuery::Prices { valuation, today });
    let pause = |times: u32| model.console.preferences.poll_period.saturating_mul(times).max(Duration::from_secs(5));
    // Until the first balances arrive, values are refreshed often. Once the service stops answering, they are
    // recomputed at once as of the last read: a sum that moved later would pass for news.
    let first = model.data.charts.holdings_of_each_account().all(<[Holding]>::is_empty);
    let slowly = match (first, model.data.link.is_answered()) {
        (_, false) => Duration::ZERO,
        (true, true) => model.console.preferences.poll_period,
        (false, true) => pause(6),
    };
    // The thresholds of the first rows are refreshed often, until some are known.
    let is_shown = model
        .data
        .charts
        .confirmations
        .last_result
        .as_ref()
        .is_some_and(|(_, settling)| *settling != ConfirmationThresholds::default());
    let settled = if is_shown { pause(12) } else { model.console.preferences.poll_period };
    let needs_confirmations = model.data.is_connected && matches!(model.page, Page::Overview | Page::Transactions);
    [
        worths.map(|query| (query, slowly)),
        needs_confirmations.then_some((ChartQuery::Confirmations, settled)),
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
fn needed_row_sums(model: &Model) -> Option<ChartQuery> {
    let history = model.page_history()?;
    let is_typed = !matches!(model.mode, Mode::Filter { .. });
    (is_typed && history.has_sum())
        .then(|| ChartQuery::RowSums { scope: history.query.scope.clone(), filter: history.query.filter.clone() })
}

/// The number of rows that the list of transactions on screen leaves out.
fn needed_fold_count(model: &Model) -> Option<ChartQuery> {
    let Query { scope, filter, .. } = &model.page_history()?.query;
    filter.poison_filter.is_some().then(|| ChartQuery::FoldedRows { scope: scope.clone(), filter: filter.clone() })
}

pub(in crate::app) fn start_due(model: &mut Model) -> Vec<Effect> {
    let [worths, settling, week, chart, sums, parts, report, folded, prices] = needed_queries(model);
    let (now, charts) = (model.now, &mut model.data.charts);
    let due = [
        start_if_due(&mut charts.account_holdings, worths, now),
        start_if_due(&mut charts.confirmations, settling, now),
        start_if_due(&mut charts.past_week_balances, week, now),
        start_if_due(&mut charts.token_chart, chart, now),
        start_if_due(&mut charts.row_sums, sums, now),
        start_if_due(&mut charts.holdings_by_part, parts, now),
        start_if_due(&mut charts.report, report, now),
        start_if_due(&mut charts.folded_rows, folded, now),
        start_if_due(&mut charts.prices, prices, now),
        look_alikes::start_due(model),
        names::start_due(model),
        attention::start_due_examination(model),
    ];
    due.into_iter().flatten().collect()
}

fn start_if_due<T>(slot: &mut ChartSlot<T>, request: ChartRequest, now: Timestamp) -> Option<Effect> {
    let (query, pause) = request?;
    slot.due_at(&query, pause, now).filter(|due| *due <= now)?;
    Some(slot.start_query(query, now))
}

pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let [worths, settling, week, chart, sums, parts, report, folded, prices] = needed_queries(model);
    let (now, charts) = (model.now, &model.data.charts);
    let due = [
        worths.and_then(|(query, pause)| charts.account_holdings.due_at(&query, pause, now)),
        settling.and_then(|(query, pause)| charts.confirmations.due_at(&query, pause, now)),
        week.and_then(|(query, pause)| charts.past_week_balances.due_at(&query, pause, now)),
        chart.and_then(|(query, pause)| charts.token_chart.due_at(&query, pause, now)),
        sums.and_then(|(query, pause)| charts.row_sums.due_at(&query, pause, now)),
        parts.and_then(|(query, pause)| charts.holdings_by_part.due_at(&query, pause, now)),
        report.and_then(|(query, pause)| charts.report.due_at(&query, pause, now)),
        folded.and_then(|(query, pause)| charts.folded_rows.due_at(&query, pause, now)),
        prices.and_then(|(query, pause)| charts.prices.due_at(&query, pause, now)),
        charts.look_alikes.next_due(),
        attention::next_examination_due(model),
    ];
    due.into_iter().flatten().min()
}

pub(in crate::app) fn apply_chart_result(
    model: &mut Model,
    query: ChartQuery,
    request_id: RequestId,
    result: Result<ChartResult, Failure>,
) {
    if let Err(failure) = &result {
        model.data.store_failure = Some(failure.clone());
    }
    let charts = &mut model.data.charts;
    match (&query, result) {
        (ChartQuery::AccountHoldings(_), Ok(ChartResult::AccountHoldings(worths))) => {
            charts.account_holdings.apply_result(request_id, query, Ok(worths));
        }
        (ChartQuery::AccountHoldings(_), Err(failure)) => {
            charts.account_holdings.apply_result(request_id, query, Err(failure));
        }
        (ChartQuery::Confirmations, Ok(ChartResult::Confirmations(settling))) => {
            charts.confirmations.apply_result(request_id, query, Ok(settling));
        }
        (ChartQuery::Confirmations, Err(failure)) => {
            charts.confirmations.apply_result(request_id, query, Err(failure));
        }
        (ChartQuery::Week { .. }, Ok(ChartResult::Week(past))) => {
            charts.past_week_balances.apply_result(request_id, query, Ok(past));
        }
        (ChartQuery::Week { .. }, Err(failure)) => {
            charts.past_week_balances.apply_result(request_id, query, Err(failure));
        }
        (ChartQuery::Token(_), Ok(ChartResult::Token(history))) => {
            charts.token_chart.apply_result(request_id, query, Ok(history));
        }
        (ChartQuery::Token(_), Err(failure)) => charts.token_chart.apply_result(request_id, query, Err(failure)),
        (ChartQuery::HoldingsByPart { .. }, Ok(ChartResult::HoldingsByPart(parts))) => {
            charts.holdings_by_part.apply_result(request_id, query, Ok(parts));
        }
        (ChartQuery::HoldingsByPart { .. }, Err(failure)) => {
            charts.holdings_by_part.apply_result(request_id, query, Err(failure));
        }
        (ChartQuery::Report(_), Ok(ChartResult::Report(table))) => {
            charts.report.apply_result(request_id, query, Ok(table));
        }
        (ChartQuery::Report(_), Err(failure)) => charts.report.apply_result(request_id, query, Err(failure)),
        (ChartQuery::RowSums { .. }, Ok(ChartResult::RowSums(sums))) => {
            charts.row_sums.apply_result(request_id, query, Ok(sums));
        }
        (ChartQuery::FoldedRows { .. }, Ok(ChartResult::FoldedRows(count))) => {
            charts.folded_rows.apply_result(request_id, query, Ok(count));
        }
        (ChartQuery::FoldedRows { .. }, Err(failure)) => {
            charts.folded_rows.apply_result(request_id, query, Err(failure));
        }
        (ChartQuery::Prices { .. }, Ok(ChartResult::Prices(prices))) => {
            charts.prices.apply_result(request_id, query, Ok(prices));
        }
        (ChartQuery::Prices { .. }, Err(failure)) => charts.prices.apply_result(request_id, query, Err(failure)),
        (ChartQuery::RowSums { .. }, Err(failure)) => charts.row_sums.apply_result(request_id, query, Err(failure)),
        (ChartQuery::LookAlikes(_), Ok(ChartResult::LookAlikes(look_alikes))) => {
            charts.look_alikes.apply_result(request_id, Some(look_alikes));
        }
        (ChartQuery::Findings(_), Ok(ChartResult::Findings(findings))) => {
            attention::apply_findings(model, request_id, Some(*findings));
        }
        (ChartQuery::Findings(_), Err(_)) => attention::apply_findings(model, request_id, None),
        (ChartQuery::WatchTrial(trial), Ok(ChartResult::WatchTrial(result))) => {
            line_prompt::apply_watch_trial(model, request_id, trial, Ok(result));
        }
        (ChartQuery::WatchTrial(trial), Err(failure)) => {
            line_prompt::apply_watch_trial(model, request_id, trial, Err(failure));
        }
        (ChartQuery::LookAlikes(_), Err(_)) => charts.look_alikes.apply_result(request_id, None),
        (ChartQuery::Names(_), Ok(ChartResult::Names(names))) => charts.names.apply_result(request_id, Some(names)),
        (ChartQuery::Names(_), Err(_)) => charts.names.apply_result(request_id, None),
        // The result always has the kind of its query.
        (
            ChartQuery::AccountHoldings(_)
            | ChartQuery::LookAlikes(_)
            | ChartQuery::Names(_)
            | ChartQuery::Findings(_)
            | ChartQuery::WatchTrial(_)
            | ChartQuery::Confirmations
            | ChartQuery::HoldingsByPart { .. }
            | ChartQuery::RowSums { .. }
            | ChartQuery::Report(_)
            | ChartQuery::FoldedRows { .. }
            | ChartQuery::Week { .. }
            | ChartQuery::Token(_)
            | ChartQuery::Prices { .. },
            Ok(_),
        ) => {}
    }
}
