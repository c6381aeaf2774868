//! The layout: which pane is where, for every size of the screen. Pure: drawing and keys use the same plan.

mod area;
mod attention;
mod markets;
mod overview;
mod page;
mod plan;
mod users;

pub use area::{Area, Chrome, Size};
pub use page::Page;
pub use plan::{ScreenLayout, plan_layout, reading_area, sum_rows, total_area};

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneArea {
    pub pane: Pane,
    pub area: Area,
    pub chrome: Chrome,
}

impl PaneArea {
    /// The area inside of the frame.
    pub fn content(&self) -> Area {
        let area = self.area;
        match self.chrome {
            Chrome::Boxed { .. } => Area::new(
                area.x + 1,
                area.y + 1,
                area.width.saturating_sub(2),
                // The lower edge is drawn by this box, or by the one below that shares it.
                area.height.saturating_sub(2),
            ),
            Chrome::Ruled => area.without_top(1),
        }
    }

    /// How many rows of the list are visible, without its heads.
    pub fn visible_rows(&self) -> u16 {
        let height = self.content().height;
        height.saturating_sub(head_rows(self.pane, height))
    }
}

/// A list of fewer rows has no column heads.
pub const MIN_HEIGHT_WITH_HEADS: u16 = 4;

/// The rows above the list of a pane: column heads, and the row of all accounts or wallets.
fn head_rows(pane: Pane, height: u16) -> u16 {
    match pane {
        Pane::User | Pane::Watches => 0,
        Pane::Accounts | Pane::Wallets => 1 + u16::from(height >= MIN_HEIGHT_WITH_HEADS),
        Pane::Balances
        | Pane::Users
        | Pane::Holdings
        | Pane::Assets
        | Pane::Addresses
        | Pane::Deposits
        | Pane::Withdrawals
        | Pane::Transfers
        | Pane::Recent
        | Pane::History
        | Pane::Orders
        | Pane::Tokens
        | Pane::Chains
        | Pane::Pairs
        | Pane::Events
        | Pane::Attention
        | Pane::Book => u16::from(height >= MIN_HEIGHT_WITH_HEADS),
    }
}

/// The smallest screen that shows panes.
pub const MIN_SCREEN_SIZE: Size = Size { width: 40, height: 10 };
/// From this height on, the single column shows all four panes.
const STACKED_MIN_HEIGHT: u16 = 20;

pub fn panes_of_page(page: Page) -> &'static [Pane] {
    match page {
        Page::Overview => &[Pane::Accounts, Pane::Wallets, Pane::Balances, Pane::Recent],
        Page::Users => &[
            Pane::Users,
            Pane::User,
            Pane::Holdings,
            Pane::Assets,
            Pane::Addresses,
            Pane::Deposits,
            Pane::Withdrawals,
            Pane::Transfers,
        ],
        Page::Transactions => &[Pane::History],
        Page::Orders => &[Pane::Orders],
        Page::Markets => &[Pane::Tokens, Pane::Pairs, Pane::Chains],
        Page::Events => &[Pane::Events],
        Page::Book => &[Pane::Book],
        Page::Attention => &[Pane::Attention, Pane::Watches],
    }
}

pub fn is_too_small(size: Size) -> bool {
    size.width < MIN_SCREEN_SIZE.width || size.height < MIN_SCREEN_SIZE.height
}

/// Two boxes with a common edge.
fn two_stacked_boxes(x: u16, y: u16, width: u16, height: u16, upper: u16, above: Pane, below: Pane) -> [PaneArea; 2] {
    [
        PaneArea { pane: above, area: Area::new(x, y, width, upper), chrome: Chrome::Boxed { hangs: false } },
        PaneArea {
            pane: below,
            area: Area::new(x, y + upper - 1, width, height - upper + 1),
            chrome: Chrome::Boxed { hangs: true },
        },
    ]
}

#[cfg(test)]
mod tests;
