//! Sort orders of holdings.

use std::cmp::Reverse;

use crate::app::data::prices::Prices;
use crate::domain::Holding;

/// The sort order of holdings. Imitation tokens come last in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HoldingOrder {
    /// By value, largest first; unpriced balances behind, by token.
    #[default]
    Worth,
    Name,
}

impl HoldingOrder {
    pub fn label(self) -> &'static str {
        match self {
            Self::Worth => "by value",
            Self::Name => "by token",
        }
    }

    /// Sorts holdings. Equal ones are sorted by token, so that no refresh swaps them.
    pub fn sort_holdings(self, prices: &Prices, holdings: &mut [Holding]) {
        holdings.sort_by_cached_key(|holding| {
            let worth = if self == Self::Worth { prices.worth_of_holding(holding) } else { None };
            let name = holding.symbol.to_lowercase();
            (holding.suspicious, Reverse(worth), name, holding.token.clone())
        });
    }
}
