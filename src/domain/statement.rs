//! The monthly statement: opening balance, movements and closing balance of each token of each account.
//!
//! A row belongs to the month of the time that the service reports, or else of the time when this console first saw it;
//! months are those of UTC. A row counts as its [`Movement`]. Where a row lacks what the sum needs, the balance after it
//! is reported as unknown. Movements between own wallets are neither incoming nor outgoing, but internal:
//! `opening + in + internal in − out − internal out − fees = closing`.

mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use ruint::aliases::U256;

use super::report::{Movement, ReportRow, ValueSum};
use super::{AccountId, Amount, Day, Period, PriceHistory, Text, Timestamp, TokenKey, Verdict};

pub use table::StatementContext;

/// A difference of two amounts, which may be below zero where a history is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedAmount {
    pub negative: bool,
    /// The absolute value.
    pub amount: Amount,
}

impl fmt::Display for SignedAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.amount)
    }
}

/// Sums in smallest units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct PeriodTotals {
    incoming: U256,
    outgoing: U256,
    fees: U256,
    /// From own wallets, and to own wallets.
    internal_incoming: U256,
    internal_outgoing: U256,
    /// Rows that lack what a sum needs.
    unclear: u64,
}

impl PeriodTotals {
    fn add_to_sum(&mut self, side: impl FnOnce(&mut Self) -> &mut U256, amount: U256) {
        let side = side(self);
        match side.checked_add(amount) {
            Some(sum) => *side = sum,
            None => self.unclear += 1,
        }
    }

    /// All that came; `None` where the sum overflows.
    fn total_incoming(&self) -> Option<U256> {
        self.incoming.checked_add(self.internal_incoming)
    }

