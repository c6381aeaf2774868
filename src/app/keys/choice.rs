//! Whether a row is selected when a key is to act on one.

use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::screen::Pane;

pub(super) const CONFIRM_SELECTION: &str = "row selected; press the same key again to confirm";

/// How many rows the focused pane lists, and whether one is selected; `None` for panes without rows to open.
fn listed(model: &Model) -> Option<(u64, bool)> {
    fn of<T: Keyed>(list: &Listing<T>) -> (u64, bool) {
        (list.count().number(), list.selected_key().is_some())
    }
    let users = &model.users;
    Some(match model.focus() {
        Pane::Accounts => of(&model.accounts),
        Pane::Wallets => of(&model.wallets),
        Pane::Balances => of(&model.balances.listing),
        Pane::Recent => of(&model.recent.listing),
        Pane::History => of(&model.history.listing),
        Pane::Orders => of(&model.order_list),
        Pane::Tokens => of(&model.tokens),
        Pane::Events => of(&model.events.listing),
        Pane::Book => of(&model.book.listing),
        Pane::Users => of(&users.listing),
        Pane::Holdings => of(&users.holdings),
        Pane::Addresses => of(&users.addresses),
        Pane::Deposits => of(&users.deposits),
        Pane::Transfers => of(&users.transfers),
        Pane::User | Pane::Assets | Pane::Chains | Pane::Pairs => return None,
    })
}

/// Why the focused pane has nothing to open.
pub(in crate::app) fn nothing_to_open(model: &Model) -> Option<&'static str> {
    match listed(model) {
        None => Some("there are no further details"),
        Some((0, _)) => Some("nothing is listed here"),
        Some(_) => None,
    }
}

/// Whether a key that acts on a row would only select one now.
pub(super) fn only_selects(model: &Model) -> bool {
    // In these panes the key moves on to the next pane at once.
    let leads_on = matches!(model.focus(), Pane::Accounts | Pane::Wallets | Pane::Users | Pane::Tokens);
    !leads_on && matches!(listed(model), Some((1.., false)))
}
