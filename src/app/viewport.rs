//! Fits texts and lists to the screen: limits scrolling, sets the height of lists and requests missing rows.

use super::listing::{Keyed, Listing};
use super::model::{Mode, Model};
use super::msg::{Effect, HistoryList};
use super::panes::{self, detail, help};
use super::queries;
use super::screen::{self, Pane, ScreenLayout};
use super::users;

/// The lines of the open text; 0 if none is open.
pub(super) fn text_line_count(model: &Model, mode: &Mode) -> u16 {
    let columns = screen::reading_area(model).width;
    let lines = match mode {
        Mode::Help { .. } => help::help_lines(model, columns).len(),
        Mode::Detail { row, .. } => detail::transaction_lines(model, row, columns).len(),
        Mode::Record { record, .. } => detail::wrap_detail_lines(record.detail_lines(model), columns).len(),
        Mode::Chart(chart) => chart.line_count(model),
        Mode::Order { id, .. } => panes::orders::order_detail_lines(model, *id, columns).len(),
        _ => 0,
    };
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// Keeps the last page of an open text on screen. A text at its top is not wrapped to find out how long it is.
pub(super) fn clamp_text_scroll(model: &mut Model) {
    if model.mode.scroll_top().is_none_or(|top| *top == 0) {
        return;
    }
    let visible = screen::reading_area(model).height.saturating_sub(1);
    let last = text_line_count(model, &model.mode).saturating_sub(visible);
    if let Some(top) = model.mode.scroll_top() {
        *top = (*top).min(last);
    }
}

/// Sets the height of every list, and queries rows that are missing.
pub(super) fn fit_lists(model: &mut Model) -> Vec<Effect> {
    let ScreenLayout::Full { panes: places, .. } = screen::plan_layout(model) else { return Vec::new() };
    let mut effects = Vec::new();
    for place in places {
        let rows = place.visible_rows();
        match place.pane {
            Pane::Accounts => fit_loaded_list(&mut model.accounts, rows),
            Pane::Balances => fit_loaded_list(&mut model.balances.listing, rows),
            Pane::Orders => fit_loaded_list(&mut model.order_list, rows),
            Pane::Tokens => fit_loaded_list(&mut model.tokens, rows),
            Pane::Chains => fit_loaded_list(&mut model.chains, rows),
            Pane::Events => fit_loaded_list(&mut model.events.listing, rows),
            Pane::Book => fit_loaded_list(&mut model.book.listing, rows),
            Pane::Pairs => fit_loaded_list(&mut model.pairs, rows),
            Pane::Wallets => {
                if model.wallets.set_height(rows) {
                    effects.push(queries::query_wallets(model));
                }
            }
            Pane::Recent => {
                if model.recent.listing.set_height(rows) {
                    effects.push(queries::query_history_rows(model, HistoryList::Recent));
                }
            }
            Pane::History => {
                if model.history.listing.set_height(rows) {
                    effects.push(queries::query_history_rows(model, HistoryList::Page));
                }
            }
            pane => {
                if users::fit_list(&mut model.users, pane, rows) {
                    effects.push(queries::query_users(model));
                }
            }
        }
    }
    effects
}

/// Fits a list whose rows are all in memory, which never needs a query.
fn fit_loaded_list<T: Keyed>(listing: &mut Listing<T>, rows: u16) {
    listing.set_height(rows);
}
