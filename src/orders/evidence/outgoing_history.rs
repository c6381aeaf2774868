//! The outgoing list as far as it was read, and what such a read proves.
//!
//! A list that is read page by page may change between two pages. In three cases no page shows the row of a payment
//! that was there when the read began:
//!
//! 1. Arrivals push it down, from a page that is still to be read to a later one. Pages are read downwards, so the row
//!    is met there, unless the read ends above it. It does not: a read ends only below half of the rows that are
//!    remembered as at rest before the order was drafted (the *anchors*). Such a row does not change any more, so it is
//!    below everything newer, whether the service sorts by creation or by last change; and should one change after all,
//!    the others have not moved.
//! 2. It changes its status, and the service sorts by last change: it jumps from a page that is still to be read to the
//!    first one, which was read already. Therefore the first page is read again at the end. If any of its rows is still
//!    on it and unchanged, that row has not moved, and everything that moved or arrived meanwhile is above it, on that
//!    page.
//! 3. A row above it leaves the list, and it is pulled up from a page that is still to be read to one that was read.
//!    Therefore all pages are read again: a row that left after it was read is missing then, and nothing is claimed.
//!
//! One page is one moment and needs no second read. A row that both came and left within the read is ignored: it was no
//! payment that was there before. All this holds for lists that are newest first and whose pages are consecutive: the
//! rows' times must show the first; full pages of one length, each with a new row, the second.

use std::collections::{HashMap, HashSet};

use super::row_differences;
use crate::domain::draft::Draft;
use crate::domain::history::Page;
use crate::domain::order::DraftedOrder;
use crate::domain::{
    Amount, Direction, FinalStatuses, ObservedTransaction, Order, Text, Timestamp, Transaction, TransactionId, Verdict,
};
use crate::orders::claim::{
    OrderPattern, is_incoming_side, is_known_at_draft, is_of_swap_group, is_since_draft, order_reference, row_has_key,
};

/// Outgoing transactions, newest first, as far back as they were read.
#[derive(Default)]
pub struct OutgoingHistory {
    pub rows: Vec<Transaction>,
    /// Rows whose direction is not outgoing, from any read: evidence if they bear a mark of an order.
    pub others: Vec<Transaction>,
    /// The rank of each row: the smaller, the newer.
    ranks: HashMap<TransactionId, i64>,
    /// Keys of rows that did not fail.
    keys: HashSet<String>,
    final_statuses: FinalStatuses,
    /// Transactions that are recorded as those of orders.
    recorded: HashSet<TransactionId>,
    /// The time of the last row that has one, and how often a row was later, or earlier, than the row before.
    last_at: Option<Timestamp>,
    later: u64,
    earlier: u64,
    /// Pages read, the entries of the first page, and whether the last page had fewer.
    pages: u64,
    length: usize,
    was_short: bool,
    /// The first page of the first read.
    first: Vec<Transaction>,
    /// Whether the list was read to its end.
    is_whole: bool,
    /// Whether the pages are not consecutive, or contain unreadable rows.
    is_inconsistent: bool,
}

pub struct SecondRead<'a> {
    first_read: &'a mut OutgoingHistory,
    page: u64,
    /// Rows of the first read that the second has not seen yet.
    missing: HashSet<TransactionId>,
    /// The rank of the last row seen again: new rows below it rank the same.
    last_seen_rank: i64,
    /// Whether a row of the first page is still on it unchanged.
    is_first_page_confirmed: bool,
}

impl OutgoingHistory {
    pub fn new(final_statuses: FinalStatuses) -> Self {
        Self { final_statuses, ..Self::default() }
    }

    /// The page to read next; `None` once the list was read to its end or its pages are not consecutive.
    pub fn next_page(&self) -> Option<u64> {
        (!self.is_whole && !self.is_inconsistent).then_some(self.pages + 1)
    }

    /// Adds the page of [`Self::next_page`].
    pub fn add_page(&mut self, page: Page<Transaction>) {
        self.pages += 1;
        let (before, entries) = (self.rows.len(), entry_count(&page));
        if self.pages == 1 {
            self.length = entries;
            self.first.clone_from(&page.items);
        }
        // Pages of varying lengths begin at other offsets than this read assumes.
        self.is_inconsistent |= page.unreadable > 0 || (self.was_short && entries > 0) || entries > self.length;
        self.was_short = entries < self.length;
        self.is_whole = page.items.is_empty() || page.total_page.is_some_and(|total| self.pages >= total);
        for row in page.items {
            // Arrivals during the read push rows to the next page, where they are seen again.
            if !self.ranks.contains_key(&row.id) {
                if row.direction == Direction::Outgoing {
                    self.note_row_time(&row);
                }
                let rank = i64::try_from(self.ranks.len()).unwrap_or(i64::MAX);
                self.insert_row(row, rank);
            }
        }
        // A page without a new row means that the service ignores the page number.
        self.is_inconsistent |= entries > 0 && self.rows.len() == before;
    }

