//! What the newest rows of a history show that may need a person, in a form that adds up: the store summarises each
//! stretch of rows once, and only stretches that changed again.

mod notable;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::history::RowTimes;
use super::{
    Amount, Direction, FinalStatuses, ReportedAmount, SettlementTimes, SubType, Text, Timestamp, TokenKey, Transaction,
    Verdict,
};

pub use notable::{AddressRows, LargeMovement, NotableRows};

/// Failed payments and poison are shown for this long.
pub const ACTIVITY_PERIOD: Duration = Duration::from_hours(30 * 24);
/// An unusual movement that settled is shown for this long.
pub const MOVEMENT_PERIOD: Duration = Duration::from_hours(7 * 24);

/// The newest amounts of a token and direction by which the usual one is judged.
const MAX_AMOUNTS: usize = 1_000;
/// The most of the largest rows of a token and direction that one summary keeps.
const MAX_LARGEST: usize = 8;

/// A row, by its time and position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowMark {
    pub at: Timestamp,
    pub seq: i64,
}

/// The amounts of one token in one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct TokenAmounts {
    newest: Vec<Amount>,
    /// The largest first.
    largest: Vec<(Amount, RowMark)>,
}

/// The rows of one counterparty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CounterpartyRows {
    newest: RowMark,
    rows: u64,
    /// Rows that move next to nothing, or nothing.
    dust: u64,
    /// The oldest payment of more than dust to it.
    first_paid: Option<Box<FirstPayment>>,
}

/// Boxed, since most counterparties only ever pay.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FirstPayment {
    row: RowMark,
    token: TokenKey,
    amount: Amount,
}

/// The rows of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRowSpan {
    pub oldest: RowMark,
    pub newest: RowMark,
    pub rows: u64,
}

/// A summary of some rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecentActivity {
    failed: Vec<RowMark>,
    settling: HashMap<Text, Vec<Duration>>,
    amounts: BTreeMap<(TokenKey, bool), TokenAmounts>,
    counterparties: HashMap<Text, CounterpartyRows>,
    imitations: BTreeMap<TokenKey, TokenRowSpan>,
    rows: u64,
    oldest: Option<Timestamp>,
}

impl RecentActivity {
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// The time of the oldest row.
    pub fn oldest_row_time(&self) -> Option<Timestamp> {
        self.oldest
    }

    pub fn counterparty_addresses(&self) -> impl Iterator<Item = &Text> + Clone {
        self.counterparties.keys()
    }

    pub fn settlement_times(&self) -> SettlementTimes {
        SettlementTimes::from_samples(self.settling.clone())
    }

    /// Adds a row, which may imitate a token or be a movement between own wallets. Rows are added from the newest to the
    /// oldest.
    pub fn add_row(
        &mut self,
        seq: i64,
        RowTimes { seen_at, time: at }: RowTimes,
        row: &Transaction,
        imitates: bool,
        internal: bool,
        final_statuses: &FinalStatuses,
    ) {
        let mark = RowMark { at, seq };
        self.rows += 1;
        self.oldest = Some(self.oldest.map_or(at, |oldest| oldest.min(at)));
        if imitates {
            self.add_imitation_rows(&row.token, TokenRowSpan { oldest: mark, newest: mark, rows: 1 });
            return;
        }
        let verdict = row.verdict(final_statuses);
        if matches!(verdict, Verdict::Failed | Verdict::Contradiction) {
            // A deposit that failed brought nothing, and nobody waits for it here.
            if row.direction == Direction::Outgoing || verdict == Verdict::Contradiction {
                self.failed.push(mark);
            }
            return;
        }
        if verdict == Verdict::Settled
            && let Some(settled_at) = row.confirmed_at
        {
            // Where no time of creation is sent, the row was watched from when it was first read, if it was pending.
            let began = row.created_at.unwrap_or(seen_at);
            if began < settled_at {
                self.settling.entry(row.token.blockchain.clone()).or_default().push(began.age(settled_at));
            }
        }
        if internal || row.pays_nobody() {
            return;
        }
        let amount = row.exact_amount().filter(|_| !row.is_dust());
        self.add_counterparty(row, mark, amount);
        if let Some(amount) = amount {
            let amounts = self.amounts.entry((row.token.clone(), row.direction == Direction::Outgoing)).or_default();
            amounts.add(amount, mark);
        }
    }

