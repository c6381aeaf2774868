//! A list of transactions, as a page or a pane has it.

use crate::app::listing::Listing;
use crate::app::marked_rows::MarkedRows;
use crate::app::msg::{HistoryList, RequestId};
use crate::domain::Failure;
use crate::domain::history::{HistoryRow, PriceList, Query, Sort};

/// A list of transactions.
#[derive(Debug, Clone)]
pub struct History {
    /// Which.
    pub list: HistoryList,
    /// The rows.
    pub listing: Listing<HistoryRow>,
    /// The filter, as typed.
    pub filter: String,
    /// The order.
    pub sort: Sort,
    /// By which prices, where it is one by value: those of when it was asked for.
    pub prices: PriceList,
    /// What the rows on screen answer.
    pub query: Query,
    /// The turn of the newest question.
    pub turn: RequestId,
    /// Why the last question was not answered.
    pub failure: Option<Failure>,
    /// Marked rows.
    pub marks: MarkedRows,
}

impl History {
    pub(super) fn new(list: HistoryList) -> Self {
        Self {
            list,
            listing: Listing::default(),
            filter: String::new(),
            sort: Sort::Newest,
            prices: PriceList::default(),
            query: Query::default(),
            turn: RequestId::default(),
            failure: None,
            marks: MarkedRows::default(),
        }
    }
}