    /// Adds rows from another read, which prove no order.
    pub fn add_rows(&mut self, rows: Vec<Transaction>) {
        for row in rows {
            if !self.ranks.contains_key(&row.id) {
                self.insert_row(row, i64::MIN);
            }
        }
    }

    /// Adds the transactions that are recorded as those of these orders: no other order may have been paid by them.
    pub fn add_recorded<'a>(&mut self, orders: impl IntoIterator<Item = &'a Order>) {
        self.recorded.extend(orders.into_iter().flat_map(Order::transaction_ids).cloned());
    }

    fn insert_row(&mut self, row: Transaction, rank: i64) {
        self.ranks.insert(row.id.clone(), rank);
        if row.direction != Direction::Outgoing {
            self.others.push(row);
            return;
        }
        if !self.is_failed_row(&row) {
            self.keys.extend(row.idempotency_key.as_ref().map(|key| key.to_ascii_lowercase()));
        }
        self.rows.push(row);
    }

    pub fn is_failed_row(&self, row: &Transaction) -> bool {
        self.final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Failed
    }

    fn note_row_time(&mut self, row: &Transaction) {
        let Some(at) = row.reported_time() else { return };
        if let Some(before) = self.last_at.replace(at) {
            self.later += u64::from(at > before);
            self.earlier += u64::from(at < before);
        }
    }

    /// Whether new rows are above old ones. A list that was read to its end contains both in any order; otherwise the
    /// times must show it. Single rows may be out of order, since the time of many is that of their end.
    fn is_newest_first(&self) -> bool {
        self.is_whole || self.earlier > self.later
    }

    /// Whether the pages may be taken for the list; several pages need a second read to confirm it.
    pub fn is_consistent_and_newest_first(&self) -> bool {
        !self.is_inconsistent && self.is_newest_first()
    }

    pub fn needs_second_read(&self) -> bool {
        self.pages > 1
    }

    pub fn start_second_read(&mut self) -> SecondRead<'_> {
        let missing = self.ranks.keys().cloned().collect();
        SecondRead { first_read: self, page: 0, missing, last_seen_rank: i64::MIN, is_first_page_confirmed: false }
    }

    /// Whether everything since an order was drafted was read, if the pages may be taken for the list. A list without
    /// any row known then is incomplete, even if read to its end. A single anchor may have moved by a late change, so
    /// half of the remembered anchors must be found.
    pub fn covers_since_draft(&self, order: &Order) -> bool {
        let count_of = |ids: &[TransactionId]| ids.iter().filter(|id| self.ranks.contains_key(*id)).count();
        match (&order.drafted.anchors[..], &order.drafted.newest[..]) {
            ([], []) => self.is_whole,
            ([], newest) => self.is_whole && count_of(newest) > 0,
            (anchors, _) => count_of(anchors) >= anchors.len().div_ceil(2),
        }
    }

    /// Whether this is certainly the history of the workspace in which an order was made: it was read under the order's
    /// own key, or shows a row recorded then. `reading_key_mark` is the mark of the key under which it was read.
    pub fn is_of_workspace(&self, order: &Order, reading_key_mark: &Text) -> bool {
        order.drafted.destination.key_mark == *reading_key_mark || self.shows_known_rows(&order.drafted)
    }

    /// Whether any row was read that was recorded when an order was drafted.
    fn shows_known_rows(&self, drafted: &DraftedOrder) -> bool {
        drafted.anchors.iter().chain(&drafted.newest).any(|id| self.ranks.contains_key(id))
    }

    /// Whether no further page can add to an order: it was found before, or everything since its draft was read, so
    /// that a second row under its key would have been found too.
    pub fn needs_no_further_page_for(&self, order: &Order) -> bool {
        let keyed = order.drafted.request.key.is_some_and(|key| self.keys.contains(&key.to_string()));
        // The rows of a batch's recipients may be on several pages.
        (keyed && order.last_observation().is_some() && order.recipient_reports().is_empty())
            || self.covers_since_draft(order)
    }

    fn rows_with_key<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = &'a Transaction> {
        self.rows.iter().filter(|row| row_has_key(row, order))
    }

    /// The row that carries an order's key; after a retry by the service, one that did not fail comes first.
    pub fn find_by_key<'a>(&'a self, order: &'a Order) -> Option<&'a Transaction> {
        self.rows_with_key(order).find(|row| !self.is_failed_row(row)).or_else(|| self.rows_with_key(order).next())
    }

    /// The row that shares a swap's group with an order's answer.
    pub fn find_by_group<'a>(&'a self, order: &'a Order) -> Option<&'a Transaction> {
        self.rows.iter().find(|row| is_of_swap_group(row, order))
    }

    /// The row of the transaction recorded as an order's own, unless it carries another key.
    pub fn find_by_id<'a>(&'a self, order: &'a Order) -> Option<&'a Transaction> {
        let is_another = |row: &Transaction| row.idempotency_key.is_some() && !row_has_key(row, order);
        self.rows.iter().find(|row| order.transaction_id() == Some(&row.id) && !is_another(row))
    }

    /// The row that is certainly an order's own. An outgoing row comes first: others may show the other end.
    pub fn find_own_row<'a>(&'a self, order: &'a Order) -> Option<&'a Transaction> {
        let leaves = self.find_by_key(order).or_else(|| self.find_by_group(order)).or_else(|| self.find_by_id(order));
        leaves.or_else(|| self.own_rows_not_outgoing(order).next())
    }

    /// The row that is an order's own by a mark of its own, or else by its reference (`is_referred`), with how it
    /// differs from the request.
    pub fn own_row<'a>(
        &'a self,
        order: &'a Order,
        usual_fee: Option<Amount>,
        is_referred: impl Fn(&Transaction) -> bool,
    ) -> Option<(&'a Transaction, Vec<Text>)> {
        if let Some(row) = self.find_own_row(order) {
            return Some((row, self.differences_of_order(order, usual_fee)));
        }
        let row = self.reference_candidates(order).find(|row| is_referred(row))?;
        Some((row, row_differences(row, order, usual_fee)))
    }

    /// Rows under an order's key or transaction that are not outgoing, except the other end of a known transaction.
    pub fn own_rows_not_outgoing<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = &'a Transaction> {
        self.others.iter().filter(|row| {
            let is_named = row.idempotency_key.is_none() && order.transaction_id() == Some(&row.id);
            let is_known = order.transaction_ids().any(|id| *id != row.id);
            (is_named || row_has_key(row, order)) && !(is_known && is_incoming_side(row, order, true))
        })
    }

    /// Rows that may be an order's by reference; while it has no transaction, also those that are not outgoing.
    pub fn reference_candidates<'a>(&'a self, order: &Order) -> impl Iterator<Item = &'a Transaction> {
        let others = if order.transaction_ids().next().is_none() { self.others.as_slice() } else { &[] };
        self.rows.iter().chain(others)
    }

    /// Whether an order may be reported as failed, if the pages may be taken for the list: every row under its key and
    /// every transaction of its own failed, and everything since its draft was read.
    pub fn shows_failure(&self, order: &Order) -> bool {
        let failed = |id: &TransactionId| self.rows.iter().any(|row| row.id == *id && self.is_failed_row(row));
        let mut candidates = self.rows_with_key(order).map(|row| &row.id).chain(order.transaction_ids()).peekable();
        candidates.peek().is_some() && candidates.all(failed) && self.covers_since_draft(order)
    }

    /// How rows under an order's key contradict it: a row differs from the request, or two did not fail.
    pub fn differences_of_order(&self, order: &Order, usual_fee: Option<Amount>) -> Vec<Text> {
        let Some(row) = self.find_own_row(order) else { return Vec::new() };
        let mut differences = row_differences(row, order, usual_fee);
        for other in self
            .own_rows_not_outgoing(order)
            .filter(|other| other.id != row.id && !is_incoming_side(other, order, true))
        {
            let new = row_differences(other, order, usual_fee).into_iter().filter(|one| !differences.contains(one));
            differences.extend(new.collect::<Vec<_>>());
        }
        // A payment to one recipient has one row; a batch has one for each.
        let mut successful =
            self.rows_with_key(order).filter(|row| !self.is_failed_row(row)).map(|row| row.id.as_str());
        // A swap has one outgoing row.
        let has_one = matches!(order.drafted.draft, Draft::Withdraw(_) | Draft::Swap(_));
        // A payment settled earlier by another transaction, which this read need not show, counts as well.
        let settled = order.settled_transaction_in_history(&self.final_statuses).map(TransactionId::as_str);
        let settled = settled.filter(|settled| !self.rows_with_key(order).any(|row| row.id.as_str() == *settled));
        if let (true, Some(first), Some(second)) = (has_one, successful.next(), successful.next().or(settled)) {
            let (first, second) = if first < second { (first, second) } else { (second, first) };
            differences.push(Text::clean(&format!("paid twice? Transactions {first} and {second} both carry its key")));
        }
        differences
    }

    /// Whether a row without a key carries an order's reference: then the order cannot be reported as not found, even
    /// if the row's contents differ or are incomplete.
    pub fn has_keyless_row_with_reference(&self, order: &Order) -> bool {
        self.keyless_rows_with_reference(order).next().is_some()
    }

    fn keyless_rows_with_reference<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = &'a Transaction> {
        let reference = order_reference(order);
        self.rows.iter().chain(&self.others).filter(move |row| {
            reference.is_some()
                && row.ref_id.as_deref() == reference
                && row.idempotency_key.is_none()
                && self.may_be_newer_than_draft(row, order)
        })
    }

    /// Rows with which the service may have tried again what failed, or somebody else may have paid the same: each goes
    /// out, carries the order's reference and no key, contradicts the order in nothing that it states, did not fail, and
    /// is not recorded as an order's.
    pub fn retry_rows<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = &'a Transaction> {
        let pattern = OrderPattern::from_order(order);
        let is_recorded =
            |row: &Transaction| self.recorded.contains(&row.id) || order.transaction_ids().any(|id| *id == row.id);
        self.keyless_rows_with_reference(order).filter(move |row| {
            let states_too_little = row.exact_amount().is_none() || row.to_address.is_none();
            row.direction == Direction::Outgoing
                && !self.is_failed_row(row)
                && !is_recorded(row)
                && pattern.as_ref().is_some_and(|pattern| states_too_little || pattern.matches_row(row))
        })
    }

    /// Whether a row is newer than all rows recorded when an order was drafted.
    pub fn is_newer_than_draft(&self, row: &Transaction, order: &Order) -> bool {
        let newest_rank = order.drafted.newest.iter().filter_map(|id| self.ranks.get(id)).min();
        self.ranks.get(&row.id).zip(newest_rank).is_none_or(|(at, newest)| at < newest)
    }

    /// Whether a row is newer than those rows, or may be by its time: where the service sorts by last change, a row from
    /// before the draft may have moved above it.
    pub fn may_be_newer_than_draft(&self, row: &Transaction, order: &Order) -> bool {
        let is_since = row.reported_time().is_some_and(|at| is_since_draft(at, order));
        self.is_newer_than_draft(row, order) || (is_since && !is_known_at_draft(row, order))
    }
}

