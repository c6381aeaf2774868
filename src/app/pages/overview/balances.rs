//! Balances: what the selected wallet or account holds.

pub mod ranking;
pub mod view;

use crate::app::listing::Keyed;
use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::users;
use crate::app::screen::Pane;
use crate::domain::Holding;
use crate::domain::chain::chain_display_name;
use crate::domain::filter::WordFilter;
use crate::domain::history::Window;

/// Shows the holdings of the selected wallet or account that match the filter, ranked, with or without imitation
/// tokens.
pub(in crate::app) fn refresh_balance_rows(model: &mut Model) {
    let balances = &model.balances;
    let words = WordFilter::parse(&balances.filter);
    let is_shown = |holding: &&Holding| {
        let chain = &holding.token.blockchain;
        let is_wanted = balances.shows_suspicious || !holding.suspicious;
        is_wanted && words.matches([holding.symbol.as_str(), chain.as_str(), chain_display_name(chain)])
    };
    let mut rows: Vec<_> = balances.all.iter().filter(is_shown).cloned().collect();
    balances.ranking.sort_holdings(&model.prices, &mut rows);
    model.balances.listing.apply_window(Window::whole(rows));
}

/// Shows or hides imitation tokens. They are at the end of a possibly long list, so the first one shown is selected.
pub(in crate::app) fn toggle_suspicious(model: &mut Model) -> Vec<Effect> {
    model.balances.shows_suspicious = !model.balances.shows_suspicious;
    refresh_balance_rows(model);
    users::show_holdings(model);
    let (pane, listing) = if model.page == Page::Users {
        (Pane::Holdings, &mut model.users.holdings)
    } else {
        (Pane::Balances, &mut model.balances.listing)
    };
    if !model.balances.shows_suspicious {
        // A hidden row cannot stay selected.
        if listing.selected().is_none() {
            listing.reset();
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
