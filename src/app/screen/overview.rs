//! The layout of the Overview.

use super::{Area, Chrome, Pane, PaneArea, STACKED_MIN_HEIGHT, panes_of_page, two_stacked_boxes};
use crate::app::model::Page;

const ACCOUNTS_WIDTH: u16 = 48;
/// Wallets with unshortened addresses.
const FULL_WALLETS_WIDTH: u16 = 82;
const BALANCES_WIDTH: u16 = 70;

/// Accounts over wallets at the left of the balances, transactions below over the full width.
pub(super) fn two_columns(body: Area) -> Vec<PaneArea> {
    let (upper, balances_x) = (body.height * 5 / 9, body.x + ACCOUNTS_WIDTH);
    let accounts = (upper * 2 / 5).clamp(5, 9);
    let balances = PaneArea {
        pane: Pane::Balances,
        area: Area::new(balances_x, body.y, body.width - ACCOUNTS_WIDTH, upper),
        chrome: Chrome::Boxed { hangs: false },
    };
    two_stacked_boxes(body.x, body.y, ACCOUNTS_WIDTH, upper, accounts, Pane::Accounts, Pane::Wallets)
        .into_iter()
        .chain([balances, recent_below(body, upper)])
        .collect()
}

/// The newest transactions, which have the full width.
fn recent_below(body: Area, upper: u16) -> PaneArea {
    PaneArea {
        pane: Pane::Recent,
        area: Area::new(body.x, body.y + upper, body.width, body.height - upper),
        chrome: Chrome::Ruled,
    }
}

/// Accounts, wallets and balances side by side, transactions below over the full width.
pub(super) fn three_columns(body: Area) -> Vec<PaneArea> {
    let upper = body.height / 2;
    let accounts = ACCOUNTS_WIDTH;
    // Unshortened addresses where the balances have enough room beside them.
    let wallets = (body.width - accounts).saturating_sub(BALANCES_WIDTH).min(FULL_WALLETS_WIDTH);
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
        recent_below(body, upper),
    ]
}

/// All four panes in one column; the focused one gets the spare rows, and the transactions get what it cannot fill.
pub(super) fn stacked(body: Area, focus: Pane, accounts: u64) -> Vec<PaneArea> {
    // The title, the column heads, the row of all accounts, and each of them.
    let accounts = u16::try_from(accounts.saturating_add(3)).unwrap_or(u16::MAX);
    let least = |pane| {
        if pane == Pane::Accounts {
            3
        } else if pane == Pane::Balances {
            6
        } else {
            // The transactions have their column heads where there is a row for them.
            4 + u16::from(pane == Pane::Recent && body.height > STACKED_MIN_HEIGHT - 2)
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
