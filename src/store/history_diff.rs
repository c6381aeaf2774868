//! Checkpoints of the history, and the changes since one.

use std::collections::BTreeMap;
use std::sync::Arc;

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension};

use super::cache_state::{self, CacheState};
use super::{Store, StoreError, row};
use crate::domain::history::Scope;
use crate::domain::history_diff::{
    HistoryCheckpoint, HistoryDiff, RowChanges, TokenFlow, TokenNetChange, token_flow_from_raw_sums, token_net_changes,
};
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Text, TokenKey};

/// The most rows that are not final whose status a checkpoint records.
const MAX_OPEN_ROWS: u32 = 2_000;
/// The most rows that a diff names, the newest first.
const MAX_NAMED_ROWS: usize = 1_000;

impl Store {
    pub fn checkpoint(&self) -> Result<HistoryCheckpoint, StoreError> {
        self.read_in_transaction(|connection| {
            let mut statement = connection.prepare_cached("SELECT seq FROM open_deed ORDER BY seq DESC LIMIT ?1")?;
            let open: Vec<i64> = statement.query_map([MAX_OPEN_ROWS], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let statuses = open.into_iter().map(|seq| Ok((seq, self.row_status(connection, seq)?)));
            Ok(HistoryCheckpoint {
                newest: cache_state::oldest_and_newest_seq(connection)?.map(|(_, newest)| newest),
                complete: CacheState::read(connection)?.is_complete(),
                sums: read_total_flows_by_token(connection)?,
                open_rows: statuses.collect::<Result<_, StoreError>>()?,
            })
        })
    }

    pub fn changes_since(&self, before: &HistoryCheckpoint) -> Result<HistoryDiff, StoreError> {
        let after = self.checkpoint()?;
        let mut changed = Vec::new();
        self.read_in_transaction(|connection| {
            for (seq, status) in &before.open_rows {
                if self.row_status(connection, *seq)? != *status {
                    changed.push(*seq);
                }
            }
            Ok(())
        })?;
        let from = before.newest.map_or(after.newest, Some);
        // Rows of the first read are not arrivals.
        let added = from.zip(after.newest).map_or(0, |(from, newest)| newest.saturating_sub(from).max(0));
        let new = after.newest.into_iter().flat_map(|newest| (0..added).map(move |back| newest - back));
        let changes = u64::try_from(changed.len()).unwrap_or(u64::MAX);
        changed.sort_unstable();
        let rows = new.chain(changed.iter().rev().copied()).take(MAX_NAMED_ROWS).collect();
        let row_changes = Arc::new(RowChanges { newest_before: from, changed });
        let added = u64::try_from(added).unwrap_or(0);
        // An imitation would pass for the real token here, where only its symbol is shown. A current holding is judged
        // by its name as well; a token no longer held, by its symbol.
        let current_holdings = self.holdings(&Scope::All)?;
        let imitations = self.read_in_transaction(|connection| self.imitation_cache(connection))?;
        let imitates = |net: &TokenNetChange| {
            let decimals = net.change.map(|(_, amount)| amount.decimals());
            let candidate = TokenCandidate { token: &net.token, symbol: &net.symbol, name: None, decimals };
            current_holdings.iter().any(|holding| holding.suspicious && holding.token == net.token)
                || imitations.is_imitation(&candidate)
        };
        let mut nets = token_net_changes(before, &after);
        nets.retain(|net| !imitates(net));
        Ok(HistoryDiff { changes: nets, rows, added, changed: changes, row_changes })
    }

    fn row_status(&self, connection: &Connection, seq: i64) -> Result<Option<Text>, StoreError> {
        let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
        let Some(body) = statement.query_row([seq], |row| row.get::<_, Vec<u8>>(0)).optional()? else {
            return Ok(None);
        };
        self.load_phrases_of_rows(connection, std::iter::once(body.as_slice()))?;
        let (transaction, _) = row::unpack_row(&body, &self.read_dictionary())
            .ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
        Ok(transaction.status.map(|status| Text::clean(status.word())))
    }
}

fn read_total_flows_by_token(connection: &Connection) -> Result<BTreeMap<TokenKey, TokenFlow>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT chain, contract, symbol, decimals, incoming, outgoing, unclear FROM held")?;
    let mut rows = statement.query([])?;
    let mut sums: BTreeMap<TokenKey, TokenFlow> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (chain, contract, symbol): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let contract = Some(contract.as_str()).filter(|contract| !contract.is_empty()).map(Text::clean);
        let token = TokenKey { blockchain: Text::clean(&chain), contract };
        let side = |nth: usize| Ok::<_, StoreError>(U256::from_be_bytes::<32>(row.get::<_, [u8; 32]>(nth)?));
        let one = token_flow_from_raw_sums(
            &symbol,
            side(4)?,
            side(5)?,
            row.get::<_, Option<u8>>(3)?.unwrap_or(0),
            row.get(6)?,
        );
        let whole = match sums.remove(&token) {
            Some(before) => before.combined_with(&one),
            None => one,
        };
        sums.insert(token, whole);
    }
    Ok(sums)
}