    fn add_imitation_rows(&mut self, token: &TokenKey, TokenRowSpan { oldest, newest, rows }: TokenRowSpan) {
        let token_rows = self.imitations.entry(token.clone()).or_insert(TokenRowSpan { oldest, newest, rows: 0 });
        token_rows.oldest = token_rows.oldest.min(oldest);
        token_rows.newest = token_rows.newest.max(newest);
        token_rows.rows += rows;
    }

    fn add_counterparty(&mut self, row: &Transaction, mark: RowMark, amount: Option<Amount>) {
        let Some(address) = row.counterparty() else { return };
        if !self.counterparties.contains_key(address) {
            let rows = CounterpartyRows { newest: mark, rows: 0, dust: 0, first_paid: None };
            self.counterparties.insert(address.clone(), rows);
        }
        let Some(rows_of_party) = self.counterparties.get_mut(address) else { return };
        rows_of_party.newest = rows_of_party.newest.max(mark);
        rows_of_party.rows += 1;
        rows_of_party.dust += u64::from(row.is_dust());
        if let Some(amount) = amount.filter(|_| row.direction == Direction::Outgoing)
            && rows_of_party.first_paid.as_ref().is_none_or(|first| mark < first.row)
        {
            rows_of_party.first_paid = Some(Box::new(FirstPayment { row: mark, token: row.token.clone(), amount }));
        }
    }

    /// Frees the spare room of its lists, in a summary that is kept.
    pub fn shrink_to_fit(&mut self) {
        self.failed.shrink_to_fit();
        self.settling.values_mut().for_each(Vec::shrink_to_fit);
        for amounts in self.amounts.values_mut() {
            amounts.newest.shrink_to_fit();
            amounts.largest.shrink_to_fit();
        }
    }

    /// Adds the summary of older rows.
    pub fn merge_older(&mut self, older: &Self) {
        self.failed.extend(&older.failed);
        for (chain, times) in &older.settling {
            self.settling.entry(chain.clone()).or_default().extend(times);
        }
        for (key, amounts) in &older.amounts {
            self.amounts.entry(key.clone()).or_default().merge_older(amounts);
        }
        for (address, rows) in &older.counterparties {
            match self.counterparties.get_mut(address) {
                Some(existing) => existing.merge(rows),
                None => drop(self.counterparties.insert(address.clone(), rows.clone())),
            }
        }
        for (token, rows) in &older.imitations {
            self.add_imitation_rows(token, *rows);
        }
        self.rows += older.rows;
        self.oldest = [self.oldest, older.oldest].into_iter().flatten().min();
    }
}

impl CounterpartyRows {
    fn merge(&mut self, other: &Self) {
        self.newest = self.newest.max(other.newest);
        self.rows += other.rows;
        self.dust += other.dust;
        if let Some(first) = &other.first_paid
            && self.first_paid.as_ref().is_none_or(|earliest| first.row < earliest.row)
        {
            self.first_paid = Some(first.clone());
        }
    }
}

impl TokenAmounts {
    fn add(&mut self, amount: Amount, mark: RowMark) {
        if self.newest.len() < MAX_AMOUNTS {
            self.newest.push(amount);
        }
        self.insert_largest(amount, mark);
    }

    fn insert_largest(&mut self, amount: Amount, mark: RowMark) {
        let at = self.largest.partition_point(|(larger, _)| larger.cmp_value(amount).is_ge());
        if at < MAX_LARGEST {
            self.largest.insert(at, (amount, mark));
            self.largest.truncate(MAX_LARGEST);
        }
    }

    fn merge_older(&mut self, older: &Self) {
        let room = MAX_AMOUNTS.saturating_sub(self.newest.len());
        self.newest.extend(older.newest.iter().take(room));
        for (amount, mark) in &older.largest {
            self.insert_largest(*amount, *mark);
        }
    }
}

impl Transaction {
    /// Whether it pays nobody: a sweep, a swap, or a transfer within the service.
    pub fn pays_nobody(&self) -> bool {
        matches!(self.sub_type, Some(SubType::Sweep | SubType::Swap | SubType::InternalTransfer))
    }

    /// Whether it moves less than a ten-thousandth of one whole token, nothing, or an amount that is not known: too
    /// little to be meant as a payment.
    pub fn is_dust(&self) -> bool {
        let (Some(amount), Ok(one)) =
            (self.amount.as_ref().map(ReportedAmount::even_if_disputed), Amount::parse("1", 0))
        else {
            return true;
        };
        amount.checked_mul(10_000).is_some_and(|times| times.cmp_value(one).is_lt())
    }
}
