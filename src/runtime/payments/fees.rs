//! The fees expected of orders, so that a fee far beyond them is reported.

use std::sync::PoisonError;

use super::OrderExecutor;
use crate::domain::{Amount, Failure, Order, OrderId};
use crate::runtime::{guard_facts, reads};

impl OrderExecutor {
    /// Looks up the fees expected of these orders, each once, so that the wording of fee alarms is stable.
    pub(super) async fn cache_usual_fees_of_orders(&self, orders: &[Order]) {
        let missing: Vec<Order> = {
            let usual = self.find_usual_fees_of_orders.lock().unwrap_or_else(PoisonError::into_inner);
            orders.iter().filter(|order| !usual.contains_key(&order.id)).cloned().collect()
        };
        if missing.is_empty() {
            return;
        }
        let fees: Result<_, Failure> =
            reads::with_store(&self.resources, move |store| guard_facts::find_usual_fees_of_orders(store, &missing))
                .await;
        match fees {
            Ok(fees) => self.find_usual_fees_of_orders.lock().unwrap_or_else(PoisonError::into_inner).extend(fees),
            // Without them a fee is compared with the amount paid alone.
            Err(failure) => tracing::info!(%failure, "the fees of past payments could not be read"),
        }
    }

    /// As [`Self::cache_usual_fees_of_orders`], for an order that is about to be sent.
    pub(super) async fn cache_usual_fee_of_order(&self, id: OrderId) {
        match self.with_journal(move |journal| journal.order(id)).await {
            Ok(order) => self.cache_usual_fees_of_orders(&[order]).await,
            Err(failure) => tracing::info!(%failure, "the usual fee for an order could not be looked up"),
        }
    }

    pub(super) fn cached_usual_fee(&self, order: &Order) -> Option<Amount> {
        self.find_usual_fees_of_orders.lock().unwrap_or_else(PoisonError::into_inner).get(&order.id).copied().flatten()
    }
}
