//! Prices as they were quoted: series beside the balance samples, which are thinned alike. No service reports them again.

use rusqlite::Connection;

use super::samples::{append_sample, drop_surplus_series, read_series};
use super::{Store, StoreError};
use crate::domain::history::PriceList;
use crate::domain::{BalanceSample, PriceHistory, Text, Timestamp, TokenKey};

impl Store {
    /// Records prices; of those of one hour the last ones stay.
    pub fn record_prices(&self, prices: &PriceList, now: Timestamp) -> Result<(), StoreError> {
        let series = series_of(&prices.token);
        if prices.prices.is_empty() {
            return Ok(());
        }
        self.write_batch(|batch| {
            for (symbol, amount) in prices.prices.iter().filter(|(_, price)| !price.is_zero()) {
                // A series has the key of a token; that of a price is its symbol.
                let key = TokenKey { blockchain: Text::clean(&symbol.to_uppercase()), contract: None };
                append_sample(batch.connection, &series, &key, BalanceSample { at: now, amount: *amount })?;
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
        for (key, samples) in read_series(connection, &series_of(valuation))? {
            history.add_samples(&key.blockchain, &samples);
        }
    }
    Ok(history)
}

fn series_of(valuation: &Text) -> String {
    format!("price {}", valuation.to_uppercase())
}
