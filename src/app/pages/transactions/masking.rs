//! A list of transactions with masked values.

use crate::app::model::History;
use crate::app::session::veil::Veil;
use crate::domain::filter::Filter;
use crate::domain::history::Query;

impl History {
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let mut copy = Self::new(self.list);
        copy.listing = self.listing.to_masked(|row| veil.mask_row(row), |seq| *seq);
        copy.filter = Veil::mask_filter(&self.filter);
        copy.sort = self.sort;
        copy.prices = self.prices.clone();
        let Query { scope, filter, sort, prices } = &self.query;
        let filter = Filter { text: Veil::mask_filter(&filter.text), ..Filter::default() };
        copy.query = Query { scope: veil.mask_scope(scope), filter, sort: *sort, prices: prices.clone() };
        copy.failure = self.failure.as_ref().map(Veil::mask_failure);
        copy.marks.rows = self.marks.rows.iter().map(|row| veil.mask_row(row)).collect();
        copy.marks.hidden.clone_from(&self.marks.hidden);
        copy
    }
}
