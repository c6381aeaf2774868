//! What the answer to a request contradicts by itself, before anything is read of the history.

use crate::domain::order::{AddressRelations, OrderId};
use crate::domain::{AttemptResult, CreatedObject, FinalStatuses, ObservedTransaction, Order, Status, Text, Verdict};

/// An answer that calls a transaction both failed and confirmed contradicts itself: the operator must decide.
pub fn answer_contradiction(final_statuses: &FinalStatuses, answered: &AttemptResult) -> Option<Text> {
    let Some(CreatedObject::Transaction(observed)) = &answered.created else { return None };
    let status = observed.status.as_ref().map(Status::word).unwrap_or_default();
    (final_statuses.verdict(observed) == Verdict::Contradiction)
        .then(|| Text::clean(&format!("status: the answer calls the transaction {status} and confirmed at once")))
}

/// A difference if the answer to an order names the transaction of another one at the same service: a cached answer to
/// an equal payment, for instance.
pub fn transaction_of_other_order(
    order: OrderId,
    answered: &AttemptResult,
    orders: &[Order],
    addresses: &AddressRelations,
) -> Option<Text> {
    let Some(CreatedObject::Transaction(ObservedTransaction { transaction: Some(transaction), .. })) =
        &answered.created
    else {
        return None;
    };
    let counts = |other: &&Order| addresses.may_be_same_service(&other.drafted.destination.base_url);
    let names = |other: &&Order| {
        other.id != order && other.transaction_ids().any(|other_transaction| other_transaction == transaction)
    };
    let other = orders.iter().filter(counts).find(names)?;
    let message = format!("transaction: the answer names {transaction}, which is that of order {}", other.id);
    Some(Text::clean(&message))
}