impl SecondRead<'_> {
    /// The page to read next; `None` once all rows were seen again, or cannot be any more.
    pub fn next_page(&self) -> Option<u64> {
        // Arrivals push rows down by one page at most, or the read is given up.
        let more = !self.missing.is_empty()
            && (self.page == 0 || self.is_first_page_confirmed)
            && self.page <= self.first_read.pages;
        more.then_some(self.page + 1)
    }

    /// Compares the page of [`Self::next_page`].
    pub fn compare_page(&mut self, page: Page<Transaction>) {
        self.page += 1;
        self.first_read.is_inconsistent |= page.unreadable > 0 || entry_count(&page) > self.first_read.length;
        if self.page == 1 {
            self.is_first_page_confirmed = page.items.iter().any(|row| self.first_read.first.contains(row));
        }
        for row in page.items {
            if let Some(rank) = self.first_read.ranks.get(&row.id) {
                self.last_seen_rank = *rank;
                self.missing.remove(&row.id);
            } else {
                self.first_read.insert_row(row, self.last_seen_rank);
            }
        }
    }

    /// Whether the first read missed nothing that was there when it began.
    pub fn confirms_first(&self) -> bool {
        self.is_first_page_confirmed && self.missing.is_empty()
    }
}

fn entry_count(page: &Page<Transaction>) -> usize {
    page.items.len().saturating_add(usize::try_from(page.unreadable).unwrap_or(usize::MAX))
}
