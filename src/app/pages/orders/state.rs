//! The state of the Orders page.

use super::sort::OrderSort;
use crate::app::listing::Listing;
use crate::app::session::veil::Veil;
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

impl OrdersPage {
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let id = |id: &OrderId| veil.mask_order_id(id);
        Self {
            listing: self.listing.to_masked(id, id),
            filter: Veil::mask_filter(&self.filter),
            sort: self.sort,
            shows_abandoned: self.shows_abandoned,
        }
    }
}
