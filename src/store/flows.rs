//! Incoming and outgoing amounts, by token and day.

use std::collections::BTreeMap;

use super::cache_state::{self, CacheState};
use super::flow_sum::{DailySums, FlowSum};
use super::history_snapshot::HistorySnapshot;
use super::row::RowAmounts;
use super::segment_sums::{RowAmount, SegmentSums, SumQuery};
use super::{Cancel, Store, StoreError};
use crate::domain::filter::{Filter, FilterTerm, RowPredicate};
use crate::domain::history::Scope;
use crate::domain::{BalanceDelta, DailyFlow, Day, ReportedAmount, TokenKey};

/// Cached results that are kept up to date, the latest last.
const MAX_CACHED_FLOWS: usize = 3;

impl Store {
    /// Flows of a scope since a day, of one token or of all, for each token the oldest day first; and whether they are
    /// complete: the history was read to its end and has no gap.
    pub(super) fn flows_since(
        &self,
        scope: &Scope,
        token: Option<&TokenKey>,
        since: Day,
        cancel: &Cancel,
    ) -> Result<(BTreeMap<TokenKey, Vec<DailyFlow>>, bool), StoreError> {
        let since = FilterTerm { field: None, predicate: RowPredicate::NotBefore(since.start()) };
        let filter = Filter { terms: vec![since], ..Filter::default() };
        let query = SumQuery { scope: scope.clone(), token: token.cloned(), filter };
        let version = self.version();
        self.read_in_transaction(|connection| {
            let state = CacheState::read(connection)?;
            let whole = state.is_whole();
            let Some(ends) = cache_state::oldest_and_newest_seq(connection)? else {
                return Ok((BTreeMap::new(), whole));
            };
            let snapshot = HistorySnapshot { store: self, connection, version, ends, sealed: state.sealed };
            let sums =
                SegmentSums::refresh(&self.inner.flow_cache, MAX_CACHED_FLOWS, query, &snapshot, cancel, add_row)?;
            Ok((daily_flows(sums.iter()), whole))
        })
    }
}

/// Adds a row that moved something to the sum of its token and day. The fee of a movement between own wallets went out.
fn add_row(row: &RowAmount<'_>, sums: &mut DailySums) {
    let RowAmounts { amount, total_amount, .. } = &row.amounts;
    let delta =
        BalanceDelta::from_fields(row.direction, row.verdict, row.status, amount.as_ref(), total_amount.as_ref());
    let Some(movement) = delta else { return };
    let sum = sums.entry((row.token.key.clone(), row.day)).or_default();
    let amount = amount.as_ref().and_then(ReportedAmount::exact);
    match (movement, amount) {
        (BalanceDelta::Out(total), Some(amount))
            if row.internal
                && let Some(fee) = total.checked_sub(amount) =>
        {
            sum.add_movement(BalanceDelta::Out(amount), true);
            sum.add_fee(fee);
        }
        _ => sum.add_movement(movement, row.internal),
    }
}

fn daily_flows<'a>(segments: impl Iterator<Item = &'a DailySums>) -> BTreeMap<TokenKey, Vec<DailyFlow>> {
    let mut sums: BTreeMap<&(TokenKey, Day), FlowSum> = BTreeMap::new();
    for (key, sum) in segments.flatten() {
        sums.entry(key).or_default().merge(sum);
    }
    let mut flows: BTreeMap<TokenKey, Vec<DailyFlow>> = BTreeMap::new();
    for ((token, day), sum) in sums {
        flows.entry(token.clone()).or_default().push(sum.to_daily_flow(*day));
    }
    flows
}
