//! Approximate worth: prices from indicative quotes, and the values, shares and changes that follow from them.
//!
//! Nothing here is an amount, and nothing is ever paid by it. Figures are decimals of 28 digits, with checked
//! operations and explicit rounding; a result that overflows is unknown, shown as a dash.

use ruint::aliases::U256;
use rust_decimal::{Decimal, RoundingStrategy};

use super::v1::{Quote, SwapPair};
use super::{Amount, Day, ReportedAmount, Timestamp};

#[cfg(test)]
mod tests;

/// How many of one token are given for one whole of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(Decimal);

/// A rate, and when it was quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedRate {
    pub rate: Rate,
    pub at: Timestamp,
}

impl DatedRate {
    pub fn day(self) -> Day {
        Day::from_timestamp(self.at)
    }
}

/// Rates of a pair, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateHistory {
    pub pair: SwapPair,
    pub rates: Vec<DatedRate>,
}

/// In whole tokens of the valuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValuationAmount(Decimal);

/// The change of a rate in hundredths of a percent, rounded half away from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RateChange(i64);

/// How much a value grew or shrank; its percentage is `None` where it was zero before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueChange {
    difference: Decimal,
    percentage: Option<RateChange>,
}

/// A part of a whole in percent. It is rounded once, where it is shown, so that every place shows the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueShare(Decimal);

/// The digits that a decimal surely holds.
const MAX_DECIMAL_DIGITS: usize = 28;

/// An amount as a decimal. Digits beyond 28 are cut off, since all results are marked as approximate; `None` where
/// digits before the point would be cut off.
fn to_decimal(amount: Amount) -> Option<Decimal> {
    const LIMIT: u128 = 10_u128.pow(28);
    match u128::try_from(amount.raw()) {
        // Nearly every amount, of which a frame values some dozens.
        Ok(raw) if raw < LIMIT && usize::from(amount.decimals()) <= MAX_DECIMAL_DIGITS => {
            Decimal::try_from_i128_with_scale(i128::try_from(raw).ok()?, u32::from(amount.decimals())).ok()
        }
        Ok(_) | Err(_) => to_decimal_by_digits(amount),
    }
}

fn to_decimal_by_digits(amount: Amount) -> Option<Decimal> {
    let digits = amount.raw().to_string();
    let scale = usize::from(amount.decimals());
    let surplus = digits.len().saturating_sub(MAX_DECIMAL_DIGITS).max(scale.saturating_sub(MAX_DECIMAL_DIGITS));
    let scale = scale.checked_sub(surplus)?;
    let significant = digits.get(..digits.len().saturating_sub(surplus))?;
    let number = if significant.is_empty() { 0 } else { significant.parse::<i128>().ok()? };
    Decimal::try_from_i128_with_scale(number, u32::try_from(scale).ok()?).ok()
}

impl Rate {
    pub const ONE: Self = Self(Decimal::ONE);

    /// The amount bought for one whole of the token sold, net of fee and spread. It is calculated from the two amounts,
    /// since the specification does not state the direction of `swapPrice`. `None` where an amount is disputed or zero.
    pub fn from_swap_quote(quote: &Quote) -> Option<Self> {
        Self::from_amounts(quote.from_amount.exact()?, quote.to_amount.exact()?)
    }

    /// The rate at which one amount was given for another; `None` where one of them is zero.
    pub fn from_amounts(sold: Amount, bought: Amount) -> Option<Self> {
        if sold.is_zero() || bought.is_zero() {
            return None;
        }
        let rate = to_decimal(bought)?.checked_div(to_decimal(sold)?)?;
        (!rate.is_zero()).then_some(Self(rate))
    }

    /// The rate as an amount of the token bought; `None` where it has more digits than an amount may have.
    pub fn amount(self) -> Option<Amount> {
        let rate = self.0.normalize();
        Amount::parse(&rate.to_string(), u8::try_from(rate.scale()).ok()?).ok()
    }

    /// The price that an amount of the token bought states; `None` for zero.
    pub fn from_amount(price: Amount) -> Option<Self> {
        to_decimal(price).filter(|rate| !rate.is_zero()).map(Self)
    }

