//! The prices of earlier days, as far as this console recorded them.
//!
//! No service reports past prices, so a day on which no console ran has none. The nearest day's price then stands in, and
//! whoever shows a value by it says so.

use std::collections::BTreeMap;

use super::history::PriceList;
use super::{Amount, BalanceSample, DatedRate, Day, Holding, Rate, ReportedAmount, Text, Timestamp, ValuationAmount};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceHistory {
    /// The symbol of the token in which everything is valued; empty without a valuation.
    valuation: Text,
    /// The last price of each day, by symbol in capitals, oldest first.
    by_symbol: BTreeMap<String, Vec<DatedRate>>,
}

impl PriceHistory {
    pub fn new(valuation: Text) -> Self {
        Self { valuation, by_symbol: BTreeMap::new() }
    }

    pub fn valuation_symbol(&self) -> &Text {
        &self.valuation
    }

    /// Adds prices of a token, oldest first. Prices are amounts of the valuation's token, and none is zero.
    pub fn add_samples(&mut self, symbol: &str, samples: &[BalanceSample]) {
        for sample in samples {
            let Some(rate) = Rate::from_amount(sample.amount) else { continue };
            self.add(symbol, DatedRate { rate, at: sample.at });
        }
    }

    /// With the prices of a list, which may not be recorded yet, as those of now.
    #[must_use]
    pub fn with_latest(mut self, latest: &PriceList, now: Timestamp) -> Self {
        if latest.token.eq_ignore_ascii_case(&self.valuation) {
            for (symbol, price) in &latest.prices {
                let samples = [BalanceSample { at: now, amount: *price }];
                self.add_samples(symbol, &samples);
            }
        }
        self
    }

    fn add(&mut self, symbol: &str, dated: DatedRate) {
        let rates = self.by_symbol.entry(symbol.to_uppercase()).or_default();
        match rates.binary_search_by_key(&dated.day(), |rate| rate.day()) {
            Ok(at) => rates[at] = dated,
            Err(at) => rates.insert(at, dated),
        }
    }

    /// The last prices of the days that have one, oldest first.
    pub fn rates_of(&self, symbol: &str) -> &[DatedRate] {
        self.by_symbol.get(&symbol.to_uppercase()).map_or(&[], Vec::as_slice)
    }

    /// The price of a token on a day, or else of the nearest day that has one; `None` where no day has.
    pub fn nearest_rate(&self, symbol: &str, day: Day) -> Option<DatedRate> {
        if self.valuation.is_empty() {
            return None;
        }
        if self.valuation.eq_ignore_ascii_case(symbol) {
            return Some(DatedRate { rate: Rate::ONE, at: day.start() });
        }
        let rates = match self.by_symbol.get(symbol) {
            Some(rates) => rates,
            None => self.by_symbol.get(&symbol.to_uppercase())?,
        };
        let after = rates.partition_point(|rate| rate.day() < day);
        let later = rates.get(after);
        let earlier = after.checked_sub(1).and_then(|at| rates.get(at));
        let distance = |rate: &DatedRate| rate.day().days_since(day).max(day.days_since(rate.day()));
        // Of two days equally near, the earlier one: a price from after the day may already contain its news.
        [earlier, later].into_iter().flatten().min_by_key(|rate| distance(rate)).copied()
    }

    /// The last price of a day itself; `None` where none was recorded on it.
    pub fn exact_rate_on(&self, symbol: &str, day: Day) -> Option<Rate> {
        self.nearest_rate(symbol, day).filter(|dated| dated.day() == day).map(|dated| dated.rate)
    }
}

/// The value of holdings on a day, as far as they have a price. Imitations are left out; zero balances need no price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldingsValue {
    /// `None` where nothing has a value, or the sum overflows.
    pub total: Option<ValuationAmount>,
    /// The holdings that are not zero.
    pub count: usize,
    /// The symbols of those without a price.
    pub unpriced: Vec<Text>,
    /// The symbols of those whose amount is not known.
    pub unknown: Vec<Text>,
    /// The time of the oldest price; `None` where none was needed.
    pub prices_at: Option<Timestamp>,
}

impl PriceHistory {
    pub fn value_holdings(&self, holdings: &[Holding], day: Day) -> HoldingsValue {
        let mut value =
            HoldingsValue { total: None, count: 0, unpriced: Vec::new(), unknown: Vec::new(), prices_at: None };
        let mut sum = Some(ValuationAmount::ZERO);
        for holding in holdings.iter().filter(|holding| !holding.suspicious) {
            let amount = holding.amount.as_ref().and_then(ReportedAmount::exact);
            if amount.is_some_and(Amount::is_zero) {
                continue;
            }
            value.count += 1;
            let Some(amount) = amount else {
                value.unknown.push(holding.symbol.clone());
                continue;
            };
            let dated = self.nearest_rate(&holding.symbol, day);
            let Some(worth) = dated.and_then(|dated| dated.rate.worth(amount)) else {
                value.unpriced.push(holding.symbol.clone());
                continue;
            };
            sum = sum.and_then(|sum| sum.checked_add(worth));
            value.total = sum;
            let at = dated.filter(|_| !self.valuation.eq_ignore_ascii_case(&holding.symbol)).map(|dated| dated.at);
            value.prices_at = [value.prices_at, at].into_iter().flatten().min();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(day: i64, hour: i64, price: &str) -> BalanceSample {
        let at = Timestamp::from_millis(day * 86_400_000 + hour * 3_600_000);
        BalanceSample { at, amount: Amount::parse(price, 8).unwrap() }
    }

    fn day(number: i64) -> Day {
        Day::from_timestamp(Timestamp::from_millis(number * 86_400_000))
    }

    #[test]
    fn a_day_has_its_last_price_and_a_day_without_one_the_nearest() {
        let mut prices = PriceHistory::new("USDT".into());
        prices.add_samples(
            "eth",
            &[sample(10, 3, "3000"), sample(10, 9, "3100"), sample(14, 1, "3200"), sample(15, 1, "0")],
        );
        let on = |number: i64| {
            let dated = prices.nearest_rate("ETH", day(number)).unwrap();
            (dated.rate.format_rate(), dated.day() == day(number))
        };
        assert_eq!(on(10), ("3,100".into(), true));
        assert_eq!(on(14), ("3,200".into(), true));
        assert_eq!(
            [on(1), on(11), on(12)],
            [("3,100".into(), false), ("3,100".into(), false), ("3,100".into(), false)]
        );
        assert_eq!([on(13), on(15)], [("3,200".into(), false), ("3,200".into(), false)], "no price is zero");
        assert_eq!(prices.nearest_rate("usdt", day(3)), Some(DatedRate { rate: Rate::ONE, at: day(3).start() }));
        assert_eq!(prices.nearest_rate("SOL", day(10)), None);
        let of = |number: i64| prices.exact_rate_on("ETH", day(number)).map(Rate::format_rate);
        assert_eq!([of(10), of(11), of(15)], [Some("3,100".into()), None, None]);
        assert_eq!(PriceHistory::default().nearest_rate("", day(3)), None, "without a valuation");
    }
}
