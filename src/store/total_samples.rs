//! Samples of the total value, by which its change is known across sessions: one row beside the balance samples.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::byte_packing::{Packer, Unpacker};
use super::{Store, StoreError};
use crate::domain::{ReportedAmount, Text, Timestamp, TokenKey, TotalSample};

/// Long enough for the sample of 24 hours ago. Of older samples the newest stays: the value when it was last seen.
const KEPT_FOR: Duration = Duration::from_hours(26);
/// A total of more tokens is not sampled: its samples would be rewritten every hour.
const MOST_TOKENS: usize = 512;

impl Store {
    /// Adds a sample, and answers with all samples in this valuation, oldest first.
    pub fn add_total_sample(
        &self,
        valuation: &Text,
        sample: Option<TotalSample>,
    ) -> Result<Vec<TotalSample>, StoreError> {
        let series = format!("total {valuation}");
        let mut samples = self.read_in_transaction(|connection| read_samples(connection, &series, valuation))?;
        let Some(sample) = sample.filter(|sample| sample.values.len() <= MOST_TOKENS) else { return Ok(samples) };
        let now = sample.at;
        // A clock that was set back leaves samples in the future.
        samples.retain(|sample| sample.at < now);
        let old = samples.partition_point(|sample| sample.at.age(now) > KEPT_FOR);
        samples.drain(..old.saturating_sub(1));
        samples.push(sample);
        self.save_total_samples(valuation, &samples)?;
        Ok(samples)
    }

    /// Replaces all samples in a valuation; the oldest comes first.
    pub fn save_total_samples(&self, valuation: &Text, samples: &[TotalSample]) -> Result<(), StoreError> {
        let Some(newest) = samples.last() else { return Ok(()) };
        let series = format!("total {valuation}");
        self.with_write_batch(|batch| {
            batch
                .connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO sampled (scope, chain, contract, newest, points) VALUES (?1, '', '', ?2, ?3)",
                )?
                .execute(params![series, newest.at.millis(), pack_samples(samples)])?;
            Ok(())
        })
    }
}

fn read_samples(connection: &Connection, series: &str, valuation: &Text) -> Result<Vec<TotalSample>, StoreError> {
    let packed: Option<Vec<u8>> = connection
        .prepare_cached("SELECT points FROM sampled WHERE scope = ?1 AND chain = '' AND contract = ''")?
        .query_row([series], |row| row.get(0))
        .optional()?;
    let unpacked = packed.map(|packed| unpack_samples(&packed, valuation));
    unpacked.map_or(Ok(Vec::new()), |samples| {
        samples.ok_or_else(|| StoreError::damaged("samples of the total cannot be read"))
    })
}

fn pack_samples(samples: &[TotalSample]) -> Vec<u8> {
    let mut packer = Packer::default();
    for sample in samples {
        packer.signed(sample.at.millis());
        packer.number(sample.values.len() as u64);
        for (token, value) in &sample.values {
            packer.text(&token.blockchain);
            packer.text(token.contract.as_deref().unwrap_or(""));
            packer.number(u64::from(value.is_some()));
            if let Some(value) = value {
                packer.reported_amount(&ReportedAmount::Exact(*value));
            }
        }
    }
    packer.0
}

fn unpack_samples(packed: &[u8], valuation: &Text) -> Option<Vec<TotalSample>> {
    let mut unpacker = Unpacker(packed);
    let mut samples = Vec::new();
    while !unpacker.0.is_empty() {
        let at = Timestamp::from_millis(unpacker.signed()?);
        let mut values = BTreeMap::new();
        for _ in 0..unpacker.number()? {
            let blockchain = unpacker.text()?;
            let contract = Some(unpacker.text()?).filter(|contract| !contract.is_empty());
            let is_valued = unpacker.number()? == 1;
            let value = if is_valued { Some(unpacker.reported_amount()?.exact()?) } else { None };
            values.insert(TokenKey { blockchain, contract }, value);
        }
        samples.push(TotalSample { at, valuation: valuation.clone(), values });
    }
    Some(samples)
}
