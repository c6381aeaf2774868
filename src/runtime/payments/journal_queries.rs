//! Reads orders from the journal.

use std::sync::{Arc, PoisonError};

use super::{GuardOrders, OrderExecutor};
use crate::domain::order::{OrderState, ServiceDestination};
use crate::domain::{Failure, Order, OrderId};
use crate::journal::{Journal, JournalError};

impl OrderExecutor {
    /// The orders that concern this destination: all that are open, and the newest `closed` others.
    pub(super) async fn orders_of_own_destination(&self, closed: usize) -> Result<Vec<Order>, Failure> {
        let destination = self.payment_context.destination.clone();
        self.with_journal(move |journal| select_orders_for_destination(journal, &destination, closed)).await
    }

    /// All orders that the guard may have to count: whatever the key, network or address of the profile, an order may
    /// have been paid from the same wallet. Reloaded only when the journal has grown, since an open review requests
    /// them with each poll.
    pub(super) async fn read_guard_orders(&self) -> Result<Arc<GuardOrders>, Failure> {
        let (destination, cache) = (self.payment_context.destination.clone(), Arc::clone(&self.order_cache));
        self.with_journal(move |journal| {
            let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
            let last = journal.last_seq()?;
            if let Some((_, orders)) = cache.as_ref().filter(|(up_to, _)| *up_to == last) {
                return Ok(Arc::clone(orders));
            }
            let orders = Arc::new(GuardOrders::from_journal(journal, &destination)?);
            // Records that another console adds meanwhile are read next time.
            *cache = Some((last, Arc::clone(&orders)));
            Ok(orders)
        })
        .await
    }

    pub(super) async fn read_order_state(&self, id: OrderId) -> Result<OrderState, Failure> {
        let now = self.now();
        self.with_journal(move |journal| journal.order(id)).await.map(|journal_order| journal_order.state(now))
    }
}

/// The orders that concern a destination: all that are open, and those of the newest `closed` others that do.
pub(super) fn select_orders_for_destination(
    journal: &Journal,
    destination: &ServiceDestination,
    closed: usize,
) -> Result<Vec<Order>, JournalError> {
    let (mut orders, addresses) = (journal.orders(destination, closed)?, journal.address_relations(destination)?);
    orders.retain(|order| addresses.may_share_workspace(&order.drafted.destination, destination));
    Ok(orders)
}
