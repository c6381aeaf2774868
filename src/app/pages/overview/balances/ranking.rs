//! Sort orders of balances.

use std::cmp::Reverse;

use crate::app::data::prices::Prices;
use crate::app::model::Model;
use crate::app::pages::users;
use crate::domain::Holding;

/// The sort order of balances. Imitation tokens come last in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BalanceOrder {
    /// By value, largest first; unpriced balances behind, by token.
    #[default]
    Worth,
    Name,
}

impl BalanceOrder {
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

pub(in crate::app) fn toggle_balance_order(model: &mut Model) {
    model.balances.ranking = match model.balances.ranking {
        BalanceOrder::Worth => BalanceOrder::Name,
        BalanceOrder::Name => BalanceOrder::Worth,
    };
    model.notice = Some(format!("balances: {}", model.balances.ranking.label()));
    resort_shown_balances(model);
}

/// Sorts the balances on screen again, for example after a new price.
pub(in crate::app) fn resort_shown_balances(model: &mut Model) {
    if model.balances.listing.is_loaded() {
        super::refresh_balance_rows(model);
    }
    if model.users.holdings.is_loaded() {
        users::show_holdings(model);
    }
}
