use crate::app::model::Model;
use crate::domain::{Order, OrderId};

pub fn abandoned_count(model: &Model) -> usize {
    model.orders.iter().filter(|order| order.is_given_up()).count()
}

pub fn find_order(model: &Model, id: OrderId) -> Option<&Order> {
    model.orders.iter().find(|order| order.id == id)
}

/// The number of orders whose outcome is not known.
pub fn unresolved_count(model: &Model) -> usize {
    model.orders.iter().filter(|order| order.is_unresolved(model.now)).count()
}
