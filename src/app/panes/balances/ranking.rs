//! In which order balances stand.

use std::cmp::Reverse;

use crate::app::model::Model;
use crate::app::prices::Prices;
use crate::app::users;
use crate::domain::Holding;

/// In which order balances stand. What imitates a listed token stands last in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// What is worth most first; what has no price behind that, by the names of the tokens.
    #[default]
    Worth,
    /// By the names of the tokens.
    Name,
}

impl Ranking {
    /// What it goes by.
    pub fn label(self) -> &'static str {
        match self {
            Self::Worth => "by value",
            Self::Name => "by token",
        }
    }

    /// Puts balances in this order. Equal ones stand by their tokens, so that no refresh exchanges them.
    pub fn sort_holdings(self, prices: &Prices, holdings: &mut [Holding]) {
        holdings.sort_by_cached_key(|holding| {
            let worth = if self == Self::Worth { prices.worth(holding) } else { None };
            let name = holding.symbol.to_lowercase();
            (holding.suspicious, Reverse(worth), name, holding.token.clone())
        });
    }
}

/// The other order, of every list of balances.
pub(in crate::app) fn sort(model: &mut Model) {
    model.balances.ranking = match model.balances.ranking {
        Ranking::Worth => Ranking::Name,
        Ranking::Name => Ranking::Worth,
    };
    model.notice = Some(format!("balances: {}", model.balances.ranking.label()));
    sort_displayed(model);
}

/// Puts what is on screen in order anew, as when a price came.
pub(in crate::app) fn sort_displayed(model: &mut Model) {
    if model.balances.listing.is_loaded() {
        super::show_balances(model);
    }
    if model.users.holdings.is_loaded() {
        users::show_holdings(model);
    }
}
