//! The history as double-entry books: each row that moved money becomes an entry of movements, and each movement leaves
//! one account for another, so that an entry sums to zero in every commodity.
//!
//! A payment goes to `Expenses:Paid`, a fee to `Expenses:Fees`, a deposit comes from `Income:Received`. A movement between
//! own wallets and a swap are two rows of the service: both stand in one entry where both are at hand. A row without its
//! other half stands against `Assets:Bursar:Transit` or `Equity:Swaps`, which shows what is missing.

mod account_names;
mod commodities;
mod pairing;
#[cfg(test)]
mod tests;

use super::address_names::AddressNames;
use super::history::HistoryRow;
use super::report::{Movement, ReportRow};
use super::{Amount, Direction, FinalStatuses, SubType, Timestamp, Token, Verdict};
use account_names::{AccountNames, fee_account};
pub use account_names::{SWAPS, TRANSIT};
use commodities::CommodityNames;
use pairing::{PairHalf, PairKind, Pairing};

/// One transaction of the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BooksEntry {
    pub at: Timestamp,
    pub is_pending: bool,
    /// The counterparty by name, else by address.
    pub payee: String,
    /// Hash, identifier, reference and note, by the name of the tag.
    pub tags: Vec<(&'static str, String)>,
    pub movements: Vec<BooksTransfer>,
}

/// An amount that leaves one account for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BooksTransfer {
    pub from: String,
    pub to: String,
    pub amount: Amount,
    pub commodity: String,
    /// What the whole amount cost, in a swap.
    pub cost: Option<(Amount, String)>,
}

/// How many rows have no entry, by the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnbookedRows {
    pub imitations: u64,
    pub failed: u64,
    /// Incoming, and not settled yet.
    pub expected: u64,
    /// Without an exact amount, or with an unknown status.
    pub unclear: u64,
    /// Of nothing.
    pub empty: u64,
}

/// Makes entries of rows, which are added oldest first.
#[derive(Debug)]
pub struct Bookkeeper<'a> {
    statuses: &'a FinalStatuses,
    accounts: AccountNames<'a>,
    commodities: CommodityNames<'a>,
    pairing: Pairing,
    unbooked: UnbookedRows,
}

impl<'a> Bookkeeper<'a> {
    pub fn new(names: &'a AddressNames, tokens: &'a [Token], statuses: &'a FinalStatuses) -> Self {
        Self {
            statuses,
            accounts: AccountNames::new(names),
            commodities: CommodityNames::new(tokens),
            pairing: Pairing::default(),
            unbooked: UnbookedRows::default(),
        }
    }

    /// Adds a row, and returns the entries that are complete by now.
    pub fn add(&mut self, row: &HistoryRow) -> Vec<BooksEntry> {
        let mut complete = self.pairing.give_up_before(row.time);
        let Some(entry) = self.entry(row) else { return complete };
        let kind = match row.transaction.sub_type {
            Some(SubType::Swap) => Some(PairKind::Swap),
            _ if row.internal => Some(PairKind::Internal),
            _ => None,
        };
        match kind.and_then(|kind| PairHalf::new(kind, row, &entry)) {
            Some(half) => complete.extend(self.pairing.add(half, entry)),
            None => complete.push(entry),
        }
        complete
    }

    /// The entries whose other half never came, and how many rows have no entry.
    pub fn finish(self) -> (Vec<BooksEntry>, UnbookedRows) {
        (self.pairing.finish(), self.unbooked)
    }

    fn entry(&mut self, row: &HistoryRow) -> Option<BooksEntry> {
        let report = ReportRow::of_history(row, self.statuses);
        let unbooked = &mut self.unbooked;
        let (is_incoming, amount) = match report.movement() {
            _ if row.suspicious => {
                unbooked.imitations += 1;
                return None;
            }
            None if report.verdict == Verdict::Open => {
                unbooked.expected += 1;
                return None;
            }
            None => {
                unbooked.failed += 1;
                return None;
            }
            Some(Movement::Unclear) => {
                unbooked.unclear += 1;
                return None;
            }
            Some(Movement::In(amount)) => (true, amount),
            Some(Movement::Out { paid, .. }) => (false, paid),
        };
        let transaction = &row.transaction;
        let chain = &transaction.token.blockchain;
        let wallet = self.accounts.wallet(row);
        let other = match transaction.sub_type {
            Some(SubType::Swap) => SWAPS.to_owned(),
            _ if row.internal => TRANSIT.to_owned(),
            _ => self.accounts.counterparty(transaction),
        };
        let commodity = self.commodities.name(&transaction.symbol, &transaction.token);
        let mut movements = Vec::new();
        if !amount.is_zero() {
            let (from, to) = if is_incoming { (other, wallet.clone()) } else { (wallet.clone(), other) };
            movements.push(BooksTransfer { from, to, amount, commodity: commodity.clone(), cost: None });
        }
        for fee in report.fees() {
            let commodity =
                if fee.is_in_row_token { commodity.clone() } else { self.commodities.coin_name(fee.symbol, chain) };
            let to = fee_account(chain);
            movements.push(BooksTransfer { from: wallet.clone(), to, amount: fee.amount, commodity, cost: None });
        }
        if movements.is_empty() {
            self.unbooked.empty += 1;
            return None;
        }
        Some(BooksEntry {
            at: row.time,
            is_pending: report.verdict == Verdict::Open,
            payee: self.accounts.payee(transaction),
            tags: tags(row),
            movements,
        })
    }
}

fn tags(row: &HistoryRow) -> Vec<(&'static str, String)> {
    let transaction = &row.transaction;
    let is_outgoing = transaction.direction == Direction::Outgoing;
    let values = [
        ("id", Some(transaction.id.to_string())),
        ("hash", transaction.tx_hash.as_ref().map(ToString::to_string)),
        ("time", Some(row.time.to_string())),
        ("chain", Some(transaction.token.blockchain.to_string())),
        (if is_outgoing { "to" } else { "from" }, transaction.counterparty().map(ToString::to_string)),
        ("ref", transaction.ref_id.as_ref().map(ToString::to_string)),
        ("note", transaction.note.as_ref().map(ToString::to_string)),
    ];
    values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
