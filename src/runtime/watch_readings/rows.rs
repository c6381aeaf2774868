//! Readings of watches on rows: flows, failures, counterparties, and payments that are stuck.

use std::collections::HashSet;
use std::time::Duration;

use super::{find_watch_scope, is_transaction_watched, names::TokenNameCheck};
use crate::domain::address::ComparableAddress;
use crate::domain::duration::period_text;
use crate::domain::history::{HistoryRow, Query, Scope, Sort, WindowAnchor, WindowRequest};
use crate::domain::imitation::TokenCandidate;
use crate::domain::watch::trial::{PastFacts, PastRow, TRIAL_PERIOD};
use crate::domain::watch::{Watch, WatchFigure, WatchReading};
use crate::domain::{AddressBook, Amount, SettlementTimes, Text, Timestamp, Token, TotalSample, Transaction};
use crate::store::{Cancel, Store, StoreError};

/// The most rows that a watch sums, and that a trial follows back.
const MAX_ROWS: usize = 20_000;
const MAX_TRIAL_ROWS: usize = 100_000;
const ROWS_PER_READ: u32 = 512;
/// The most pending rows examined, the oldest.
const MAX_PENDING_ROWS: u32 = 2_000;

/// Rows from the newest back to some time, read once for all watches of an evaluation.
#[derive(Default)]
pub(super) struct RecentRows {
    rows: Vec<HistoryRow>,
    /// All rows since then are read.
    since: Option<Timestamp>,
    settling: Option<SettlementTimes>,
    tokens: Option<Vec<Token>>,
}

impl RecentRows {
    /// Reads further back, if need be. Returns whether all rows since then could be read.
    fn read_rows_since(&mut self, store: &Store, since: Timestamp, most: usize) -> Result<bool, StoreError> {
        while self.since.is_none_or(|reached| reached > since) {
            if self.rows.len() >= most {
                return Ok(false);
            }
            let query = Query { sort: Sort::Newest, ..Query::default() };
            let anchor = WindowAnchor::Rank(u64::try_from(self.rows.len()).unwrap_or(u64::MAX));
            let request = WindowRequest { query, anchor, rows: ROWS_PER_READ };
            let mut window = Vec::new();
            store.query_history(&request, &Cancel::new(), &mut |rows_window| window = rows_window.rows)?;
            let is_end = window.len() < usize::try_from(ROWS_PER_READ).unwrap_or(usize::MAX);
            // Pending rows are on top whatever their time: they say nothing of what is below.
            let final_statuses = store.final_statuses();
            let settled = window.last().filter(|row| row.transaction.is_final(final_statuses));
            let oldest = settled.and_then(|row| row.transaction.reported_time());
            self.rows.extend(window);
            self.since = if is_end { Some(Timestamp::from_millis(i64::MIN)) } else { oldest.or(self.since) };
        }
        Ok(true)
    }

    /// The rows of a watch since a time, without imitations.
    fn rows_of_watch<'a>(
        &'a self,
        watch: &'a Watch,
        scope: &'a Scope,
        since: Timestamp,
    ) -> impl Iterator<Item = (Timestamp, &'a Transaction)> {
        let tokens = self.tokens.as_deref().unwrap_or_default();
        self.rows
            .iter()
            .filter(move |row| {
                row.time >= since && !row.suspicious && is_transaction_watched(watch, scope, &row.transaction)
            })
            .filter(move |row| !row.internal || watch.condition.counts_internal_rows())
            .filter(move |row| watch.token.is_none() || !is_token_imitation(&row.transaction, tokens))
            .map(move |row| (row.time, &row.transaction))
    }

    /// The reading of a watch on flows, failures, counterparties or stuck payments.
    pub(super) fn measure_watch(
        &mut self,
        store: &Store,
        watch: &Watch,
        scope: &Scope,
        book: &AddressBook,
    ) -> Result<WatchReading, StoreError> {
        let Some(as_of) = store.newest_rows_synced_at()? else {
            return Ok(WatchReading::Unknown("the history was not read yet".into()));
        };
        if self.tokens.is_none() {
            self.tokens = Some(store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default());
        }
        if watch.condition.figure() == WatchFigure::StuckCount {
            return self.measure_stuck_payments(store, watch, scope, as_of);
        }
        let Some(within) = watch.condition.period() else {
            return Ok(WatchReading::Unknown("this is no watch on rows".into()));
        };
        let since = as_of.minus(within);
        if !self.read_rows_since(store, since, MAX_ROWS)? {
            let message = format!("more than {MAX_ROWS} transactions are within {}", period_text(within));
            return Ok(WatchReading::Unknown(message));
        }
        let addresses = match watched_addresses(watch, book) {
            Ok(addresses) => addresses,
            Err(reason) => return Ok(WatchReading::NotFound(reason)),
        };
        let final_statuses = store.final_statuses();
        let counted = self
            .rows_of_watch(watch, scope, since)
            .map(|(_, row)| row)
            .filter(|row| watch.condition.counts_row(row, has_counterparty_in(row, &addresses), final_statuses));
        Ok(match watch.condition.figure() {
            WatchFigure::RowSum => {
                let sum = counted
                    .filter_map(Transaction::exact_amount)
                    .try_fold(Amount::zero(0), Amount::checked_add_rescaled);
                sum.map_or_else(
                    || WatchReading::Unknown("the sum is larger than an amount can be".into()),
                    |amount| WatchReading::Balance { amount, as_of },
                )
            }
            WatchFigure::RowCount => {
                WatchReading::Count { count: u64::try_from(counted.count()).unwrap_or(u64::MAX), as_of }
            }
            WatchFigure::Balance | WatchFigure::OldestPending { .. } | WatchFigure::StuckCount => {
                WatchReading::Unknown("this is no watch on rows".into())
            }
        })
    }

    fn measure_stuck_payments(
        &mut self,
        store: &Store,
        watch: &Watch,
        scope: &Scope,
        as_of: Timestamp,
    ) -> Result<WatchReading, StoreError> {
        if self.settling.is_none() {
            self.settling = Some(store.recent_activity(as_of, &Cancel::new())?.settlement_times());
        }
        let settling = self.settling.clone().unwrap_or_default();
        let is_stuck = |(seen_at, row): &(Timestamp, Transaction)| {
            let since = row.reported_time().unwrap_or(*seen_at);
            is_transaction_watched(watch, scope, row)
                && since.age(as_of) > settling.stuck_limit(&row.token.blockchain).after
        };
        let count = store.pending_rows(MAX_PENDING_ROWS)?.iter().filter(|row| is_stuck(row)).count();
        Ok(WatchReading::Count { count: u64::try_from(count).unwrap_or(u64::MAX), as_of })
    }
}

