//! Queries that the store computes in the background: account values, balance histories, confirmation thresholds.
//!
//! One query of a kind runs at a time. When its inputs change it is recomputed, after a pause: sums over many wallets
//! and days cost more than a window of rows.

use std::time::Duration;

use super::look_alikes::{self, Compared, LookAlikes};
use super::model::{Model, Page};
use super::msg::{Effect, RequestId};
use crate::domain::history::Scope;
use crate::domain::{
    AccountId, BalanceHistory, ConfirmationThresholds, Day, Failure, Holding, Text, Timestamp, TokenKey, Transaction,
};
use crate::guard::LookAlikeMatch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    AccountHoldings(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<Compared>),
    /// How many confirmations settle a transaction.
    Confirmations,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartResult {
    AccountHoldings(Vec<(AccountId, Vec<Holding>)>),
    LookAlikes(Vec<(Text, Option<LookAlikeMatch>)>),
    Confirmations(ConfirmationThresholds),
    Week(BalanceHistory),
    /// The balance history of one token, and the present holding.
    Token(BalanceHistory, Option<Holding>),
}

/// The last result of one kind of query, and whether it is due again.
#[derive(Debug, Clone)]
pub struct ChartSlot<T> {
    turn: RequestId,
    in_flight: bool,
    /// The newest query and when it was sent.
    asked: Option<(ChartQuery, Timestamp)>,
    /// Whether the inputs have changed since.
    changed: bool,
    /// The last result and its query.
    made: Option<(ChartQuery, T)>,
}

impl<T> Default for ChartSlot<T> {
    fn default() -> Self {
        Self { turn: RequestId::default(), in_flight: false, asked: None, changed: false, made: None }
    }
}

impl<T> ChartSlot<T> {
    /// When to compute it again; `None` while that is not needed.
    fn due(&self, wanted: &ChartQuery, pause: Duration, now: Timestamp) -> Option<Timestamp> {
        match &self.asked {
            _ if self.in_flight => None,
            Some((known, at)) if known == wanted => self.changed.then(|| at.plus(pause)),
            _ => Some(now),
        }
    }

    fn start(&mut self, wanted: ChartQuery, now: Timestamp) -> Effect {
        self.in_flight = true;
        self.changed = false;
        self.asked = Some((wanted.clone(), now));
        Effect::ComputeChart { query: wanted, turn: self.turn.advance() }
    }

