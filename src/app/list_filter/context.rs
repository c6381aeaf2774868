//! What the words of a filter mean here.

use std::sync::Arc;

use crate::app::model::Model;
use crate::domain::filter::FilterContext;

/// What the words of a filter on transactions depend on.
pub(in crate::app) fn filter_context(model: &Model) -> FilterContext<'_> {
    FilterContext {
        now: Some(model.now),
        zone: model.console.zone.clone(),
        prices: model.data.prices.price_list(),
        final_statuses: model.journal.final_statuses.clone(),
        names: Arc::clone(&model.data.analyses.names.names),
        row_changes: model.session.absence.row_changes(),
        orders: &model.journal.orders,
    }
}
