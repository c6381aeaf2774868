//! Sums of reports: exact amounts, and their approximate values.

use std::fmt;

use super::Movement;
use crate::domain::{Amount, Day, PriceHistory, Text, ValuationAmount};

/// A sum of amounts of one symbol, exact over all chains, whose fraction digits may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExactSum {
    sum: Option<Amount>,
    is_overflown: bool,
}

impl ExactSum {
    pub fn add(&mut self, amount: Amount) {
        match self.sum.map_or(Some(amount), |sum| sum.checked_add_rescaled(amount)) {
            Some(sum) => self.sum = Some(sum),
            None => self.is_overflown = true,
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.is_overflown |= other.is_overflown;
        if let Some(amount) = other.sum {
            self.add(amount);
        }
    }

    /// Zero where nothing was added; `None` where the sum is too large.
    pub fn amount(&self) -> Option<Amount> {
        (!self.is_overflown).then(|| self.sum.unwrap_or(Amount::zero(0)))
    }

    pub fn is_zero(&self) -> bool {
        !self.is_overflown && self.sum.is_none_or(Amount::is_zero)
    }
}

/// The value of amounts by the prices of their days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueSum {
    /// `None` where the sum overflows.
    sum: Option<ValuationAmount>,
    /// Rows valued by the price of their own day, and by that of another day.
    at_own_day: u64,
    at_other_day: u64,
    unpriced: u64,
}

impl Default for ValueSum {
    fn default() -> Self {
        Self { sum: Some(ValuationAmount::ZERO), at_own_day: 0, at_other_day: 0, unpriced: 0 }
    }
}

impl ValueSum {
    pub fn add(&mut self, amount: Amount, symbol: &Text, day: Day, prices: &PriceHistory) {
        if amount.is_zero() {
            return;
        }
        let dated = prices.nearest_rate(symbol, day);
        let value = dated.and_then(|dated| dated.rate.worth(amount)).map(ValuationAmount::rounded_to_eight_digits);
        match (dated, value) {
            (Some(dated), Some(value)) => {
                if dated.day() == day {
                    self.at_own_day += 1;
                } else {
                    self.at_other_day += 1;
                }
                self.sum = self.sum.and_then(|sum| sum.checked_add(value));
            }
            (_, None) | (None, _) => self.unpriced += 1,
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.sum = self.sum.zip(other.sum).and_then(|(sum, other)| sum.checked_add(other));
        self.at_own_day += other.at_own_day;
        self.at_other_day += other.at_other_day;
        self.unpriced += other.unpriced;
    }

    #[must_use]
    pub fn merged_with(mut self, other: &Self) -> Self {
        self.merge(other);
        self
    }

    /// The value of what has a price; `None` where nothing has, or where the sum overflows.
    pub fn total(&self) -> Option<ValuationAmount> {
        self.sum.filter(|_| self.unpriced == 0 || self.priced_rows() > 0)
    }

    fn priced_rows(&self) -> u64 {
        self.at_own_day + self.at_other_day
    }

    pub fn rows_at_other_day(&self) -> u64 {
        self.at_other_day
    }

    pub fn unpriced_rows(&self) -> u64 {
        self.unpriced
    }
}

/// By which prices the sum is valued, in words.
impl fmt::Display for ValueSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.priced_rows() + self.unpriced;
        match (self.at_other_day, self.unpriced) {
            (0, 0) if rows == 0 => Ok(()),
            (0, 0) => f.write_str("day's price"),
            (0, unpriced) if unpriced == rows => f.write_str("no price"),
            (0, unpriced) => write!(f, "day's price, none for {unpriced} of {rows}"),
            (other, 0) => write!(f, "nearest day's price for {other} of {rows}"),
            (other, unpriced) => write!(f, "nearest day's price for {other} of {rows}, none for {unpriced}"),
        }
    }
}

/// What came in and went out, fees and internal movements apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlowSums {
    pub incoming: ExactSum,
    /// Without fees.
    pub outgoing: ExactSum,
    pub fees: ExactSum,
    /// What left one own wallet for another, which counts once: where it left.
    pub internal: ExactSum,
    pub value_in: ValueSum,
    pub value_out: ValueSum,
    pub value_fees: ValueSum,
    pub value_internal: ValueSum,
    /// Rows that moved something.
    pub rows: u64,
    /// Rows that lack what a sum needs.
    pub unclear: u64,
}

impl FlowSums {
    /// Adds what a row moved, without its fee.
    pub fn add_movement(
        &mut self,
        movement: Movement,
        is_internal: bool,
        (symbol, day): (&Text, Day),
        prices: &PriceHistory,
    ) {
        self.rows += 1;
        let (sum, value, amount) = match (movement, is_internal) {
            (Movement::Unclear, _) => {
                self.unclear += 1;
                return;
            }
            (Movement::In(_), true) => return,
            (Movement::In(amount), false) => (&mut self.incoming, &mut self.value_in, amount),
            (Movement::Out { paid, .. }, true) => (&mut self.internal, &mut self.value_internal, paid),
            (Movement::Out { paid, .. }, false) => (&mut self.outgoing, &mut self.value_out, paid),
        };
        sum.add(amount);
        value.add(amount, symbol, day, prices);
    }

    pub fn add_fee(&mut self, amount: Amount, symbol: &Text, day: Day, prices: &PriceHistory) {
        self.fees.add(amount);
        self.value_fees.add(amount, symbol, day, prices);
    }

    /// The sums over several symbols have values alone: amounts of different tokens are not added.
    pub fn merge_values(&mut self, other: &Self) {
        self.value_in.merge(&other.value_in);
        self.value_out.merge(&other.value_out);
        self.value_fees.merge(&other.value_fees);
        self.value_internal.merge(&other.value_internal);
        self.rows += other.rows;
        self.unclear += other.unclear;
    }

    pub fn merge(&mut self, other: &Self) {
        self.merge_values(other);
        self.incoming.merge(&other.incoming);
        self.outgoing.merge(&other.outgoing);
        self.fees.merge(&other.fees);
        self.internal.merge(&other.internal);
    }

    /// In and out together.
    pub fn volume(&self) -> ValueSum {
        self.value_in.merged_with(&self.value_out)
    }

    /// All values together, whose words say by which prices the whole line is valued.
    pub fn all_flows_value(&self) -> ValueSum {
        self.volume().merged_with(&self.value_fees).merged_with(&self.value_internal)
    }
}
