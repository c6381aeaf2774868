//! The value of everything that the company holds at a moment, and its change since an earlier one.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Amount, Day, Text, Timestamp, TokenKey, ValuationAmount, ValueChange};

/// The total at a moment, token by token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalSample {
    pub at: Timestamp,
    /// The symbol of the token in which everything is valued.
    pub valuation: Text,
    /// The value of each token held; `None` for one without price, of an unknown amount or suspicious.
    pub values: BTreeMap<TokenKey, Option<Amount>>,
}

/// How far a sample may be from the midnight for which it stands: samples are taken once an hour.
const MIDNIGHT_TOLERANCE: Duration = Duration::from_mins(10);

impl TotalSample {
    /// The sample nearest to a time; `None` where none is as near as the tolerance.
    pub fn nearest(samples: &[Self], at: Timestamp, tolerance: Duration) -> Option<&Self> {
        let distance = |sample: &&Self| sample.at.age(at).max(at.age(sample.at));
        samples.iter().min_by_key(distance).filter(|sample| distance(sample) <= tolerance)
    }

    /// The sample at the start of a day of UTC; `None` where none is near.
    pub fn at_start_of(samples: &[Self], day: Day) -> Option<&Self> {
        Self::nearest(samples, day.start(), MIDNIGHT_TOLERANCE)
    }

    /// `None` where the sum overflows.
    pub fn total(&self) -> Option<ValuationAmount> {
        let values = self.values.values().flatten();
        values
            .map(|value| ValuationAmount::from_amount(*value))
            .try_fold(ValuationAmount::ZERO, |sum, value| sum.checked_add(value?))
    }

    /// `None` where the two cannot be compared: a token that has gained or lost its price would pass for money that came
    /// or went.
    pub fn change_since(&self, earlier: &Self) -> Option<ValueChange> {
        let has_same_price = |(token, value): (&TokenKey, &Option<Amount>)| {
            earlier.values.get(token).is_none_or(|before| before.is_some() == value.is_some())
        };
        let comparable = self.valuation == earlier.valuation && self.values.iter().all(has_same_price);
        self.total().filter(|_| comparable)?.change_since(earlier.total()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[(&str, Option<&str>)]) -> TotalSample {
        let token = |name: &str| TokenKey { blockchain: Text::clean(name), contract: None };
        let value = |text: &str| Amount::parse(text, 2).unwrap();
        TotalSample {
            at: Timestamp::from_millis(0),
            valuation: Text::clean("USDT"),
            values: values.iter().map(|(name, worth)| (token(name), worth.map(value))).collect(),
        }
    }

    fn change(now: &TotalSample, earlier: &TotalSample) -> Option<String> {
        now.change_since(earlier).map(ValueChange::format_with_percentage)
    }

    #[test]
    fn a_change_is_in_money_and_percent() {
        let earlier = sample(&[("a", Some("1000.00")), ("b", Some("500.00")), ("c", None)]);
        for (now, expected) in [
            (sample(&[("a", Some("2234.56")), ("b", Some("500.00")), ("c", None)]), "+1,234.56 (+82.30%)"),
            (sample(&[("a", Some("1000.00")), ("c", None)]), "−500.00 (−33.33%)"),
            (sample(&[("a", Some("1000.00")), ("b", Some("500.00")), ("d", None)]), "0.00 (0.00%)"),
            (sample(&[("a", Some("1000.00")), ("b", Some("500.00")), ("e", Some("15.00"))]), "+15.00 (+1.00%)"),
        ] {
            assert_eq!(change(&now, &earlier).as_deref(), Some(expected));
        }
        assert_eq!(change(&earlier, &sample(&[])).as_deref(), Some("+1,500.00"), "no percentage of nothing");
    }

    #[test]
    fn a_price_that_came_or_went_makes_no_change() {
        let earlier = sample(&[("a", Some("1000.00")), ("b", None)]);
        assert_eq!(change(&sample(&[("a", None), ("b", None)]), &earlier), None);
        assert_eq!(change(&sample(&[("a", Some("1000.00")), ("b", Some("9.00"))]), &earlier), None);
        let other = TotalSample { valuation: Text::clean("EURC"), ..earlier.clone() };
        assert_eq!(change(&other, &earlier), None, "of another currency");
    }
}
