//! Resolves open orders from the service's transaction history.
//!
//! Outgoing transactions are read from the newest back to one that was final before the order was drafted: everything
//! since has then been read, provided that no row slipped through between two pages (see [`outgoing_history`]). This
//! holds where the service's lists keep their order and their pages, and is not claimed where they do not. Rows under an
//! order's key from any other read count too, at once; all rows are compared with closed orders ([`contradictions`]).
//!
//! [`outgoing_history`]: crate::orders::evidence::outgoing_history

mod by_v1;
mod contradictions;
mod swap_proceeds;

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use super::OrderExecutor;
use crate::app::Snapshot;
use crate::domain::draft::Draft;
use crate::domain::filter::Filter;
use crate::domain::history::{Query, WindowAnchor, WindowRequest};
use crate::domain::order::{HistoryLookup, OrderEnd};
use crate::domain::{Direction, Failure, Order, Timestamp, Transaction};
use crate::orders::claim::{is_instant_swap, row_has_key};
use crate::orders::evidence::batch::evidence_in_batch_rows;
use crate::orders::evidence::by_v1::V1Lookup;
use crate::orders::evidence::order_matches::OrderMatches;
use crate::orders::evidence::outgoing_history::OutgoingHistory;
use crate::orders::evidence::swap_proceeds::IncomingRows;
use crate::orders::evidence::{evidence_in_row, row_differences};
use crate::orders::lookup::{Lookup, MAX_LOOKUP_PAGES, is_worth_recording, needs_lookup};
use crate::orders::settle::lacks_swap_proceeds;
use crate::runtime::reads;
use crate::store::{Cancel, Store};

const ROWS_PER_PAGE: u64 = 100;

/// The most rows that wait for the next read when the journal could not be searched for their orders.
const MAX_UNRECORDED_ROWS: usize = 10_000;

/// How many closed orders are searched for an earlier swap, and for the transactions of others.
const SEARCHED_CLOSED_ORDERS: usize = 500;

impl OrderExecutor {
    /// Looks up every order that the history may show.
    pub(in crate::runtime) async fn look_up_orders(&self) -> Result<Snapshot, Failure> {
        let began = self.now();
        let sought: Vec<Order> =
            self.orders_of_own_destination(0).await?.into_iter().filter(|order| needs_lookup(order, began)).collect();
        if sought.is_empty() {
            return Ok(Snapshot::Orders);
        }
        self.cache_usual_fees_of_orders(&sought).await;
        let mut history = OutgoingHistory::new(self.payment_context.final_statuses.clone());
        // Pages read before a failure count: a payment on them must not be sent again for want of the next page.
        let mut failed = self.read_outgoing_pages(&mut history, &sought).await.err();
        let progress = reads::with_store(&self.resources, Store::progress).await?;
        let mut lookup = Lookup {
            is_consistent: history.is_consistent_and_newest_first(),
            is_partial: progress.partial.is_some(),
            is_timed: !self.resources.reader.skew().exceeds_tolerance(),
            is_interrupted: failed.is_some(),
            shows_instant_swaps: self.has_instant_swaps_in_history(&sought).await?,
            final_statuses: self.payment_context.final_statuses.clone(),
            reading_key_mark: self.payment_context.destination.key_mark.clone(),
            began,
            history,
        };
        // A second read costs requests, so it is made only where something would be claimed.
        if lookup.is_consistent
            && lookup.history.needs_second_read()
            && sought.iter().any(|order| lookup.would_claim(order))
        {
            match self.confirm_by_second_read(&mut lookup.history).await {
                Ok(is_confirmed) => {
                    lookup.is_consistent = is_confirmed && lookup.history.is_consistent_and_newest_first();
                }
                Err(failure) => {
                    (lookup.is_consistent, lookup.is_interrupted, failed) = (false, true, Some(failure));
                }
            }
        }
        lookup.history.add_recorded(&sought);
        // Paid again after it failed: then the row is that order's, which may be closed by now.
        if sought.iter().any(|order| lookup.history.retry_rows(order).next().is_some()) {
            lookup.history.add_recorded(&self.orders_of_own_destination(SEARCHED_CLOSED_ORDERS).await?);
        }
        // A clock may have been set during the second read, or found to be wrong by it.
        lookup.is_timed &= !self.resources.reader.skew().exceeds_tolerance();
        let mut matches = OrderMatches::new(&sought, &lookup.reading_key_mark);
        let mut incoming = IncomingRows::default();
        for order in &sought {
            let (look, by_v1) = self.find_evidence(&lookup, order, &mut matches, &mut incoming).await?;
            let (look, mut end) = lookup.conclude(order, look, &by_v1);
            // Proceeds are requested last, and only where a swap needs nothing else to end.
            let lacks_proceeds = end == Some(OrderEnd::Settled) && lacks_swap_proceeds(order, &look);
            if lacks_proceeds && !self.read_all_incoming(&mut incoming).await {
                end = None;
            }
            self.record_lookup_and_end(order, look, end, began).await?;
        }
        let looked_for = sought.iter().map(|order| order.id).collect();
        let OutgoingHistory { mut rows, others, .. } = lookup.history;
        rows.extend(others);
        self.compare_rows_with_orders(Arc::new(rows), &looked_for).await?;
        self.report_journal().await;
        failed.map_or(Ok(Snapshot::Orders), Err)
    }

