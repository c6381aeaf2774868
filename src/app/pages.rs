//! Pages, a folder each: what their panes hold and show, and their state.

pub mod attention;
pub mod book;
pub mod events;
pub mod holdings;
pub mod markets;
pub mod orders;
pub mod overview;
pub(in crate::app) mod page;
pub(in crate::app) mod pane;
pub(in crate::app) mod registry;
mod text;
pub mod transactions;
pub mod users;
pub mod view;
pub mod welcome;

use crate::app::data::attention::AttentionState;
use crate::app::model::History;
use crate::app::screen::{HistoryList, Page};
use crate::app::session::events::Events;
use crate::app::session::veil::Veil;
use book::BookPage;
use holdings::order::HoldingOrder;
use markets::state::MarketsPage;
use orders::state::OrdersPage;
use overview::state::OverviewPage;
use users::Users;

pub use text::{Tone, group_thousands};

#[derive(Debug)]
pub struct Pages {
    pub overview: OverviewPage,
    pub users: Users,
    pub transactions: History,
    pub orders: OrdersPage,
    pub markets: MarketsPage,
    pub events: Events,
    pub book: BookPage,
    pub attention: AttentionState,
    /// The sort order of holdings, on the Overview and on the Users page.
    pub holding_order: HoldingOrder,
    /// Whether imitation tokens are listed among the holdings of either page.
    pub shows_suspicious: bool,
    /// The focused pane of each page.
    pub focused: [usize; Page::ALL.len()],
    /// Whether the focused pane fills the page.
    pub is_zoomed: bool,
}

impl Pages {
    /// The pages with masked values: each names its own stand-ins.
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let Self {
            overview,
            users,
            transactions,
            orders,
            markets,
            events,
            book,
            attention,
            holding_order,
            shows_suspicious,
            focused,
            is_zoomed,
        } = self;
        Self {
            overview: overview.to_masked(veil),
            users: users.to_masked(veil),
            transactions: transactions.to_masked(veil),
            orders: orders.to_masked(veil),
            markets: markets.to_masked(),
            events: events.to_masked(Veil::mask_filter(&events.filter), |id| veil.mask_order_id(id)),
            book: book.to_masked(veil),
            attention: attention.to_masked(veil),
            holding_order: *holding_order,
            shows_suspicious: *shows_suspicious,
            focused: *focused,
            is_zoomed: *is_zoomed,
        }
    }
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            overview: OverviewPage::default(),
            users: Users::default(),
            transactions: History::new(HistoryList::Page),
            orders: OrdersPage::default(),
            markets: MarketsPage::default(),
            events: Events::default(),
            book: BookPage::default(),
            attention: AttentionState::default(),
            holding_order: HoldingOrder::default(),
            shows_suspicious: false,
            focused: [0; Page::ALL.len()],
            is_zoomed: false,
        }
    }
}