    /// `None` where the product overflows.
    pub fn worth(self, amount: Amount) -> Option<ValuationAmount> {
        to_decimal(amount)?.checked_mul(self.0).map(ValuationAmount)
    }

    /// How many of another token are given for one of this one, by the rates of both in a third. `None` where it
    /// overflows.
    pub fn per(self, other: Self) -> Option<Self> {
        self.0.checked_div(other.0).filter(|rate| !rate.is_zero()).map(Self)
    }

    /// The value of one whole token.
    pub fn value_of_one(self) -> ValuationAmount {
        ValuationAmount(self.0)
    }

    pub fn change_since(self, before: Self) -> Option<RateChange> {
        let change = self.0.checked_sub(before.0)?.checked_div(before.0)?;
        let parts = change.checked_mul(Decimal::from(10_000))?;
        let rounded = parts.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        i64::try_from(rounded).ok().map(RateChange)
    }

    /// With so many significant digits.
    #[must_use]
    pub fn rounded(self, digits: u32) -> Self {
        Self(self.0.round_sf_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero).unwrap_or(self.0))
    }

    /// The rate with six significant digits, but never fewer than its whole ones.
    pub fn format_rate(self) -> String {
        let text = self.rounded(6).0.normalize().to_string();
        match text.split_once('.') {
            Some((whole, fraction)) => format!("{}.{fraction}", super::amount::insert_thousands_separators(whole)),
            None => super::amount::insert_thousands_separators(&text),
        }
    }

    /// The nearest step to the rate on a scale from zero to the highest rate.
    pub fn axis_step_from_zero(self, most: Self, steps: u16) -> u16 {
        self.axis_step_between(Self(Decimal::ZERO), most, steps)
    }

    /// The nearest step to the rate on a scale from one rate to a higher one.
    pub fn axis_step_between(self, least: Self, most: Self, steps: u16) -> u16 {
        let position = || {
            let above = self.0.checked_sub(least.0)?.checked_mul(Decimal::from(steps))?;
            let step = above.checked_div(most.0.checked_sub(least.0)?)?;
            u16::try_from(step.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)).ok()
        };
        position().unwrap_or(steps).min(steps)
    }

    /// The ends of an axis that shows the rates between two: a quarter of the higher one apart or more, so that a change
    /// below a hundredth looks flat. `None` where it overflows.
    pub fn axis_ends(least: Self, most: Self) -> Option<(Self, Self)> {
        let shortest = most.0.checked_div(Decimal::from(4))?;
        let missing = shortest.checked_sub(most.0.checked_sub(least.0)?)?.max(Decimal::ZERO);
        let half = missing.checked_div(Decimal::TWO)?;
        Some((Self(least.0.checked_sub(half)?), Self(most.0.checked_add(half)?)))
    }
}

impl RateChange {
    /// In percent, without its sign: `-0.12`.
    pub fn format_plain(self) -> String {
        let parts = self.0.unsigned_abs();
        format!("{}{}.{:02}", if self.0 < 0 { "-" } else { "" }, parts / 100, parts % 100)
    }

    /// In hundredths of a percent.
    pub fn basis_points(self) -> i64 {
        self.0
    }

    /// With its sign, which shows the direction where colours do not: `+0.12%`.
    pub fn format_percent(self) -> String {
        let sign = match self.0 {
            0 => "",
            1.. => "+",
            _ => "−",
        };
        let parts = self.0.unsigned_abs();
        format!("{sign}{}.{:02}%", parts / 100, parts % 100)
    }
}

impl ValueChange {
    /// `None` where the value was zero before.
    pub fn percentage(self) -> Option<RateChange> {
        self.percentage
    }

    /// With its sign, ungrouped: `-12400.10`.
    pub fn format_plain_difference(self) -> String {
        format!("{:.2}", round_to_cents(self.difference))
    }

    /// With its sign, which shows the direction where colours do not: `+12,400.10`.
    pub fn format_difference(self) -> String {
        Self { percentage: None, ..self }.format_with_percentage()
    }

