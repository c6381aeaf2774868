//! Queries that the store computes in the background: account values, balance histories, confirmation thresholds.
//!
//! One query of a kind runs at a time. When its inputs change it is recomputed, after a pause: sums over many wallets
//! and days cost more than a window of rows.

mod query;
mod recompute;

use std::time::Duration;

use super::look_alikes::LookAlikes;
use super::names::CollectedNames;
use crate::app::msg::Effect;
use crate::app::overlays::reports::ReportQuery;
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, ScopeHoldings};
use crate::app::request_id::RequestId;
use crate::domain::history::{Query, Scope};
use crate::domain::report::ReportTable;
use crate::domain::{
    AccountId, BalanceHistory, ConfirmationThresholds, Failure, Holding, PriceHistory, RowSum, Timestamp, Transaction,
};
pub use query::{AnalysisQuery, AnalysisResult, TokenHistory, TokenQuery};
pub(in crate::app) use recompute::{apply_analysis_result, next_due, recompute_all, start_due};

/// The shortest pause before a failed query is repeated.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The last result of one kind of query, and whether it is due again.
#[derive(Debug, Clone)]
pub struct AnalysisSlot<T> {
    request_id: RequestId,
    in_flight: bool,
    /// The newest query and when it was sent.
    last_query: Option<(AnalysisQuery, Timestamp)>,
    /// Whether the inputs have changed since.
    inputs_changed: bool,
    /// Whether the newest query failed.
    has_failed: bool,
    /// The last result and its query.
    last_result: Option<(AnalysisQuery, T)>,
}

impl<T> Default for AnalysisSlot<T> {
    fn default() -> Self {
        Self {
            request_id: RequestId::default(),
            in_flight: false,
            last_query: None,
            inputs_changed: false,
            has_failed: false,
            last_result: None,
        }
    }
}

impl<T> AnalysisSlot<T> {
    /// When to compute it again; `None` while that is not needed.
    fn due_at(&self, query: &AnalysisQuery, pause: Duration, now: Timestamp) -> Option<Timestamp> {
        let pause = if self.has_failed { pause.max(RETRY_PAUSE) } else { pause };
        match &self.last_query {
            _ if self.in_flight => None,
            Some((last_query, at)) if last_query == query => self.inputs_changed.then(|| at.plus(pause)),
            Some((last_query, at)) if last_query.is_repeat_of(query) => Some(at.plus(pause)),
            _ => Some(now),
        }
    }

    fn start_query(&mut self, query: AnalysisQuery, now: Timestamp) -> Effect {
        self.in_flight = true;
        self.inputs_changed = false;
        self.last_query = Some((query.clone(), now));
        Effect::RunAnalysis { query, request_id: self.request_id.advance() }
    }

