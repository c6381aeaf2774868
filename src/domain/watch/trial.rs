//! How often a watch would have been raised: its alert state is updated with the past, row by row.

use std::collections::HashMap;
use std::time::Duration;

use super::{AlertState, Watch, WatchCrossing, WatchFigure, WatchReading};
use crate::domain::{
    AddressBook, Amount, BalanceDelta, Direction, FinalStatuses, SettlementTimes, Timestamp, TotalSample, Transaction,
    Verdict,
};

/// How far back a watch is tried.
pub const TRIAL_PERIOD: Duration = Duration::from_hours(30 * 24);

/// A watch to be tried, with what the store does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchTrialRequest {
    pub watch: Watch,
    pub book: AddressBook,
    pub totals: Vec<TotalSample>,
}

/// A row of the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRow {
    /// When it was created.
    pub at: Timestamp,
    pub transaction: Transaction,
    /// Whether it is with the watched counterparty.
    pub is_with_counterparty: bool,
}

/// What a trial needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastFacts {
    pub now: Timestamp,
    /// The rows of the watch's scope, token and chain, in any order.
    pub rows: Vec<PastRow>,
    /// The time since which all rows are known.
    pub since: Timestamp,
    /// The present balance of the watch's token, for a watch on it.
    pub balance: Option<Amount>,
    /// Earlier values of everything, for a watch on the total; oldest first.
    pub totals: Vec<(Timestamp, Amount)>,
    pub settling: SettlementTimes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialResult {
    pub raised: u64,
    /// Since when.
    pub since: Timestamp,
    /// When it was last raised.
    pub last: Option<Timestamp>,
}

/// The readings that a watch would have had, in their order.
type Readings = Vec<(Timestamp, WatchReading)>;

/// Tries a watch on the past.
///
/// # Errors
/// Why it cannot be tried.
pub fn try_watch(watch: &Watch, facts: &PastFacts, final_statuses: &FinalStatuses) -> Result<TrialResult, String> {
    let within = watch.condition.period().unwrap_or_default();
    let counted = facts
        .rows
        .iter()
        .filter(|row| watch.condition.counts_row(&row.transaction, row.is_with_counterparty, final_statuses));
    let readings = match watch.condition.figure() {
        WatchFigure::Balance if watch.is_of_total() => total_readings(facts)?,
        WatchFigure::Balance => balance_readings(facts, final_statuses)?,
        WatchFigure::RowSum => row_sum_readings(counted, within)?,
        WatchFigure::RowCount => row_count_readings(counted.map(|row| row.at), within),
        WatchFigure::OldestPending { longer } => pending_readings(facts, |_| longer, final_statuses, false),
        WatchFigure::StuckCount => {
            let limit = |row: &PastRow| facts.settling.stuck_limit(&row.transaction.token.blockchain).after;
            pending_readings(facts, limit, final_statuses, true)
        }
    };
    let begin = facts.since.max(Timestamp::from_millis(
        facts.now.millis().saturating_sub(i64::try_from(TRIAL_PERIOD.as_millis()).unwrap_or(i64::MAX)),
    ));
    let (mut alert_state, mut raised, mut last) = (AlertState::default(), 0, None);
    for (at, reading) in readings.into_iter().filter(|(at, _)| *at <= facts.now) {
        let crossing = alert_state.update(watch, &reading, at, Duration::ZERO);
        if crossing == Some(WatchCrossing::Raised) && at >= begin {
            raised += 1;
            last = Some(at);
        }
    }
    let since = first_total_sample_time(watch, facts).unwrap_or(begin).max(begin);
    Ok(TrialResult { raised, since, last })
}

/// Of totals, only samples are known.
fn first_total_sample_time(watch: &Watch, facts: &PastFacts) -> Option<Timestamp> {
    if watch.is_of_total() { facts.totals.first().map(|(at, _)| *at) } else { None }
}

fn total_readings(facts: &PastFacts) -> Result<Readings, String> {
    if facts.totals.is_empty() {
        return Err("no earlier totals are known yet; one is kept every hour".into());
    }
    let reading = |(at, amount): &(Timestamp, Amount)| (*at, WatchReading::Balance { amount: *amount, as_of: *at });
    Ok(facts.totals.iter().map(reading).collect())
}

