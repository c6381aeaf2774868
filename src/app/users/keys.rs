//! Keys of the Users page.

use super::{Users, after_selection_change};
use crate::app::keymap::Command;
use crate::app::keys::{move_in_list, show_page};
use crate::app::list_filter::set_filter;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::panes::users::record::AnyRecord;
use crate::app::queries;
use crate::app::screen::Pane;

pub(in crate::app) fn move_selection(model: &mut Model, pane: Pane, command: Command) -> Vec<Effect> {
    let users = &mut model.users;
    let short = match pane {
        Pane::Users => move_in_list(&mut users.listing, command, false),
        Pane::Holdings => move_in_list(&mut users.holdings, command, false),
        Pane::Assets => move_in_list(&mut users.assets, command, false),
        Pane::Addresses => move_in_list(&mut users.addresses, command, false),
        Pane::Deposits => move_in_list(&mut users.deposits, command, false),
        Pane::Transfers => move_in_list(&mut users.transfers, command, false),
        _ => false,
    };
    if pane != Pane::Users {
        return Vec::new();
    }
    let mut effects = if short { vec![queries::query_users(model)] } else { Vec::new() };
    effects.extend(after_selection_change(model));
    effects
}

/// Opens the selection: a user's details, a balance's history, or a record.
pub(in crate::app) fn open_selection(model: &mut Model, pane: Pane) -> Vec<Effect> {
    match pane {
        Pane::Users => {
            let chosen = model.users.listing.select_first_visible();
            let below = model.users.detail_pane;
            model.set_focus(below);
            if chosen { after_selection_change(model) } else { Vec::new() }
        }
        Pane::Holdings => {
            if model.users.holdings.select_first_visible() {
                return Vec::new();
            }
            let (Some(holding), Some(user)) = (model.users.holdings.selected(), &model.users.shown_user) else {
                return Vec::new();
            };
            let filter = format!("user:{user} token:{} chain:{}", holding.symbol, holding.token.blockchain);
            let mut effects = show_page(model, Page::Transactions);
            effects.extend(set_filter(model, Pane::History, filter));
            effects
        }
        _ => {
            if let Some(record) = selected_record(&mut model.users, pane) {
                model.mode = Mode::Record { record: Box::new(record), top: 0 };
            }
            Vec::new()
        }
    }
}

/// The selected row of a list whose rows open as records. Where none is selected, selects the first one instead: a key
/// acts only on a row that the operator could see to be selected.
fn selected_record(users: &mut Users, pane: Pane) -> Option<AnyRecord> {
    match pane {
        Pane::Deposits if !users.deposits.select_first_visible() => {
            users.deposits.selected().cloned().map(AnyRecord::Deposit)
        }
        Pane::Transfers if !users.transfers.select_first_visible() => {
            users.transfers.selected().cloned().map(AnyRecord::Transfer)
        }
        Pane::Addresses if !users.addresses.select_first_visible() => {
            users.addresses.selected().cloned().map(AnyRecord::Address)
        }
        _ => None,
    }
}

/// A pane of the page got the focus: where only one detail pane fits, it is shown from now on.
pub(in crate::app) fn remember_detail_pane(model: &mut Model, pane: Pane) {
    if model.page == Page::Users && pane != Pane::Users {
        model.users.detail_pane = pane;
    }
}

pub(in crate::app) fn deselect(model: &mut Model, pane: Pane) -> bool {
    let users = &mut model.users;
    match pane {
        Pane::Users => users.listing.deselect(),
        Pane::Holdings => users.holdings.deselect(),
        Pane::Assets => users.assets.deselect(),
        Pane::Addresses => users.addresses.deselect(),
        Pane::Deposits => users.deposits.deselect(),
        Pane::Transfers => users.transfers.deselect(),
        _ => false,
    }
}

/// Sets the visible height of a list; returns whether more rows must be queried.
pub(in crate::app) fn fit_list(users: &mut Users, pane: Pane, rows: u16) -> bool {
    match pane {
        Pane::Users => return users.listing.set_height(rows),
        Pane::Holdings => users.holdings.set_height(rows),
        Pane::Assets => users.assets.set_height(rows),
        Pane::Addresses => users.addresses.set_height(rows),
        Pane::Deposits => users.deposits.set_height(rows),
        Pane::Transfers => users.transfers.set_height(rows),
        _ => false,
    };
    // These lists are loaded in full.
    false
}
