//! The layout of the Overview.

use crate::app::model::Model;
use crate::app::screen::{
    Area, Arrangement, Chrome, Page, Pane, PaneArea, STACKED_MIN_HEIGHT, Size, TALL_MIN_HEIGHT, TWO_COLUMN_MIN_WIDTH,
    two_stacked_boxes,
};
use crate::app::session::attention;

/// From this width on, accounts, wallets and balances stand side by side.
const THREE_COLUMN_MIN_WIDTH: u16 = 168;
/// From this height on, there is a row for the total above the four panes of a single column.
const TOTAL_MIN_HEIGHT: u16 = STACKED_MIN_HEIGHT + 1;
/// With fewer rows below the total, what needs a person is counted in the header alone.
const MIN_HEIGHT_WITH_ATTENTION: u16 = STACKED_MIN_HEIGHT - 5;
const ACCOUNTS_WIDTH: u16 = 48;
/// Wallets with unshortened addresses.
const FULL_WALLETS_WIDTH: u16 = 82;
const BALANCES_WIDTH: u16 = 70;

/// The total, what needs a person, and the panes.
pub(super) fn arrange(model: &Model, body: Area) -> Arrangement {
    let Size { width, height } = model.size;
    let (has_columns, focus) = (width >= TWO_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT, model.focus());
    let total = Area { height: total_rows(model, has_columns), ..body };
    let below_total = body.without_top(total.height);
    let attention = Area { height: attention_rows(model, has_columns, below_total.height), ..below_total };
    let body = below_total.without_top(attention.height);
    let panes = if has_columns && width >= THREE_COLUMN_MIN_WIDTH {
        three_columns(body)
    } else if has_columns {
        two_columns(body)
    } else if height >= STACKED_MIN_HEIGHT {
        stacked(body, focus, model.pages.overview.accounts.count().number())
    } else {
        Vec::new()
    };
    let arrangement = if panes.is_empty() {
        Arrangement::below_pane_bar(focus, body)
    } else {
        Arrangement { panes, ..Arrangement::default() }
    };
    let is_shown = |area: &Area| area.height > 0;
    Arrangement { total: Some(total).filter(is_shown), attention: Some(attention).filter(is_shown), ..arrangement }
}

/// The rows of the total: none where the screen is low or nothing is valued.
fn total_rows(model: &Model, has_columns: bool) -> u16 {
    let is_valued = model.data.prices.settings.valuation.is_some() || model.session.veil.is_on();
    if !is_valued || model.size.height < TOTAL_MIN_HEIGHT { 0 } else { 1 + u16::from(has_columns) }
}

/// The rows that name what needs a person: none while nothing does.
fn attention_rows(model: &Model, has_columns: bool, below_total: u16) -> u16 {
    let most = match below_total {
        ..MIN_HEIGHT_WITH_ATTENTION => 0,
        _ if has_columns => 3,
        _ => 1,
    };
    u16::try_from(attention::open_count(model)).unwrap_or(u16::MAX).min(most)
}

/// Accounts over wallets at the left of the balances, transactions below over the full width.
fn two_columns(body: Area) -> Vec<PaneArea> {
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
fn three_columns(body: Area) -> Vec<PaneArea> {
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
fn stacked(body: Area, focus: Pane, accounts: u64) -> Vec<PaneArea> {
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
    let all = Page::Overview.panes();
    let spare = body.height.saturating_sub(all.iter().map(|pane| least(*pane)).sum());
    let focused_spare = if focus == Pane::Accounts { spare.min(accounts.saturating_sub(least(focus))) } else { spare };
    let mut y = body.y;
    all.iter()
        .map(|&pane| {
            let rest = if pane == Pane::Recent { spare - focused_spare } else { 0 };
            let height = least(pane) + rest + if pane == focus { focused_spare } else { 0 };
            let area = Area::new(body.x, y, body.width, height);
            y += height;
            PaneArea { pane, area, chrome: Chrome::Ruled }
        })
        .collect()
}
