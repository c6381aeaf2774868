//! Which of the summarised rows need a person.

use std::collections::BTreeMap;

use super::{
    ACTIVITY_PERIOD, CounterpartyRows, FirstPayment, MOVEMENT_PERIOD, RecentActivity, RowMark, TokenAmounts,
    TokenRowSpan,
};
use crate::domain::{Amount, Text, Timestamp, TokenKey};

/// Fewer amounts do not show what is usual.
const MIN_AMOUNTS: usize = 20;
/// A movement is unusually large from this many times the median on, if it is also twice what 95 of 100 were.
const LARGE_FACTOR: u16 = 10;
/// The most rows of a kind that are shown, the newest.
const MAX_ROWS: usize = 50;

/// A row that is many times as large as is usual for its token and direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeMovement {
    pub row: RowMark,
    /// The median, and of how many.
    pub usual: Amount,
    pub samples: u64,
}

/// The rows of an address or a token, of which one is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressRows {
    pub address: Text,
    pub newest: RowMark,
    pub rows: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotableRows {
    pub failed: Vec<RowMark>,
    pub large: Vec<LargeMovement>,
    /// First payments to addresses, as far as the summary reaches, of at least the usual amount.
    pub first_paid: Vec<(Text, RowMark)>,
    /// Addresses that resemble known ones.
    pub look_alikes: Vec<AddressRows>,
    /// Other addresses that only ever moved dust.
    pub dust: Vec<AddressRows>,
    /// The tokens that imitate listed ones.
    pub imitations: Vec<(TokenKey, TokenRowSpan)>,
}

impl RecentActivity {
    /// The rows that need a person. `is_known` tells own wallets and contacts, `resembles` look-alikes of them.
    pub fn notable_rows(
        &self,
        now: Timestamp,
        is_known: impl Fn(&Text) -> bool,
        resembles: impl Fn(&Text) -> bool,
    ) -> NotableRows {
        let is_recent = |mark: RowMark| mark.at.age(now) <= ACTIVITY_PERIOD;
        let mut notable = NotableRows {
            failed: self.failed.iter().copied().filter(|mark| is_recent(*mark)).collect(),
            ..NotableRows::default()
        };
        let spreads: BTreeMap<&(TokenKey, bool), Spread> =
            self.amounts.iter().filter_map(|(key, amounts)| Some((key, amounts.spread()?))).collect();
        for (key, amounts) in &self.amounts {
            notable.large.extend(spreads.get(key).into_iter().flat_map(|spread| amounts.large_movements(spread, now)));
        }
        for (token, rows) in self.imitations.iter().filter(|(_, rows)| is_recent(rows.newest)) {
            notable.imitations.push((token.clone(), *rows));
        }
        for (address, rows) in &self.counterparties {
            if !is_recent(rows.newest) {
                continue;
            }
            let address_rows = || AddressRows { address: address.clone(), newest: rows.newest, rows: rows.rows };
            // To know an address takes longest: it is asked last, of the few that are left.
            if resembles(address) {
                notable.look_alikes.extend((!is_known(address)).then(address_rows));
            } else if rows.dust == rows.rows {
                notable.dust.extend((!is_known(address)).then(address_rows));
            } else if let Some(first) = notable_first_payment(rows, &spreads, now).filter(|_| !is_known(address)) {
                notable.first_paid.push((address.clone(), first));
            }
        }
        notable.failed.sort_unstable_by(|one, other| other.cmp(one));
        notable.large.sort_unstable_by_key(|large| std::cmp::Reverse(large.row));
        notable.first_paid.sort_unstable_by_key(|(_, mark)| std::cmp::Reverse(*mark));
        notable.look_alikes.sort_unstable_by_key(|address_rows| std::cmp::Reverse(address_rows.newest));
        notable.dust.sort_unstable_by_key(|address_rows| std::cmp::Reverse(address_rows.newest));
        notable.imitations.sort_unstable_by_key(|(_, rows)| std::cmp::Reverse(rows.newest));
        notable.failed.truncate(MAX_ROWS);
        notable.large.truncate(MAX_ROWS);
        notable.first_paid.truncate(MAX_ROWS);
        notable.look_alikes.truncate(MAX_ROWS);
        notable.imitations.truncate(MAX_ROWS);
        notable
    }
}

/// The first payment to a counterparty, if it is recent and of at least the usual amount.
fn notable_first_payment(
    rows: &CounterpartyRows,
    spreads: &BTreeMap<&(TokenKey, bool), Spread>,
    now: Timestamp,
) -> Option<RowMark> {
    let FirstPayment { row, token, amount } = rows.first_paid.as_deref()?;
    if row.at.age(now) > MOVEMENT_PERIOD {
        return None;
    }
    let usual = spreads.get(&(token.clone(), true))?.median;
    amount.cmp_value(usual).is_ge().then_some(*row)
}

struct Spread {
    median: Amount,
    /// What 95 of 100 are at most.
    most: Amount,
    samples: usize,
}

impl TokenAmounts {
    fn spread(&self) -> Option<Spread> {
        let mut amounts = self.newest.clone();
        let samples = amounts.len();
        let mut at = |percent: usize| {
            let (_, amount, _) = amounts
                .select_nth_unstable_by(samples.saturating_sub(1) * percent / 100, |one, other| one.cmp_value(*other));
            *amount
        };
        (samples >= MIN_AMOUNTS).then(|| Spread { median: at(50), most: at(95), samples })
    }

    fn large_movements(&self, spread: &Spread, now: Timestamp) -> Vec<LargeMovement> {
        let recent = self.largest.iter().filter(|(_, row)| row.at.age(now) <= MOVEMENT_PERIOD);
        // A bound that overflows is reached by no amount.
        let bounds = spread.median.checked_mul(LARGE_FACTOR).zip(spread.most.checked_mul(2));
        let Some((of_median, of_most)) = bounds else { return Vec::new() };
        recent
            .filter(|(amount, _)| amount.cmp_value(of_median).is_ge() && amount.cmp_value(of_most).is_ge())
            .map(|(_, row)| LargeMovement {
                row: *row,
                usual: spread.median,
                samples: u64::try_from(spread.samples).unwrap_or(u64::MAX),
            })
            .collect()
    }
}
