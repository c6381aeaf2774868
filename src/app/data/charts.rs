//! Queries that the store computes in the background: account values, balance histories, confirmation thresholds.
//!
//! One query of a kind runs at a time. When its inputs change it is recomputed, after a pause: sums over many wallets
//! and days cost more than a window of rows.

use std::time::Duration;

use super::look_alikes::{self, AddressComparison, LookAlikes};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, RequestId};
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, ScopeHoldings};
use crate::domain::filter::Filter;
use crate::domain::history::{Query, Scope};
use crate::domain::{
    AccountId, BalanceHistory, ConfirmationThresholds, Day, Failure, Holding, RowSum, Text, Timestamp, TokenKey,
    Transaction,
};
use crate::guard::LookAlikeMatch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    AccountHoldings(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<AddressComparison>),
    /// How many confirmations settle a transaction.
    Confirmations,
    /// The holdings of each account or wallet of a scope.
    HoldingsByPart {
        scope: Scope,
        grouping: BalanceGrouping,
    },
    /// The sums of the rows that match a filter.
    RowSums {
        scope: Scope,
        filter: Filter,
    },
    Week {
        scope: Scope,
        since: Day,
    },
    Token {
        scope: Scope,
        token: TokenKey,
        since: Day,
    },
}

impl ChartQuery {
    /// Whether both sum the rows of the same words, which mean other rows as the time moves on.
    fn has_same_filter_text(&self, other: &Self) -> bool {
        matches!((self, other), (Self::RowSums { scope, filter }, Self::RowSums { scope: other_scope, filter: other_filter })
            if scope == other_scope && filter.text == other_filter.text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartResult {
    AccountHoldings(Vec<(AccountId, Vec<Holding>)>),
    LookAlikes(Vec<(Text, Option<LookAlikeMatch>)>),
    Confirmations(ConfirmationThresholds),
    HoldingsByPart(Vec<ScopeHoldings>),
    RowSums(Vec<RowSum>),
    Week(BalanceHistory),
    /// The balance history of one token, and the present holding.
    Token(BalanceHistory, Option<Holding>),
}

/// The last result of one kind of query, and whether it is due again.
#[derive(Debug, Clone)]
pub struct ChartSlot<T> {
    request_id: RequestId,
    in_flight: bool,
    /// The newest query and when it was sent.
    last_query: Option<(ChartQuery, Timestamp)>,
    /// Whether the inputs have changed since.
    inputs_changed: bool,
    /// The last result and its query.
    last_result: Option<(ChartQuery, T)>,
}

impl<T> Default for ChartSlot<T> {
    fn default() -> Self {
        Self {
            request_id: RequestId::default(),
            in_flight: false,
            last_query: None,
            inputs_changed: false,
            last_result: None,
        }
    }
}

impl<T> ChartSlot<T> {
    /// When to compute it again; `None` while that is not needed.
    fn due_at(&self, wanted: &ChartQuery, pause: Duration, now: Timestamp) -> Option<Timestamp> {
        match &self.last_query {
            _ if self.in_flight => None,
            Some((known, at)) if known == wanted => self.inputs_changed.then(|| at.plus(pause)),
            Some((known, at)) if known.has_same_filter_text(wanted) => Some(at.plus(pause)),
            _ => Some(now),
        }
    }

    fn start_query(&mut self, wanted: ChartQuery, now: Timestamp) -> Effect {
        self.in_flight = true;
        self.inputs_changed = false;
        self.last_query = Some((wanted.clone(), now));
        Effect::ComputeChart { query: wanted, request_id: self.request_id.advance() }
    }

    fn apply_result(&mut self, request_id: RequestId, what: ChartQuery, made: Result<T, Failure>) {
        if request_id != self.request_id {
            return;
        }
        self.in_flight = false;
        match made {
            Ok(made) => self.last_result = Some((what, made)),
            // A failed query is repeated after the next change.
            Err(_) => self.inputs_changed = true,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Charts {
    account_holdings: ChartSlot<Vec<(AccountId, Vec<Holding>)>>,
    confirmations: ChartSlot<ConfirmationThresholds>,
    past_week: ChartSlot<BalanceHistory>,
    token_chart: ChartSlot<(BalanceHistory, Option<Holding>)>,
    row_sums: ChartSlot<Vec<RowSum>>,
    holdings_by_part: ChartSlot<Vec<ScopeHoldings>>,
    pub look_alikes: LookAlikes,
}

impl Charts {
    pub fn holdings_of(&self, account: &AccountId) -> Option<&[Holding]> {
        let (_, all) = self.account_holdings.last_result.as_ref()?;
        all.iter().find(|(known, _)| known == account).map(|(_, holdings)| holdings.as_slice())
    }

    /// How many confirmations a pending transaction needs, where settled ones show it.
    pub fn required_confirmations(&self, transaction: &Transaction) -> Option<u64> {
        self.confirmations.last_result.as_ref().and_then(|(_, settling)| settling.required_for(transaction))
    }

    pub(in crate::app) fn all_account_holdings(&self) -> impl Iterator<Item = &[Holding]> {
        let made = self.account_holdings.last_result.iter().flat_map(|(_, all)| all);
        made.map(|(_, holdings)| holdings.as_slice())
    }

    pub fn token_chart(&self, wanted: &ChartQuery) -> Option<&(BalanceHistory, Option<Holding>)> {
        self.token_chart.last_result.as_ref().filter(|(what, _)| what == wanted).map(|(_, made)| made)
    }

    /// The holdings of each account or wallet of a scope.
    pub fn holdings_by_part(&self, scope: &Scope, grouping: BalanceGrouping) -> Option<&[ScopeHoldings]> {
        let (what, parts) = self.holdings_by_part.last_result.as_ref()?;
        let wanted = ChartQuery::HoldingsByPart { scope: scope.clone(), grouping };
        (*what == wanted).then_some(parts)
    }

    /// The sums of the rows of a query, as they last were: a filter such as `age:<2h` moves on with the time.
    pub fn row_sums(&self, query: &Query) -> Option<&[RowSum]> {
        let (what, sums) = self.row_sums.last_result.as_ref()?;
        let is_same = matches!(what, ChartQuery::RowSums { scope, filter } if *scope == query.scope && filter.text == query.filter.text);
        is_same.then_some(sums)
    }

    pub fn past_week(&self, scope: &Scope) -> Option<&BalanceHistory> {
        let made = self.past_week.last_result.as_ref();
        made.filter(|(what, _)| matches!(what, ChartQuery::Week { scope: of, .. } if of == scope)).map(|(_, past)| past)
    }

    /// The inputs of every query changed.
    pub(in crate::app) fn mark_stale(&mut self) {
        self.account_holdings.inputs_changed = true;
        self.confirmations.inputs_changed = true;
        self.past_week.inputs_changed = true;
        self.token_chart.inputs_changed = true;
        self.row_sums.inputs_changed = true;
        self.holdings_by_part.inputs_changed = true;
    }
}

pub const WEEK_DAYS: u16 = 7;
const MAX_CHARTED_ACCOUNTS: usize = 32;

/// A query that the screen needs, and the pause before it is repeated.
type ChartRequest = Option<(ChartQuery, Duration)>;

fn needed_queries(model: &Model) -> [ChartRequest; 6] {
    let overview = model.page == Page::Overview && model.is_connected;
    let shown = &model.balances;
    let since = Day::from_timestamp(model.now).days_before(WEEK_DAYS - 1);
    let week = overview && shown.listing.is_loaded();
    let week = week.then(|| ChartQuery::Week { scope: shown.scope.clone(), since });
    let accounts: Vec<AccountId> =
        model.accounts.visible_rows().map(|(account, _)| account.entry.id.clone()).take(MAX_CHARTED_ACCOUNTS).collect();
    let worths = overview && model.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(ChartQuery::AccountHoldings(accounts));
    let has_parts = overview && matches!(shown.grouping, BalanceGrouping::Account | BalanceGrouping::Wallet);
    let parts = has_parts.then(|| ChartQuery::HoldingsByPart { scope: shown.scope.clone(), grouping: shown.grouping });
    let chart = model.mode.chart().map(|chart| chart.chart_query(Day::from_timestamp(model.now)));
    let pause = |times: u32| model.period.saturating_mul(times).max(Duration::from_secs(5));
    // Until the first balances arrive, values are refreshed often. Once the service stops answering, they are
    // recomputed at once as of the last read: a sum that moved later would pass for news.
    let first = model.charts.all_account_holdings().all(<[Holding]>::is_empty);
    let slowly = match (first, model.link.is_answered()) {
        (_, false) => Duration::ZERO,
        (true, true) => model.period,
        (false, true) => pause(6),
    };
    // The thresholds of the first rows are refreshed often, until some are known.
    let is_shown = model
        .charts
        .confirmations
        .last_result
        .as_ref()
        .is_some_and(|(_, settling)| *settling != ConfirmationThresholds::default());
    let settled = if is_shown { pause(12) } else { model.period };
    let listed = model.is_connected && matches!(model.page, Page::Overview | Page::Transactions);
    [
        worths.map(|what| (what, slowly)),
        listed.then_some((ChartQuery::Confirmations, settled)),
        week.map(|what| (what, pause(5))),
        chart.map(|what| (what, pause(1))),
        needed_row_sums(model).map(|what| (what, pause(1))),
        parts.map(|what| (what, pause(5))),
    ]
}

/// The sums of the list with a filter on screen, once the filter is typed.
fn needed_row_sums(model: &Model) -> Option<ChartQuery> {
    let history = match model.page {
        Page::Overview => &model.recent,
        Page::Transactions => &model.history,
        Page::Users | Page::Orders | Page::Markets | Page::Events | Page::Book => return None,
    };
    let is_typed = !matches!(model.mode, Mode::Filter { .. });
    (is_typed && history.has_sum())
        .then(|| ChartQuery::RowSums { scope: history.query.scope.clone(), filter: history.query.filter.clone() })
}

pub(in crate::app) fn start_due(model: &mut Model) -> Vec<Effect> {
    let [worths, settling, week, chart, sums, parts] = needed_queries(model);
    let (now, pictures) = (model.now, &mut model.charts);
    let due = [
        start_if_due(&mut pictures.account_holdings, worths, now),
        start_if_due(&mut pictures.confirmations, settling, now),
        start_if_due(&mut pictures.past_week, week, now),
        start_if_due(&mut pictures.token_chart, chart, now),
        start_if_due(&mut pictures.row_sums, sums, now),
        start_if_due(&mut pictures.holdings_by_part, parts, now),
        look_alikes::start_due(model),
    ];
    due.into_iter().flatten().collect()
}

fn start_if_due<T>(slot: &mut ChartSlot<T>, wanted: ChartRequest, now: Timestamp) -> Option<Effect> {
    let (what, pause) = wanted?;
    slot.due_at(&what, pause, now).filter(|due| *due <= now)?;
    Some(slot.start_query(what, now))
}

pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let [worths, settling, week, chart, sums, parts] = needed_queries(model);
    let (now, pictures) = (model.now, &model.charts);
    let due = [
        worths.and_then(|(what, pause)| pictures.account_holdings.due_at(&what, pause, now)),
        settling.and_then(|(what, pause)| pictures.confirmations.due_at(&what, pause, now)),
        week.and_then(|(what, pause)| pictures.past_week.due_at(&what, pause, now)),
        chart.and_then(|(what, pause)| pictures.token_chart.due_at(&what, pause, now)),
        sums.and_then(|(what, pause)| pictures.row_sums.due_at(&what, pause, now)),
        parts.and_then(|(what, pause)| pictures.holdings_by_part.due_at(&what, pause, now)),
        pictures.look_alikes.next_due(),
    ];
    due.into_iter().flatten().min()
}

pub(in crate::app) fn apply_chart_result(
    model: &mut Model,
    what: ChartQuery,
    request_id: RequestId,
    result: Result<ChartResult, Failure>,
) {
    if let Err(failure) = &result {
        model.store_failure = Some(failure.clone());
    }
    let pictures = &mut model.charts;
    match (&what, result) {
        (ChartQuery::AccountHoldings(_), Ok(ChartResult::AccountHoldings(worths))) => {
            pictures.account_holdings.apply_result(request_id, what, Ok(worths));
        }
        (ChartQuery::AccountHoldings(_), Err(failure)) => {
            pictures.account_holdings.apply_result(request_id, what, Err(failure));
        }
        (ChartQuery::Confirmations, Ok(ChartResult::Confirmations(settling))) => {
            pictures.confirmations.apply_result(request_id, what, Ok(settling));
        }
        (ChartQuery::Confirmations, Err(failure)) => {
            pictures.confirmations.apply_result(request_id, what, Err(failure));
        }
        (ChartQuery::Week { .. }, Ok(ChartResult::Week(past))) => {
            pictures.past_week.apply_result(request_id, what, Ok(past));
        }
        (ChartQuery::Week { .. }, Err(failure)) => pictures.past_week.apply_result(request_id, what, Err(failure)),
        (ChartQuery::Token { .. }, Ok(ChartResult::Token(past, held))) => {
            pictures.token_chart.apply_result(request_id, what, Ok((past, held)));
        }
        (ChartQuery::Token { .. }, Err(failure)) => pictures.token_chart.apply_result(request_id, what, Err(failure)),
        (ChartQuery::HoldingsByPart { .. }, Ok(ChartResult::HoldingsByPart(parts))) => {
            pictures.holdings_by_part.apply_result(request_id, what, Ok(parts));
        }
        (ChartQuery::HoldingsByPart { .. }, Err(failure)) => {
            pictures.holdings_by_part.apply_result(request_id, what, Err(failure));
        }
        (ChartQuery::RowSums { .. }, Ok(ChartResult::RowSums(sums))) => {
            pictures.row_sums.apply_result(request_id, what, Ok(sums));
        }
        (ChartQuery::RowSums { .. }, Err(failure)) => pictures.row_sums.apply_result(request_id, what, Err(failure)),
        (ChartQuery::LookAlikes(_), Ok(ChartResult::LookAlikes(judged))) => {
            pictures.look_alikes.apply_result(request_id, Some(judged));
        }
        (ChartQuery::LookAlikes(_), Err(_)) => pictures.look_alikes.apply_result(request_id, None),
        // The result always has the kind of its query.
        (
            ChartQuery::AccountHoldings(_)
            | ChartQuery::LookAlikes(_)
            | ChartQuery::Confirmations
            | ChartQuery::HoldingsByPart { .. }
            | ChartQuery::RowSums { .. }
            | ChartQuery::Week { .. }
            | ChartQuery::Token { .. },
            Ok(_),
        ) => {}
    }
}
