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
use crate::domain::{Amount, BalanceDelta, DailyFlow, Day, ReportedAmount, TokenKey};

/// Cached results that are kept up to date, the latest last.
const MAX_CACHED_FLOWS: usize = 3;

/// The sums of a segment, by token and day.
pub(super) type DailySums = BTreeMap<(TokenKey, Day), FlowSum>;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlowSum {
    decimals: Option<u8>,
    external: SideSums,
    /// Movements between own wallets.
    internal: SideSums,
    /// Rows that lack a fact that sums need.
    pub(super) unclear: u64,
    /// Whether the sums are unusable: too large, or of amounts with different fraction digits.
    broken: bool,
}

/// What came in and what went out.
#[derive(Debug, Clone, Copy, Default)]
struct SideSums {
    incoming: U256,
    outgoing: U256,
    rows: u64,
}

impl SideSums {
    /// `None` on overflow.
    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self {
            incoming: self.incoming.checked_add(other.incoming)?,
            outgoing: self.outgoing.checked_add(other.outgoing)?,
            rows: self.rows + other.rows,
        })
    }
}

impl FlowSum {
    pub(super) fn add(&mut self, movement: BalanceDelta, internal: bool) {
        let (amount, sums) = match movement {
            BalanceDelta::In(amount) => (amount, SideSums { incoming: amount.raw(), outgoing: U256::ZERO, rows: 1 }),
            BalanceDelta::Out(amount) => (amount, SideSums { incoming: U256::ZERO, outgoing: amount.raw(), rows: 1 }),
            BalanceDelta::Unclear => {
                self.unclear += 1;
                return;
            }
        };
        let zero = SideSums::default();
        let (external, internal) = if internal { (zero, sums) } else { (sums, zero) };
        self.merge(&Self { decimals: Some(amount.decimals()), external, internal, unclear: 0, broken: false });
    }

    /// Adds the fee of a row that counts elsewhere.
    pub(super) fn add_fee(&mut self, fee: Amount) {
        let external = SideSums { incoming: U256::ZERO, outgoing: fee.raw(), rows: 0 };
        self.merge(&Self { decimals: Some(fee.decimals()), external, ..Self::default() });
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.unclear += other.unclear;
        self.broken |= other.broken;
        if let Some(decimals) = other.decimals {
            self.broken |= *self.decimals.get_or_insert(decimals) != decimals;
        }
        let sums = self.external.checked_add(other.external).zip(self.internal.checked_add(other.internal));
        if let Some((external, internal)) = sums {
            (self.external, self.internal) = (external, internal);
        } else {
            self.external.rows += other.external.rows;
            self.internal.rows += other.internal.rows;
            self.broken = true;
        }
    }

    /// The incoming and the outgoing amount; `None` where a sum is unusable, or nothing was added.
    pub(super) fn amounts(&self) -> [Option<Amount>; 2] {
        self.sides(self.external)
    }

    /// The same for movements between own wallets.
    pub(super) fn internal_amounts(&self) -> [Option<Amount>; 2] {
        self.sides(self.internal)
    }

    fn sides(&self, sums: SideSums) -> [Option<Amount>; 2] {
        [sums.incoming, sums.outgoing].map(|raw| Amount::new(raw, self.decimals?).filter(|_| !self.broken))
    }

    pub(super) fn rows(&self) -> u64 {
        self.external.rows
    }

    pub(super) fn internal_rows(&self) -> u64 {
        self.internal.rows
    }

    fn to_daily_flow(self, day: Day) -> DailyFlow {
        let [incoming, outgoing] = self.amounts();
        DailyFlow {
            day,
            incoming,
            outgoing,
            internal: self.internal_amounts(),
            rows: self.rows(),
            internal_rows: self.internal_rows(),
            unclear: self.unclear,
        }
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

/// Adds a row that moved something to the sum of its token and day. The fee of a movement between own wallets went out.
fn add_row(row: &RowAmount<'_>, sums: &mut DailySums) {
    let RowAmounts { amount, total_amount, .. } = &row.amounts;
    let moved =
        BalanceDelta::from_fields(row.direction, row.verdict, row.status, amount.as_ref(), total_amount.as_ref());
    let Some(movement) = moved else { return };
    let sum = sums.entry((row.token.key.clone(), row.day)).or_default();
    let amount = amount.as_ref().and_then(ReportedAmount::exact);
    match (movement, amount) {
        (BalanceDelta::Out(total), Some(amount))
            if row.internal
                && let Some(fee) = total.checked_sub(amount) =>
        {
            sum.add(BalanceDelta::Out(amount), true);
            sum.add_fee(fee);
        }
        _ => sum.add(movement, row.internal),
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
