//! `value:>1000` bounds a row's value, by the price of its day where one was recorded, else by those in the filter.

use super::SegmentSource;
use crate::domain::filter::AmountOperator;
use crate::domain::history::PriceList;
use crate::domain::{Amount, PriceHistory, ReportedAmount, Token};
use crate::store::StoreError;
use crate::store::dictionary::Dictionary;
use crate::store::price_index::{RowPricer, value_sort_key};
use crate::store::row_set::RowSet;
use crate::store::segment::{SegmentPart, amount_sort_key};

/// A bound on the values of rows. Values are compared by their first sixteen digits: they are estimates.
pub(super) struct PricedValuePredicate {
    side: AmountOperator,
    key: u64,
    prices: PriceList,
    row_pricer: Option<RowPricer>,
}

impl PricedValuePredicate {
    pub(super) fn new(side: AmountOperator, bound: Amount, prices: PriceList) -> Self {
        Self { side, key: amount_sort_key(Some(&ReportedAmount::Exact(bound))), prices, row_pricer: None }
    }

    /// Assigns prices to phrases; imitations of a listed token have none.
    pub(super) fn assign_prices(&mut self, tokens: &[Token], history: Option<&PriceHistory>, phrases: &Dictionary) {
        let prices = RowPricer::new(&self.prices, tokens, phrases);
        self.row_pricer = Some(match history {
            Some(history) => prices.with_history(history, phrases),
            None => prices,
        });
    }

    /// The rows among `candidates` within the bound. A row without a price, or without an amount, never is.
    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        let Some(pricer) = &self.row_pricer else { return Ok(RowSet::NONE) };
        let prices = source.with_part(SegmentPart::Codes, |codes| {
            source.with_part(SegmentPart::Times, |times| Ok(pricer.row_prices_on_their_days(codes, times)))
        })?;
        source.with_part(SegmentPart::Amounts, |amounts| {
            let mut rows = RowSet::NONE;
            for ((position, bytes), price) in amounts.as_chunks::<8>().0.iter().enumerate().zip(prices) {
                let amount = u64::from_le_bytes(*bytes);
                let worth = if amount == 0 { 0 } else { value_sort_key(amount, price) };
                if worth > 0 && self.side.accepts_ordering(worth.cmp(&self.key)) {
                    rows.insert(position);
                }
            }
            Ok(rows.and(candidates))
        })
    }
}
