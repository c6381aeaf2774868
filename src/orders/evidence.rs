//! What rows of the history show of an order.

pub mod batch;
pub mod by_v1;
pub mod order_matches;
pub mod outgoing_history;
pub mod swap_proceeds;

use crate::domain::comparison::{ExpectedReport, ReportedPayment};
use crate::domain::draft::Draft;
use crate::domain::order::HistoryLookup;
use crate::domain::{Amount, Direction, FinalStatuses, ObservedTransaction, Order, Text, Transaction, Verdict};
use crate::orders::claim::{is_incoming_side, is_of_swap_group, matches_by_sole_reference, row_has_key};
use outgoing_history::OutgoingHistory;
use swap_proceeds::IncomingRows;

/// The source named in a difference.
pub const HISTORY_SOURCE: &str = "the history";

/// The evidence in an order's own row, with its `differences`.
pub fn evidence_in_row(
    row: &Transaction,
    order: &Order,
    differences: Vec<Text>,
    usual_fee: Option<Amount>,
    incoming: &IncomingRows,
) -> HistoryLookup {
    let observed = incoming.observe(row, order);
    // The incoming row at the recipient is a transaction of its own.
    let transaction = observed.transaction.filter(|_| !is_incoming_side(row, order, false));
    HistoryLookup {
        observed: Some(ObservedTransaction { transaction, ..observed }),
        differences,
        cost_alarms: row_cost_alarms(row, order, usual_fee),
        ..HistoryLookup::default()
    }
}

/// The evidence in rows that bear an order's marks, from any read; `None` where they are not its own after all.
/// `reading_key_mark` is the mark of the key under which they were read.
pub fn evidence_in_rows(
    history: &OutgoingHistory,
    order: &Order,
    usual_fee: Option<Amount>,
    reading_key_mark: &Text,
    final_statuses: &FinalStatuses,
    may_fail: bool,
) -> Option<HistoryLookup> {
    let is_referred = |row: &Transaction| matches_by_sole_reference(row, order, reading_key_mark);
    let mut look = if let Draft::Batch(batch) = &order.drafted.draft {
        let rows = history.batch_rows(order, is_referred);
        batch::evidence_in_batch_rows(&rows, order, batch, usual_fee, final_statuses, may_fail)?
    } else {
        let (row, differences) = history.own_row(order, usual_fee, is_referred)?;
        let incoming = IncomingRows::from_rows(&history.others);
        evidence_in_row(row, order, differences, usual_fee, &incoming)
    };
    add_retry_alarm(&mut look, history, order, final_statuses);
    Some(look)
}

/// Adds the alarm that what failed may have been tried again, or paid by somebody else: an operator must decide.
pub fn add_retry_alarm(
    look: &mut HistoryLookup,
    history: &OutgoingHistory,
    order: &Order,
    final_statuses: &FinalStatuses,
) {
    let recipients = look.recipient_reports.iter().map(|part| &part.observed);
    let observations: Vec<&ObservedTransaction> = look.observed.iter().chain(recipients).collect();
    if !observations.iter().any(|observed| final_statuses.verdict(observed) == Verdict::Failed) {
        return;
    }
    let is_seen =
        |row: &&Transaction| observations.iter().any(|observed| observed.transaction.as_ref() == Some(&row.id));
    let retries = history.retry_rows(order).filter(|row| !is_seen(row));
    // The same row in each read, or it would be another alarm.
    if let Some(row) = retries.min_by(|one, other| one.id.as_str().cmp(other.id.as_str())) {
        let message = "carries its reference and no key: tried again, or paid by somebody else?";
        look.differences.push(Text::clean(&format!("transaction {} {message}", row.id)));
    }
}

/// How an order's own row differs from what is expected of it: a row that carries the order's key, or that is recorded
/// as its own and carries no key to compare.
pub fn row_differences(row: &Transaction, order: &Order, usual_fee: Option<Amount>) -> Vec<Text> {
    let is_named = row.idempotency_key.is_none() && order.transaction_id() == Some(&row.id);
    // Rows matched by reference equal the order; an incoming row is compared all the same.
    let is_referred = row.direction == Direction::Incoming;
    let is_own = is_named || row_has_key(row, order) || is_of_swap_group(row, order) || is_referred;
    if !is_own || is_incoming_side(row, order, false) {
        return Vec::new();
    }
    ExpectedReport::from_order(order, usual_fee).differences(&ReportedPayment::from_row(row), HISTORY_SOURCE)
}

/// How far an order's own row exceeds the expected cost.
pub fn row_cost_alarms(row: &Transaction, order: &Order, usual_fee: Option<Amount>) -> Vec<Text> {
    let is_fee = row.direction == Direction::Outgoing;
    let excess =
        is_fee.then(|| ExpectedReport::from_order(order, usual_fee).cost_alarm(&ReportedPayment::from_row(row)));
    excess.flatten().into_iter().collect()
}
