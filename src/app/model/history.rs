//! A list of transactions on a page or in a pane.

use crate::app::listing::Listing;
use crate::app::marked_rows::MarkedRows;
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::domain::Failure;
use crate::domain::history::{HistoryRow, PriceList, Query, RowCount, Sort};

#[derive(Debug, Clone)]
pub struct History {
    pub list: HistoryList,
    pub listing: Listing<HistoryRow>,
    /// As typed.
    pub filter: String,
    pub sort: Sort,
    /// The order before a view brought its own, which is left with the view.
    pub sort_before_view: Option<Sort>,
    /// Prices for a sort by value, as of when the sort was chosen.
    pub prices: PriceList,
    pub query: Query,
    pub request_id: RequestId,
    pub failure: Option<Failure>,
    pub marks: MarkedRows,
    /// Whether rows that are there to deceive are listed too.
    pub shows_poison: bool,
}

impl History {
    pub(in crate::app) fn new(list: HistoryList) -> Self {
        Self {
            list,
            listing: Listing::default(),
            filter: String::new(),
            sort: Sort::Newest,
            sort_before_view: None,
            prices: PriceList::default(),
            query: Query::default(),
            request_id: RequestId::default(),
            failure: None,
            marks: MarkedRows::default(),
            shows_poison: false,
        }
    }

    /// Takes the order of a view.
    pub fn apply_view_sort(&mut self, sort: Sort) {
        self.sort_before_view.get_or_insert(self.sort);
        self.sort = sort;
    }

    /// Takes the order from before the view, if one is shown.
    pub fn restore_sort_before_view(&mut self) {
        self.sort = self.sort_before_view.take().unwrap_or(self.sort);
    }

    /// Takes an order that the operator chose, or that a jump to certain rows needs.
    pub fn set_sort(&mut self, sort: Sort) {
        self.sort_before_view = None;
        if self.sort != sort {
            self.sort = sort;
            self.listing.reset_position();
        }
    }

    /// Whether the rows on screen are those of a filter, and so have a sum.
    pub fn needs_sum(&self) -> bool {
        let filter = &self.query.filter;
        !filter.is_empty() && !filter.is_faulty() && self.listing.count() != RowCount::Exact(0)
    }
}
