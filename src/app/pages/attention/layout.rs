//! The layout of the page of what needs a person.

use crate::app::model::Model;
use crate::app::screen::{Area, Arrangement, Chrome, DETAIL_MIN_WIDTH, Pane, PaneArea, list_and_detail};

/// Rows of the box that says what to do about the selected item.
const DETAIL_HEIGHT: u16 = 8;
/// Rows of the list that this box leaves: with fewer, it is not shown.
const MIN_LIST_HEIGHT: u16 = 6;
/// With fewer rows, the list or the watches have the page to themselves.
const MIN_HEIGHT_OF_BOTH: u16 = 9;

/// What needs a person over the watches, with the details of the selected item beside or between them.
pub(super) fn arrange(model: &Model, body: Area) -> Arrangement {
    let watches = u16::try_from(model.session.watches.count()).unwrap_or(u16::MAX).saturating_add(1);
    let watches = watches.clamp(3, (body.height / 3).max(3)).min(body.height);
    let (left, beside) = if body.width < DETAIL_MIN_WIDTH {
        (body, None)
    } else {
        let (list, beside) = list_and_detail(body);
        (list, Some(beside))
    };
    let upper = Area { height: left.height - watches, ..left };
    let lower = Area { y: left.y + upper.height, height: watches, ..left };
    let (list, detail) = if beside.is_some() || upper.height < DETAIL_HEIGHT + MIN_LIST_HEIGHT {
        (upper, beside)
    } else {
        let list = Area { height: upper.height - DETAIL_HEIGHT, ..upper };
        (list, Some(Area { y: list.y + list.height, height: DETAIL_HEIGHT, ..upper }))
    };
    if detail.is_none() && body.height < MIN_HEIGHT_OF_BOTH {
        return Arrangement::whole(model.focus(), body);
    }
    let ruled = |pane, area| PaneArea { pane, area, chrome: Chrome::Ruled };
    Arrangement {
        panes: vec![ruled(Pane::Attention, list), ruled(Pane::Watches, lower)],
        detail,
        ..Arrangement::default()
    }
}
