//! Batches in the history: one row for all recipients or one for each, under one key or in one group.

use std::collections::{BTreeMap, HashSet};

use super::outgoing_history::OutgoingHistory;
use super::{HISTORY_SOURCE, row_cost_alarms};
use crate::domain::comparison::{self, BatchRecipients, ExpectedReport};
use crate::domain::draft::{Batch, Draft};
use crate::domain::order::HistoryLookup;
use crate::domain::outcome::RecipientObservation;
use crate::domain::{
    Amount, FinalStatuses, ObservedTransaction, Order, Status, Text, Transaction, TransactionId, Verdict,
};
use crate::orders::claim::{is_incoming_side, row_has_key};

impl OutgoingHistory {
    /// A batch's own rows: those with its key, those of their group, those recorded as its own before, and, if there
    /// are none, those that only its reference can claim (`is_referred`).
    pub fn batch_rows<'a>(
        &'a self,
        order: &'a Order,
        is_referred: impl Fn(&Transaction) -> bool,
    ) -> Vec<&'a Transaction> {
        let keyed = || self.rows.iter().filter(|row| row_has_key(row, order));
        let groups: HashSet<&Text> = keyed().filter_map(|row| row.group.as_ref()).collect();
        let own_ids: HashSet<&TransactionId> = order.transaction_ids().collect();
        let is_own = |row: &&Transaction| {
            let in_group = row.group.as_ref().is_some_and(|group| groups.contains(group));
            row_has_key(row, order) || (row.idempotency_key.is_none() && (in_group || own_ids.contains(&row.id)))
        };
        let mut own: Vec<&Transaction> = self.rows.iter().filter(is_own).collect();
        let leaves = !own.is_empty();
        own.extend(self.own_rows_not_outgoing(order).filter(|row| !is_incoming_side(row, order, leaves)));
        if own.is_empty() {
            own.extend(self.own_rows_not_outgoing(order));
        }
        if own.is_empty() {
            own.extend(self.reference_candidates(order).filter(|row| is_referred(row)));
        }
        own
    }

    /// Whether a row of a batch failed and everything since its draft was read: then it may end as failed, wholly or in
    /// part, if the pages may be taken for the list.
    pub fn shows_failed_recipient(&self, order: &Order) -> bool {
        let failed = |row: &&&Transaction| self.is_failed_row(row);
        matches!(order.drafted.draft, Draft::Batch(_))
            && self.covers_since_draft(order)
            && self.batch_rows(order, |_| false).iter().any(|row| failed(&row))
    }
}