/// The balance after each row, from the present one back.
fn balance_readings(facts: &PastFacts, final_statuses: &FinalStatuses) -> Result<Readings, String> {
    let Some(mut balance) = facts.balance else { return Err("the present balance is not known".into()) };
    let mut rows: Vec<&PastRow> = facts.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse((moved_at(row), row.at)));
    let mut readings = vec![(facts.now, WatchReading::Balance { amount: balance, as_of: facts.now })];
    for row in rows {
        let at = moved_at(row);
        readings.push((at, WatchReading::Balance { amount: balance, as_of: at }));
        let before = match BalanceDelta::from_transaction(&row.transaction, final_statuses) {
            None => continue,
            Some(BalanceDelta::In(amount)) => balance.checked_sub_rescaled(amount),
            Some(BalanceDelta::Out(amount)) => balance.checked_add_rescaled(amount),
            Some(BalanceDelta::Unclear) => None,
        };
        balance = before.ok_or("the history does not explain the present balance, so earlier ones are not known")?;
        // A change is one from the balance right before it.
        let just_before = Timestamp::from_millis(at.millis().saturating_sub(1));
        readings.push((just_before, WatchReading::Balance { amount: balance, as_of: just_before }));
    }
    readings.push((facts.since, WatchReading::Balance { amount: balance, as_of: facts.since }));
    readings.reverse();
    Ok(readings)
}

/// When a row changed the balance.
fn moved_at(row: &PastRow) -> Timestamp {
    if row.transaction.direction == Direction::Incoming {
        row.transaction.confirmed_at.unwrap_or(row.at)
    } else {
        row.at
    }
}

/// The sum within the period, after each row and whenever one leaves it.
fn row_sum_readings<'a>(rows: impl Iterator<Item = &'a PastRow>, within: Duration) -> Result<Readings, String> {
    let mut steps: Vec<(Timestamp, bool, Amount)> = Vec::new();
    for row in rows {
        if let Some(amount) = row.transaction.exact_amount() {
            steps.push((row.at, true, amount));
            steps.push((row.at.plus(within), false, amount));
        }
    }
    steps.sort_by_key(|(at, comes, _)| (*at, *comes));
    let mut sum = Amount::zero(0);
    let mut readings = Vec::with_capacity(steps.len());
    for (at, comes, amount) in steps {
        let changed = if comes { sum.checked_add_rescaled(amount) } else { sum.checked_sub_rescaled(amount) };
        sum = changed.ok_or("the sum is larger than an amount can be")?;
        readings.push((at, WatchReading::Balance { amount: sum, as_of: at }));
    }
    Ok(readings)
}

/// The number of times within the period, after each and whenever one leaves it.
fn row_count_readings(times: impl Iterator<Item = Timestamp>, within: Duration) -> Readings {
    let mut steps: Vec<(Timestamp, bool)> = times.flat_map(|at| [(at, true), (at.plus(within), false)]).collect();
    steps.sort_unstable();
    let mut count = 0_u64;
    let step = |(at, comes): (Timestamp, bool)| {
        count = if comes { count + 1 } else { count.saturating_sub(1) };
        (at, WatchReading::Count { count, as_of: at })
    };
    steps.into_iter().map(step).collect()
}

