use super::BalanceOrder;
use crate::app::model::Model;
use crate::app::pages::overview::balances::refresh_balance_rows;
use crate::app::pages::users;

pub(in crate::app) fn toggle_balance_order(model: &mut Model) {
    model.pages.overview.balances.ranking = match model.pages.overview.balances.ranking {
        BalanceOrder::Worth => BalanceOrder::Name,
        BalanceOrder::Name => BalanceOrder::Worth,
    };
    model.notice = Some(format!("balances: {}", model.pages.overview.balances.ranking.label()));
    resort_shown_balances(model);
}

/// Sorts the balances on screen again, for example after a new price.
pub(in crate::app) fn resort_shown_balances(model: &mut Model) {
    if model.pages.overview.balances.listing.is_loaded() {
        refresh_balance_rows(model);
    }
    if model.pages.users.holdings.is_loaded() {
        users::show_holdings(model);
    }
}
