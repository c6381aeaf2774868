//! The chart of a balance or of its flows, day by day, with the exact figures.

mod open;
pub mod view;

use crate::domain::balance_history::ClosingBalance;
use crate::domain::history::Scope;
use crate::domain::{DailyFlow, DatedRate, Text, TokenKey, ValuationAmount};
pub(in crate::app) use open::{check_chartable, handle_command, open_chart};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartKind {
    Balance,
    /// The balance by the prices of its days.
    Value,
    Flow,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    pub scope: Scope,
    pub token: TokenKey,
    pub symbol: Text,
    /// The symbol of the token in which it is valued; empty for no values.
    pub valuation: Text,
    pub kind: ChartKind,
    /// Index in [`SPAN_DAYS`].
    pub span_index: usize,
    pub scroll_top: u16,
}

/// The numbers of days that a chart can show.
pub const SPAN_DAYS: [u16; 4] = [7, 30, 90, 365];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayFigures<'a> {
    pub closing: ClosingBalance,
    /// The movements of the day, if there were any.
    pub flow: Option<&'a DailyFlow>,
    /// The price of the day, or of the nearest day that has one.
    pub price: Option<DatedRate>,
}

impl DayFigures<'_> {
    /// The closing balance by the day's price.
    pub fn closing_value(&self) -> Option<ValuationAmount> {
        self.price?.rate.worth(self.closing.amount?)
    }
}

impl Chart {
    pub fn day_count(&self) -> u16 {
        SPAN_DAYS.get(self.span_index).copied().unwrap_or(SPAN_DAYS[0])
    }
}
