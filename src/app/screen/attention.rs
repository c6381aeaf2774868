//! What needs a person: the strip on the Overview, and the page.

use super::plan::{DETAIL_MIN_WIDTH, TALL_MIN_HEIGHT, TWO_COLUMN_MIN_WIDTH, list_and_detail};
use super::{Area, Chrome, Pane, PaneArea, STACKED_MIN_HEIGHT};
use crate::app::model::{Model, Page};
use crate::app::screen::Size;

/// Rows of the box that says what to do about the selected item.
const DETAIL_HEIGHT: u16 = 8;
/// Rows of the list that this box leaves: with fewer, it is not shown.
const MIN_LIST_HEIGHT: u16 = 6;

/// The rows of the Overview that name what needs a person: none while nothing does.
pub(super) fn strip_area(model: &Model, body: Area) -> Area {
    let most = match model.size {
        _ if model.page != Page::Overview || model.pages.is_zoomed || body.height < STACKED_MIN_HEIGHT - 5 => 0,
        Size { width, height: TALL_MIN_HEIGHT.. } if width >= TWO_COLUMN_MIN_WIDTH => 3,
        _ => 1,
    };
    let rows = u16::try_from(model.pages.attention.open_count()).unwrap_or(u16::MAX).min(most);
    Area { height: rows, ..body }
}

/// What needs a person over the watches, with the details of the selected item beside or between them.
pub(super) fn panes(model: &Model, body: Area) -> (Vec<PaneArea>, Option<Area>) {
    let ruled = |pane, area| PaneArea { pane, area, chrome: Chrome::Ruled };
    let watches = u16::try_from(model.session.watches.count()).unwrap_or(u16::MAX).saturating_add(1);
    let watches = watches.clamp(3, (body.height / 3).max(3)).min(body.height);
    let (body, beside) = match body.width {
        DETAIL_MIN_WIDTH.. => list_and_detail(body),
        _ => (body, Area::default()),
    };
    let upper = Area { height: body.height - watches, ..body };
    let lower = Area { y: body.y + upper.height, height: watches, ..body };
    if beside.width > 0 {
        return (vec![ruled(Pane::Attention, upper), ruled(Pane::Watches, lower)], Some(beside));
    }
    if upper.height >= DETAIL_HEIGHT + MIN_LIST_HEIGHT {
        let list = Area { height: upper.height - DETAIL_HEIGHT, ..upper };
        let detail = Area { y: list.y + list.height, height: DETAIL_HEIGHT, ..upper };
        return (vec![ruled(Pane::Attention, list), ruled(Pane::Watches, lower)], Some(detail));
    }
    if body.height < 9 {
        let pane = model.focus();
        return (vec![ruled(pane, body)], None);
    }
    (vec![ruled(Pane::Attention, upper), ruled(Pane::Watches, lower)], None)
}
