//! The monthly statement: opening balance, movements and closing balance of each token of each account.
//!
//! A row belongs to the month of the time that the service reports, or else of the time when this console first saw it;
//! months are those of UTC. A row counts as its [`BalanceDelta`]; movements between own wallets are summed apart, but for
//! their fees. Where a row lacks what the sum needs, the balance
//! after it is reported as unknown.

use std::collections::BTreeMap;
use std::fmt;

use ruint::aliases::U256;

use super::history::HistoryRow;
use super::{
    AccountId, Amount, BalanceDelta, FinalStatuses, Period, ReportedAmount, Text, Timestamp, TokenKey, Transaction,
};

#[cfg(test)]
mod tests;

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
    /// From own wallets, and to own wallets.
    internal_incoming: U256,
    internal_outgoing: U256,
    fees: U256,
    /// Rows that lack what a sum needs.
    unclear: u64,
}

impl PeriodTotals {
    fn add(&mut self, side: impl FnOnce(&mut Self) -> &mut U256, amount: U256) {
        let side = side(self);
        match side.checked_add(amount) {
            Some(sum) => *side = sum,
            None => self.unclear += 1,
        }
    }

    /// All that came in; `None` where the sum overflows.
    fn total_incoming(&self) -> Option<U256> {
        self.incoming.checked_add(self.internal_incoming)
    }

    /// All that went out, with fees; `None` where the sum overflows.
    fn total_outgoing(&self) -> Option<U256> {
        self.outgoing.checked_add(self.internal_outgoing)?.checked_add(self.fees)
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
    /// The month's rows that count, unclear ones included.
    pub movements: u64,
    /// The month's rows that count and are not final yet.
    pub not_final: u64,
    /// The month's outgoing rows with a fee in another token, which is in no figure of this line.
    pub fees_elsewhere: u64,
}

impl StatementLine {
    fn new(transaction: &Transaction) -> Self {
        Self {
            symbol: transaction.symbol.clone(),
            name: transaction.token_name.clone(),
            imitates: false,
            decimals: None,
            before_month: PeriodTotals::default(),
            in_month: PeriodTotals::default(),
            movements: 0,
            not_final: 0,
            fees_elsewhere: 0,
        }
    }

    fn amount(&self, raw: U256) -> Option<Amount> {
        Amount::new(raw, self.decimals.unwrap_or(0))
    }

    fn difference(&self, incoming: U256, outgoing: U256) -> Option<SignedAmount> {
        let negative = outgoing > incoming;
        let raw = if negative { outgoing.checked_sub(incoming) } else { incoming.checked_sub(outgoing) };
        Some(SignedAmount { negative, amount: self.amount(raw?)? })
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
        self.difference(self.before_month.total_incoming()?, self.before_month.total_outgoing()?)
    }

    /// The month's incoming sum from outside, over rows that state enough.
    pub fn incoming_total(&self) -> Option<Amount> {
        self.amount(self.in_month.incoming)
    }

    /// The month's outgoing sum to outside, without fees.
    pub fn outgoing_total(&self) -> Option<Amount> {
        self.amount(self.in_month.outgoing)
    }

    /// What came from own wallets in the month.
    pub fn internal_incoming_total(&self) -> Option<Amount> {
        self.amount(self.in_month.internal_incoming)
    }

    /// What went to own wallets in the month, without fees.
    pub fn internal_outgoing_total(&self) -> Option<Amount> {
        self.amount(self.in_month.internal_outgoing)
    }

    pub fn fee_total(&self) -> Option<Amount> {
        self.amount(self.in_month.fees)
    }

    /// The balance after the month, by the rows; `None` where they lack what the sum needs.
    pub fn closing_balance(&self) -> Option<SignedAmount> {
        if self.before_month.unclear > 0 || self.in_month.unclear > 0 {
            return None;
        }
        let incoming = self.before_month.total_incoming()?.checked_add(self.in_month.total_incoming()?)?;
        self.difference(incoming, self.before_month.total_outgoing()?.checked_add(self.in_month.total_outgoing()?)?)
    }
}

/// The statement of a month, while rows are added to it.
#[derive(Debug, Clone)]
pub struct MonthStatement {
    month: Period,
    final_statuses: FinalStatuses,
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
    pub fn new(month: Period, final_statuses: FinalStatuses) -> Self {
        Self { month, final_statuses, lines: BTreeMap::new(), rows_without_time: 0, rows: 0, span: None }
    }

    /// Adds a row; the order of rows does not matter.
    pub fn add(&mut self, row: &HistoryRow) {
        let HistoryRow { transaction, seen_at, suspicious, internal, .. } = row;
        let at = transaction.reported_time().unwrap_or(*seen_at);
        let (first, last) = self.span.unwrap_or((at, at));
        self.span = Some((first.min(at), last.max(at)));
        self.rows += u64::from(self.month.contains(at));
        let Some(movement) =
            BalanceDelta::from_transaction(transaction, &self.final_statuses).filter(|_| at < self.month.end)
        else {
            return;
        };
        if transaction.reported_time().is_none() {
            self.rows_without_time += 1;
        }
        let key = (transaction.account.clone(), transaction.token.clone());
        let line = self.lines.entry(key).or_insert_with(|| StatementLine::new(transaction));
        line.imitates |= suspicious;
        let within = self.month.contains(at);
        if within {
            line.movements += 1;
            line.not_final += u64::from(!transaction.is_final(&self.final_statuses));
        }
        let known = match movement {
            BalanceDelta::In(amount) | BalanceDelta::Out(amount) => Some(amount),
            BalanceDelta::Unclear => None,
        };
        let same = known.filter(|amount| *line.decimals.get_or_insert(amount.decimals()) == amount.decimals());
        let flow = if within { &mut line.in_month } else { &mut line.before_month };
        match (movement, same) {
            (BalanceDelta::In(_), Some(amount)) => {
                flow.add(|flow| if *internal { &mut flow.internal_incoming } else { &mut flow.incoming }, amount.raw());
            }
            (BalanceDelta::Out(_), Some(total)) => {
                let paid = amount_to_recipient(transaction, total);
                flow.add(|flow| if *internal { &mut flow.internal_outgoing } else { &mut flow.outgoing }, paid.raw());
                flow.add(|flow| &mut flow.fees, total.checked_sub(paid).map_or(U256::ZERO, Amount::raw));
                line.fees_elsewhere += u64::from(within && has_fee_in_other_token(transaction));
            }
            (BalanceDelta::Unclear, _) | (_, None) => flow.unclear += 1,
        }
    }

    /// Why nothing moved in the month, if so. With `whole` false the sentence names the period that was read.
    pub fn no_movement_reason(&self, whole: bool) -> Option<String> {
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

/// The amount that the recipient received of the total that left. Where the row does not separate it from the fee, the
/// total.
fn amount_to_recipient(transaction: &Transaction, total: Amount) -> Amount {
    let stated = transaction.amount.as_ref().and_then(ReportedAmount::exact);
    stated.filter(|amount| total.checked_sub(*amount).is_some()).unwrap_or(total)
}

fn has_fee_in_other_token(transaction: &Transaction) -> bool {
    let other = transaction.fee_token.as_ref().is_some_and(|fee| !fee.eq_ignore_ascii_case(&transaction.symbol));
    other && transaction.total_fee.as_ref().is_some_and(|fee| !fee.raw().is_zero())
}
