//! `value:>1000` bounds what a row is worth, by the prices that stand in the filter.

use super::Pieces;
use crate::domain::filter::Side;
use crate::domain::history::PriceList;
use crate::domain::{Amount, Stated, Token};
use crate::store::StoreError;
use crate::store::bits::Hits;
use crate::store::phrase::Phrases;
use crate::store::segment::{Part, amount_key};
use crate::store::worth::{Worths, worth_key};

/// A bound of what rows are worth. Worths are compared by their first sixteen digits: they are estimates.
pub(super) struct ValueBound {
    side: Side,
    key: u64,
    prices: PriceList,
    worths: Option<Worths>,
}

impl ValueBound {
    pub(super) fn new(side: Side, bound: Amount, prices: PriceList) -> Self {
        Self { side, key: amount_key(Some(&Stated::Exact(bound))), prices, worths: None }
    }

    /// Gives each phrase its price; what imitates a listed token has none.
    pub(super) fn price(&mut self, listed: &[Token], phrases: &Phrases) {
        self.worths = Some(Worths::new(&self.prices, listed, phrases));
    }

    /// The rows among `candidates` that lie within it. A row without a price, or without an amount, lies nowhere.
    pub(super) fn run(&self, source: &Pieces<'_>, candidates: &Hits) -> Result<Hits, StoreError> {
        let Some(worths) = &self.worths else { return Ok(Hits::NONE) };
        let prices = source.with(Part::Codes, |codes| Ok(worths.prices(codes)))?;
        source.with(Part::Amounts, |amounts| {
            let mut found = Hits::NONE;
            for ((position, bytes), price) in amounts.as_chunks::<8>().0.iter().enumerate().zip(prices) {
                let amount = u64::from_le_bytes(*bytes);
                let worth = if amount == 0 { 0 } else { worth_key(amount, price) };
                if worth > 0 && self.side.takes(worth.cmp(&self.key)) {
                    found.set(position);
                }
            }
            Ok(found.and(candidates))
        })
    }
}