fn is_token_imitation(row: &Transaction, tokens: &[Token]) -> bool {
    let decimals = row.amount.as_ref().map(|amount| amount.even_if_disputed().decimals());
    TokenCandidate { token: &row.token, symbol: &row.symbol, name: row.token_name.as_ref(), decimals }.imitates(tokens)
}

/// The addresses of the watched counterparty, none where none is watched; or why it has none.
fn watched_addresses(watch: &Watch, book: &AddressBook) -> Result<HashSet<ComparableAddress>, String> {
    let Some(counterparty) = watch.condition.counterparty() else { return Ok(HashSet::new()) };
    let unknown = || format!("{counterparty} is neither an address nor in the address book");
    addresses_of_counterparty(counterparty, book).ok_or_else(unknown)
}

/// The addresses of a contact, or the address itself; `None` where it is neither.
fn addresses_of_counterparty(counterparty: &Text, book: &AddressBook) -> Option<HashSet<ComparableAddress>> {
    let addresses: HashSet<ComparableAddress> =
        book.entries_named(counterparty).map(|entry| ComparableAddress::parse(&entry.contact.address)).collect();
    // No name is as long as an address without a blank in it.
    let is_address = counterparty.chars().count() >= 20 && !counterparty.contains(char::is_whitespace);
    if addresses.is_empty() {
        is_address.then(|| HashSet::from([ComparableAddress::parse(counterparty)]))
    } else {
        Some(addresses)
    }
}

fn has_counterparty_in(row: &Transaction, addresses: &HashSet<ComparableAddress>) -> bool {
    !addresses.is_empty()
        && row.counterparty().is_some_and(|other| addresses.contains(&ComparableAddress::parse(other)))
}

/// What a trial of a watch needs to know of the past.
///
/// # Errors
/// Why the watch cannot be tried, in the inner error.
pub fn read_facts_for_watch_trial(
    store: &Store,
    watch: &Watch,
    book: &AddressBook,
    totals: &[TotalSample],
    now: Timestamp,
) -> Result<Result<PastFacts, String>, StoreError> {
    let names = TokenNameCheck::new(store);
    let scope = match find_watch_scope(store, &names, &watch.scope)? {
        Ok(scope) => scope,
        Err(WatchReading::Unknown(reason) | WatchReading::NotFound(reason)) => return Ok(Err(reason)),
        Err(_) => return Ok(Err("the watch's place is not known".into())),
    };
    let within = watch.condition.period().unwrap_or(Duration::ZERO);
    let addresses = match watched_addresses(watch, book) {
        Ok(addresses) => addresses,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut rows = RecentRows { tokens: store.tokens()?.map(|(tokens, _)| tokens), ..RecentRows::default() };
    let start = now.minus(TRIAL_PERIOD.saturating_add(within));
    let is_whole = rows.read_rows_since(store, start, MAX_TRIAL_ROWS)?;
    let progress = store.progress()?;
    let oldest = rows.rows.last().and_then(|row| row.transaction.reported_time());
    let since = if is_whole && (progress.complete || oldest.is_none()) { start } else { oldest.unwrap_or(now) };
    let balance = match super::measure_balance(&store.holdings(&scope)?, watch) {
        WatchReading::Balance { amount, .. } => Some(amount),
        WatchReading::Pending { .. }
        | WatchReading::Count { .. }
        | WatchReading::Unknown(_)
        | WatchReading::NotFound(_) => None,
    };
    let total = |sample: &TotalSample| Some((sample.at, sample.total()?.amount()?));
    let past = rows.rows_of_watch(watch, &scope, since).map(|(at, row)| PastRow {
        at,
        is_with_counterparty: has_counterparty_in(row, &addresses),
        transaction: row.clone(),
    });
    Ok(Ok(PastFacts {
        now,
        rows: past.collect(),
        since,
        balance,
        totals: totals.iter().filter_map(total).collect(),
        settling: store.recent_activity(now, &Cancel::new())?.settlement_times(),
    }))
}
