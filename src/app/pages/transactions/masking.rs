//! A list of transactions with masked values.

use crate::app::model::History;
use crate::app::session::veil::Veil;
use crate::domain::filter::Filter;
use crate::domain::history::Query;

impl History {
    pub(in crate::app) fn masked(&self, veil: &Veil) -> Self {
        let mut twin = Self::new(self.list);
        twin.listing = self.listing.masked(|row| veil.mask_row(row), |seq| *seq);
        twin.filter = Veil::mask_filter(&self.filter);
        twin.sort = self.sort;
        twin.prices = self.prices.clone();
        let Query { scope, filter, sort, prices } = &self.query;
        let filter = Filter { text: Veil::mask_filter(&filter.text), ..Filter::default() };
        twin.query = Query { scope: veil.mask_scope(scope), filter, sort: *sort, prices: prices.clone() };
        twin.failure = self.failure.as_ref().map(Veil::mask_failure);
        twin.marks.rows = self.marks.rows.iter().map(|row| veil.mask_row(row)).collect();
        twin.marks.hidden.clone_from(&self.marks.hidden);
        twin
    }
}