    /// With their signs, which show the direction where colours do not: `+12,400.10 (+0.15%)`.
    pub fn format_with_percentage(self) -> String {
        let rounded = round_to_cents(self.difference);
        let sign = match rounded {
            zero if zero.is_zero() => "",
            fall if fall.is_sign_negative() => "−",
            _ => "+",
        };
        let money = format!("{sign}{}", format_cents(rounded.abs()));
        self.percentage.map_or(money.clone(), |percentage| format!("{money} ({})", percentage.format_percent()))
    }
}

fn round_to_cents(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

fn format_cents(value: Decimal) -> String {
    let text = format!("{:.2}", round_to_cents(value));
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    format!("{}.{fraction}", super::amount::insert_thousands_separators(whole))
}

const MAGNITUDE_SUFFIXES: [&str; 5] = ["", "k", "M", "B", "T"];

impl ValuationAmount {
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// `None` where the sum overflows.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// As it is stored; `None` where it has more digits than an amount may have.
    pub fn amount(self) -> Option<Amount> {
        Rate(self.0).amount()
    }

    pub fn from_amount(amount: Amount) -> Option<Self> {
        to_decimal(amount).map(Self)
    }

    /// With eight fraction digits, so that sums of such values do not depend on their order.
    #[must_use]
    pub fn rounded_to_eight_digits(self) -> Self {
        Self(self.0.round_dp_with_strategy(8, RoundingStrategy::MidpointAwayFromZero))
    }

    /// In hundred-millionths, for charts; `None` where it overflows.
    pub fn to_hundred_millionths(self) -> Option<U256> {
        self.rounded_to_eight_digits().amount()?.rescaled(8).map(Amount::raw)
    }

    /// With two fraction digits and no grouping: `8470218.42`.
    pub fn format_plain(self) -> String {
        format!("{:.2}", round_to_cents(self.0))
    }

    /// `None` where the difference overflows.
    pub fn change_since(self, before: Self) -> Option<ValueChange> {
        let percentage = Rate(self.0).change_since(Rate(before.0));
        Some(ValueChange { difference: self.0.checked_sub(before.0)?, percentage })
    }

    /// Whole, with two fraction digits: `8,470,218.42`.
    pub fn format_grouped(self) -> String {
        format_cents(self.0)
    }

    /// `None` where the whole is zero.
    pub fn share_of(self, whole: Self) -> Option<ValueShare> {
        self.0.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(whole.0).map(ValueShare)
    }

    /// In six cells at most: `612.50`, `1.20M`, `<0.01`. Three significant digits from a thousand on, two fraction
    /// digits below.
    pub fn format_short(self) -> String {
        let rounded =
            |value: Decimal, places| value.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero);
        if !self.0.is_zero() && self.0 < Decimal::new(5, 3) {
            return "<0.01".into();
        }
        if rounded(self.0, 2) < Decimal::ONE_THOUSAND {
            return format!("{:.2}", rounded(self.0, 2));
        }
        let mut value = self.0;
        for step in &MAGNITUDE_SUFFIXES[1..] {
            value = value.checked_div(Decimal::ONE_THOUSAND).unwrap_or_default();
            // A value that rounds up to a thousand goes to the next suffix.
            let places = (0..=2).rev().find(|places| rounded(value, *places) < Decimal::from(10_i64.pow(3 - places)));
            if let Some(places) = places {
                return format!("{:.*}{step}", places as usize, rounded(value, places));
            }
        }
        ">999T".into()
    }
}

impl ValueShare {
    /// Rounded half up.
    fn rounded(self, places: u32) -> Decimal {
        self.0.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
    }

    /// In percent, without its sign: `26.61`.
    pub fn format_plain(self) -> String {
        format!("{:.2}", self.rounded(2))
    }

    /// With one fraction digit; a share above zero is never shown as none: `26.6%`, `<0.1%`.
    pub fn format_percent(self) -> String {
        let rounded = self.rounded(1);
        if rounded.is_zero() && !self.0.is_zero() {
            return "<0.1%".into();
        }
        format!("{rounded:.1}%")
    }
}

/// An amount's worth; `None` where it is unknown, disputed or unpriced.
pub fn worth_at_rate(amount: Option<&ReportedAmount>, rate: Option<Rate>) -> Option<ValuationAmount> {
    rate?.worth(amount?.exact()?)
}