/// The evidence in a batch's rows; `None` without rows. A recipient's payment is reported failed only if `may_fail`:
/// one failed row proves nothing about other rows for the same recipient.
pub fn evidence_in_batch_rows(
    rows: &[&Transaction],
    order: &Order,
    batch: &Batch,
    usual_fee: Option<Amount>,
    final_statuses: &FinalStatuses,
    may_fail: bool,
) -> Option<HistoryLookup> {
    if rows.is_empty() {
        return None;
    }
    let has_failed =
        |row: &Transaction| final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Failed;
    let expected = ExpectedReport::from_order(order, usual_fee).expected_payment();
    let recipients = BatchRecipients::from_batch(batch);
    // A service that retried shows failed rows beside successful ones: the latter count.
    let mut sorted: Vec<&Transaction> = rows.to_vec();
    sorted.sort_by_key(|row| has_failed(row));
    let mut parts: BTreeMap<usize, &Transaction> = BTreeMap::new();
    let mut whole: Vec<&Transaction> = Vec::new();
    let (mut differences, mut costs): (Vec<Text>, Vec<Text>) = Default::default();
    for row in sorted {
        let reported = comparison::ReportedPayment::from_row(row);
        let differs = if is_incoming_side(row, order, false) {
            Vec::new()
        } else {
            recipients.differences(&expected, &reported, HISTORY_SOURCE)
        };
        costs.extend(row_cost_alarms(row, order, usual_fee));
        if let Some(index) = recipients.find_recipient(&reported, |index| !parts.contains_key(&index)) {
            parts.insert(index, row);
        } else if recipients.find_recipient(&reported, |_| true).is_some() {
            // Its recipient has a row already: a failed one was retried.
            if !has_failed(row) {
                let message = format!("paid twice? Transaction {} pays a recipient once more under its key", row.id);
                differences.push(Text::clean(&message));
            }
        } else {
            if !recipients.is_about_whole_batch(&reported) && differs.is_empty() {
                let message = format!("transaction {} under its key is neither of all recipients nor of one", row.id);
                differences.push(Text::clean(&message));
            }
            whole.push(row);
        }
        differences.extend(differs);
    }
    let reports_before = order.recipient_reports();
    for (index, row) in parts.iter().filter(|(_, row)| !has_failed(row)) {
        let before = u32::try_from(*index).ok().and_then(|index| reports_before.get(&index));
        let done = before
            .filter(|observed| final_statuses.verdict(observed) == Verdict::Settled)
            .and_then(|observed| observed.transaction.as_ref());
        // A payment settled earlier by another transaction, which these rows need not show, counts as well.
        if let Some(done) = done.filter(|done| !rows.iter().any(|row| row.id == **done)) {
            let (first, second) = if *done < row.id { (done, &row.id) } else { (&row.id, done) };
            let message = format!("paid twice? Transactions {first} and {second} both pay recipient {}", index + 1);
            differences.push(Text::clean(&message));
        }
    }
    let mut standing = whole
        .iter()
        .filter(|row| !has_failed(row) && recipients.is_about_whole_batch(&comparison::ReportedPayment::from_row(row)));
    if let (Some(first), Some(second)) = (standing.next(), standing.next()) {
        let (first, second) = if first.id < second.id { (first, second) } else { (second, first) };
        let message = format!("paid twice? Transactions {} and {} both carry its key", first.id, second.id);
        differences.push(Text::clean(&message));
    }
    for alarms in [&mut differences, &mut costs] {
        alarms.sort();
        alarms.dedup();
    }
    let part = |(index, row): (&usize, &&Transaction)| {
        Some(RecipientObservation {
            recipient: u32::try_from(*index).ok()?,
            observed: ObservedTransaction::from_transaction(row),
        })
    };
    let observations: Vec<RecipientObservation> = parts.iter().filter_map(part).collect();
    let mut all: BTreeMap<u32, ObservedTransaction> =
        order.recipient_reports().into_iter().map(|(index, observed)| (index, observed.clone())).collect();
    let is_reportable = |part: &&RecipientObservation| {
        let unfailed = all.get(&part.recipient).filter(|unfailed| final_statuses.verdict(unfailed) != Verdict::Failed);
        // An outcome from another transaction is kept, and so is a settled one.
        let may_turn = |unfailed: &ObservedTransaction| {
            // A closed order's settled payment may still be reversed.
            let is_open_to_it = final_statuses.verdict(unfailed) == Verdict::Open || order.end.is_some();
            unfailed.transaction == part.observed.transaction && is_open_to_it
        };
        let is_failed = final_statuses.verdict(&part.observed) == Verdict::Failed;
        !is_failed || (may_fail && unfailed.is_none_or(may_turn))
    };
    let is_new = |part: &&RecipientObservation| all.get(&part.recipient) != Some(&part.observed);
    let new: Vec<RecipientObservation> = observations.iter().filter(is_reportable).filter(is_new).cloned().collect();
    all.extend(new.iter().map(|part| (part.recipient, part.observed.clone())));
    let standing = whole.iter().find(|row| !has_failed(row)).map(|row| ObservedTransaction::from_transaction(row));
    let outcome = standing.or_else(|| combine_recipient_outcomes(&all, order.recipient_count(), final_statuses));
    let outcome = outcome.or_else(|| whole.first().map(|row| ObservedTransaction::from_transaction(row)));
    // If no recipient has an outcome yet, the rows still prove that the request was accepted.
    let outcome = outcome.or_else(|| {
        let observations: BTreeMap<u32, ObservedTransaction> =
            observations.into_iter().map(|part| (part.recipient, part.observed)).collect();
        combine_recipient_outcomes(&observations, order.recipient_count(), final_statuses)
    });
    Some(HistoryLookup {
        observed: outcome,
        recipient_reports: new,
        differences,
        cost_alarms: costs,
        ..HistoryLookup::default()
    })
}

/// Combines the outcomes of single recipients, out of `recipients` in all: the status of one that is not final, else
/// the status that all share. Final only if every recipient has a final outcome.
fn combine_recipient_outcomes(
    parts: &BTreeMap<u32, ObservedTransaction>,
    recipients: usize,
    final_statuses: &FinalStatuses,
) -> Option<ObservedTransaction> {
    let first = parts.values().next()?;
    let is_all = parts.len() >= recipients;
    let mut open = parts.values().filter(|part| final_statuses.verdict(part) == Verdict::Open);
    let is_common = || is_all && parts.values().all(|part| part.status == first.status);
    let in_common = || first.status.clone().filter(|_| is_common());
    let status: Option<Status> = open.next().map_or_else(in_common, |part| part.status.clone());
    let is_final = is_all && parts.values().all(|part| part.confirmed == Some(true));
    Some(ObservedTransaction {
        transaction: first.transaction.clone(),
        status,
        confirmed: is_final.then_some(true),
        confirmed_at: parts.values().filter_map(|part| part.confirmed_at).max().filter(|_| is_final),
        confirmation: parts.values().filter_map(|part| part.confirmation).min(),
        tx_hash: first.tx_hash.clone().filter(|_| parts.values().all(|part| part.tx_hash == first.tx_hash)),
        swap: None,
    })
}

#[cfg(test)]
mod tests;