    /// Applies rows from any other read to the orders that they concern, without waiting for the next lookup.
    pub(in crate::runtime) async fn apply_read_rows_to_orders(&self, rows: Vec<Transaction>) {
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
        if self.compare_rows_with_orders(rows, &HashSet::new()).await? {
            self.report_journal().await;
        }
        Ok(())
    }

    /// Reads the list down to where no further page can add to the sought orders.
    async fn read_outgoing_pages(&self, history: &mut OutgoingHistory, sought: &[Order]) -> Result<(), Failure> {
        while let Some(page) = history.next_page().filter(|page| *page <= MAX_LOOKUP_PAGES) {
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

    /// See [`Lookup::shows_instant_swaps`].
    async fn has_instant_swaps_in_history(&self, sought: &[Order]) -> Result<bool, Failure> {
        if !sought.iter().any(is_instant_swap) {
            return Ok(false);
        }
        Ok(self.orders_of_own_destination(SEARCHED_CLOSED_ORDERS).await?.iter().any(Order::is_instant_swap_in_history))
    }

    /// The evidence for an order in the history, or else in version 1's lists.
    async fn find_evidence(
        &self,
        lookup: &Lookup,
        order: &Order,
        matches: &mut OrderMatches<'_>,
        incoming: &mut IncomingRows,
    ) -> Result<(HistoryLookup, V1Lookup), Failure> {
        let (mut evidence, mut by_v1) =
            (self.find_evidence_in_history(lookup, order, matches, incoming).await?, V1Lookup::NotRequested);
        if evidence.is_none() {
            by_v1 = self.look_up_order_in_v1(order).await;
            evidence = by_v1.evidence();
        }
        let nothing = || HistoryLookup {
            similar_transaction: matches.find_similar_transaction(&lookup.history, order),
            ..HistoryLookup::default()
        };
        Ok((evidence.unwrap_or_else(nothing), by_v1))
    }

    /// The evidence in the history, or else in the cached row of an order.
    async fn find_evidence_in_history(
        &self,
        lookup: &Lookup,
        order: &Order,
        matches: &mut OrderMatches<'_>,
        incoming: &mut IncomingRows,
    ) -> Result<Option<HistoryLookup>, Failure> {
        let (history, usual_fee) = (&lookup.history, self.cached_usual_fee(order));
        if let Draft::Batch(batch) = &order.drafted.draft {
            let rows = matches.claim_batch_rows(history, order);
            let evidence = |rows: &[&Transaction], may_fail| {
                evidence_in_batch_rows(rows, order, batch, usual_fee, &lookup.final_statuses, may_fail)
            };
            if let Some(look) = evidence(&rows, lookup.shows_failure(order)) {
                return Ok(Some(look));
            }
            let cached = self.cached_transaction_of_order(order).await?;
            return Ok(evidence(&cached.iter().collect::<Vec<_>>(), false));
        }
        let cached;
        let (row, differences) = if let Some(claimed) = matches.claim_row(history, order, usual_fee) {
            claimed
        } else {
            cached = self.cached_transaction_of_order(order).await?;
            let Some(row) = &cached else { return Ok(None) };
            (row, row_differences(row, order, usual_fee))
        };
        self.read_proceeds(row, order, incoming).await;
        Ok(Some(evidence_in_row(row, order, differences, usual_fee, incoming)))
    }

    /// The cached row of an order whose transaction may have sunk below the pages read; used until it is final.
    async fn cached_transaction_of_order(&self, order: &Order) -> Result<Option<Transaction>, Failure> {
        let Some(transaction_id) = order.transaction_id().cloned() else { return Ok(None) };
        let query = Query { filter: Filter::from(format!("id:{transaction_id}").as_str()), ..Query::default() };
        let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 4 };
        let stored_row = reads::with_store(&self.resources, move |store| {
            let mut row = None;
            store.query_history(&span, &Cancel::new(), &mut |window| {
                row = window
                    .rows
                    .into_iter()
                    .map(|row| row.transaction)
                    .find(|transaction| transaction.id == transaction_id);
            })?;
            Ok(row)
        });
        let is_another = |row: &Transaction| row.idempotency_key.is_some() && !row_has_key(row, order);
        Ok(stored_row.await?.filter(|row| !is_another(row)))
    }

    /// Records a lookup if it is worth a record, and the order's end if there is one; returns whether anything was
    /// recorded.
    async fn record_lookup_and_end(
        &self,
        order: &Order,
        look: HistoryLookup,
        end: Option<OrderEnd>,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let final_statuses = self.payment_context.final_statuses.clone();
        // The journal asks the same of the order as it stands by then; most polls need not open it.
        if end.is_none() && !is_worth_recording(order, &look, None, &final_statuses, at) {
            return Ok(false);
        }
        let id = order.id;
        self.with_journal(move |journal| journal.record_lookup(id, look, end, &final_statuses, at)).await?;
        Ok(true)
    }
}
