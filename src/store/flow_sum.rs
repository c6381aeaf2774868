//! Sums of what came in and what went out.

use std::collections::BTreeMap;

use ruint::aliases::U256;

use super::segment_sums::RowToken;
use crate::domain::{Amount, BalanceDelta, DailyFlow, Day, Text, TokenKey};

/// The sums of a segment, by token and day.
pub(super) type DailySums = BTreeMap<(TokenKey, Day), FlowSum>;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlowSum {
    decimals: Option<u8>,
    external: InOutSums,
    /// Movements between own wallets.
    internal: InOutSums,
    /// Rows that lack a fact that sums need.
    pub(super) unclear: u64,
    /// Whether the sums are unusable: too large, or of amounts with different fraction digits.
    broken: bool,
}

/// What came in and what went out.
#[derive(Debug, Clone, Copy, Default)]
struct InOutSums {
    incoming: U256,
    outgoing: U256,
    rows: u64,
}

impl InOutSums {
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
    pub(super) fn add_movement(&mut self, movement: BalanceDelta, internal: bool) {
        let (amount, sums) = match movement {
            BalanceDelta::In(amount) => (amount, InOutSums { incoming: amount.raw(), outgoing: U256::ZERO, rows: 1 }),
            BalanceDelta::Out(amount) => (amount, InOutSums { incoming: U256::ZERO, outgoing: amount.raw(), rows: 1 }),
            BalanceDelta::Unclear => {
                self.unclear += 1;
                return;
            }
        };
        let zero = InOutSums::default();
        let (external, internal) = if internal { (zero, sums) } else { (sums, zero) };
        self.merge(&Self { decimals: Some(amount.decimals()), external, internal, unclear: 0, broken: false });
    }

    /// Adds the fee of a row that counts elsewhere.
    pub(super) fn add_fee(&mut self, fee: Amount) {
        let external = InOutSums { incoming: U256::ZERO, outgoing: fee.raw(), rows: 0 };
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
    pub(super) fn external_amounts(&self) -> [Option<Amount>; 2] {
        self.side_amounts(self.external)
    }

    /// The same for movements between own wallets.
    pub(super) fn internal_amounts(&self) -> [Option<Amount>; 2] {
        self.side_amounts(self.internal)
    }

    fn side_amounts(&self, sums: InOutSums) -> [Option<Amount>; 2] {
        [sums.incoming, sums.outgoing].map(|raw| Amount::new(raw, self.decimals?).filter(|_| !self.broken))
    }

    pub(super) fn external_row_count(&self) -> u64 {
        self.external.rows
    }

    pub(super) fn internal_row_count(&self) -> u64 {
        self.internal.rows
    }

    pub(super) fn to_daily_flow(self, day: Day) -> DailyFlow {
        let [incoming, outgoing] = self.external_amounts();
        DailyFlow {
            day,
            incoming,
            outgoing,
            internal: self.internal_amounts(),
            rows: self.external_row_count(),
            internal_rows: self.internal_row_count(),
            unclear: self.unclear,
        }
    }
}

/// The rows of a segment by token and, since an imitation may differ in nothing else, by fraction digits.
pub(super) type TokenRowSums = BTreeMap<RowToken, BTreeMap<Option<u8>, TokenRowSum>>;

#[derive(Debug, Clone, Default)]
pub(super) struct TokenRowSum {
    pub(super) sum: FlowSum,
    pub(super) failed: u64,
    /// By symbol.
    pub(super) fees: BTreeMap<Text, FlowSum>,
}
