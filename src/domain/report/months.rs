//! What came in and went out, month against month.

use std::collections::{BTreeMap, HashMap};

use super::counterparties::symbols_by_value;
use super::table::report_columns;
use super::{ExactSum, FlowSums, LineLevel, ReportCell, ReportKind, ReportLine, ReportRow, ReportTable};
use crate::domain::{Day, Period, PriceHistory, RateChange, Text, Timestamp, ValuationAmount};

/// The first moment of each day's month, found once a day.
#[derive(Debug, Default)]
pub(super) struct MonthOfDay(HashMap<Day, Timestamp>);

impl MonthOfDay {
    pub(super) fn month_start(&mut self, at: Timestamp) -> Timestamp {
        *self.0.entry(Day::from_timestamp(at)).or_insert_with(|| Period::month_of(at).map_or(at, |month| month.start))
    }
}

type SumsBySymbol = BTreeMap<Text, FlowSums>;

/// The sums of the months of a period, and of all that was before it.
#[derive(Debug)]
pub struct MonthSums {
    period: Period,
    months: MonthOfDay,
    /// By the first moment of the month; what was before the period, by the first moment of all.
    by_month: BTreeMap<Timestamp, SumsBySymbol>,
    imitations: BTreeMap<Timestamp, SumsBySymbol>,
}

const EARLIER: Timestamp = Period::EVER.start;

impl MonthSums {
    pub fn new(period: Period) -> Self {
        let (by_month, imitations) = (BTreeMap::new(), BTreeMap::new());
        Self { period, months: MonthOfDay::default(), by_month, imitations }
    }

    /// The rows that it needs: those before the period too, so that all lines together add up to what is held.
    pub fn required_period(&self) -> Period {
        Period { start: EARLIER, ..self.period }
    }

    pub fn add(&mut self, row: &ReportRow<'_>, prices: &PriceHistory) {
        let Some(movement) = row.movement().filter(|_| self.required_period().contains(row.at)) else { return };
        let month = if row.at < self.period.start { EARLIER } else { self.months.month_start(row.at) };
        let day = Day::from_timestamp(row.at);
        let months = if row.is_suspicious { &mut self.imitations } else { &mut self.by_month };
        let sums = months.entry(month).or_default();
        let flows = match sums.get_mut(row.symbol) {
            Some(flows) => flows,
            None => sums.entry(row.symbol.clone()).or_default(),
        };
        flows.add_movement(movement, row.is_internal, (row.symbol, day), prices);
        for fee in row.fees() {
            sums.entry(fee.symbol.clone()).or_default().add_fee(fee.amount, fee.symbol, day, prices);
        }
    }

    /// The sums of a month by symbol, without imitations.
    pub fn month(&self, start: Timestamp) -> Option<&BTreeMap<Text, FlowSums>> {
        self.by_month.get(&start)
    }

