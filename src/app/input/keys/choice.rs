//! The selected row: whether there is one to act on, opening it, and going back a level.

use super::{PaneList, pane_list_mut, show_page};
use crate::app::data::queries;
use crate::app::input::keymap::Command;
use crate::app::list_filter::{filter_text_mut, set_filter};
use crate::app::listing::{Keyed, Listing};
use crate::app::marked_rows;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::record::AnyRecord;
use crate::app::pages;
use crate::app::pages::book;
use crate::app::pages::overview::accounts::after_account_change;
use crate::app::pages::overview::balances;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::pages::users;
use crate::app::screen::HistoryList;
use crate::app::screen::Pane;
use crate::app::session::absence;
use crate::manual::Chapter;

/// How many rows the focused pane lists, and whether one is selected; `None` for panes without rows to open.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rows of the other panes do not open")]
fn focused_list_state(model: &Model) -> Option<(u64, bool)> {
    fn list_state<T: Keyed>(list: &Listing<T>) -> (u64, bool) {
        (list.count().number(), list.selected_key().is_some())
    }
    let users = &model.pages.users;
    Some(match model.focus() {
        Pane::Accounts => list_state(&model.pages.overview.accounts),
        Pane::Wallets => list_state(&model.pages.overview.wallets),
        Pane::Balances if model.pages.overview.balances.grouping == BalanceGrouping::TokenAndChain => {
            list_state(&model.pages.overview.balances.listing)
        }
        Pane::Balances => list_state(&model.pages.overview.balances.groups),
        Pane::Recent => list_state(&model.pages.overview.recent.listing),
        Pane::History => list_state(&model.pages.transactions.listing),
        Pane::Orders => list_state(&model.pages.orders.listing),
        Pane::Tokens => list_state(&model.pages.markets.tokens),
        Pane::Events => list_state(&model.pages.events.listing),
        Pane::Book => list_state(&model.pages.book.listing),
        Pane::Attention => list_state(&model.pages.attention.listing),
        Pane::Watches => list_state(&model.session.watches.listing),
        Pane::Users => list_state(&users.listing),
        Pane::Holdings => list_state(&users.holdings),
        Pane::Addresses => list_state(&users.addresses),
        Pane::Deposits => list_state(&users.deposits),
        Pane::Withdrawals => list_state(&users.withdrawals),
        Pane::Transfers => list_state(&users.transfers),
        _ => return None,
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

/// Selects the row that is marked as the one on which a key acts, while the list still follows its first row.
pub(super) fn select_marked_row(model: &mut Model) {
    let pane = model.focus();
    // In these panes nothing selected means all of them, and the key moves on to the next pane.
    let leads_on = matches!(pane, Pane::Accounts | Pane::Wallets | Pane::Users | Pane::Tokens);
    if let Some(list) = pane_list_mut(model, pane).filter(|_| !leads_on) {
        list.select_first_visible();
    }
}

/// Opens the selected row.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rows of the other panes do not open")]
pub(super) fn open_selected_row(model: &mut Model) -> Vec<Effect> {
    match model.focus() {
        Pane::Recent | Pane::History => {
            let Some(history) = model.focused_history_mut() else { return Vec::new() };
            if let Some(row) = history.listing.selected().cloned() {
                model.mode = Mode::Detail { row: Box::new(row), top: 0 };
            }
            Vec::new()
        }
        Pane::Accounts => {
            let selected = model.pages.overview.accounts.select_first_visible();
            model.set_focus(Pane::Wallets);
            if selected { after_account_change(model) } else { Vec::new() }
        }
        Pane::Wallets => {
            let selected = model.pages.overview.wallets.select_first_visible();
            model.set_focus(Pane::Balances);
            if selected { queries::query_selection(model) } else { Vec::new() }
        }
        Pane::Balances if model.pages.overview.balances.grouping != BalanceGrouping::TokenAndChain => {
            balances::open_group(model)
        }
        // A token's transactions: sets a filter that could have been typed.
        Pane::Balances => {
            let Some(holding) = model.pages.overview.balances.listing.selected() else { return Vec::new() };
            let filter = format!("token:{} chain:{}", holding.symbol, holding.token.blockchain);
            model.set_focus(Pane::Recent);
            set_filter(model, Pane::Recent, filter)
        }
        Pane::Tokens => {
            model.set_focus(Pane::Pairs);
            Vec::new()
        }
        Pane::Orders => {
            if let Some(id) = model.pages.orders.listing.selected_key().copied() {
                model.mode = Mode::Order { id, top: 0 };
            }
            Vec::new()
        }
        Pane::Events => {
            pages::events::open_event_order(model);
            Vec::new()
        }
        Pane::Book => book::open_selected_entry(model),
        Pane::Attention => pages::attention::open_item(model),
        Pane::Watches => pages::attention::open_watch(model),
        Pane::Users => users::open_user(model),
        Pane::Holdings => users::open_holding(model),
        Pane::Addresses => users::open_record(model, |users| &mut users.addresses, AnyRecord::Address),
        Pane::Deposits => users::open_record(model, |users| &mut users.deposits, AnyRecord::Deposit),
        Pane::Withdrawals => users::open_record(model, |users| &mut users.withdrawals, AnyRecord::Withdrawal),
        Pane::Transfers => users::open_record(model, |users| &mut users.transfers, AnyRecord::Transfer),
        _ => Vec::new(),
    }
}

/// One level back: the summary of changes, the zoom, the filter, the marks, the selection, then the Overview.
pub(super) fn go_back_one_level(model: &mut Model) -> Vec<Effect> {
    if absence::dismiss_summary(model) {
        return Vec::new();
    }
    if model.pages.is_zoomed {
        model.pages.is_zoomed = false;
        return Vec::new();
    }
    let pane = model.focus();
    if filter_text_mut(model, pane).is_some_and(|filter| !filter.is_empty()) {
        // A list that was opened whole, as from a report, hides again what deceives.
        if let Some(history) = model.focused_history_mut() {
            history.shows_poison = false;
        }
        return set_filter(model, pane, String::new());
    }
    if marked_rows::clear_marks(model) {
        return Vec::new();
    }
    // On the Markets page a token stays selected: its pairs and chains are shown.
    if model.page != Page::Markets && pane_list_mut(model, pane).is_some_and(PaneList::deselect) {
        return after_deselection(model, pane);
    }
    if model.page == Page::Users && pane != Pane::Users {
        model.set_focus(Pane::Users);
        return Vec::new();
    }
    if model.page != Page::Overview {
        return show_page(model, Page::Overview);
    }
    model.notice = Some("this is the top level; q quits".into());
    Vec::new()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rows of the other lists do not follow a selection")]
fn after_deselection(model: &mut Model, pane: Pane) -> Vec<Effect> {
    match pane {
        Pane::Accounts => after_account_change(model),
        Pane::Wallets => queries::query_selection(model),
        Pane::Users => users::after_selection_change(model),
        Pane::Recent => vec![queries::query_history_rows(model, HistoryList::Recent)],
        Pane::History => vec![queries::query_history_rows(model, HistoryList::Page)],
        _ => Vec::new(),
    }
}

/// Turns the pages of the manual in the help: Tab to the next chapter, Enter from the keys to the chapter on what is below,
/// Esc back to the keys. Returns whether the command was one of these.
pub(super) fn turn_manual_page(model: &mut Model, command: Command) -> bool {
    let here = model.mode.chapter(model.page);
    let Mode::Help { chapter, top, .. } = &mut model.mode else { return false };
    let next = match (command, *chapter) {
        (Command::NextPane, chapter) => chapter.neighbour(1),
        (Command::PreviousPane, chapter) => chapter.neighbour(-1),
        (Command::Open, Chapter::Keys) => here,
        (Command::Back, chapter) if chapter != Chapter::Keys => Chapter::Keys,
        _ => return false,
    };
    (*chapter, *top) = (next, 0);
    true
}
