//! Compares rows of the history with closed orders: no order that was ever sent is final for good. Every row that is
//! read is matched by the marks of every order, and a row that contradicts how an order was closed reopens it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::order_matches::resembles_order;
use super::outgoing::{OutgoingHistory, row_differences};
use super::swap_proceeds::IncomingRows;
use super::{
    MAX_CLOCK_DIFFERENCE, OrderExecutor, batch, by_v1, lacks_swap_proceeds, needs_lookup, order_end_from_lookup,
};
use crate::app::Snapshot;
use crate::domain::address::is_same_address;
use crate::domain::draft::Draft;
use crate::domain::order::{HistoryLookup, IllegalOrderEvent, OrderEnd, OrderState};
use crate::domain::v1::Deposit;
use crate::domain::{Failure, Order, OrderId, Timestamp, Transaction};
use crate::journal::JournalError;

/// For how long after it was sent an excessive cost of a closed order is reported.
const COST_ALARM_PERIOD: Duration = Duration::from_hours(24);

impl OrderExecutor {
    /// Compares rows with every order ever sent, except `looked_for`; returns whether anything new was recorded.
    pub(super) async fn compare_with_orders(
        &self,
        rows: Arc<Vec<Transaction>>,
        looked_for: &HashSet<OrderId>,
    ) -> Result<bool, Failure> {
        if rows.is_empty() {
            return Ok(false);
        }
        let now = self.now();
        let here = self.payment_context.destination.clone();
        let (stands, asked) = (here.clone(), Arc::clone(&rows));
        let read = self.with_journal(move |journal| {
            Ok((journal.matching_orders(asked.as_slice())?, journal.service_addresses(&stands)?))
        });
        let (matched, addresses) = read.await?;
        let mut is_new = false;
        let is_recent = |order: &Order| order.first_sent().is_some_and(|sent| sent.age(now) <= COST_ALARM_PERIOD);
        let recent = matched.iter().map(|(order, _)| order).filter(|order| is_recent(order));
        self.cache_usual_fees(&recent.cloned().collect::<Vec<_>>()).await;
        for (order, places) in matched {
            if !addresses.concerns_console(&order.drafted.destination, &here)
                || !order.was_ever_sent()
                || looked_for.contains(&order.id)
            {
                continue;
            }
            let own = places.iter().filter_map(|place| rows.get(*place)).cloned().collect();
            let mut history = OutgoingHistory::new(self.payment_context.final_statuses.clone());
            history.add_rows(own);
            is_new |= if needs_lookup(&order, now) {
                self.apply_rows_to_open_order(&history, &order, now).await?
            } else {
                self.compare_rows_with_closed_order(&history, &order, now).await?
            };
        }
        Ok(is_new)
    }

    /// Applies the rows of version 1 in a user's data.
    pub(in crate::runtime) async fn apply_user_v1_rows(
        &self,
        read: Result<Snapshot, Failure>,
    ) -> Result<Snapshot, Failure> {
        if let Ok(Snapshot::User(told)) = &read {
            self.apply_v1_rows(told.v1_deposits_and_transfers()).await;
        }
        read
    }

    pub(super) async fn apply_v1_rows(&self, rows: Vec<Deposit>) {
        match self.compare_v1_rows_with_closed_orders(rows).await {
            Ok(true) => self.report_orders().await,
            Ok(false) => {}
            // The next read brings the same rows.
            Err(failure) => tracing::warn!(%failure, "what version 1 reported about an order could not be recorded"),
        }
    }

