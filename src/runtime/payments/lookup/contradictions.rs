//! Compares rows of the history with closed orders: no order that was ever sent is final for good. Every row that is
//! read is matched by the marks of every order, and a row that contradicts how an order was closed reopens it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::OrderExecutor;
use crate::app::Snapshot;
use crate::domain::order::{HistoryLookup, IllegalOrderEvent, OrderEnd, OrderState};
use crate::domain::v1::Movement;
use crate::domain::{Failure, Order, OrderId, Timestamp, Transaction};
use crate::journal::JournalError;
use crate::orders::evidence::by_v1::evidence_in_v1_rows;
use crate::orders::evidence::evidence_in_rows;
use crate::orders::evidence::outgoing_history::OutgoingHistory;
use crate::orders::lookup::needs_lookup;
use crate::orders::settle::{lacks_swap_proceeds, order_end_from_lookup};
use crate::runtime::payments::PaymentContext;

/// For how long after it was sent an excessive cost of a closed order is reported.
const COST_ALARM_PERIOD: Duration = Duration::from_hours(24);

impl OrderExecutor {
    /// Compares rows with every order ever sent, except `looked_for`; returns whether anything new was recorded.
    pub(super) async fn compare_rows_with_orders(
        &self,
        rows: Arc<Vec<Transaction>>,
        looked_for: &HashSet<OrderId>,
    ) -> Result<bool, Failure> {
        if rows.is_empty() {
            return Ok(false);
        }
        let now = self.now();
        let destination = self.payment_context.destination.clone();
        let (own_destination, journal_rows) = (destination.clone(), Arc::clone(&rows));
        let orders_snapshot = self.with_journal(move |journal| {
            Ok((journal.matching_orders(journal_rows.as_slice())?, journal.address_relations(&own_destination)?))
        });
        let (matched, addresses) = orders_snapshot.await?;
        let mut is_new = false;
        let is_recent =
            |order: &Order| order.first_sent_at().is_some_and(|sent_at| sent_at.age(now) <= COST_ALARM_PERIOD);
        let recent = matched.iter().map(|(order, _)| order).filter(|order| is_recent(order));
        self.cache_usual_fees_of_orders(&recent.cloned().collect::<Vec<_>>()).await;
        for (order, places) in &matched {
            if !addresses.may_share_workspace(&order.drafted.destination, &destination)
                || !order.was_ever_sent()
                || looked_for.contains(&order.id)
            {
                continue;
            }
            let own = places.iter().filter_map(|place| rows.get(*place)).cloned().collect();
            let mut history = OutgoingHistory::new(self.payment_context.final_statuses.clone());
            history.add_rows(own);
            history.add_recorded(matched.iter().map(|(order, _)| order));
            is_new |= if needs_lookup(order, now) {
                self.apply_rows_to_open_order(&history, order, now).await?
            } else {
                self.compare_rows_with_closed_order(&history, order, now).await?
            };
        }
        Ok(is_new)
    }

    /// Applies the rows of version 1 in a user's data.
    pub(in crate::runtime) async fn compare_v1_rows_of_snapshot(
        &self,
        result: Result<Snapshot, Failure>,
    ) -> Result<Snapshot, Failure> {
        if let Ok(Snapshot::User(user_report)) = &result {
            self.compare_v1_rows_and_report(user_report.v1_deposits_and_transfers()).await;
        }
        result
    }

    pub(super) async fn compare_v1_rows_and_report(&self, rows: Vec<Movement>) {
        match self.compare_v1_rows_with_closed_orders(rows).await {
            Ok(true) => self.report_journal().await,
            Ok(false) => {}
            // The next read brings the same rows.
            Err(failure) => tracing::warn!(%failure, "what version 1 reported about an order could not be recorded"),
        }
    }

