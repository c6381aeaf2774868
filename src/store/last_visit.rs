//! The state of the history when the operator last saw it, so that what came since is known after a restart.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, params};

use super::byte_packing::{Packer, Unpacker};
use super::{Store, StoreError};
use crate::domain::history_diff::{HistoryCheckpoint, TokenFlow};
use crate::domain::{ReportedAmount, Text, Timestamp, TokenKey};

/// Its row beside the samples.
const SERIES: &str = "last visit";

impl Store {
    pub fn save_last_visit(&self, at: Timestamp, checkpoint: &HistoryCheckpoint) -> Result<(), StoreError> {
        let packed = pack_checkpoint(checkpoint);
        self.with_write_batch(|batch| {
            batch
                .connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO sampled (scope, chain, contract, newest, points) VALUES (?1, '', '', ?2, ?3)",
                )?
                .execute(params![SERIES, at.millis(), packed])?;
            Ok(())
        })
    }

    /// When the operator last saw the history, and its state then; `None` if that was never saved.
    pub fn last_visit(&self) -> Result<Option<(Timestamp, HistoryCheckpoint)>, StoreError> {
        let saved: Option<(i64, Vec<u8>)> = self.read_in_transaction(|connection| {
            let mut statement = connection.prepare_cached("SELECT newest, points FROM sampled WHERE scope = ?1")?;
            Ok(statement.query_row([SERIES], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        })?;
        // What cannot be read is as good as never saved: it only costs one summary.
        Ok(saved.and_then(|(at, packed)| Some((Timestamp::from_millis(at), unpack_checkpoint(&packed)?))))
    }
}

fn pack_checkpoint(checkpoint: &HistoryCheckpoint) -> Vec<u8> {
    let HistoryCheckpoint { newest, complete, sums, open_rows } = checkpoint;
    let mut packer = Packer::default();
    packer.number(u64::from(newest.is_some()));
    packer.signed(newest.unwrap_or_default());
    packer.number(u64::from(*complete));
    packer.number(sums.len() as u64);
    for (token, flow) in sums {
        packer.text(&token.blockchain);
        packer.text(token.contract.as_deref().unwrap_or(""));
        packer.text(&flow.symbol);
        packer.signed(flow.unclear);
        packer.number(u64::from(flow.totals.is_some()));
        if let Some((incoming, outgoing)) = flow.totals {
            packer.reported_amount(&ReportedAmount::Exact(incoming));
            packer.reported_amount(&ReportedAmount::Exact(outgoing));
        }
    }
    packer.number(open_rows.len() as u64);
    for (seq, status) in open_rows {
        packer.signed(*seq);
        packer.number(u64::from(status.is_some()));
        packer.text(status.as_deref().unwrap_or(""));
    }
    packer.0
}

fn unpack_checkpoint(packed: &[u8]) -> Option<HistoryCheckpoint> {
    let mut unpacker = Unpacker(packed);
    let has_rows = unpacker.number()? == 1;
    let newest = Some(unpacker.signed()?).filter(|_| has_rows);
    let complete = unpacker.number()? == 1;
    let mut sums = BTreeMap::new();
    for _ in 0..unpacker.number()? {
        let blockchain = unpacker.text()?;
        let contract = Some(unpacker.text()?).filter(|contract| !contract.is_empty());
        let (symbol, unclear) = (unpacker.text()?, unpacker.signed()?);
        let is_summed = unpacker.number()? == 1;
        let mut amount = || unpacker.reported_amount()?.exact();
        let totals = if is_summed { Some((amount()?, amount()?)) } else { None };
        sums.insert(TokenKey { blockchain, contract }, TokenFlow { symbol, totals, unclear });
    }
    let mut open_rows: Vec<(i64, Option<Text>)> = Vec::new();
    for _ in 0..unpacker.number()? {
        let seq = unpacker.signed()?;
        let has_status = unpacker.number()? == 1;
        open_rows.push((seq, Some(unpacker.text()?).filter(|_| has_status)));
    }
    Some(HistoryCheckpoint { newest, complete, sums, open_rows })
}
