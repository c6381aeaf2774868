//! What holdings are worth together.

use super::Prices;
use crate::domain::price::worth_of;
use crate::domain::{Amount, Holding, ReportedAmount, Timestamp, Worth};

/// What holdings are worth, as far as they have a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Valuation {
    /// The sum; `None` where nothing has a price, or the sum cannot be counted.
    pub total: Option<Worth>,
    /// Holdings that are not in the sum: without a price, or not known to be how much.
    pub missing: usize,
    /// When the oldest price in it was told; `None` where none was needed.
    pub at: Option<Timestamp>,
}

impl Prices {
    /// What a holding is worth; `None` where that is not known. What imitates another token is worth nothing that
    /// anybody should see.
    pub fn worth(&self, holding: &Holding) -> Option<Worth> {
        let rate = self.rate(&holding.symbol).filter(|_| !holding.suspicious);
        worth_of(holding.amount.as_ref(), rate.map(|(rate, _)| rate))
    }

    /// What holdings are worth together. Those that imitate others are left out; nothing held needs no price.
    pub fn value(&self, holdings: &[Holding]) -> Valuation {
        let mut valuation = Valuation { total: None, missing: 0, at: None };
        let mut sum = Some(Worth::ZERO);
        for holding in holdings.iter().filter(|holding| !holding.suspicious) {
            if holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(Amount::is_zero) {
                continue;
            }
            let Some(worth) = self.worth(holding) else {
                valuation.missing += 1;
                continue;
            };
            sum = sum.and_then(|sum| sum.checked_add(worth));
            valuation.total = sum;
            let at = self.rate(&holding.symbol).and_then(|(_, at)| at);
            valuation.at = [valuation.at, at].into_iter().flatten().min();
        }
        valuation
    }
}
