//! Orders and the transactions that they made.

use uuid::Uuid;

use crate::app::model::Model;
use crate::domain::order::OrderState;
use crate::domain::{Order, Text, Transaction};

/// The order of this console, or of another one of the profile, that made a transaction.
pub fn order_of_transaction<'a>(orders: &'a [Order], transaction: &Transaction) -> Option<&'a Order> {
    let key = transaction.idempotency_key.as_ref().and_then(|key| Uuid::parse_str(key).ok());
    orders.iter().find(|order| {
        key.is_some() && order.drafted.request.key == key
            || order
                .last_observation()
                .is_some_and(|observation| observation.transaction.as_ref() == Some(&transaction.id))
    })
}

/// The recipients of an order that the service accepted, once for each payment; of a partly settled batch, only those
/// that received something. Empty for other orders and for swaps.
pub(in crate::app) fn recipients_paid_by_order<'a>(model: &Model, order: &'a Order) -> Vec<&'a Text> {
    if !matches!(order.state(model.now), OrderState::Accepted | OrderState::Settled | OrderState::PartlySettled) {
        return Vec::new();
    }
    let nothing = order.finally_unpaid_recipients(&model.journal.final_statuses);
    let Some(pays) = order.drafted.draft.payment_details() else { return Vec::new() };
    let all = pays.to.into_iter().zip(0_u32..);
    all.filter(|(_, part)| !nothing.contains(part)).map(|((to, _), _)| to).collect()
}
