//! Resolves open orders from the service's transaction history.
//!
//! Outgoing transactions are read from the newest back to one that was final before the order was drafted: everything
//! since has then been read, provided that no row slipped through between two pages (see [`outgoing`]). This holds
//! where the service's lists keep their order and their pages, and is not claimed where they do not. Rows under an
//! order's key from any other read count too, at once; all rows are compared with closed orders ([`contradictions`]).

pub(super) mod batch;
mod by_v1;
mod contradictions;
mod judgement;
mod order_matches;
mod outgoing;
mod swap_proceeds;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::OrderExecutor;
use crate::app::Snapshot;
use crate::domain::draft::{Batch, Draft};
use crate::domain::filter::Filter;
use crate::domain::history::{Query, WindowAnchor, WindowRequest};
use crate::domain::order::{HistoryLookup, IllegalOrderEvent, OrderEnd};
use crate::domain::{Direction, Failure, ObservedTransaction, Order, Text, Timestamp, Transaction};
use crate::journal::JournalError;
use crate::runtime::reads;
use crate::store::{Cancel, Store};
use by_v1::V1Lookup;
use judgement::{
    are_attempts_answered, is_history_of_workspace, is_instant_swap, is_worth_recording, lacks_swap_proceeds,
    needs_lookup, order_end_from_lookup,
};
use order_matches::{OrderMatches, find_similar_transaction};
pub(super) use outgoing::OutgoingHistory;
use outgoing::{is_incoming_side, row_cost_alarms, row_differences, row_has_key};
use swap_proceeds::IncomingRows;

/// Rows per page, and the most pages in one lookup.
const ROWS_PER_PAGE: u64 = 100;
const MAX_PAGES: u64 = 20;

/// The least time between reads that count towards an order which was not found: they must be independent.
const MIN_TIME_BETWEEN_READS: Duration = Duration::from_mins(3);

/// How far the clocks of a service and of this machine may differ.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(10);

/// The most rows that wait for the next read when the journal could not be searched for their orders.
const MAX_UNRECORDED_ROWS: usize = 10_000;

/// How many closed orders are searched for an earlier swap.
const SEARCHED_CLOSED_ORDERS: usize = 500;

impl OrderExecutor {
    /// Looks up every order that the history may show.
    pub(in crate::runtime) async fn look_up_orders(&self) -> Result<Snapshot, Failure> {
        let began = self.now();
        let sought: Vec<Order> =
            self.relevant_orders(0).await?.into_iter().filter(|order| needs_lookup(order, began)).collect();
        if sought.is_empty() {
            return Ok(Snapshot::Orders);
        }
        self.cache_usual_fees(&sought).await;
        let mut history = OutgoingHistory::new(self.payment_context.final_statuses.clone());
        // Pages read before a failure count: a payment on them must not be sent again for want of the next page.
        let mut failed = self.read_outgoing_pages(&mut history, &sought).await.err();
        let progress = reads::with_store(&self.resources, Store::progress).await?;
        let mut is_whole = history.is_consistent_and_newest_first();
        let is_partial = progress.partial.is_some();
        // A second read costs requests, so it is made only where something would be claimed.
        let would_claim = |order: &Order| {
            let is_absent = !is_partial && history.find_by_key(order).is_none();
            let fails = history.shows_failure(order) || history.shows_failed_recipient(order);
            (is_absent && self.is_complete_read_of(&history, order, began)) || fails
        };
        if is_whole && history.needs_second_read() && sought.iter().any(would_claim) {
            match self.confirm_by_second_read(&mut history).await {
                Ok(is_borne_out) => is_whole = is_borne_out && history.is_consistent_and_newest_first(),
                Err(failure) => (is_whole, failed) = (false, Some(failure)),
            }
        }
        // A clock that was set meanwhile cannot measure the time between reads.
        let is_timed = !self.resources.reader.skew().exceeds_tolerance();
        let is_proven = is_whole && !is_partial && is_timed;
        let shows_swaps = self.shows_instant_swaps(&sought).await?;
        let mut told = OrderMatches::new(&sought, &self.payment_context.destination.key_mark);
        let mut incoming = IncomingRows::default();
        for order in &sought {
            let fails = is_whole && (history.shows_failure(order) || history.shows_failed_recipient(order));
            let (mut look, by_v1) = self.find_evidence(&history, order, fails, &mut told, &mut incoming).await?;
            // Version 1 has no list of its swaps. A missing row proves absence only where the history is known to show
            // such swaps, and shows none that resembles this one.
            let is_shown_by_v1 = if is_instant_swap(order) {
                !shows_swaps || look.similar_transaction.is_some()
            } else {
                by_v1.may_have_been_paid(order, &look)
            };
            let is_hidden =
                look.observed.is_none() && !history.has_keyless_row_with_reference(order) && !is_shown_by_v1;
            look.is_complete = is_proven && is_hidden && self.is_complete_read_of(&history, order, began);
            // One read proves nothing: a failure takes as many reads, over as long a time, as absence does.
            look.shows_failure = is_timed && (fails || by_v1.shows_failure()) && look.observed.is_some();
            let may_fail = look.shows_failure && order.is_surely_failed(&self.payment_context.final_statuses, began);
            let is_silent = failed.is_none() && self.proves_absence(&history, order) && look.observed.is_none();
            let mut end =
                order_end_from_lookup(&self.payment_context.final_statuses, order, &look, may_fail, is_silent, began);
            // Proceeds are requested last, and only where a swap needs nothing else to end.
            let lacks_it = end == Some(OrderEnd::Settled) && lacks_swap_proceeds(order, &look);
            if lacks_it && !self.read_all_incoming(&mut incoming).await {
                end = None;
            }
            self.record_lookup_and_end(order, look, end, began).await?;
        }
        let looked_for = sought.iter().map(|order| order.id).collect();
        let mut rows = history.rows;
        rows.append(&mut history.others);
        self.compare_with_orders(Arc::new(rows), &looked_for).await?;
        self.report_orders().await;
        failed.map_or(Ok(Snapshot::Orders), Err)
    }