/// How many rows are pending for longer than their limit: from then until they settled.
fn pending_readings(
    facts: &PastFacts,
    limit: impl Fn(&PastRow) -> Duration,
    final_statuses: &FinalStatuses,
    counts: bool,
) -> Readings {
    let mut steps: Vec<(Timestamp, bool, Timestamp)> = Vec::new();
    for row in &facts.rows {
        let is_pending = row.transaction.verdict(final_statuses) == Verdict::Open;
        let ended =
            if is_pending { Some(facts.now.plus(Duration::from_secs(1))) } else { row.transaction.confirmed_at };
        let overdue = row.at.plus(limit(row)).plus(Duration::from_millis(1));
        if let Some(ended) = ended.filter(|ended| *ended > overdue) {
            steps.push((overdue, true, row.at));
            steps.push((ended, false, row.at));
        }
    }
    steps.sort_unstable();
    let mut pending: HashMap<Timestamp, u64> = HashMap::new();
    let step = |(at, comes, created): (Timestamp, bool, Timestamp)| {
        let rows = pending.entry(created).or_default();
        *rows = if comes { *rows + 1 } else { rows.saturating_sub(1) };
        let oldest = pending.iter().filter(|(_, rows)| **rows > 0).map(|(created, _)| *created).min();
        let count = pending.values().sum();
        let reading = if counts {
            WatchReading::Count { count, as_of: at }
        } else {
            WatchReading::Pending { oldest, count, as_of: at }
        };
        (at, reading)
    };
    steps.into_iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ReportedAmount, Status};

    const NOW: Timestamp = Timestamp::from_millis(1_793_620_000_000);

    fn hours_ago(hours: u64) -> Timestamp {
        Timestamp::from_millis(NOW.millis() - i64::try_from(hours).unwrap() * 3_600_000)
    }

    fn units(text: &str) -> Amount {
        Amount::parse(text, 6).unwrap()
    }

    fn row(direction: Direction, amount: &str, hours: u64) -> PastRow {
        let transaction = Transaction {
            direction,
            status: Some(Status::Success),
            amount: Some(ReportedAmount::Exact(units(amount))),
            total_amount: Some(ReportedAmount::Exact(units(amount))),
            created_at: Some(hours_ago(hours)),
            confirmed_at: Some(hours_ago(hours)),
            ..Transaction::minimal("ethereum")
        };
        PastRow { at: hours_ago(hours), transaction, is_with_counterparty: false }
    }

    fn facts(rows: Vec<PastRow>) -> PastFacts {
        PastFacts {
            now: NOW,
            rows,
            since: hours_ago(40 * 24),
            balance: Some(units("100")),
            totals: Vec::new(),
            settling: SettlementTimes::default(),
        }
    }

    fn raised(sentence: &str, facts: &PastFacts) -> u64 {
        let watch = Watch::parse_sentence(sentence).unwrap();
        try_watch(&watch, facts, &FinalStatuses::default()).unwrap().raised
    }

    #[test]
    fn a_balance_is_followed_back_from_the_present_one() {
        // 100 now; 40 before 50 hours ago; 90 before 60 hours ago; 5 before 800 hours ago, which is beyond 30 days.
        let past = facts(vec![
            row(Direction::Incoming, "60", 50),
            row(Direction::Outgoing, "50", 60),
            row(Direction::Incoming, "85", 800),
        ]);
        assert_eq!(raised("ETH below 50", &past), 1);
        assert_eq!(raised("ETH below 10", &past), 0, "that was more than 30 days ago");
        assert_eq!(raised("ETH above 95", &past), 1);
        assert_eq!(raised("ETH changes by 50 within 1h", &past), 2);
        let unexplained = PastFacts { balance: Some(units("10")), ..past };
        let below = Watch::parse_sentence("ETH below 50").unwrap();
        assert!(try_watch(&below, &unexplained, &FinalStatuses::default()).is_err());
    }

    #[test]
    fn flows_failures_and_counterparties_count_within_their_period() {
        let mut rows = vec![
            row(Direction::Outgoing, "30", 100),
            row(Direction::Outgoing, "30", 99),
            row(Direction::Outgoing, "30", 50),
        ];
        assert_eq!(raised("ETH sent above 50 within 2h", &facts(rows.clone())), 1);
        assert_eq!(raised("ETH sent above 25 within 2h", &facts(rows.clone())), 2, "raised once for two in a row");
        assert_eq!(raised("ETH received above 1", &facts(rows.clone())), 0);
        for row in &mut rows {
            row.transaction.status = Some(Status::Failed);
            row.is_with_counterparty = true;
        }
        assert_eq!(raised("failures 2 within 2h", &facts(rows.clone())), 1);
        assert_eq!(raised("ETH with Zebra at least 30 within 2h", &facts(rows.clone())), 2);
        assert_eq!(raised("ETH with Zebra at least 31 within 2h", &facts(rows.clone())), 0);
        assert_eq!(raised("ETH sent above 25 within 2h", &facts(rows)), 0, "what failed moved nothing");
    }

    #[test]
    fn what_was_pending_too_long_is_counted_once_also_where_it_still_is() {
        let slow = |hours, took| {
            let mut row = row(Direction::Outgoing, "1", hours);
            row.transaction.confirmed_at = Some(hours_ago(hours - took));
            row
        };
        let mut pending = row(Direction::Outgoing, "1", 5);
        (pending.transaction.status, pending.transaction.confirmed_at) = (Some(Status::Pending), None);
        let past = facts(vec![slow(100, 4), slow(99, 4), slow(50, 1), pending]);
        assert_eq!(raised("pending longer than 2h", &past), 2);
        assert_eq!(raised("stuck", &past), 2, "without enough rows an hour is long");
        assert_eq!(raised("pending longer than 6h", &past), 0);
    }

    #[test]
    fn the_total_is_tried_on_its_samples() {
        let totals = vec![(hours_ago(9), units("100")), (hours_ago(5), units("80")), (hours_ago(1), units("100"))];
        let past = PastFacts { totals, ..facts(Vec::new()) };
        let watch = Watch::parse_sentence("total below 90").unwrap();
        let result = try_watch(&watch, &past, &FinalStatuses::default()).unwrap();
        assert_eq!((result.raised, result.since, result.last), (1, hours_ago(9), Some(hours_ago(5))));
        assert!(try_watch(&watch, &facts(Vec::new()), &FinalStatuses::default()).is_err(), "no total is known");
    }
}
