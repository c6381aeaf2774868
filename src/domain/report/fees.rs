//! What was paid in fees, by month and chain.

use std::collections::BTreeMap;

use super::months::{MonthOfDay, value_change_cell};
use super::table::report_columns;
use super::{ExactSum, LineLevel, ReportCell, ReportKind, ReportLine, ReportRow, ReportTable, ValueSum};
use crate::domain::{Day, Period, PriceHistory, Text, Timestamp, ValueShare};

/// Fees in one symbol on one chain.
#[derive(Debug, Clone, Default)]
pub struct FeeSum {
    pub amount: ExactSum,
    pub value: ValueSum,
    /// Rows with a fee.
    pub payments: u64,
}

impl FeeSum {
    fn merge_values(&mut self, other: &Self) {
        self.value.merge(&other.value);
        self.payments += other.payments;
    }
}

/// By chain and symbol.
type SumsByChainAndSymbol = BTreeMap<(Text, Text), FeeSum>;

#[derive(Debug, Default)]
pub struct FeeSums {
    months: MonthOfDay,
    by_month: BTreeMap<Timestamp, SumsByChainAndSymbol>,
    unclear: u64,
}

impl FeeSums {
    pub fn add(&mut self, row: &ReportRow<'_>, prices: &PriceHistory) {
        if row.is_suspicious {
            return;
        }
        if row.movement() == Some(super::Movement::Unclear) || row.has_fee_in_other_token() && row.fees().count() == 0 {
            self.unclear += 1;
        }
        for fee in row.fees() {
            let month = self.months.month_start(row.at);
            let key = (row.token.blockchain.clone(), fee.symbol.clone());
            let sum = self.by_month.entry(month).or_default().entry(key).or_default();
            sum.amount.add(fee.amount);
            sum.value.add(fee.amount, fee.symbol, Day::from_timestamp(row.at), prices);
            sum.payments += 1;
        }
    }

    /// The fees of a month by chain and symbol.
    pub fn month(&self, start: Timestamp) -> Option<&BTreeMap<(Text, Text), FeeSum>> {
        self.by_month.get(&start)
    }

    pub fn into_table(self, period: Period, valuation: &Text) -> ReportTable {
        let total_over_tokens = |sums: &SumsByChainAndSymbol| {
            let mut all = FeeSum::default();
            for sum in sums.values() {
                all.merge_values(sum);
            }
            all
        };
        let mut lines = Vec::new();
        let mut total = FeeSum::default();
        // Months before the first row say nothing.
        let first = self.by_month.keys().next().copied();
        let months = period.months().into_iter().filter(|month| first.is_some_and(|first| first <= month.start));
        for month in months.rev() {
            let start = month.start;
            let empty = SumsByChainAndSymbol::new();
            let sums = self.by_month.get(&start).unwrap_or(&empty);
            let all = total_over_tokens(sums);
            total.merge_values(&all);
            let before = Period::month_before(start)
                .filter(|before| before.start >= period.start)
                .map(|before| self.by_month.get(&before.start).map(total_over_tokens).unwrap_or_default());
            let month_value = all.value.total();
            let share =
                |sum: &FeeSum| sum.value.total().zip(month_value).and_then(|(part, whole)| part.share_of(whole));
            let month_change =
                before.map_or(ReportCell::Empty, |before| value_change_cell(month_value, before.value.total()));
            lines.push(ReportLine {
                level: LineLevel::Group,
                cells: cells(LineLevel::Group, start, None, &all, None, month_change, valuation),
                filter: Some("dir:out".to_owned()),
                period: month,
            });
            let mut each: Vec<_> = sums.iter().collect();
            each.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.value.total(), sum.payments)));
            for (key, sum) in each {
                lines.push(ReportLine {
                    level: LineLevel::Token,
                    cells: cells(LineLevel::Token, start, Some(key), sum, share(sum), ReportCell::Empty, valuation),
                    filter: Some(format!("dir:out chain:{}", key.0)),
                    period: month,
                });
            }
        }
        let remarks = super::value_remarks(&total.value, self.unclear, valuation);
        ReportTable {
            kind: ReportKind::Fees,
            period,
            valuation: valuation.clone(),
            columns: COLUMNS,
            bars: &["fees_value"],
            lines,
            remarks,
        }
    }
}

report_columns! {
    fn cells(
        level: LineLevel,
        month: Timestamp,
        key: Option<&(Text, Text)>,
        sum: &FeeSum,
        share: Option<ValueShare>,
        moved: ReportCell,
        valuation: &Text,
    ) -> COLUMNS {
        "level", "", 0 => ReportCell::word(level.word()),
        "month", "Month", 1 => ReportCell::Month(month),
        "blockchain", "Chain", 2 => key.map_or(ReportCell::Empty, |(chain, _)| ReportCell::Chain(chain.clone())),
        "fee_token", "Token", 3 => ReportCell::text(key.map(|(_, symbol)| symbol)),
        "fees", "Fees", 5 => if key.is_some() { ReportCell::amount(sum.amount.amount()) } else { ReportCell::Empty },
        "fees_value", "≈ Fees", 4 => ReportCell::value(sum.value.total()),
        "share_percent", "Share", 7 => share.map_or(ReportCell::Empty, ReportCell::Share),
        "change_percent", "Change", 6 => moved,
        "payments", "Payments", 8 => ReportCell::Count(sum.payments),
        "valued_in", "", 0 => ReportCell::text(Some(valuation)),
        "prices", "Valued by", 10 => ReportCell::word(sum.value.to_string()),
    }
}
