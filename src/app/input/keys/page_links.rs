//! Links from one page to another: each names the page that it leads to, and not the registry of all pages.

use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::events::page::EventsLogic;
use crate::app::pages::orders::page::OrdersLogic;
use crate::app::pages::orders::service_address;
use crate::app::pages::page::PageLogic;
use crate::app::pages::pane::PaneLogic;
use crate::app::pages::transactions::page::TransactionsLogic;
use crate::app::pages::transactions::pane::HistoryPane;
use crate::app::screen::{HistoryList, Pane};
use crate::domain::OrderId;
use crate::domain::history::Sort;

pub(super) fn enter_page(model: &mut Model, page: Page, logic: &dyn PageLogic) -> Vec<Effect> {
    let before = model.shown_balance_scope();
    model.pages.users.needs_rearranging |= page == Page::Users && model.page != page;
    model.page = page;
    model.pages.is_zoomed = false;
    // The freshness of the other scope's balances does not apply to this one.
    if model.shown_balance_scope() != before {
        model.data.remotes.scope_balances.change_target();
    }
    if page == Page::Attention {
        model.pages.attention.listing.select_first_visible();
    }
    if page == Page::Orders {
        service_address::prompt_for_service_address(model);
    }
    logic.query_rows(model)
}

pub(in crate::app) fn show_events(model: &mut Model) -> Vec<Effect> {
    enter_page(model, Page::Events, &EventsLogic)
}

/// Opens an order on the Orders page.
pub(in crate::app) fn open_order(model: &mut Model, id: OrderId) -> Vec<Effect> {
    let effects = enter_page(model, Page::Orders, &OrdersLogic);
    model.pages.orders.listing.select(&id);
    model.show_mode(Mode::Order { id, top: 0 });
    effects
}

/// Lists the rows of a filter on the Transactions page, the newest first: all of them, since what was counted is to be
/// found there.
pub(in crate::app) fn show_transactions(model: &mut Model, filter: String) -> Vec<Effect> {
    model.pages.transactions.shows_poison = true;
    find_transactions(model, filter)
}

/// The same without the rows that deceive.
pub(in crate::app) fn find_transactions(model: &mut Model, filter: String) -> Vec<Effect> {
    model.pages.transactions.set_sort(Sort::Newest);
    let mut effects = enter_page(model, Page::Transactions, &TransactionsLogic);
    model.set_focus(Pane::History);
    let history = &mut model.pages.transactions;
    if history.filter != filter {
        history.filter = filter;
        effects.extend(HistoryPane(HistoryList::Page).after_filter_change(model));
    }
    effects
}
