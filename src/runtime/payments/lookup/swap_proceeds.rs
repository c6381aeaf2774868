//! Finds a swap's proceeds in the history: two rows of one group, of which the outgoing one carries the order's key or
//! reference, and the incoming one shows what was bought. The answer's proceeds are a promise, superseded by the
//! history.

use super::{OrderExecutor, ROWS_PER_PAGE};
use crate::domain::{
    Amount, Direction, ObservedTransaction, Operation, Order, ReportedAmount, Sender, SubType, SwapDetails,
    SwapProceeds, Text, Transaction, chain,
};

/// How many pages of incoming rows are searched: the incoming side arrived with the outgoing one.
const MAX_INCOMING_PAGES: u64 = 3;

/// Incoming rows as far as they were read; shared by all orders of a lookup, to read each page once.
#[derive(Default)]
pub(super) struct IncomingRows {
    rows: Vec<Transaction>,
    pages: u64,
    /// Whether no further page is read.
    is_done: bool,
    /// Whether that is because a page could not be read.
    has_failed: bool,
}

impl IncomingRows {
    /// Incoming rows of another read; no page is read.
    pub(super) fn from_rows(rows: &[Transaction]) -> Self {
        let incoming = rows.iter().filter(|row| row.direction == Direction::Incoming);
        Self { rows: incoming.cloned().collect(), pages: 0, is_done: true, has_failed: false }
    }

    /// The incoming side of a swap, if it was read.
    fn find_by_group(&self, group: &Text) -> Option<&Transaction> {
        self.rows.iter().find(|row| row.group.as_ref() == Some(group) && row.direction == Direction::Incoming)
    }
}

impl OrderExecutor {
    /// The state that a row shows of its order; for a swap with its proceeds, if the history ever showed them.
    pub(super) async fn observe_with_proceeds(
        &self,
        row: &Transaction,
        order: &Order,
        incoming: &mut IncomingRows,
    ) -> ObservedTransaction {
        let seen = ObservedTransaction::from_transaction(row);
        if !order.drafted.draft.operation().is_swap() {
            return seen;
        }
        let before = order.sure_observations().next().and_then(|seen| seen.swap.clone()).unwrap_or_default();
        let group = row.group.clone().or(before.group);
        let received = match (order.proceeds_in_history(), &group) {
            (Some(received), _) => Some(received.clone()),
            (None, Some(group)) => self.find_swap_proceeds(group, incoming).await,
            (None, None) => None,
        };
        ObservedTransaction { swap: Some(SwapDetails { group, proceeds: received }), ..seen }
    }

    async fn find_swap_proceeds(&self, group: &Text, incoming: &mut IncomingRows) -> Option<SwapProceeds> {
        while incoming.find_by_group(group).is_none() && !incoming.is_done {
            self.read_incoming_page(incoming).await;
        }
        let row = incoming.find_by_group(group)?;
        Some(SwapProceeds { coin: row.symbol.clone(), amount: row.exact_amount()? })
    }

    /// Reads the incoming rows, as far as they are searched for any swap; `false` if that failed.
    pub(super) async fn read_all_incoming(&self, incoming: &mut IncomingRows) -> bool {
        while !incoming.is_done {
            self.read_incoming_page(incoming).await;
        }
        !incoming.has_failed
    }

    async fn read_incoming_page(&self, incoming: &mut IncomingRows) {
        incoming.pages += 1;
        match self.resources.reader.fetch_transactions(&Direction::Incoming, incoming.pages, ROWS_PER_PAGE).await {
            Ok(read) => {
                let is_last = read.items.is_empty() || read.total_page.is_some_and(|total| incoming.pages >= total);
                incoming.is_done = is_last || incoming.pages >= MAX_INCOMING_PAGES;
                incoming.rows.extend(read.items);
            }
            Err(failure) => {
                // The next lookup tries again; other orders are looked up all the same.
                tracing::info!(%failure, "the result of a swap could not be read");
                (incoming.is_done, incoming.has_failed) = (true, true);
            }
        }
    }
}

/// Whether a row is of a swap that sells what an order sells, with its amount reported with or without the fee.
pub(super) fn resembles_swap(row: &Transaction, order: &Order, sender: &Sender) -> bool {
    let Some(exchange) = order.drafted.draft.exchange() else { return false };
    let token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(exchange.from);
    let is_as_much = |amount: Amount| amount.cmp_value(sender.amount).is_eq();
    let total = row.total_amount.as_ref().and_then(ReportedAmount::exact);
    row.sub_type == Some(SubType::Swap)
        && token
        && (row.exact_amount().is_some_and(is_as_much) || total.is_some_and(is_as_much))
        && (is_instant_swap(order) || chain::is_same_chain(&row.token.blockchain, &sender.token.blockchain))
}

fn is_instant_swap(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}
