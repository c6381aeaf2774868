//! Listed tokens and the counts of the workspace, as last read.

use super::cache_state::{CacheState, StatsRecord};
use super::token_list::{read_tokens, replace_tokens};
use super::{Store, StoreError, lock_mutex};
use crate::domain::{Timestamp, Token, UserStats};

impl Store {
    pub fn save_tokens(&self, tokens: &[Token], now: Timestamp) -> Result<(), StoreError> {
        self.with_write_batch(|batch| {
            if read_tokens(batch.connection)? != tokens || batch.state.tokens_at.is_none() {
                replace_tokens(batch.connection, tokens)?;
                batch.mark_changed();
                // The matches of `token:` depend on the listed tokens.
                lock_mutex(&batch.store.inner.result_sets).clear();
                lock_mutex(&batch.store.inner.row_sum_cache).clear();
            }
            batch.state.tokens_at = Some(now.millis());
            Ok(())
        })
    }

    /// The listed tokens and when they were read; `None` if they never were.
    pub fn tokens(&self) -> Result<Option<(Vec<Token>, Timestamp)>, StoreError> {
        self.read_in_transaction(|connection| {
            let Some(at) = CacheState::read(connection)?.tokens_at else { return Ok(None) };
            Ok(Some((read_tokens(connection)?, Timestamp::from_millis(at))))
        })
    }

    pub fn save_stats(&self, stats: UserStats, now: Timestamp) -> Result<(), StoreError> {
        self.with_write_batch(|batch| {
            if batch.state.stats.as_ref().map(StatsRecord::to_stats) != Some(stats) {
                batch.mark_changed();
            }
            batch.state.stats = Some(StatsRecord::from_stats(stats, now.millis()));
            Ok(())
        })
    }

    /// The counts of the workspace and when they were read; `None` if they never were.
    pub fn stats(&self) -> Result<Option<(UserStats, Timestamp)>, StoreError> {
        self.read_in_transaction(|connection| {
            let record = CacheState::read(connection)?.stats;
            Ok(record.map(|record| (record.to_stats(), Timestamp::from_millis(record.at))))
        })
    }
}
