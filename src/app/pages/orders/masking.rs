//! The Orders page with masked values.

use super::state::OrdersPage;
use crate::app::session::veil::Veil;
use crate::domain::OrderId;

impl OrdersPage {
    pub(in crate::app) fn masked(&self, veil: &Veil) -> Self {
        let id = |id: &OrderId| veil.mask_order_id(id);
        Self {
            listing: self.listing.masked(id, id),
            filter: Veil::mask_filter(&self.filter),
            sort: self.sort,
            shows_abandoned: self.shows_abandoned,
        }
    }
}
