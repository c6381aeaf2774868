use super::refusal_statement;
use crate::app::model::Model;
use crate::domain::{Order, OrderId, explorer};

pub fn abandoned_count(model: &Model) -> usize {
    model.journal.orders.iter().filter(|order| may_be_hidden(order)).count()
}

/// Whether an order was given up by this desk: what somebody else refused is listed always.
pub(in crate::app) fn may_be_hidden(order: &Order) -> bool {
    order.is_abandoned() && refusal_statement(order).is_none()
}

pub fn find_order(model: &Model, id: OrderId) -> Option<&Order> {
    model.journal.orders.iter().find(|order| order.id == id)
}

/// The number of orders whose outcome is not known.
pub fn unresolved_count(model: &Model) -> usize {
    model.journal.orders.iter().filter(|order| order.is_unresolved(model.now)).count()
}

/// The explorer page of an order's transaction, or why there is none.
pub fn explorer_url(model: &Model, order: &Order) -> Result<String, &'static str> {
    if !order.drafted.draft.operation().moves_money() {
        return Err("this order moves no money");
    }
    let hash = order
        .last_observation()
        .and_then(|observation| observation.tx_hash.as_ref())
        .ok_or("no transaction hash yet")?;
    explorer::order_url(order, hash, &model.data.listed_tokens)
}
