//! Proposals that another desk has sent: by its mark in the folder, and by the history, which shows their idempotency key.

use std::collections::HashSet;
use std::path::PathBuf;

use super::super::{OrderExecutor, local_failure};
use super::folder::SentMarking;
use super::{folder, open};
use crate::domain::approval::{Envelope, NotApproved};
use crate::domain::filter::Filter;
use crate::domain::history::{Query, WindowAnchor, WindowRequest};
use crate::domain::{Failure, Order, OrderId, Transaction};
use crate::orders::evidence::outgoing_history::OutgoingHistory;
use crate::runtime::{HostPermission, reads};
use crate::store::{Cancel, Store, StoreError};

/// The mark that this console made of an order, which it begins to send.
pub(in crate::runtime::payments) struct SentMark {
    host: HostPermission,
    folder: PathBuf,
    order: OrderId,
}

impl SentMark {
    /// Removes the mark: nothing was sent.
    pub(in crate::runtime::payments) fn remove(self) {
        folder::remove_sent_mark(&self.host, &self.folder, self.order);
    }
}

/// The most rows under one key: a batch has one for each recipient.
const MAX_ROWS: u32 = 500;

impl OrderExecutor {
    /// Which of these proposals the history shows. An order of this journal is followed from then on, as if it had been
    /// sent from here: it is never sent a second time.
    pub(super) async fn follow_sent_elsewhere(
        &self,
        proposed: &[Order],
        envelopes: &[Envelope],
    ) -> Result<HashSet<OrderId>, Failure> {
        let (now, wire) = (self.now(), &self.payment_context.wire);
        let own: HashSet<OrderId> = proposed.iter().map(|order| order.id).collect();
        let is_unsent = |order: &&Order| order.end.is_none() && order.attempts.is_empty();
        let key_of_order = |order: &Order| Some((order.id, order.drafted.request.key?));
        let is_open = |other: &&Envelope| other.proposal.expires > now && !own.contains(&other.proposal.order);
        let key_of_proposal =
            |other: &Envelope| Some((other.proposal.order, open::request_of_proposal(&other.proposal, wire)?.key?));
        let mut keys: Vec<_> = proposed.iter().filter(is_unsent).filter_map(key_of_order).collect();
        keys.extend(envelopes.iter().filter(is_open).filter_map(key_of_proposal));
        if keys.is_empty() {
            return Ok(HashSet::new());
        }
        let executed = reads::with_store(&self.resources, move |store| {
            let mut executed = Vec::new();
            for (order, key) in keys {
                let rows = find_rows_of_idempotency_key(store, &key.to_string())?;
                if !rows.is_empty() {
                    executed.push((order, rows));
                }
            }
            Ok(executed)
        })
        .await?;
        let sent_orders = executed.iter().map(|(order, _)| *order).collect();
        for (id, rows) in executed {
            let Some(order) = proposed.iter().find(|order| order.id == id) else { continue };
            let mut history = OutgoingHistory::new(self.payment_context.final_statuses.clone());
            history.add_rows(rows);
            self.apply_rows_to_open_order(&history, order, now).await?;
        }
        Ok(sent_orders)
    }

    /// Refuses to send an approved order that another desk has begun to send, or is to send.
    pub(in crate::runtime::payments) async fn check_sent_elsewhere(&self, id: OrderId) -> Result<(), Failure> {
        let order = self.with_journal(move |journal| journal.order(id)).await?;
        let Some(approval) = order.approval.as_ref().filter(|_| order.attempts.is_empty()) else { return Ok(()) };
        let draft_hash = self.with_journal(move |journal| journal.draft_hash(id)).await?;
        let operation = order.drafted.draft.operation();
        if !self.payment_context.policy.role.may_send(operation, approval.is_drafted_here) {
            return Err(local_failure(&NotApproved::OnlyWhereDrafted(operation.title()).to_string()));
        }
        if self.read_exchange_folder().await?.is_sent_elsewhere(id, &draft_hash) {
            return Err(local_failure(&NotApproved::SentElsewhere.to_string()));
        }
        Ok(())
    }

    /// Marks an approved order in the folder as one that this desk sends for the first time. Writing may fail: the history
    /// shows the order to the other desks as well.
    ///
    /// # Errors
    /// Where another desk has marked it meanwhile.
    pub(in crate::runtime::payments) async fn mark_sent(&self, id: OrderId) -> Result<Option<SentMark>, Failure> {
        let (Some(host), Some(folder)) = (self.resources.host.clone(), self.payment_context.approvals.folder.clone())
        else {
            return Ok(None);
        };
        let (order, draft_hash) =
            self.with_journal(move |journal| Ok((journal.order(id)?, journal.draft_hash(id)?))).await?;
        if order.approval.is_none() || !order.attempts.is_empty() {
            return Ok(None);
        }
        match folder::mark_sent(&host, &folder, id, &draft_hash, self.now()) {
            Ok(SentMarking::Created) => Ok(Some(SentMark { host, folder, order: id })),
            // Whoever made it takes it back: another console of this journal may be sending.
            Ok(SentMarking::AlreadyOwn) => Ok(None),
            Ok(SentMarking::Elsewhere) => Err(local_failure(&NotApproved::SentElsewhere.to_string())),
            Err(why) => {
                tracing::warn!(why, order = %id, "the folder of approvals could not be told that an order is sent");
                Ok(None)
            }
        }
    }
}

fn find_rows_of_idempotency_key(store: &Store, key: &str) -> Result<Vec<Transaction>, StoreError> {
    let query = Query { filter: Filter::from(format!("key:{key}").as_str()), ..Query::default() };
    let request = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: MAX_ROWS };
    let mut rows = Vec::new();
    store.query_history(&request, &Cancel::new(), &mut |window| {
        rows = window.rows.into_iter().map(|row| row.transaction).collect();
    })?;
    rows.retain(|row: &Transaction| {
        row.idempotency_key.as_ref().is_some_and(|row_key| row_key.eq_ignore_ascii_case(key))
    });
    Ok(rows)
}
