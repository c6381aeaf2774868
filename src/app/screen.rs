//! The layout: which pane is where, for every size of the screen. Pure: drawing and keys use the same plan.

mod plan;

use super::model::Page;
use super::msg::{HistoryList, Size};
pub use plan::{ScreenLayout, plan_layout, reading_area, sum_rows, total_area};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Area {
    const fn new(x: u16, y: u16, width: u16, height: u16) -> Self {
        Self { x, y, width, height }
    }

    #[must_use]
    pub fn without_top(self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        Self { y: self.y + rows, height: self.height - rows, ..self }
    }
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
            | Self::Transfers
            | Self::Orders
            | Self::Tokens
            | Self::Chains
            | Self::Events
            | Self::Pairs
            | Self::Book => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chrome {
    /// A box around the pane.
    Boxed {
        /// Whether it shares its upper edge with the box above.
        hangs: bool,
    },
    /// A rule with the title above the pane, over the full width.
    Ruled,
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

    /// How many rows of the list are visible, without the column heads.
    pub fn visible_rows(&self) -> u16 {
        self.content().height.saturating_sub(column_head_rows(self.pane))
    }
}

pub fn column_head_rows(pane: Pane) -> u16 {
    match pane {
        Pane::Wallets | Pane::Recent | Pane::User => 0,
        // Of the accounts, the row of all of them.
        Pane::Accounts
        | Pane::Balances
        | Pane::Users
        | Pane::Holdings
        | Pane::Assets
        | Pane::Addresses
        | Pane::Deposits
        | Pane::Transfers
        | Pane::History
        | Pane::Orders
        | Pane::Tokens
        | Pane::Chains
        | Pane::Pairs
        | Pane::Events
        | Pane::Book => 1,
    }
}

/// The smallest screen that shows panes.
pub const MIN_SCREEN_SIZE: Size = Size { width: 40, height: 10 };
/// Columns of wallets with unshortened addresses, and of balances with all of their columns.
const FULL_WALLETS_WIDTH: u16 = 76;
const FULL_BALANCES_WIDTH: u16 = 80;

pub fn panes_of_page(page: Page) -> &'static [Pane] {
    match page {
        Page::Overview => &[Pane::Accounts, Pane::Wallets, Pane::Balances, Pane::Recent],
        Page::Users => {
            &[Pane::Users, Pane::User, Pane::Holdings, Pane::Assets, Pane::Addresses, Pane::Deposits, Pane::Transfers]
        }
        Page::Transactions => &[Pane::History],
        Page::Orders => &[Pane::Orders],
        Page::Markets => &[Pane::Tokens, Pane::Pairs, Pane::Chains],
        Page::Events => &[Pane::Events],
        Page::Book => &[Pane::Book],
    }
}

pub fn is_too_small(size: Size) -> bool {
    size.width < MIN_SCREEN_SIZE.width || size.height < MIN_SCREEN_SIZE.height
}

/// Accounts over wallets at the left, balances over transactions at the right.
fn overview_in_two_columns(body: Area) -> Vec<PaneArea> {
    let left = (body.width / 3 + 4).clamp(38, 50);
    let accounts = (body.height / 4).clamp(5, 9);
    let balances = (body.height / 2).max(6);
    two_stacked_boxes(body.x, body.y, left, body.height, accounts, Pane::Accounts, Pane::Wallets)
        .into_iter()
        .chain(two_stacked_boxes(
            body.x + left,
            body.y,
            body.width - left,
            body.height,
            balances,
            Pane::Balances,
            Pane::Recent,
        ))
        .collect()
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

/// Accounts, wallets and balances side by side, transactions below over the full width.
fn overview_in_three_columns(body: Area) -> Vec<PaneArea> {
    let upper = body.height / 2;
    let accounts = (body.width / 5).clamp(32, 44);
    // Unshortened addresses where the balances have enough room beside them.
    let room = body.width - accounts;
    let wallets = if room >= FULL_WALLETS_WIDTH + FULL_BALANCES_WIDTH {
        FULL_WALLETS_WIDTH
    } else {
        (body.width / 4).clamp(42, 56)
    };
    let boxed = Chrome::Boxed { hangs: false };
    let (x, y) = (body.x, body.y);
    vec![
        PaneArea { pane: Pane::Accounts, area: Area::new(x, y, accounts, upper), chrome: boxed },
        PaneArea { pane: Pane::Wallets, area: Area::new(x + accounts, y, wallets, upper), chrome: boxed },
        PaneArea {
            pane: Pane::Balances,
            area: Area::new(x + accounts + wallets, y, body.width - accounts - wallets, upper),
            chrome: boxed,
        },
        PaneArea {
            pane: Pane::Recent,
            area: Area::new(x, y + upper, body.width, body.height - upper),
            chrome: Chrome::Ruled,
        },
    ]
}

/// All four panes in one column; the focused one gets the spare rows, and the transactions get what it cannot fill.
fn overview_stacked(body: Area, focus: Pane, accounts: u64) -> Vec<PaneArea> {
    // The title, the row of all accounts, and each of them.
    let accounts = u16::try_from(accounts.saturating_add(2)).unwrap_or(u16::MAX);
    let least = |pane| {
        if pane == Pane::Accounts {
            3
        } else if pane == Pane::Balances {
            6
        } else {
            4
        }
    };
    let all = panes_of_page(Page::Overview);
    let spare = body.height.saturating_sub(all.iter().map(|pane| least(*pane)).sum());
    let takes = if focus == Pane::Accounts { spare.min(accounts.saturating_sub(least(focus))) } else { spare };
    let mut y = body.y;
    all.iter()
        .map(|&pane| {
            let left = if pane == Pane::Recent { spare - takes } else { 0 };
            let height = least(pane) + left + if pane == focus { takes } else { 0 };
            let area = Area::new(body.x, y, body.width, height);
            y += height;
            PaneArea { pane, area, chrome: Chrome::Ruled }
        })
        .collect()
}

/// Tokens at the left; the pairs of the selected token over its chains at the right.
fn markets_in_two_columns(body: Area) -> Vec<PaneArea> {
    let left = body.width / 2;
    let boxed = Chrome::Boxed { hangs: false };
    let tokens = PaneArea { pane: Pane::Tokens, area: Area::new(body.x, body.y, left, body.height), chrome: boxed };
    let upper = (body.height * 3 / 5).max(4);
    let right =
        two_stacked_boxes(body.x + left, body.y, body.width - left, body.height, upper, Pane::Pairs, Pane::Chains);
    std::iter::once(tokens).chain(right).collect()
}

mod users;

#[cfg(test)]
mod tests;
