//! What everything was worth at the end of each day.

use super::table::report_columns;
use super::{LineLevel, ReportCell, ReportKind, ReportLine, ReportTable, ValueSum};
use crate::domain::balance_history::closing_balances;
use crate::domain::{
    BalanceHistory, Day, Holding, Period, PriceHistory, Text, TotalSample, ValuationAmount, ValueChange,
};

/// A day's value, and the tokens that are not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DayValue {
    day: Day,
    value: ValueSum,
    /// The total that was sampled at the day's end.
    sampled: Option<ValuationAmount>,
    /// Tokens whose balance on that day is not known.
    unknown: u64,
}

impl DayValue {
    fn total(&self) -> Option<ValuationAmount> {
        self.sampled.or(self.value.total())
    }
}

/// The table of a balance history, the newest day first. Imitations are left out. Yesterday closed with the total
/// that was sampled at `midnight`, if one was: today's change is then that of the Overview.
pub fn value_table(
    history: &BalanceHistory,
    holdings: &[Holding],
    prices: &PriceHistory,
    today: Day,
    midnight: Option<&TotalSample>,
) -> ReportTable {
    let mut days: Vec<DayValue> = Vec::new();
    for holding in holdings.iter().filter(|holding| !holding.suspicious) {
        let past = history.token(&holding.token);
        let closings = closing_balances(history.since, today, holding.amount.as_ref(), history.is_complete, past);
        if days.is_empty() {
            days = closings
                .iter()
                .map(|closing| DayValue { day: closing.day, value: ValueSum::default(), sampled: None, unknown: 0 })
                .collect();
        }
        for (day, closing) in days.iter_mut().zip(closings) {
            match closing.amount {
                Some(amount) => day.value.add(amount, &holding.symbol, day.day, prices),
                None => day.unknown += 1,
            }
        }
    }
    let has_same_price = |holding: &&Holding, sample: &TotalSample| {
        let before = sample.values.get(&holding.token);
        before.is_none_or(|before| before.is_some() == prices.nearest_rate(&holding.symbol, today).is_some())
    };
    let mut genuine = holdings.iter().filter(|holding| !holding.suspicious);
    if let Some(sample) = midnight.filter(|sample| genuine.all(|holding| has_same_price(&holding, sample)))
        && let Some(yesterday) = days.iter_mut().rev().nth(1)
    {
        (yesterday.sampled, yesterday.unknown) = (sample.total(), 0);
    }
    let is_in_portfolio = |token| holdings.iter().any(|holding| holding.token == token);
    let former_tokens = history.tokens.iter().filter(|past| !is_in_portfolio(past.token.clone())).count();
    let mut remarks = Vec::new();
    let has_total = |day: &&DayValue| day.unknown == 0 && day.total().is_some();
    if let (Some(first), Some(last)) = (days.iter().find(has_total), days.iter().rev().find(has_total))
        && let Some(change) = last.total().zip(first.total()).and_then(|(now, then)| now.change_since(then))
    {
        remarks.push(format!("{} since {}", change.format_with_percentage(), first.day.start().format("%Y-%m-%d")));
    }
    let mut all = ValueSum::default();
    for day in &days {
        all.merge(&day.value);
    }
    if all.rows_at_other_day() > 0 {
        remarks.push("days without a recorded price are valued by that of the nearest day".to_owned());
    }
    if days.iter().any(|day| day.unknown > 0) {
        remarks.push("a day without all balances is valued by those that are known".to_owned());
    }
    if former_tokens > 0 {
        remarks.push(format!("{former_tokens} tokens that are not held any more are in no value"));
    }
    let valuation = prices.valuation_symbol();
    let before = std::iter::once(None).chain(days.iter().map(Some));
    let mut lines: Vec<ReportLine> = days
        .iter()
        .zip(before)
        .map(|(day, before)| ReportLine {
            level: LineLevel::Group,
            cells: cells(day, before, valuation),
            filter: Some(String::new()),
            period: Period { start: day.day.start(), end: day.day.next().start() },
        })
        .collect();
    lines.reverse();
    let period = Period { start: history.since.start(), end: today.next().start() };
    ReportTable {
        kind: ReportKind::Value,
        period,
        valuation: valuation.clone(),
        columns: COLUMNS,
        bars: &["value"],
        lines,
        remarks,
    }
}

report_columns! {
    fn cells(day: &DayValue, before: Option<&DayValue>, valuation: &Text) -> COLUMNS {
        let change = before
            .filter(|before| before.unknown == day.unknown)
            .and_then(|before| day.total()?.change_since(before.total()?));
        let start = day.day.start();
        "day", "Day", 1 => ReportCell::Day(start),
        "value", "≈ Value", 2 => ReportCell::value(day.total()),
        "change_percent", "Change", 3 => change.and_then(ValueChange::percentage).map_or(ReportCell::Empty, ReportCell::Change),
        "change_value", "≈ Change", 4 => change.map_or(ReportCell::Empty, ReportCell::Net),
        "unknown_tokens", "Unknown", 5 => if day.unknown > 0 { ReportCell::Count(day.unknown) } else { ReportCell::Empty },
        "unpriced_tokens", "Unpriced", 6 => ReportCell::Count(day.value.unpriced_rows()),
        "valued_in", "", 0 => ReportCell::text(Some(valuation)),
        "prices", "Valued by", 0 => ReportCell::word(
            day.sampled.map_or_else(|| day.value.to_string(), |_| "total sampled at midnight".to_owned()),
        ),
    }
}