    /// Applies rows from any other read to the orders that they concern, without waiting for the next lookup.
    pub(in crate::runtime) async fn record_read_rows(&self, rows: Vec<Transaction>) {
        let rows = Arc::new(
            std::mem::take(&mut *self.unrecorded_rows.lock().unwrap_or_else(PoisonError::into_inner))
                .into_iter()
                .chain(rows)
                .collect::<Vec<_>>(),
        );
        if let Err(failure) = self.compare_rows_and_report(Arc::clone(&rows)).await {
            tracing::warn!(%failure, "what a read found about an order could not be recorded; it is recorded with the next read");
            // Rows that sink below the newest page are not read again.
            let unrecorded = rows.iter().take(MAX_UNRECORDED_ROWS).cloned().collect();
            *self.unrecorded_rows.lock().unwrap_or_else(PoisonError::into_inner) = unrecorded;
        }
    }

    async fn compare_rows_and_report(&self, rows: Arc<Vec<Transaction>>) -> Result<(), Failure> {
        if self.compare_with_orders(rows, &HashSet::new()).await? {
            self.report_orders().await;
        }
        Ok(())
    }

    /// Reads the list down to where no further page can add to the sought orders.
    async fn read_outgoing_pages(&self, history: &mut OutgoingHistory, sought: &[Order]) -> Result<(), Failure> {
        while let Some(page) = history.next_page().filter(|page| *page <= MAX_PAGES) {
            history
                .add_page(self.resources.reader.fetch_transactions(&Direction::Outgoing, page, ROWS_PER_PAGE).await?);
            if sought.iter().all(|order| history.needs_no_further_page_for(order)) {
                break;
            }
        }
        Ok(())
    }

    /// Reads the same pages again; `true` if the first read missed nothing.
    async fn confirm_by_second_read(&self, history: &mut OutgoingHistory) -> Result<bool, Failure> {
        let mut second = history.start_second_read();
        while let Some(page) = second.next_page() {
            second.compare_page(
                self.resources.reader.fetch_transactions(&Direction::Outgoing, page, ROWS_PER_PAGE).await?,
            );
        }
        Ok(second.confirms_first())
    }

    /// Whether this service's history is known to show version 1 swaps made by this console, so that a missing one was
    /// not made. The specification does not promise that it shows them.
    async fn shows_instant_swaps(&self, sought: &[Order]) -> Result<bool, Failure> {
        if !sought.iter().any(is_instant_swap) {
            return Ok(false);
        }
        Ok(self.relevant_orders(SEARCHED_CLOSED_ORDERS).await?.iter().any(Order::is_instant_swap_in_history))
    }

    /// Whether the read covers everything since an order was drafted, and proving that is worth a record.
    fn is_complete_read_of(&self, history: &OutgoingHistory, order: &Order, began: Timestamp) -> bool {
        let worth = is_worth_recording(
            &self.payment_context.final_statuses,
            order,
            &HistoryLookup { is_complete: true, ..HistoryLookup::default() },
            began,
        );
        worth
            && history.covers_since_draft(order)
            && self.is_history_of_workspace(history, order)
            && are_attempts_answered(order, began)
    }

    /// Whether the read reaches rows from before an order's draft, so that a missing row is missing from the history.
    fn proves_absence(&self, history: &OutgoingHistory, order: &Order) -> bool {
        history.is_consistent_and_newest_first()
            && history.covers_since_draft(order)
            && self.is_history_of_workspace(history, order)
    }

    /// Whether the history read is certainly that of the workspace in which an order was made: it shows a row recorded
    /// then, or was read under the order's own key.
    fn is_history_of_workspace(&self, history: &OutgoingHistory, order: &Order) -> bool {
        is_history_of_workspace(history, order, &self.payment_context.destination.key_mark)
    }