    /// All that went, with the fees; `None` where the sum overflows.
    fn total_outgoing(&self) -> Option<U256> {
        self.outgoing.checked_add(self.fees)?.checked_add(self.internal_outgoing)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementLine {
    pub symbol: Text,
    pub name: Option<Text>,
    pub imitates: bool,
    /// The token's fraction digits, from the first row with an amount.
    decimals: Option<u8>,
    before_month: PeriodTotals,
    in_month: PeriodTotals,
    pub value_in: ValueSum,
    pub value_out: ValueSum,
    pub value_fees: ValueSum,
    /// The month's rows that count, unclear ones included.
    pub movements: u64,
    /// The month's rows that count and are not final yet.
    pub not_final: u64,
    /// The month's outgoing rows with a fee in another token, which is in no figure of this line.
    pub fees_elsewhere: u64,
}

impl StatementLine {
    fn new(row: &ReportRow<'_>) -> Self {
        Self {
            symbol: row.symbol.clone(),
            name: row.token_name.cloned(),
            imitates: false,
            decimals: None,
            before_month: PeriodTotals::default(),
            in_month: PeriodTotals::default(),
            value_in: ValueSum::default(),
            value_out: ValueSum::default(),
            value_fees: ValueSum::default(),
            movements: 0,
            not_final: 0,
            fees_elsewhere: 0,
        }
    }

    fn amount_from_raw(&self, raw: U256) -> Option<Amount> {
        Amount::new(raw, self.decimals.unwrap_or(0))
    }

    fn signed_difference(&self, incoming: U256, outgoing: U256) -> Option<SignedAmount> {
        let negative = outgoing > incoming;
        let raw = if negative { outgoing.checked_sub(incoming) } else { incoming.checked_sub(outgoing) };
        Some(SignedAmount { negative, amount: self.amount_from_raw(raw?)? })
    }

    /// The month's rows that lack what a sum needs.
    pub fn unclear_rows(&self) -> u64 {
        self.in_month.unclear
    }

    /// The balance before the month, by the rows; `None` where they lack what the sum needs.
    pub fn opening_balance(&self) -> Option<SignedAmount> {
        if self.before_month.unclear > 0 {
            return None;
        }
        self.signed_difference(self.before_month.total_incoming()?, self.before_month.total_outgoing()?)
    }

    /// The month's incoming sum from outside, over rows that state enough.
    pub fn incoming_total(&self) -> Option<Amount> {
        self.amount_from_raw(self.in_month.incoming)
    }

    /// What came from own wallets in the month.
    pub fn internal_incoming_total(&self) -> Option<Amount> {
        self.amount_from_raw(self.in_month.internal_incoming)
    }

    /// What went to own wallets in the month, without fees.
    pub fn internal_outgoing_total(&self) -> Option<Amount> {
        self.amount_from_raw(self.in_month.internal_outgoing)
    }

    /// The month's outgoing sum to outside, without fees.
    pub fn outgoing_total(&self) -> Option<Amount> {
        self.amount_from_raw(self.in_month.outgoing)
    }

    pub fn fee_total(&self) -> Option<Amount> {
        self.amount_from_raw(self.in_month.fees)
    }

    /// The balance after the month, by the rows; `None` where they lack what the sum needs.
    pub fn closing_balance(&self) -> Option<SignedAmount> {
        if self.before_month.unclear > 0 || self.in_month.unclear > 0 {
            return None;
        }
        let incoming = self.before_month.total_incoming()?.checked_add(self.in_month.total_incoming()?)?;
        self.signed_difference(
            incoming,
            self.before_month.total_outgoing()?.checked_add(self.in_month.total_outgoing()?)?,
        )
    }
}

/// The statement of a month, while rows are added to it.
#[derive(Debug, Clone)]
pub struct MonthStatement {
    month: Period,
    lines: BTreeMap<(Option<AccountId>, TokenKey), StatementLine>,
    /// Counted rows, up to the month's end, without a time from the service: they count at the time when this console
    /// first saw them.
    pub rows_without_time: u64,
    /// The month's rows, whether they count or not.
    pub rows: u64,
    /// Times of the first and the last row of the whole history.
    pub span: Option<(Timestamp, Timestamp)>,
}

impl MonthStatement {
    pub fn new(month: Period) -> Self {
        Self { month, lines: BTreeMap::new(), rows_without_time: 0, rows: 0, span: None }
    }

    /// Adds a row; the order of rows does not matter.
    pub fn add(&mut self, row: &ReportRow<'_>, prices: &PriceHistory) {
        let at = row.at;
        let (first, last) = self.span.unwrap_or((at, at));
        self.span = Some((first.min(at), last.max(at)));
        let within = self.month.contains(at);
        self.rows += u64::from(within);
        let Some(movement) = row.movement().filter(|_| at < self.month.end) else { return };
        self.rows_without_time += u64::from(!row.is_time_reported);
        let key = (row.account.cloned(), row.token.clone());
        let line = self.lines.entry(key).or_insert_with(|| StatementLine::new(row));
        line.imitates |= row.is_suspicious;
        if line.name.is_none() {
            line.name = row.token_name.cloned();
        }
        if within {
            line.movements += 1;
            line.not_final += u64::from(row.verdict == Verdict::Open);
        }
        let exact_amount = match movement {
            Movement::In(amount) | Movement::Out { total: amount, .. } => Some(amount),
            Movement::Unclear => None,
        };
        let has_same_decimals =
            exact_amount.is_some_and(|amount| *line.decimals.get_or_insert(amount.decimals()) == amount.decimals());
        let flow = if within { &mut line.in_month } else { &mut line.before_month };
        let day = Day::from_timestamp(at);
        match (movement, row.is_internal) {
            (Movement::Unclear, _) => flow.unclear += 1,
            _ if !has_same_decimals => flow.unclear += 1,
            (Movement::In(amount), true) => flow.add_to_sum(|flow| &mut flow.internal_incoming, amount.raw()),
            (Movement::In(amount), false) => {
                flow.add_to_sum(|flow| &mut flow.incoming, amount.raw());
                if within {
                    line.value_in.add(amount, row.symbol, day, prices);
                }
            }
            (Movement::Out { paid, total }, is_internal) => {
                let fee = total.checked_sub(paid).unwrap_or(Amount::zero(paid.decimals()));
                flow.add_to_sum(
                    |flow| if is_internal { &mut flow.internal_outgoing } else { &mut flow.outgoing },
                    paid.raw(),
                );
                flow.add_to_sum(|flow| &mut flow.fees, fee.raw());
                if within {
                    if !is_internal {
                        line.value_out.add(paid, row.symbol, day, prices);
                    }
                    line.value_fees.add(fee, row.symbol, day, prices);
                    line.fees_elsewhere += u64::from(row.has_fee_in_other_token());
                }
            }
        }
    }

    /// Why nothing moved in the month, if so. With `whole` false the sentence names the period that was read.
    pub fn empty_month_reason(&self, whole: bool) -> Option<String> {
        let month = self.month.start.format("%Y-%m");
        let minute = |at: Timestamp| at.format("%Y-%m-%dT%H:%MZ");
        if self.lines.values().any(|line| line.movements > 0) {
            return None;
        }
        let reach = self.span.map(|(first, last)| format!("from {} to {}", minute(first), minute(last)));
        if !whole {
            let reach = reach.map_or_else(String::new, |reach| format!(": the history was only read {reach}"));
            return Some(format!("no movements were read for {month}{reach}"));
        }
        Some(match (self.rows, reach) {
            (0, None) => format!("there is no transaction in {month}, and the history that was read is empty"),
            (0, Some(reach)) => {
                format!("there is no transaction in {month}; the history that was read runs {reach}")
            }
            (1, _) => format!("the only transaction in {month} moved nothing"),
            (rows, _) => format!("there are {rows} transactions in {month}, and none of them moved anything"),
        })
    }

    pub fn lines(&self) -> impl Iterator<Item = (&(Option<AccountId>, TokenKey), &StatementLine)> {
        self.lines.iter()
    }
}
