//! A swap's proceeds in the history: two rows of one group, of which the outgoing one carries the order's key or
//! reference, and the incoming one shows what was bought. The answer's proceeds are a promise, superseded by the
//! history.

use crate::domain::history::Page;
use crate::domain::{Direction, ObservedTransaction, Order, SwapObservation, SwapProceeds, Text, Transaction};

/// How many pages of incoming rows are searched: the incoming side arrived with the outgoing one.
const MAX_INCOMING_PAGES: u64 = 3;

/// Incoming rows as far as they were read; shared by all orders of a lookup, to read each page once.
#[derive(Default)]
pub struct IncomingRows {
    rows: Vec<Transaction>,
    pages: u64,
    /// Whether no further page is read.
    is_done: bool,
    /// Whether that is because a page could not be read.
    has_failed: bool,
}

impl IncomingRows {
    /// Incoming rows of another read; no page is read.
    pub fn from_rows(rows: &[Transaction]) -> Self {
        let incoming = rows.iter().filter(|row| row.direction == Direction::Incoming);
        Self { rows: incoming.cloned().collect(), pages: 0, is_done: true, has_failed: false }
    }

    /// The page to read next; `None` where the incoming rows were read as far as they are searched for any swap.
    pub fn next_page(&self) -> Option<u64> {
        (!self.is_done).then_some(self.pages + 1)
    }

    /// Adds the page of [`Self::next_page`].
    pub fn add_page(&mut self, page: Page<Transaction>) {
        self.pages += 1;
        let is_last = page.items.is_empty() || page.total_page.is_some_and(|total| self.pages >= total);
        self.is_done = is_last || self.pages >= MAX_INCOMING_PAGES;
        self.rows.extend(page.items);
    }

    /// Ends the read where a page could not be read: the next lookup tries again.
    pub fn stop_at_failure(&mut self) {
        (self.is_done, self.has_failed) = (true, true);
    }

    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether a further page may show the proceeds of the swap that a row is of.
    pub fn needs_further_page_for(&self, row: &Transaction, order: &Order) -> bool {
        !self.is_done
            && order.drafted.draft.operation().is_swap()
            && order.proceeds_in_history().is_none()
            && swap_group(row, order).is_some_and(|group| self.find_by_group(&group).is_none())
    }

    /// The state that a row shows of its order; for a swap with its proceeds, if the history ever showed them.
    pub fn observe(&self, row: &Transaction, order: &Order) -> ObservedTransaction {
        let observed = ObservedTransaction::from_transaction(row);
        if !order.drafted.draft.operation().is_swap() {
            return observed;
        }
        let group = swap_group(row, order);
        let proceeds = order.proceeds_in_history().cloned().or_else(|| self.find_proceeds(group.as_ref()?));
        ObservedTransaction { swap: Some(SwapObservation { group, proceeds }), ..observed }
    }

    fn find_proceeds(&self, group: &Text) -> Option<SwapProceeds> {
        let row = self.find_by_group(group)?;
        Some(SwapProceeds { coin: row.symbol.clone(), amount: row.exact_amount()? })
    }

    /// The incoming side of a swap, if it was read.
    fn find_by_group(&self, group: &Text) -> Option<&Transaction> {
        self.rows.iter().find(|row| row.group.as_ref() == Some(group) && row.direction == Direction::Incoming)
    }
}

/// The group of the swap that a row is of: its own, or that of an earlier report.
fn swap_group(row: &Transaction, order: &Order) -> Option<Text> {
    let before = || order.sure_observations().next()?.swap.as_ref()?.group.clone();
    row.group.clone().or_else(before)
}