    /// The evidence for an order in the history, or else in version 1's lists.
    async fn find_evidence(
        &self,
        history: &OutgoingHistory,
        order: &Order,
        may_fail: bool,
        matches: &mut OrderMatches<'_>,
        incoming: &mut IncomingRows,
    ) -> Result<(HistoryLookup, V1Lookup), Failure> {
        let mut by_v1 = V1Lookup::NotRequested;
        if let Draft::Batch(batch) = &order.drafted.draft {
            let rows = history.batch_rows(order, Some(matches));
            matches.claimed_rows.extend(rows.iter().map(|row| row.id.clone()));
            if let Some(look) = self.evidence_in_batch(&rows, order, batch, may_fail) {
                return Ok((look, by_v1));
            }
            let kept = self.cached_transaction(order).await?;
            let look = self.evidence_in_batch(&kept.iter().collect::<Vec<_>>(), order, batch, false);
            let nothing = || HistoryLookup {
                similar_transaction: find_similar_transaction(history, order, matches),
                ..HistoryLookup::default()
            };
            return Ok((look.unwrap_or_else(nothing), by_v1));
        }
        let mut found = self.find_in_history(history, order, matches, incoming).await?;
        if found.is_none() {
            by_v1 = self.look_up_v1(order).await;
            found = by_v1.evidence();
        }
        let nothing = || HistoryLookup {
            similar_transaction: find_similar_transaction(history, order, matches),
            ..HistoryLookup::default()
        };
        Ok((found.unwrap_or_else(nothing), by_v1))
    }

    fn evidence_in_batch(
        &self,
        rows: &[&Transaction],
        order: &Order,
        of: &Batch,
        may_fail: bool,
    ) -> Option<HistoryLookup> {
        batch::evidence_in_batch_rows(
            rows,
            order,
            of,
            self.usual_fee(order),
            &self.payment_context.final_statuses,
            may_fail,
        )
    }

    /// The evidence under an order's own key, or else under its reference, with what contradicts the request.
    async fn find_in_history(
        &self,
        history: &OutgoingHistory,
        order: &Order,
        told: &mut OrderMatches<'_>,
        incoming: &mut IncomingRows,
    ) -> Result<Option<HistoryLookup>, Failure> {
        let usual_fee = self.usual_fee(order);
        if let Some(row) = history.find_own_row(order) {
            told.claimed_rows.insert(row.id.clone());
            let differences = history.differences_of_order(order, usual_fee);
            return Ok(Some(self.evidence_in_row(row, order, differences, incoming).await));
        }
        let row =
            history.reference_candidates(order).find(|row| told.matches_by_reference(row, order, history)).cloned();
        if let Some(row) = &row {
            told.claimed_rows.insert(row.id.clone());
        }
        let Some(row) = (if row.is_some() { row } else { self.cached_transaction(order).await? }) else {
            return Ok(None);
        };
        Ok(Some(self.evidence_in_row(&row, order, row_differences(&row, order, usual_fee), incoming).await))
    }

    /// The evidence in an order's own row, with its `differences`.
    async fn evidence_in_row(
        &self,
        row: &Transaction,
        order: &Order,
        differences: Vec<Text>,
        incoming: &mut IncomingRows,
    ) -> HistoryLookup {
        let seen = self.observe_with_proceeds(row, order, incoming).await;
        // The incoming row at the recipient is a transaction of its own.
        let transaction = seen.transaction.filter(|_| !is_incoming_side(row, order, false));
        let found = Some(ObservedTransaction { transaction, ..seen });
        HistoryLookup {
            observed: found,
            differences,
            cost_alarms: row_cost_alarms(row, order, self.usual_fee(order)),
            ..HistoryLookup::default()
        }
    }

    /// The cached row of an order whose transaction may have sunk below the pages read; used until it is final.
    async fn cached_transaction(&self, order: &Order) -> Result<Option<Transaction>, Failure> {
        let Some(known) = order.transaction().cloned() else { return Ok(None) };
        let query = Query { filter: Filter::from(format!("id:{known}").as_str()), ..Query::default() };
        let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 4 };
        let kept = reads::with_store(&self.resources, move |store| {
            let mut row = None;
            store.query_history(&span, &Cancel::new(), &mut |window| {
                row = window.rows.into_iter().map(|row| row.transaction).find(|kept| kept.id == known);
            })?;
            Ok(row)
        });
        let is_another = |row: &Transaction| row.idempotency_key.is_some() && !row_has_key(row, order);
        Ok(kept.await?.filter(|row| !is_another(row)))
    }

    /// Records a lookup if it is news, and the order's end if there is one; returns whether anything was recorded.
    async fn record_lookup_and_end(
        &self,
        order: &Order,
        look: HistoryLookup,
        end: Option<OrderEnd>,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        if !is_worth_recording(&self.payment_context.final_statuses, order, &look, at) && end.is_none() {
            return Ok(false);
        }
        let id = order.id;
        self.with_journal(move |journal| {
            journal.record_lookup(id, look, at)?;
            match end {
                Some(end) => match journal.record_end(id, end, at) {
                    // The order's own answer, or another console, closed it first.
                    Err(JournalError::Illegal(IllegalOrderEvent::Ended)) => Ok(()),
                    ended => ended,
                },
                None => Ok(()),
            }
        })
        .await?;
        Ok(true)
    }
}
