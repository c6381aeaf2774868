//! Fits texts and lists to the screen: limits scrolling, sets the height of lists and requests missing rows.

use super::listing::{Keyed, Listing};
use super::model::{Mode, Model};
use super::msg::{Effect, HistoryList};
use super::panes::{self, detail, help};
use super::queries;
use super::screen::{self, Pane, Plan};
use super::users;

/// The lines of the open text; 0 if none is open.
pub(super) fn text_lines(model: &Model, mode: &Mode) -> u16 {
    let columns = screen::reading_area(model).width;
    let lines = match mode {
        Mode::Help { .. } => help::lines(model, columns).len(),
        Mode::Detail { row, .. } => detail::lines(model, row, columns).len(),
        Mode::Record { record, .. } => detail::wrap_facts(record.facts(model), columns).len(),
        Mode::Chart(chart) => chart.lines(model),
        Mode::Order { id, .. } => panes::orders::lines(model, *id, columns).len(),
        _ => 0,
    };
    u16::try_from(lines).unwrap_or(u16::MAX)
}

pub(super) fn clamp_text_scroll(model: &mut Model) {
    let visible = screen::reading_area(model).height.saturating_sub(1);
    let last = text_lines(model, &model.mode).saturating_sub(visible);
    if let Some(top) = model.mode.scroll_top() {
        *top = (*top).min(last);
    }
}

/// Sets the height of every list, and queries rows that are missing.
pub(super) fn fit_lists(model: &mut Model) -> Vec<Effect> {
    let Plan::Full { places, .. } = screen::plan(model) else { return Vec::new() };
    let mut effects = Vec::new();
    for place in places {
        let rows = place.visible_rows();
        match place.pane {
            Pane::Accounts => fit_whole(&mut model.accounts, rows),
            Pane::Balances => fit_whole(&mut model.balances.listing, rows),
            Pane::Orders => fit_whole(&mut model.order_list, rows),
            Pane::Tokens => fit_whole(&mut model.tokens, rows),
            Pane::Chains => fit_whole(&mut model.chains, rows),
            Pane::Events => fit_whole(&mut model.events.listing, rows),
            Pane::Book => fit_whole(&mut model.book.listing, rows),
            Pane::Pairs => fit_whole(&mut model.pairs, rows),
            Pane::Wallets => {
                if model.wallets.set_height(rows) {
                    effects.push(queries::wallets(model));
                }
            }
            Pane::Recent => {
                if model.recent.listing.set_height(rows) {
                    effects.push(queries::history_rows(model, HistoryList::Recent));
                }
            }
            Pane::History => {
                if model.history.listing.set_height(rows) {
                    effects.push(queries::history_rows(model, HistoryList::Page));
                }
            }
            pane => {
                if users::fit(&mut model.users, pane, rows) {
                    effects.push(queries::users(model));
                }
            }
        }
    }
    effects
}

/// Fits a list whose rows are all in memory, which never needs a query.
fn fit_whole<T: Keyed>(listing: &mut Listing<T>, rows: u16) {
    listing.set_height(rows);
}
