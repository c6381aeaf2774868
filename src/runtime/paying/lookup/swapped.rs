//! What came of a swap, by the service's history: two rows of one group, of which the one that leaves carries the order's
//! key or reference, and the one that comes tells what was bought.

use super::{Desk, PAGE};
use crate::domain::{
    Amount, Direction, Failure, Intent, Operation, Received, Seen, Sender, Stated, SubType, Swapped, Text, Transaction,
    chain,
};

/// Through how many pages of what came in the other side of a swap is looked for: it came with the side that left.
const PAGES: u64 = 3;

impl Desk {
    /// What a row tells of its order; of a swap also what came of it, where the history shows that. What was told of that
    /// before stays.
    pub(super) async fn seen_of(&self, row: &Transaction, order: &Intent) -> Result<Seen, Failure> {
        let seen = Seen::of(row);
        if !order.drafted.draft.operation().is_swap() {
            return Ok(seen);
        }
        let before = order.seen().and_then(|seen| seen.swapped.clone()).unwrap_or_default();
        let group = row.group.clone().or(before.group);
        let received = match (order.received(), &group) {
            (Some(received), _) => Some(received.clone()),
            (None, Some(group)) => self.received(group).await?,
            (None, None) => None,
        };
        Ok(Seen { swapped: Some(Swapped { group, received }), ..seen })
    }

    /// Looks for the side of a swap that came in.
    async fn received(&self, group: &Text) -> Result<Option<Received>, Failure> {
        for page in 1..=PAGES {
            let read = self.world.reader.transactions(&Direction::Incoming, page, PAGE).await?;
            let found =
                read.items.iter().find(|row| row.group.as_ref() == Some(group) && row.direction == Direction::Incoming);
            if let Some(row) = found {
                let received = |amount| Received { coin: row.symbol.clone(), amount };
                return Ok(row.exact_amount().map(received));
            }
            let is_last = read.items.is_empty() || read.total_page.is_some_and(|total| page >= total);
            if is_last {
                break;
            }
        }
        Ok(None)
    }
}

/// Whether a row is of a swap that sells what an order sells, however its amount is told: with its fee or without.
pub(super) fn is_like(row: &Transaction, order: &Intent, sender: &Sender) -> bool {
    let Some(exchange) = order.drafted.draft.exchange() else { return false };
    let token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(exchange.from);
    let is_as_much = |amount: Amount| amount.cmp_value(sender.amount).is_eq();
    let total = row.total_amount.as_ref().and_then(Stated::exact);
    row.sub_type == Some(SubType::Swap)
        && token
        && (row.exact_amount().is_some_and(is_as_much) || total.is_some_and(is_as_much))
        && (is_instant(order) || chain::same(&row.token.blockchain, &sender.token.blockchain))
}

/// Whether the service chooses the chain.
fn is_instant(order: &Intent) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}
