//! The state of the Orders page.

use super::sort::OrderSort;
use crate::app::listing::Listing;
use crate::domain::OrderId;

#[derive(Debug, Default)]
pub struct OrdersPage {
    /// Orders, in the order of the page.
    pub listing: Listing<OrderId>,
    pub filter: String,
    pub sort: OrderSort,
    /// Whether orders abandoned before anything was sent are listed.
    pub shows_abandoned: bool,
}
