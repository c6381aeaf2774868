//! Lists of holdings: how they are sorted, on the Overview and on the Users page, and whether imitation tokens are in
//! them.

pub mod order;
pub mod view;

use order::HoldingOrder;

use super::overview::balances::refresh_balance_rows;
use super::users;
use crate::app::listing::Keyed;
use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::screen::Pane;
use crate::domain::Holding;

pub(in crate::app) fn toggle_holding_order(model: &mut Model) {
    model.pages.holding_order = match model.pages.holding_order {
        HoldingOrder::Worth => HoldingOrder::Name,
        HoldingOrder::Name => HoldingOrder::Worth,
    };
    model.notice = Some(format!("balances: {}", model.pages.holding_order.label()));
    resort_shown(model);
}

/// Sorts the holdings on screen again, for example after a new price.
pub(in crate::app) fn resort_shown(model: &mut Model) {
    if model.pages.overview.balances.listing.is_loaded() {
        refresh_balance_rows(model);
    }
    if model.pages.users.holdings.is_loaded() {
        users::refresh_holding_rows(model);
    }
}

/// Whether there are imitation tokens to show or hide.
pub(in crate::app) fn check_suspicious(holdings: &[Holding]) -> Result<(), String> {
    let has_suspicious = holdings.iter().any(|holding| holding.suspicious);
    if has_suspicious { Ok(()) } else { Err("nothing is hidden here".into()) }
}

/// Shows or hides imitation tokens. They are at the end of a possibly long list, so the first one shown is selected.
pub(in crate::app) fn toggle_suspicious(model: &mut Model) -> Vec<Effect> {
    model.pages.shows_suspicious = !model.pages.shows_suspicious;
    refresh_balance_rows(model);
    users::refresh_holding_rows(model);
    let (pane, listing) = if model.page == Page::Users {
        (Pane::Holdings, &mut model.pages.users.holdings)
    } else {
        (Pane::Balances, &mut model.pages.overview.balances.listing)
    };
    if !model.pages.shows_suspicious {
        // A hidden row cannot stay selected.
        if listing.selected().is_none() {
            listing.reset_position();
        }
        return Vec::new();
    }
    let first = listing.rows().iter().find(|holding| holding.suspicious).map(Keyed::key);
    if let Some(key) = first {
        listing.select(&key);
        model.set_focus(pane);
    }
    Vec::new()
}
