//! The value of holdings, together.

use std::collections::BTreeMap;

use super::Prices;
use crate::domain::price::worth_at_rate;
use crate::domain::{Amount, Holding, ReportedAmount, Timestamp, TokenKey, ValuationAmount};

/// The value of holdings, as far as they have a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Valuation {
    /// `None` if nothing has a price, or the sum overflows.
    pub total: Option<ValuationAmount>,
    /// Holdings that are not zero and no imitations.
    pub count: usize,
    /// Those not in the sum: without a price, or of an unknown amount.
    pub missing: usize,
    /// Those of an unknown or disputed amount.
    pub unknown: usize,
    /// The time of the oldest price in the sum; `None` if none was needed.
    pub at: Option<Timestamp>,
}

impl Prices {
    /// The value of a holding; `None` if unknown. Imitation tokens have no value.
    pub fn worth_of_holding(&self, holding: &Holding) -> Option<ValuationAmount> {
        let rate = self.valuation_rate(&holding.symbol).filter(|_| !holding.suspicious);
        worth_at_rate(holding.amount.as_ref(), rate.map(|(rate, _)| rate))
    }

    /// The value of holdings together. Imitation tokens are left out; zero balances need no price.
    pub fn value_holdings(&self, holdings: &[Holding]) -> Valuation {
        let mut valuation = Valuation { total: None, count: 0, missing: 0, unknown: 0, at: None };
        let mut sum = Some(ValuationAmount::ZERO);
        for holding in holdings.iter().filter(|holding| !holding.suspicious) {
            let amount = holding.amount.as_ref().and_then(ReportedAmount::exact);
            if amount.is_some_and(Amount::is_zero) {
                continue;
            }
            valuation.count += 1;
            valuation.unknown += usize::from(amount.is_none());
            let rate = self.valuation_rate(&holding.symbol);
            let Some(worth) = worth_at_rate(holding.amount.as_ref(), rate.map(|(rate, _)| rate)) else {
                valuation.missing += 1;
                continue;
            };
            sum = sum.and_then(|sum| sum.checked_add(worth));
            valuation.total = sum;
            let at = rate.and_then(|(_, at)| at);
            valuation.at = [valuation.at, at].into_iter().flatten().min();
        }
        valuation
    }

    /// The value of each holding that is not zero, imitations included, which may turn out to be none.
    pub fn value_each(&self, holdings: &[Holding]) -> BTreeMap<TokenKey, Option<Amount>> {
        let is_zero =
            |holding: &&Holding| holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(Amount::is_zero);
        let value = |holding: &Holding| self.worth_of_holding(holding).and_then(ValuationAmount::amount);
        let nonzero_holdings = holdings.iter().filter(|holding| !is_zero(holding));
        nonzero_holdings.map(|holding| (holding.token.clone(), value(holding))).collect()
    }
}
