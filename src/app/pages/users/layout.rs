//! The layout of the Users page.

use crate::app::model::Model;
use crate::app::screen::{
    Area, Arrangement, Chrome, Pane, PaneArea, STACKED_MIN_HEIGHT, Size, TALL_MIN_HEIGHT, TWO_COLUMN_MIN_WIDTH,
};

/// The fewest rows of a boxed pane: two edges, one of them shared, column heads and one row.
const MIN_BOX_HEIGHT: u16 = 4;
/// The height of six boxes below one another, each of which shares an edge with the one above it.
const TWO_COLUMN_MIN_HEIGHT: u16 = 6 * (MIN_BOX_HEIGHT - 1) + 1;
const USER_DETAILS_HEIGHT: u16 = 13;

/// The list with all columns that it has at 80.
const LIST_WIDTH: u16 = 50;
/// From this width on, movements stand beside balances.
const THREE_COLUMN_MIN_WIDTH: u16 = 192;

pub(super) fn arrange(model: &Model, body: Area) -> Arrangement {
    let (Size { width, height }, focus) = (model.size, model.focus());
    let columns = |panes| Arrangement { panes, ..Arrangement::default() };
    if width >= THREE_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT {
        columns(three_columns(body, focus))
    } else if width >= TWO_COLUMN_MIN_WIDTH && body.height >= TWO_COLUMN_MIN_HEIGHT {
        columns(two_columns(body, focus))
    } else {
        let one = Arrangement::below_pane_bar(focus, body);
        if height < STACKED_MIN_HEIGHT {
            return one;
        }
        Arrangement { panes: stacked(body.without_top(1), focus, model.pages.users.detail_pane), ..one }
    }
}

/// The list over one pane of the selected user: the focused one, or the last that was.
fn stacked(body: Area, focus: Pane, below: Pane) -> Vec<PaneArea> {
    let (detail, upper) = if focus == Pane::Users { (below, body.height / 2) } else { (focus, body.height * 2 / 5) };
    let ruled = |pane, area| PaneArea { pane, area, chrome: Chrome::Ruled };
    vec![
        ruled(Pane::Users, Area::new(body.x, body.y, body.width, upper)),
        ruled(detail, Area::new(body.x, body.y + upper, body.width, body.height - upper)),
    ]
}

/// The list over the user's details at the left, all other panes at the right.
fn two_columns(body: Area, focus: Pane) -> Vec<PaneArea> {
    let left = LIST_WIDTH;
    let right = Area::new(body.x + left, body.y, body.width - left, body.height);
    let panes = [Pane::Holdings, Pane::Assets, Pane::Addresses, Pane::Deposits, Pane::Withdrawals, Pane::Transfers];
    users_over_details(Area { width: left, ..body }).into_iter().chain(stacked_boxes(right, &panes, focus)).collect()
}

/// The same, with deposits, withdrawals and transfers in a column of their own.
fn three_columns(body: Area, focus: Pane) -> Vec<PaneArea> {
    let left = LIST_WIDTH + (body.width - THREE_COLUMN_MIN_WIDTH) / 3;
    let middle = (body.width - left) / 2;
    let holdings_area = Area::new(body.x + left, body.y, middle, body.height);
    let movements_area = Area::new(holdings_area.x + middle, body.y, body.width - left - middle, body.height);
    let columns = stacked_boxes(holdings_area, &[Pane::Holdings, Pane::Assets, Pane::Addresses], focus);
    users_over_details(Area { width: left, ..body })
        .into_iter()
        .chain(columns)
        .chain(stacked_boxes(movements_area, &[Pane::Deposits, Pane::Withdrawals, Pane::Transfers], focus))
        .collect()
}

fn users_over_details(area: Area) -> Vec<PaneArea> {
    let person = USER_DETAILS_HEIGHT.min(area.height / 2);
    let upper = area.height - person + 1;
    vec![
        PaneArea { pane: Pane::Users, area: Area { height: upper, ..area }, chrome: Chrome::Boxed { hangs: false } },
        PaneArea {
            pane: Pane::User,
            area: Area { y: area.y + upper - 1, height: person, ..area },
            chrome: Chrome::Boxed { hangs: true },
        },
    ]
}

/// Boxes with common edges. Of the spare rows, the focused one gets three times the share of another.
fn stacked_boxes(area: Area, panes: &[Pane], focus: Pane) -> Vec<PaneArea> {
    let count = u16::try_from(panes.len()).unwrap_or(1).max(1);
    // Each box shares an edge with the one above it.
    let spare = (area.height + count - 1).saturating_sub(MIN_BOX_HEIGHT * count);
    let weight = |pane: Pane| if pane == focus { 3 } else { 1 };
    let weights: u16 = panes.iter().map(|pane| weight(*pane)).sum();
    let mut places = Vec::new();
    let mut y = area.y;
    for (index, pane) in panes.iter().enumerate() {
        let last = index + 1 == panes.len();
        let height = if last { area.y + area.height - y } else { MIN_BOX_HEIGHT + spare * weight(*pane) / weights };
        let chrome = Chrome::Boxed { hangs: index > 0 };
        places.push(PaneArea { pane: *pane, area: Area { y, height, ..area }, chrome });
        y += height - 1;
    }
    places
}
