//! Prices as they were quoted: series beside the balance samples, which are thinned alike. No service reports them again.

use rusqlite::Connection;

use super::balance_samples::{append_samples, drop_surplus_series, read_series};
use super::{Store, StoreError};
use crate::domain::history::PriceList;
use crate::domain::{BalanceSample, PriceHistory, Text, Timestamp, TokenKey};

impl Store {
    /// Records prices; of those of one hour the last ones stay.
    pub fn record_prices(&self, prices: &PriceList, now: Timestamp) -> Result<(), StoreError> {
        let samples =
            prices.prices.iter().map(|(symbol, price)| (symbol, vec![BalanceSample { at: now, amount: *price }]));
        self.record_price_samples(&prices.token, samples)
    }

    /// Records prices of several times of each symbol, oldest first.
    pub fn record_price_samples<'a>(
        &self,
        valuation: &Text,
        samples: impl Iterator<Item = (&'a Text, Vec<BalanceSample>)>,
    ) -> Result<(), StoreError> {
        let series = price_series_name(valuation);
        let mut samples = samples.peekable();
        if samples.peek().is_none() {
            return Ok(());
        }
        self.with_write_batch(|batch| {
            for (symbol, mut prices) in samples.by_ref() {
                prices.retain(|price| !price.amount.is_zero());
                // A series has the key of a token; that of a price is its symbol.
                let key = TokenKey { blockchain: Text::clean(&symbol.to_uppercase()), contract: None };
                append_samples(batch.connection, &series, &key, &prices)?;
            }
            drop_surplus_series(batch.connection)
        })
    }

    /// The recorded prices in a valuation.
    pub fn price_history(&self, valuation: &Text) -> Result<PriceHistory, StoreError> {
        self.read_in_transaction(|connection| read_price_history(connection, valuation))
    }
}

pub(super) fn read_price_history(connection: &Connection, valuation: &Text) -> Result<PriceHistory, StoreError> {
    let mut history = PriceHistory::new(valuation.clone());
    if !valuation.is_empty() {
        for (key, samples) in read_series(connection, &price_series_name(valuation))? {
            history.add_samples(&key.blockchain, &samples);
        }
    }
    Ok(history)
}

fn price_series_name(valuation: &Text) -> String {
    format!("price {}", valuation.to_uppercase())
}
