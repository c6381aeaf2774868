//! Swaps that were made, or may have been: this console's from the journal, all others from the service's history.

use std::collections::HashSet;

use super::FactSources;
use super::payments::{COMPARISON_PERIOD, order_sent_at, order_state_text};
use crate::domain::order::OrderState;
use crate::domain::{
    ObservedTransaction, Order, OrderId, ReportedAmount, Status, SubType, Timestamp, Transaction, Verdict,
};
use crate::guard::{RecentSwap, may_be_after};
use crate::store::OutgoingRows;

/// Swaps of the last 24 hours, and unresolved swap orders of any age, with all swaps since.
pub(super) fn recent_swaps(sources: &FactSources<'_>, outgoing_rows: &OutgoingRows, now: Timestamp) -> Vec<RecentSwap> {
    let orders: Vec<(&Order, RecentSwap)> =
        sources.orders.iter().filter_map(|journal_order| swap_of_order(journal_order, now)).collect();
    let now = sources.skew.earlier_clock(now);
    let open = orders.iter().filter(|(_, swap)| swap.is_unresolved).filter_map(|(_, swap)| swap.at).min();
    let is_recent = |swap: &RecentSwap| {
        let is_since = || open.is_some_and(|open| may_be_after(swap.at, Some(open), now));
        swap.is_unresolved || swap.at.is_none_or(|at| at.age(now) <= COMPARISON_PERIOD) || is_since()
    };
    let mut counted_orders: HashSet<OrderId> = HashSet::new();
    let mut swaps: Vec<RecentSwap> = Vec::new();
    for (seen_at, row) in &outgoing_rows.outgoing {
        let failed = sources.final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Failed;
        if row.sub_type != Some(SubType::Swap) || failed {
            continue;
        }
        // The order counts instead of its row.
        let order = orders.iter().find(|(journal_order, _)| {
            !counted_orders.contains(&journal_order.id) && is_outgoing_row_of_order(row, journal_order)
        });
        if let Some((journal_order, _)) = order {
            counted_orders.insert(journal_order.id);
        } else {
            // The row carries a key of this console, whatever the journal's state of its order.
            let own = sources
                .orders
                .iter()
                .find(|journal_order| is_outgoing_row_of_order(row, journal_order))
                .map(|journal_order| journal_order.id);
            swaps.push(RecentSwap { order: own, ..swap_of_row(row, *seen_at) });
        }
    }
    swaps.extend(orders.into_iter().map(|(_, swap)| swap));
    swaps.retain(is_recent);
    swaps
}

/// An order as a swap; `None` if it is none, or was certainly not executed.
fn swap_of_order(journal_order: &Order, now: Timestamp) -> Option<(&Order, RecentSwap)> {
    let sender = journal_order.drafted.sender.as_ref()?;
    let exchange = journal_order.drafted.draft.exchange()?;
    let state = journal_order.state(now);
    let is_unresolved = matches!(state, OrderState::Sending | OrderState::Unknown | OrderState::ProbablyRefused)
        || journal_order.is_reopened();
    if !is_unresolved && !matches!(state, OrderState::Accepted | OrderState::Settled | OrderState::WrittenOff) {
        return None;
    }
    let swap = RecentSwap {
        order: Some(journal_order.id),
        at: Some(order_sent_at(journal_order)?),
        blockchain: exchange.chain.cloned().unwrap_or_default(),
        token: sender.token.clone(),
        from: exchange.from.clone(),
        amounts: vec![sender.amount],
        to: Some(exchange.to.clone()),
        state: order_state_text(state).into(),
        is_unresolved,
    };
    Some((journal_order, swap))
}

/// Whether a row is the outgoing side of an order's swap: by its identifier, its key, its group, or a reference that
/// this console generated for it alone.
fn is_outgoing_row_of_order(row: &Transaction, order: &Order) -> bool {
    let key = order.drafted.request.key.map(|key| key.to_string());
    let has_key =
        key.zip(row.idempotency_key.as_ref()).is_some_and(|(key, row_key)| row_key.eq_ignore_ascii_case(&key));
    let group = order.sure_observations().next().and_then(|observed| observed.swap.as_ref()?.group.as_ref());
    let reference = order.drafted.draft.exchange().and_then(|exchange| exchange.reference);
    let has_reference = row.idempotency_key.is_none() && reference.is_some() && row.ref_id.as_ref() == reference;
    order.transaction_id() == Some(&row.id)
        || has_key
        || (group.is_some() && row.group.as_ref() == group)
        || has_reference
}

fn swap_of_row(row: &Transaction, seen_at: Timestamp) -> RecentSwap {
    RecentSwap {
        order: None,
        at: Some(row.reported_time().unwrap_or(seen_at)),
        blockchain: row.token.blockchain.clone(),
        token: row.token.clone(),
        from: row.symbol.clone(),
        amounts: [&row.total_amount, &row.amount].into_iter().flatten().map(ReportedAmount::even_if_disputed).collect(),
        to: None,
        state: row.status.as_ref().map_or("no status", Status::word).into(),
        is_unresolved: false,
    }
}
