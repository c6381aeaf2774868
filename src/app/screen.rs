//! Pages, panes and areas of the screen: what a layout is made of. The layout itself is [`layout`](super::layout).

mod area;
mod arrangement;
mod breakpoints;
mod page;

pub use area::{Area, Chrome, Size};
pub use arrangement::{Arrangement, MIN_HEIGHT_WITH_HEADS, PaneArea, list_and_detail, two_stacked_boxes};
pub use breakpoints::{
    DETAIL_MIN_WIDTH, MIN_SCREEN_SIZE, STACKED_MIN_HEIGHT, TALL_MIN_HEIGHT, TWO_COLUMN_MIN_WIDTH, is_too_small,
};
pub use page::Page;

/// A list of history rows on screen, with a window of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HistoryList {
    Recent,
    Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    Accounts,
    Wallets,
    Balances,
    Users,
    User,
    /// Holdings of the selected user, by version 2.
    Holdings,
    /// Assets of the selected user, by version 1.
    Assets,
    /// Deposit addresses of the selected user.
    Addresses,
    /// Deposits of the selected user, by version 1.
    Deposits,
    /// Withdrawals of the selected user, by version 1.
    Withdrawals,
    /// Transfers of the selected user, by version 1.
    Transfers,
    /// The newest transactions of the selected wallet or account.
    Recent,
    History,
    Orders,
    Tokens,
    Chains,
    Events,
    /// Pairs in which the selected token is sold.
    Pairs,
    Book,
    /// What needs a person.
    Attention,
    Watches,
}

impl Pane {
    pub fn history_list(self) -> Option<HistoryList> {
        match self {
            Self::Recent => Some(HistoryList::Recent),
            Self::History => Some(HistoryList::Page),
            Self::Accounts
            | Self::Wallets
            | Self::Balances
            | Self::Users
            | Self::User
            | Self::Holdings
            | Self::Assets
            | Self::Addresses
            | Self::Deposits
            | Self::Withdrawals
            | Self::Transfers
            | Self::Orders
            | Self::Tokens
            | Self::Chains
            | Self::Events
            | Self::Pairs
            | Self::Book
            | Self::Attention
            | Self::Watches => None,
        }
    }
}
