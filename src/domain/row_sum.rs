//! What the rows of a list add up to.

use std::collections::BTreeMap;

use super::{Amount, Text};

/// The rows of one token in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowSum {
    pub symbol: Text,
    /// Whether the token imitates a listed one.
    pub suspicious: bool,
    /// The sums of the amounts, without fees; `None` where they are unusable, or there are none.
    pub incoming: Option<Amount>,
    pub outgoing: Option<Amount>,
    /// How many rows the sums contain.
    pub rows: u64,
    /// The incoming and outgoing amounts of movements between own wallets, which are in no other sum.
    pub internal: [Option<Amount>; 2],
    pub internal_rows: u64,
    /// Rows without a direction or an exact amount.
    pub unclear: u64,
    /// Rows that failed, and moved nothing.
    pub failed: u64,
    /// Fees by symbol; `None` where a sum is unusable.
    pub fees: Vec<(Text, Option<Amount>)>,
}

/// The rows of a list together: the sums by symbol, over all chains, and the rows left out of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListSum {
    /// Incoming and outgoing; `None` where a sum is unusable.
    pub by_symbol: BTreeMap<Text, [Option<Amount>; 2]>,
    /// The same for movements between own wallets, which are in no other sum.
    pub internal_by_symbol: BTreeMap<Text, [Option<Amount>; 2]>,
    /// How many rows the sums contain.
    pub rows: u64,
    pub internal_rows: u64,
    pub failed: u64,
    pub unclear: u64,
    /// Rows of tokens that imitate a listed one.
    pub suspicious: u64,
    /// The fees of the counted rows and of the internal ones, by symbol; `None` where a sum is unusable.
    pub fees: BTreeMap<Text, Option<Amount>>,
}

impl ListSum {
    pub fn new(sums: &[RowSum]) -> Self {
        let mut list = Self::default();
        for sum in sums {
            if sum.suspicious {
                list.suspicious += sum.rows + sum.internal_rows + sum.unclear + sum.failed;
                continue;
            }
            list.failed += sum.failed;
            list.unclear += sum.unclear;
            list.rows += sum.rows;
            list.internal_rows += sum.internal_rows;
            for (symbol, fee) in &sum.fees {
                let total = list.fees.entry(symbol.clone()).or_insert(Some(Amount::zero(0)));
                *total = total.zip(*fee).and_then(|(total, fee)| total.checked_add_rescaled(fee));
            }
            if sum.rows > 0 {
                add_amounts(&mut list.by_symbol, &sum.symbol, [sum.incoming, sum.outgoing]);
            }
            if sum.internal_rows > 0 {
                add_amounts(&mut list.internal_by_symbol, &sum.symbol, sum.internal);
            }
        }
        list
    }

    /// How many rows the list has.
    pub fn total_row_count(&self) -> u64 {
        self.rows + self.internal_rows + self.failed + self.unclear + self.suspicious
    }
}

fn add_amounts(totals: &mut BTreeMap<Text, [Option<Amount>; 2]>, symbol: &Text, amounts: [Option<Amount>; 2]) {
    let total = totals.entry(symbol.clone()).or_insert([Some(Amount::zero(0)); 2]);
    for (total, amount) in total.iter_mut().zip(amounts) {
        *total = total.zip(amount).and_then(|(total, amount)| total.checked_add_rescaled(amount));
    }
}