    fn take(&mut self, turn: RequestId, what: ChartQuery, made: Result<T, Failure>) {
        if turn != self.turn {
            return;
        }
        self.in_flight = false;
        match made {
            Ok(made) => self.made = Some((what, made)),
            // A failed query is repeated after the next change.
            Err(_) => self.changed = true,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Charts {
    worths: ChartSlot<Vec<(AccountId, Vec<Holding>)>>,
    settling: ChartSlot<ConfirmationThresholds>,
    week: ChartSlot<BalanceHistory>,
    chart: ChartSlot<(BalanceHistory, Option<Holding>)>,
    pub look_alikes: LookAlikes,
}

impl Charts {
    pub fn holdings_of(&self, account: &AccountId) -> Option<&[Holding]> {
        let (_, all) = self.worths.made.as_ref()?;
        all.iter().find(|(known, _)| known == account).map(|(_, holdings)| holdings.as_slice())
    }

    /// How many confirmations a pending transaction needs, where settled ones show it.
    pub fn required_confirmations(&self, transaction: &Transaction) -> Option<u64> {
        self.settling.made.as_ref().and_then(|(_, settling)| settling.required_for(transaction))
    }

    pub(super) fn all_account_holdings(&self) -> impl Iterator<Item = &[Holding]> {
        let made = self.worths.made.iter().flat_map(|(_, all)| all);
        made.map(|(_, holdings)| holdings.as_slice())
    }

    pub fn chart(&self, wanted: &ChartQuery) -> Option<&(BalanceHistory, Option<Holding>)> {
        self.chart.made.as_ref().filter(|(what, _)| what == wanted).map(|(_, made)| made)
    }

    pub fn past_week(&self, scope: &Scope) -> Option<&BalanceHistory> {
        let made = self.week.made.as_ref();
        made.filter(|(what, _)| matches!(what, ChartQuery::Week { scope: of, .. } if of == scope)).map(|(_, past)| past)
    }

    /// The inputs of every query changed.
    pub(super) fn mark_stale(&mut self) {
        self.worths.changed = true;
        self.settling.changed = true;
        self.week.changed = true;
        self.chart.changed = true;
    }
}

pub const WEEK: u16 = 7;
const MOST_ACCOUNTS: usize = 32;

/// A query that the screen needs, and the pause before it is repeated.
type ChartRequest = Option<(ChartQuery, Duration)>;

fn wanted(model: &Model) -> [ChartRequest; 4] {
    let overview = model.page == Page::Overview && model.is_connected;
    let shown = &model.balances;
    let since = Day::from_timestamp(model.now).days_before(WEEK - 1);
    let week = overview && shown.listing.is_loaded();
    let week = week.then(|| ChartQuery::Week { scope: shown.scope.clone(), since });
    let accounts: Vec<AccountId> =
        model.accounts.visible().map(|(account, _)| account.entry.id.clone()).take(MOST_ACCOUNTS).collect();
    let worths = overview && model.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(ChartQuery::AccountHoldings(accounts));
    let chart = model.mode.chart().map(|chart| chart.query(Day::from_timestamp(model.now)));
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
    let is_shown =
        model.charts.settling.made.as_ref().is_some_and(|(_, settling)| *settling != ConfirmationThresholds::default());
    let settled = if is_shown { pause(12) } else { model.period };
    let listed = model.is_connected && matches!(model.page, Page::Overview | Page::Transactions);
    [
        worths.map(|what| (what, slowly)),
        listed.then_some((ChartQuery::Confirmations, settled)),
        week.map(|what| (what, pause(5))),
        chart.map(|what| (what, pause(1))),
    ]
}

pub(super) fn start_due(model: &mut Model) -> Vec<Effect> {
    let [worths, settling, week, chart] = wanted(model);
    let (now, pictures) = (model.now, &mut model.charts);
    let due = [
        start(&mut pictures.worths, worths, now),
        start(&mut pictures.settling, settling, now),
        start(&mut pictures.week, week, now),
        start(&mut pictures.chart, chart, now),
        look_alikes::start_due(model),
    ];
    due.into_iter().flatten().collect()
}

fn start<T>(slot: &mut ChartSlot<T>, wanted: ChartRequest, now: Timestamp) -> Option<Effect> {
    let (what, pause) = wanted?;
    slot.due(&what, pause, now).filter(|due| *due <= now)?;
    Some(slot.start(what, now))
}

pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let [worths, settling, week, chart] = wanted(model);
    let (now, pictures) = (model.now, &model.charts);
    let due = [
        worths.and_then(|(what, pause)| pictures.worths.due(&what, pause, now)),
        settling.and_then(|(what, pause)| pictures.settling.due(&what, pause, now)),
        week.and_then(|(what, pause)| pictures.week.due(&what, pause, now)),
        chart.and_then(|(what, pause)| pictures.chart.due(&what, pause, now)),
        pictures.look_alikes.next_due(),
    ];
    due.into_iter().flatten().min()
}

pub(super) fn apply_result(model: &mut Model, what: ChartQuery, turn: RequestId, result: Result<ChartResult, Failure>) {
    if let Err(failure) = &result {
        model.store_failure = Some(failure.clone());
    }
    let pictures = &mut model.charts;
    match (&what, result) {
        (ChartQuery::AccountHoldings(_), Ok(ChartResult::AccountHoldings(worths))) => {
            pictures.worths.take(turn, what, Ok(worths));
        }
        (ChartQuery::AccountHoldings(_), Err(failure)) => pictures.worths.take(turn, what, Err(failure)),
        (ChartQuery::Confirmations, Ok(ChartResult::Confirmations(settling))) => {
            pictures.settling.take(turn, what, Ok(settling));
        }
        (ChartQuery::Confirmations, Err(failure)) => pictures.settling.take(turn, what, Err(failure)),
        (ChartQuery::Week { .. }, Ok(ChartResult::Week(past))) => pictures.week.take(turn, what, Ok(past)),
        (ChartQuery::Week { .. }, Err(failure)) => pictures.week.take(turn, what, Err(failure)),
        (ChartQuery::Token { .. }, Ok(ChartResult::Token(past, held))) => {
            pictures.chart.take(turn, what, Ok((past, held)));
        }
        (ChartQuery::Token { .. }, Err(failure)) => pictures.chart.take(turn, what, Err(failure)),
        (ChartQuery::LookAlikes(_), Ok(ChartResult::LookAlikes(judged))) => {
            pictures.look_alikes.take(turn, Some(judged));
        }
        (ChartQuery::LookAlikes(_), Err(_)) => pictures.look_alikes.take(turn, None),
        // The result always has the kind of its query.
        (
            ChartQuery::AccountHoldings(_)
            | ChartQuery::LookAlikes(_)
            | ChartQuery::Confirmations
            | ChartQuery::Week { .. }
            | ChartQuery::Token { .. },
            Ok(_),
        ) => {}
    }
}
