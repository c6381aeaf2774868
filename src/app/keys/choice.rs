//! Whether a row is selected when a key is to act on one.

use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::screen::Pane;

pub(super) const CONFIRM_SELECTION_MESSAGE: &str = "row selected; press the same key again to confirm";

/// How many rows the focused pane lists, and whether one is selected; `None` for panes without rows to open.
fn focused_list_state(model: &Model) -> Option<(u64, bool)> {
    fn list_state<T: Keyed>(list: &Listing<T>) -> (u64, bool) {
        (list.count().number(), list.selected_key().is_some())
    }
    let users = &model.users;
    Some(match model.focus() {
        Pane::Accounts => list_state(&model.accounts),
        Pane::Wallets => list_state(&model.wallets),
        Pane::Balances => list_state(&model.balances.listing),
        Pane::Recent => list_state(&model.recent.listing),
        Pane::History => list_state(&model.history.listing),
        Pane::Orders => list_state(&model.order_list),
        Pane::Tokens => list_state(&model.tokens),
        Pane::Events => list_state(&model.events.listing),
        Pane::Book => list_state(&model.book.listing),
        Pane::Users => list_state(&users.listing),
        Pane::Holdings => list_state(&users.holdings),
        Pane::Addresses => list_state(&users.addresses),
        Pane::Deposits => list_state(&users.deposits),
        Pane::Transfers => list_state(&users.transfers),
        Pane::User | Pane::Assets | Pane::Chains | Pane::Pairs => return None,
    })
}

/// Why the focused pane has nothing to open.
pub(in crate::app) fn no_details_message(model: &Model) -> Option<&'static str> {
    match focused_list_state(model) {
        None => Some("there are no further details"),
        Some((0, _)) => Some("nothing is listed here"),
        Some(_) => None,
    }
}

/// Whether a key that acts on a row would only select one now.
pub(super) fn would_only_select(model: &Model) -> bool {
    // In these panes the key moves on to the next pane at once.
    let leads_on = matches!(model.focus(), Pane::Accounts | Pane::Wallets | Pane::Users | Pane::Tokens);
    !leads_on && matches!(focused_list_state(model), Some((1.., false)))
}
