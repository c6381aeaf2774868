//! What the store works out for pictures, aside from the questions that keys wait for: what accounts are worth, the past
//! of balances, with how many confirmations transactions are settled.
//!
//! One of a kind is under way at a time. When what it was made from changed it is made anew, and not sooner than it is
//! worth: sums over many wallets and days cost more than a window of rows.

use std::time::Duration;

use super::look_alikes::{self, Compared, LookAlikes};
use super::model::{Model, Page};
use super::msg::{Effect, RequestId};
use crate::domain::history::Scope;
use crate::domain::{
    AccountId, BalanceHistory, ConfirmationThresholds, Day, Failure, Holding, Text, Timestamp, TokenKey, Transaction,
};
use crate::guard::LookAlikeMatch;

/// What is to be worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    /// What accounts hold.
    AccountHoldings(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<Compared>),
    /// With how many confirmations transactions are settled.
    Confirmations,
    /// The past of everything that a scope holds.
    Week {
        /// Whose.
        scope: Scope,
        /// The first day.
        since: Day,
    },
    /// The past of one token within a scope.
    Token {
        /// Whose.
        scope: Scope,
        /// Of which token.
        token: TokenKey,
        /// The first day.
        since: Day,
    },
}

/// What was worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartResult {
    /// What accounts hold.
    AccountHoldings(Vec<(AccountId, Vec<Holding>)>),
    /// Which of the addresses resemble known ones, and whom.
    LookAlikes(Vec<(Text, Option<LookAlikeMatch>)>),
    /// With how many confirmations transactions are settled.
    Confirmations(ConfirmationThresholds),
    /// The past of everything that a scope holds.
    Week(BalanceHistory),
    /// The past of one token, and what is held of it now.
    Token(BalanceHistory, Option<Holding>),
}

/// One kind of picture: the last one that was made, and whether another is due.
#[derive(Debug, Clone)]
pub struct ChartSlot<T> {
    turn: RequestId,
    in_flight: bool,
    /// Of what the newest one was asked for, and when.
    asked: Option<(ChartQuery, Timestamp)>,
    /// Whether what it is made from changed since.
    changed: bool,
    /// The last one, and what it is of.
    made: Option<(ChartQuery, T)>,
}

impl<T> Default for ChartSlot<T> {
    fn default() -> Self {
        Self { turn: RequestId::default(), in_flight: false, asked: None, changed: false, made: None }
    }
}

impl<T> ChartSlot<T> {
    /// When it is to be made anew; `None` where it need not be.
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
            // What could not be made is tried again with the next change.
            Err(_) => self.changed = true,
        }
    }
}

/// Every picture.
#[derive(Debug, Clone, Default)]
pub struct Charts {
    worths: ChartSlot<Vec<(AccountId, Vec<Holding>)>>,
    settling: ChartSlot<ConfirmationThresholds>,
    week: ChartSlot<BalanceHistory>,
    chart: ChartSlot<(BalanceHistory, Option<Holding>)>,
    /// Rows whose other side resembles a known address.
    pub look_alikes: LookAlikes,
}

impl Charts {
    /// What an account holds.
    pub fn holdings_of(&self, account: &AccountId) -> Option<&[Holding]> {
        let (_, all) = self.worths.made.as_ref()?;
        all.iter().find(|(known, _)| known == account).map(|(_, holdings)| holdings.as_slice())
    }

    /// How many confirmations a transaction that is on its way waits for, where settled ones show it.
    pub fn required_confirmations(&self, transaction: &Transaction) -> Option<u64> {
        self.settling.made.as_ref().and_then(|(_, settling)| settling.required_for(transaction))
    }

    /// What each account on screen holds.
    pub(super) fn all_account_holdings(&self) -> impl Iterator<Item = &[Holding]> {
        let made = self.worths.made.iter().flat_map(|(_, all)| all);
        made.map(|(_, holdings)| holdings.as_slice())
    }

    /// The past of a token, and what is held of it now.
    pub fn chart(&self, wanted: &ChartQuery) -> Option<&(BalanceHistory, Option<Holding>)> {
        self.chart.made.as_ref().filter(|(what, _)| what == wanted).map(|(_, made)| made)
    }

    /// The past of a scope's balances.
    pub fn past_week(&self, scope: &Scope) -> Option<&BalanceHistory> {
        let made = self.week.made.as_ref();
        made.filter(|(what, _)| matches!(what, ChartQuery::Week { scope: of, .. } if of == scope)).map(|(_, past)| past)
    }

    /// What pictures are made from changed.
    pub(super) fn mark_stale(&mut self) {
        self.worths.changed = true;
        self.settling.changed = true;
        self.week.changed = true;
        self.chart.changed = true;
    }
}

/// Days that a sparkline shows.
pub const WEEK: u16 = 7;
/// The most accounts that are valued.
const MOST_ACCOUNTS: usize = 32;

/// A picture that the screen wants, and how long it can do with the one that it has.
type ChartRequest = Option<(ChartQuery, Duration)>;

/// What the screen wants, in the order of the slots.
fn wanted(model: &Model) -> [ChartRequest; 4] {
    let overview = model.page == Page::Overview && model.is_connected;
    let shown = &model.balances;
    let since = Day::from_timestamp(model.now).before(WEEK - 1);
    let week = overview && shown.listing.is_loaded();
    let week = week.then(|| ChartQuery::Week { scope: shown.scope.clone(), since });
    let accounts: Vec<AccountId> =
        model.accounts.visible().map(|(account, _)| account.entry.id.clone()).take(MOST_ACCOUNTS).collect();
    let worths = overview && model.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(ChartQuery::AccountHoldings(accounts));
    let chart = model.mode.chart().map(|chart| chart.query(Day::from_timestamp(model.now)));
    let pause = |times: u32| model.period.saturating_mul(times).max(Duration::from_secs(5));
    // At first there is nothing to see, and balances come in one by one. Once no answers come any more, all sums are told as
    // of what was read last, at once: one that moved later would pass for news.
    let first = model.charts.all_account_holdings().all(<[Holding]>::is_empty);
    let slowly = match (first, model.link.is_answered()) {
        (_, false) => Duration::ZERO,
        (true, true) => model.period,
        (false, true) => pause(6),
    };
    // At first little was read.
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

/// Starts every picture that is due.
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

/// When a picture is next due.
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

/// A picture was made, or could not be.
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
        // Whoever makes pictures makes the one that was asked for.
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
