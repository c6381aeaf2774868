//! What came of a swap, by the service's history: two rows of one group, of which the one that leaves carries the order's
//! key or reference, and the one that comes tells what was bought. What the answer said of that is a promise: it counts
//! only until the history tells.

use super::{OrderExecutor, PAGE};
use crate::domain::{
    Amount, Direction, ObservedTransaction, Operation, Order, ReportedAmount, Sender, SubType, SwapDetails,
    SwapProceeds, Text, Transaction, chain,
};

/// Through how many pages of what came in the other side of a swap is looked for: it came with the side that left.
const PAGES: u64 = 3;

/// What came in, as far as it was read: of all orders of a look together, so that they take no more pages than one.
#[derive(Default)]
pub(super) struct Incoming {
    rows: Vec<Transaction>,
    pages: u64,
    /// Whether no further page is read.
    is_done: bool,
    /// Whether that is because one could not be.
    has_failed: bool,
}

impl Incoming {
    /// What some other read met of it; no page is read.
    pub(super) fn from_rows(rows: &[Transaction]) -> Self {
        let incoming = rows.iter().filter(|row| row.direction == Direction::Incoming);
        Self { rows: incoming.cloned().collect(), pages: 0, is_done: true, has_failed: false }
    }

    /// What came by a swap, if its side was read.
    fn of(&self, group: &Text) -> Option<&Transaction> {
        self.rows.iter().find(|row| row.group.as_ref() == Some(group) && row.direction == Direction::Incoming)
    }
}

impl OrderExecutor {
    /// What a row tells of its order; of a swap also what came of it, where the history shows that. What it showed of
    /// that before stays.
    pub(super) async fn seen_with_proceeds(
        &self,
        row: &Transaction,
        order: &Order,
        incoming: &mut Incoming,
    ) -> ObservedTransaction {
        let seen = ObservedTransaction::from_transaction(row);
        if !order.drafted.draft.operation().is_swap() {
            return seen;
        }
        let before = order.sure_observations().next().and_then(|seen| seen.swap.clone()).unwrap_or_default();
        let group = row.group.clone().or(before.group);
        let received = match (order.proceeds_in_history(), &group) {
            (Some(received), _) => Some(received.clone()),
            (None, Some(group)) => self.received(group, incoming).await,
            (None, None) => None,
        };
        ObservedTransaction { swap: Some(SwapDetails { group, proceeds: received }), ..seen }
    }

    /// Looks for the side of a swap that came in.
    async fn received(&self, group: &Text, incoming: &mut Incoming) -> Option<SwapProceeds> {
        while incoming.of(group).is_none() && !incoming.is_done {
            self.read_what_came(incoming).await;
        }
        let row = incoming.of(group)?;
        Some(SwapProceeds { coin: row.symbol.clone(), amount: row.exact_amount()? })
    }

    /// Whether what came in was read, as far as it is for any swap.
    pub(super) async fn has_read_proceeds(&self, incoming: &mut Incoming) -> bool {
        while !incoming.is_done {
            self.read_what_came(incoming).await;
        }
        !incoming.has_failed
    }

    /// Reads one more page of it.
    async fn read_what_came(&self, incoming: &mut Incoming) {
        incoming.pages += 1;
        match self.world.reader.fetch_transactions(&Direction::Incoming, incoming.pages, PAGE).await {
            Ok(read) => {
                let is_last = read.items.is_empty() || read.total_page.is_some_and(|total| incoming.pages >= total);
                incoming.is_done = is_last || incoming.pages >= PAGES;
                incoming.rows.extend(read.items);
            }
            Err(failure) => {
                // The next look asks again; other orders are looked for all the same.
                tracing::info!(%failure, "the result of a swap could not be read");
                (incoming.is_done, incoming.has_failed) = (true, true);
            }
        }
    }
}

/// Whether a row is of a swap that sells what an order sells, however its amount is told: with its fee or without.
pub(super) fn is_like(row: &Transaction, order: &Order, sender: &Sender) -> bool {
    let Some(exchange) = order.drafted.draft.exchange() else { return false };
    let token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(exchange.from);
    let is_as_much = |amount: Amount| amount.cmp_value(sender.amount).is_eq();
    let total = row.total_amount.as_ref().and_then(ReportedAmount::exact);
    row.sub_type == Some(SubType::Swap)
        && token
        && (row.exact_amount().is_some_and(is_as_much) || total.is_some_and(is_as_much))
        && (is_instant(order) || chain::is_same_chain(&row.token.blockchain, &sender.token.blockchain))
}

/// Whether the service chooses the chain.
fn is_instant(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}