    fn apply_result(&mut self, request_id: RequestId, query: AnalysisQuery, result: Result<T, Failure>) {
        if request_id != self.request_id {
            return;
        }
        self.in_flight = false;
        self.has_failed = result.is_err();
        match result {
            Ok(result) => self.last_result = Some((query, result)),
            // A failed query is repeated after the next change.
            Err(_) => self.inputs_changed = true,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Analyses {
    account_holdings: AnalysisSlot<Vec<(AccountId, Vec<Holding>)>>,
    confirmations: AnalysisSlot<ConfirmationThresholds>,
    past_week_balances: AnalysisSlot<BalanceHistory>,
    token_chart: AnalysisSlot<Box<TokenHistory>>,
    row_sums: AnalysisSlot<Vec<RowSum>>,
    holdings_by_part: AnalysisSlot<Vec<ScopeHoldings>>,
    report: AnalysisSlot<Box<ReportTable>>,
    folded_rows: AnalysisSlot<u64>,
    /// No input of it changes within a day.
    prices: AnalysisSlot<Box<PriceHistory>>,
    pub look_alikes: LookAlikes,
    pub names: CollectedNames,
}

impl Analyses {
    pub fn holdings_of_account(&self, account: &AccountId) -> Option<&[Holding]> {
        let (_, all) = self.account_holdings.last_result.as_ref()?;
        all.iter().find(|(account_id, _)| account_id == account).map(|(_, holdings)| holdings.as_slice())
    }

    /// How many confirmations a pending transaction needs, where settled ones show it.
    pub fn required_confirmations(&self, transaction: &Transaction) -> Option<u64> {
        self.confirmations.last_result.as_ref().and_then(|(_, settling)| settling.required_by_pending_row(transaction))
    }

    pub(in crate::app) fn holdings_of_each_account(&self) -> impl Iterator<Item = &[Holding]> {
        let results = self.account_holdings.last_result.iter().flat_map(|(_, all)| all);
        results.map(|(_, holdings)| holdings.as_slice())
    }

    pub fn token_chart(&self, query: &TokenQuery) -> Option<&TokenHistory> {
        let result = self.token_chart.last_result.as_ref();
        let is_wanted = |analysis_query: &AnalysisQuery| matches!(analysis_query, AnalysisQuery::Token(token_query) if token_query.is_same_token(query));
        result.filter(|(analysis_query, _)| is_wanted(analysis_query)).map(|(_, history)| &**history)
    }

    /// The holdings of each account or wallet of a scope.
    pub fn holdings_by_part(&self, scope: &Scope, grouping: BalanceGrouping) -> Option<&[ScopeHoldings]> {
        let (analysis_query, parts) = self.holdings_by_part.last_result.as_ref()?;
        let query = AnalysisQuery::HoldingsByPart { scope: scope.clone(), grouping };
        (*analysis_query == query).then_some(parts)
    }

    /// The sums of the rows of a query, as they last were: a filter such as `age:<2h` moves on with the time.
    pub fn row_sums(&self, query: &Query) -> Option<&[RowSum]> {
        let (analysis_query, sums) = self.row_sums.last_result.as_ref()?;
        let is_same = matches!(analysis_query, AnalysisQuery::RowSums { scope, filter } if *scope == query.scope && filter.is_same_search(&query.filter));
        is_same.then_some(sums)
    }

    pub fn report(&self, query: &ReportQuery) -> Option<&ReportTable> {
        let result = self.report.last_result.as_ref();
        result
            .filter(|(analysis_query, _)| matches!(analysis_query, AnalysisQuery::Report(report_query) if report_query.equals_except_prices(query)))
            .map(|(_, table)| &**table)
    }

    /// How many rows the list of a query leaves out since they are there to deceive.
    pub fn folded_row_count(&self, query: &Query) -> Option<u64> {
        let (analysis_query, count) = self.folded_rows.last_result.as_ref()?;
        let is_same = matches!(analysis_query, AnalysisQuery::FoldedRows { scope, filter } if *scope == query.scope && filter.is_same_search(&query.filter));
        is_same.then_some(*count)
    }

    pub fn past_week_balances(&self, scope: &Scope) -> Option<&BalanceHistory> {
        let result = self.past_week_balances.last_result.as_ref();
        result
            .filter(
                |(analysis_query, _)| matches!(analysis_query, AnalysisQuery::Week { scope: of, .. } if of == scope),
            )
            .map(|(_, past)| past)
    }

    /// The prices of earlier days; `None` before they are read.
    pub fn price_history(&self) -> Option<&PriceHistory> {
        self.prices.last_result.as_ref().map(|(_, prices)| &**prices)
    }

    /// The report is computed again at once.
    pub(in crate::app) fn recompute_report(&mut self) {
        self.report.last_query = None;
    }

    /// All but prices is computed again at once.
    fn recompute_all(&mut self) {
        self.account_holdings.last_query = None;
        self.confirmations.last_query = None;
        self.past_week_balances.last_query = None;
        self.token_chart.last_query = None;
        self.row_sums.last_query = None;
        self.folded_rows.last_query = None;
        self.holdings_by_part.last_query = None;
        self.report.last_query = None;
        self.look_alikes.invalidate_known_addresses();
    }

    /// The inputs of every query changed.
    pub(in crate::app) fn mark_stale(&mut self) {
        self.account_holdings.inputs_changed = true;
        self.confirmations.inputs_changed = true;
        self.past_week_balances.inputs_changed = true;
        self.token_chart.inputs_changed = true;
        self.row_sums.inputs_changed = true;
        self.folded_rows.inputs_changed = true;
        self.holdings_by_part.inputs_changed = true;
        self.report.inputs_changed = true;
    }
}

pub const WEEK_DAYS: u16 = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FailureReason;

    #[test]
    fn a_failed_query_is_repeated_after_a_pause_even_where_a_change_counts_at_once() {
        let at = |millis: i64| Timestamp::from_millis(millis);
        let (mut slot, query) = (AnalysisSlot::<ConfirmationThresholds>::default(), AnalysisQuery::Confirmations);
        slot.start_query(query.clone(), at(0));
        let failure = Failure::from_read(FailureReason::Local, "the disk is gone");
        slot.apply_result(slot.request_id, query.clone(), Err(failure));
        assert_eq!(slot.due_at(&query, Duration::ZERO, at(0)), Some(at(1_000)));
        slot.start_query(query.clone(), at(1_000));
        slot.apply_result(slot.request_id, query.clone(), Ok(ConfirmationThresholds::default()));
        slot.inputs_changed = true;
        assert_eq!(slot.due_at(&query, Duration::ZERO, at(1_001)), Some(at(1_000)));
    }
}
