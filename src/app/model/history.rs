//! A list of transactions, as a page or a pane has it.

use crate::app::listing::Listing;
use crate::app::marks::Marks;
use crate::app::msg::{HistoryList, Turn};
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
    pub shown: Query,
    /// The turn of the newest question.
    pub turn: Turn,
    /// Why the last question was not answered.
    pub failure: Option<Failure>,
    /// Marked rows.
    pub marks: Marks,
}

impl History {
    pub(super) fn new(list: HistoryList) -> Self {
        Self {
            list,
            listing: Listing::default(),
            filter: String::new(),
            sort: Sort::Newest,
            prices: PriceList::default(),
            shown: Query::default(),
            turn: Turn::default(),
            failure: None,
            marks: Marks::default(),
        }
    }
}
