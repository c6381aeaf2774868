//! Incoming and outgoing amounts, by token and day.

use std::collections::BTreeMap;

use ruint::aliases::U256;

use super::history_snapshot::HistorySnapshot;
use super::row::RowAmounts;
use super::segment_sums::{RowAmount, SegmentSums, SumQuery};
use super::state::{self, CacheState};
use super::{Cancel, Store, StoreError, holdings};
use crate::domain::filter::{Filter, FilterTerm, RowPredicate};
use crate::domain::history::Scope;
use crate::domain::{Amount, BalanceDelta, DailyFlow, Day, TokenKey};

/// Cached results that are kept up to date, the latest last.
const MAX_CACHED_FLOWS: usize = 3;

/// The sums of a segment, by token and day.
pub(super) type DailySums = BTreeMap<(TokenKey, Day), FlowSum>;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlowSum {
    decimals: Option<u8>,
    incoming: U256,
    outgoing: U256,
    pub(super) rows: u64,
    /// Rows that lack a fact that sums need.
    pub(super) unclear: u64,
    /// Whether the sums are unusable: too large, or of amounts with different fraction digits.
    broken: bool,
}

impl FlowSum {
    pub(super) fn add(&mut self, movement: BalanceDelta) {
        let (amount, side) = match movement {
            BalanceDelta::In(amount) => (amount, &mut self.incoming),
            BalanceDelta::Out(amount) => (amount, &mut self.outgoing),
            BalanceDelta::Unclear => {
                self.unclear += 1;
                return;
            }
        };
        self.rows += 1;
        self.broken |= *self.decimals.get_or_insert(amount.decimals()) != amount.decimals();
        match side.checked_add(amount.raw()) {
            Some(sum) => *side = sum,
            None => self.broken = true,
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.unclear += other.unclear;
        self.broken |= other.broken;
        if let Some(decimals) = other.decimals {
            self.broken |= *self.decimals.get_or_insert(decimals) != decimals;
        }
        let sums = self.incoming.checked_add(other.incoming).zip(self.outgoing.checked_add(other.outgoing));
        match sums {
            Some((incoming, outgoing)) => (self.incoming, self.outgoing) = (incoming, outgoing),
            None => self.broken = true,
        }
    }

    /// The incoming and the outgoing amount; `None` where a sum is unusable, or nothing was added.
    pub(super) fn amounts(&self) -> [Option<Amount>; 2] {
        [self.incoming, self.outgoing].map(|raw| Amount::new(raw, self.decimals?).filter(|_| !self.broken))
    }

    fn to_daily_flow(self, day: Day) -> DailyFlow {
        let [incoming, outgoing] = self.amounts();
        DailyFlow { day, incoming, outgoing, rows: self.rows, unclear: self.unclear }
    }
}

impl Store {
    /// Flows of a scope since a day, of one token or of all, for each token the oldest day first; and whether they are
    /// complete: the history was read to its end and has no gap.
    pub(super) fn flows(
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
            let whole = holdings::is_whole(&state);
            let Some(ends) = state::oldest_and_newest_row(connection)? else { return Ok((BTreeMap::new(), whole)) };
            let picture = HistorySnapshot { store: self, connection, version, ends, sealed: state.sealed };
            let sums =
                SegmentSums::refresh(&self.inner.flow_cache, MAX_CACHED_FLOWS, query, &picture, cancel, add_row)?;
            Ok((daily_flows(sums.iter()), whole))
        })
    }
}

/// Adds a row that moved something to the sum of its token and day.
fn add_row(row: &RowAmount<'_>, sums: &mut DailySums) {
    let RowAmounts { amount, total_amount, .. } = &row.amounts;
    let moved =
        BalanceDelta::from_fields(row.direction, row.verdict, row.status, amount.as_ref(), total_amount.as_ref());
    if let Some(movement) = moved {
        sums.entry((row.token.key.clone(), row.day)).or_default().add(movement);
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
