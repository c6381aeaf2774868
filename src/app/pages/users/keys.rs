//! Keys of the Users page.

use super::{Users, after_selection_change, part_staleness};
use crate::app::data::queries;
use crate::app::input::keymap::Command;
use crate::app::input::keys::page_links::show_transactions;
use crate::app::listing::{Keyed, Listing, PaneList};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::record::AnyRecord;
use crate::app::screen::Pane;

pub(in crate::app) fn move_selection(model: &mut Model, command: Command) -> Vec<Effect> {
    let short = model.pages.users.listing.run_motion(command, false);
    let mut effects = if short { vec![queries::query_users(model)] } else { Vec::new() };
    effects.extend(after_selection_change(model));
    effects
}

pub(in crate::app) fn open_user(model: &mut Model) -> Vec<Effect> {
    let chosen = model.pages.users.listing.select_first_visible();
    let below = model.pages.users.detail_pane;
    model.set_focus(below);
    if chosen { after_selection_change(model) } else { Vec::new() }
}

/// Opens the history of the selected balance.
pub(in crate::app) fn open_holding(model: &mut Model) -> Vec<Effect> {
    if model.pages.users.holdings.select_first_visible() {
        return Vec::new();
    }
    let (Some(holding), Some(user)) = (model.pages.users.holdings.selected(), &model.pages.users.shown_user) else {
        return Vec::new();
    };
    let filter = format!("user:{user} token:{} chain:{}", holding.symbol, holding.token.blockchain);
    show_transactions(model, filter)
}

/// Opens the selected row of a list as a record. Where none is selected, selects the first one instead: a key acts only
/// on a row that the operator could see to be selected.
pub(in crate::app) fn open_record<T: Keyed + Clone>(
    model: &mut Model,
    list: fn(&mut Users) -> &mut Listing<T>,
    record: fn(T) -> AnyRecord,
) -> Vec<Effect> {
    let list = list(&mut model.pages.users);
    if !list.select_first_visible()
        && let Some(row) = list.selected().cloned()
    {
        model.show_mode(Mode::Record { record: Box::new(record(row)), top: 0 });
    }
    Vec::new()
}

/// A pane of the page got the focus: where only one detail pane fits, it is shown from now on. Withdrawals, which are
/// not polled, are read again if they are stale.
pub(in crate::app) fn remember_detail_pane(model: &mut Model, pane: Pane) {
    if model.page == Page::Users && pane != Pane::Users {
        model.pages.users.detail_pane = pane;
    }
    if pane == Pane::Withdrawals
        && let Some(at) = model.pages.users.cached_report().and_then(|report| report.withdrawals.read_at())
        && part_staleness(model, at).is_some()
    {
        model.pages.users.page_request.request_withdrawal_refresh();
    }
}
