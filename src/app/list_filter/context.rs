//! What the words of a filter mean here.

use std::sync::Arc;

use crate::app::model::Model;
use crate::domain::filter::FilterContext;

/// What the words of a filter on transactions depend on.
pub(in crate::app) fn parse_context(model: &Model) -> FilterContext<'_> {
    FilterContext {
        now: Some(model.now),
        zone: model.zone.clone(),
        prices: model.prices.price_list(),
        words: model.book.final_statuses.clone(),
        names: Arc::clone(&model.charts.names.names),
        row_changes: model.absence.row_changes(),
        orders: &model.orders,
    }
}
