//! Orders as the journal has them.

use super::{GuardOrders, OrderExecutor};
use crate::domain::intent::{Destination, State};
use crate::domain::{Failure, Order, OrderId};
use crate::journal::{Journal, JournalError};
use std::sync::{Arc, PoisonError};

impl OrderExecutor {
    /// The orders that concern this place: all that are open, and the newest `closed` others.
    pub(super) async fn relevant_orders(&self, closed: usize) -> Result<Vec<Order>, Failure> {
        let here = self.paying.destination.clone();
        self.with_journal(move |journal| concerning(journal, &here, closed)).await
    }

    /// All orders that the guard may have to count: under whatever key, for whatever network and at whatever address of the
    /// profile one was made, it may have been paid from the same wallet. While a review is open they are asked for with each poll, and read again only when
    /// the journal has grown.
    pub(super) async fn memory(&self) -> Result<Arc<GuardOrders>, Failure> {
        let (here, known) = (self.paying.destination.clone(), Arc::clone(&self.order_cache));
        self.with_journal(move |journal| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let last = journal.last()?;
            if let Some((_, orders)) = known.as_ref().filter(|(up_to, _)| *up_to == last) {
                return Ok(Arc::clone(orders));
            }
            let orders = Arc::new(GuardOrders::read(journal, &here)?);
            // What another console adds in between is read the next time.
            *known = Some((last, Arc::clone(&orders)));
            Ok(orders)
        })
        .await
    }

    /// How an intent stands, by the journal.
    pub(super) async fn state(&self, intent: OrderId) -> Result<State, Failure> {
        let now = self.now();
        self.with_journal(move |journal| journal.intent(intent)).await.map(|intent| intent.state(now))
    }
}

/// The orders that concern a place: all that are open, and of the newest `closed` others those that do.
pub(super) fn concerning(journal: &Journal, here: &Destination, closed: usize) -> Result<Vec<Order>, JournalError> {
    let (mut orders, addresses) = (journal.orders(here, closed)?, journal.addresses(here)?);
    orders.retain(|order| addresses.concerns(&order.drafted.destination, here));
    Ok(orders)
}