    /// Compares rows of version 1 with closed payments, by reference or transaction. Open orders have their own lookup.
    pub(super) async fn compare_v1_rows_with_closed_orders(&self, rows: Vec<Movement>) -> Result<bool, Failure> {
        if rows.is_empty() {
            return Ok(false);
        }
        let now = self.now();
        let destination = self.payment_context.destination.clone();
        let own_destination = destination.clone();
        let orders_snapshot = self.with_journal(move |journal| {
            Ok((journal.matching_orders(&rows)?, journal.address_relations(&own_destination)?, rows))
        });
        let (matched, addresses, rows) = orders_snapshot.await?;
        let mut is_new = false;
        for (order, places) in matched {
            let is_of_here = addresses.may_share_workspace(&order.drafted.destination, &destination)
                && order.drafted.destination.key_mark == destination.key_mark;
            if !is_of_here || !order.was_ever_sent() || needs_lookup(&order, now) {
                continue;
            }
            let own: Vec<&Movement> = places.iter().filter_map(|place| rows.get(*place)).collect();
            if let Some(look) =
                evidence_in_v1_rows(&own, &order, self.cached_usual_fee(&order), &self.payment_context.final_statuses)
            {
                is_new |= self.record_rows_of_closed_order(&order, look, now).await?;
            }
        }
        Ok(is_new)
    }

    /// Applies rows to an open order.
    pub(in crate::runtime::payments) async fn apply_rows_to_open_order(
        &self,
        history: &OutgoingHistory,
        order: &Order,
        now: Timestamp,
    ) -> Result<bool, Failure> {
        let Some(look) = self.evidence_in_rows(history, order, false) else { return Ok(false) };
        // Other rows under the same key may be on pages that were not read.
        let end = order_end_from_lookup(&self.payment_context.final_statuses, order, &look, false, false, now);
        // A swap's proceeds were not requested here.
        let end = end.filter(|end| *end != OrderEnd::Settled || !lacks_swap_proceeds(order, &look));
        self.record_lookup_and_end(order, look, end, now).await
    }

    /// Compares rows with a closed order.
    async fn compare_rows_with_closed_order(
        &self,
        history: &OutgoingHistory,
        order: &Order,
        now: Timestamp,
    ) -> Result<bool, Failure> {
        match self.evidence_in_rows(history, order, true) {
            Some(look) => self.record_rows_of_closed_order(order, look, now).await,
            None => Ok(false),
        }
    }

    /// Records rows for a closed order if they contradict how it was closed, or are worth keeping.
    async fn record_rows_of_closed_order(
        &self,
        order: &Order,
        mut look: HistoryLookup,
        now: Timestamp,
    ) -> Result<bool, Failure> {
        look.contradiction = order.contradiction(&look, &self.payment_context.final_statuses, now);
        // The cost of an old payment is not news.
        if order.first_sent_at().is_none_or(|sent_at| sent_at.age(now) > COST_ALARM_PERIOD) {
            look.cost_alarms.clear();
        }
        if look.contradiction.is_none() {
            // Reports on an order that was written off are kept, and so is an excessive cost.
            let is_kept = order.state(now) == OrderState::WrittenOff || !look.cost_alarms.is_empty();
            return if is_kept { self.record_lookup_and_end(order, look, None, now).await } else { Ok(false) };
        }
        let (id, has_ended) = (order.id, order.end.is_some());
        let final_statuses = self.payment_context.final_statuses.clone();
        self.with_journal(move |journal| {
            let recorded = if has_ended {
                journal.reopen(id, look, now)
            } else {
                journal.record_lookup(id, look, None, &final_statuses, now)
            };
            match recorded {
                // Another console recorded it first.
                Err(JournalError::Illegal(IllegalOrderEvent::NotContradicted)) => Ok(()),
                recorded => recorded,
            }
        })
        .await?;
        Ok(true)
    }

    fn evidence_in_rows(&self, history: &OutgoingHistory, order: &Order, may_fail: bool) -> Option<HistoryLookup> {
        let PaymentContext { final_statuses, destination, .. } = &self.payment_context;
        evidence_in_rows(history, order, self.cached_usual_fee(order), &destination.key_mark, final_statuses, may_fail)
    }
}