    /// Compares rows of version 1 with closed payments, by reference or transaction. Open orders have their own lookup.
    pub(super) async fn compare_v1_rows_with_closed_orders(&self, rows: Vec<Deposit>) -> Result<bool, Failure> {
        if rows.is_empty() {
            return Ok(false);
        }
        let now = self.now();
        let here = self.payment_context.destination.clone();
        let stands = here.clone();
        let read = self.with_journal(move |journal| {
            Ok((journal.matching_orders(&rows)?, journal.service_addresses(&stands)?, rows))
        });
        let (matched, addresses, rows) = read.await?;
        let mut is_new = false;
        for (order, places) in matched {
            let is_of_here = addresses.concerns_console(&order.drafted.destination, &here)
                && order.drafted.destination.key_mark == here.key_mark;
            if !is_of_here || !order.was_ever_sent() || needs_lookup(&order, now) {
                continue;
            }
            let own: Vec<&Deposit> = places.iter().filter_map(|place| rows.get(*place)).collect();
            if let Some(look) =
                by_v1::evidence_in_v1_rows(&own, &order, self.usual_fee(&order), &self.payment_context.final_statuses)
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
        let Some(look) = self.evidence_in_rows(history, order, false).await else { return Ok(false) };
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
        match self.evidence_in_rows(history, order, true).await {
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
        if order.first_sent().is_none_or(|sent| sent.age(now) > COST_ALARM_PERIOD) {
            look.cost_alarms.clear();
        }
        if look.contradiction.is_none() {
            // Reports on an order that was written off are kept, and so is an excessive cost.
            let is_kept = order.state(now) == OrderState::WrittenOff || !look.cost_alarms.is_empty();
            return if is_kept { self.record_lookup_and_end(order, look, None, now).await } else { Ok(false) };
        }
        let (id, has_ended) = (order.id, order.end.is_some());
        self.with_journal(move |journal| {
            let recorded = if has_ended { journal.reopen(id, look, now) } else { journal.record_lookup(id, look, now) };
            match recorded {
                // Another console recorded it first.
                Err(JournalError::Illegal(IllegalOrderEvent::NotContradicted)) => Ok(()),
                recorded => recorded,
            }
        })
        .await?;
        Ok(true)
    }

    /// The evidence in rows that bear an order's marks; `None` where they are not its own after all.
    async fn evidence_in_rows(
        &self,
        history: &OutgoingHistory,
        order: &Order,
        may_fail: bool,
    ) -> Option<HistoryLookup> {
        let usual_fee = self.usual_fee(order);
        if let Draft::Batch(says) = &order.drafted.draft {
            let mut rows = history.batch_rows(order, None);
            if rows.is_empty() {
                rows = history
                    .reference_candidates(order)
                    .filter(|row| self.matches_by_sole_reference(row, order))
                    .collect();
            }
            return batch::evidence_in_batch_rows(
                &rows,
                order,
                says,
                usual_fee,
                &self.payment_context.final_statuses,
                may_fail,
            );
        }
        let mut incoming = IncomingRows::from_rows(&history.others);
        if let Some(row) = history.find_own_row(order) {
            return Some(
                self.evidence_in_row(row, order, history.differences_of_order(order, usual_fee), &mut incoming).await,
            );
        }
        let row = history.reference_candidates(order).find(|row| self.matches_by_sole_reference(row, order))?;
        Some(self.evidence_in_row(row, order, row_differences(row, order, usual_fee), &mut incoming).await)
    }

    /// Whether a row without a key is an order's by its reference, which no other order has: it matches the order, and
    /// was not there before the order was.
    fn matches_by_sole_reference(&self, row: &Transaction, order: &Order) -> bool {
        let is_known = order.drafted.newest.iter().chain(&order.drafted.anchors).any(|known| *known == row.id);
        let is_since = row.reported_time().is_none_or(|at| at.plus(MAX_CLOCK_DIFFERENCE) >= order.created.at);
        // Another key may lead to another workspace, in which the same reference was given to another payment.
        let payer = order.drafted.sender.as_ref().and_then(|sender| sender.address.as_ref());
        let is_from_payer =
            payer.zip(row.from_address.as_ref()).is_some_and(|(payer, from)| is_same_address(payer, from));
        let is_ours = is_from_payer || order.drafted.destination.key_mark == self.payment_context.destination.key_mark;
        let reference = order.drafted.draft.reference();
        row.idempotency_key.is_none()
            && reference.is_some()
            && row.ref_id.as_ref() == reference
            && !is_known
            && is_since
            && is_ours
            && resembles_order(row, order)
    }
}