    pub fn into_table(self, valuation: &Text, now: Timestamp) -> ReportTable {
        let total_over_tokens = |sums: &SumsBySymbol| {
            let mut all = FlowSums::default();
            for flows in sums.values() {
                all.merge_values(flows);
            }
            all
        };
        let period = self.period;
        let mut lines = Vec::new();
        let mut total = FlowSums::default();
        // Months before the first row say nothing.
        let first = self.by_month.keys().chain(self.imitations.keys()).min().copied();
        let months = period.months().into_iter().filter(|month| first.is_some_and(|first| first <= month.start));
        let earlier = (first == Some(EARLIER)).then_some(Period { start: EARLIER, end: period.start });
        for month in months.rev().chain(earlier) {
            let start = month.start;
            let empty = SumsBySymbol::new();
            let sums = self.by_month.get(&start).unwrap_or(&empty);
            let all = total_over_tokens(sums);
            total.merge_values(&all);
            // The month before the first one of the report is not summed by itself.
            let before = Period::month_before(start)
                .filter(|before| before.start >= period.start)
                .map(|before| self.by_month.get(&before.start).map(total_over_tokens).unwrap_or_default());
            let mut add = |level, token: Option<&Text>, flows: &FlowSums, before: Option<&FlowSums>| {
                let cells = cells(level, start, token, flows, before, valuation);
                let filter = Some(token.map_or_else(String::new, |token| format!("token:{token}")));
                lines.push(ReportLine { level, cells, filter, period: month });
            };
            add(LineLevel::Group, None, &all, before.as_ref());
            for (symbol, flows) in symbols_by_value(sums) {
                add(LineLevel::Token, Some(symbol), flows, None);
            }
            for (symbol, flows) in self.imitations.get(&start).into_iter().flatten() {
                add(LineLevel::Imitation, Some(symbol), flows, None);
            }
        }
        let mut remarks = Vec::new();
        if period.contains(now) {
            remarks.push(format!("{} is not over: it is compared with the whole month before", now.format("%B")));
        }
        if earlier.is_some() {
            remarks.push(
                "with “earlier”, all before these months, the lines of each token add up to what is held".to_owned(),
            );
        }
        if self.imitations.values().any(|sums| !sums.is_empty()) {
            remarks.push("tokens that imitate a listed one have lines of their own and are in no other".to_owned());
        }
        remarks.extend(super::value_remarks(&total.all_flows_value(), total.unclear, valuation));
        ReportTable {
            kind: ReportKind::Months,
            period,
            valuation: valuation.clone(),
            columns: COLUMNS,
            bars: &["in_value", "out_value"],
            lines,
            remarks,
        }
    }
}

/// The change of a value since the month before; `None` where it was zero or is not known.
pub(super) fn value_change_cell(now: Option<ValuationAmount>, before: Option<ValuationAmount>) -> ReportCell {
    let change: Option<RateChange> = now.zip(before).and_then(|(now, before)| now.change_since(before)?.percentage());
    change.map_or(ReportCell::Empty, ReportCell::Change)
}

report_columns! {
    fn cells(
        level: LineLevel,
        month: Timestamp,
        token: Option<&Text>,
        flows: &FlowSums,
        before: Option<&FlowSums>,
        valuation: &Text,
    ) -> COLUMNS {
        let exact = |sum: &ExactSum| if token.is_some() { ReportCell::amount(sum.amount()) } else { ReportCell::Empty };
        let spent = flows.value_out.merged_with(&flows.value_fees).total();
        let net = flows.value_in.total().zip(spent).and_then(|(incoming, went)| incoming.change_since(went));
        "level", "", 0 => ReportCell::word(level.word()),
        "month", "Month", 1 => if month == EARLIER { ReportCell::word("earlier") } else { ReportCell::Month(month) },
        "token", "Token", 2 => ReportCell::symbol(token, level),
        "in", "In", 10 => exact(&flows.incoming),
        "out", "Out", 10 => exact(&flows.outgoing),
        "fees", "Fees", 11 => exact(&flows.fees),
        "internal", "Internal", 14 => exact(&flows.internal),
        "in_value", "≈ In", 3 => ReportCell::value(flows.value_in.total()),
        "in_change_percent", "Change", 7 => before.map_or(ReportCell::Empty, |before| value_change_cell(flows.value_in.total(), before.value_in.total())),
        "out_value", "≈ Out", 3 => ReportCell::value(flows.value_out.total()),
        "out_change_percent", "Change", 7 => before.map_or(ReportCell::Empty, |before| value_change_cell(flows.value_out.total(), before.value_out.total())),
        "fees_value", "≈ Fees", 6 => ReportCell::value(flows.value_fees.total()),
        "net_value", "≈ Net", 5 => net.map_or(ReportCell::Unknown, ReportCell::Net),
        "internal_value", "≈ Internal", 13 => ReportCell::value(flows.value_internal.total()),
        "movements", "Rows", 12 => ReportCell::Count(flows.rows),
        "unclear", "", 0 => ReportCell::Count(flows.unclear),
        "valued_in", "", 0 => ReportCell::text(Some(valuation)),
        "prices", "Valued by", 15 => ReportCell::word(flows.all_flows_value().to_string()),
    }
}
