//! The layout: which pane is where, for every size of the screen. Pure: drawing and keys use the same plan.

pub mod body;

use super::model::Model;
use super::pages::registry::{page_logic, pane_logic};
use super::screen::{Area, Arrangement, Pane, PaneArea, Size, is_too_small};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenLayout {
    TooSmall,
    /// Header, pages, banner, summary of changes, the page itself, footer.
    Full {
        header: Area,
        tabs: Area,
        /// One row, while there is a warning.
        banner: Option<Area>,
        /// One row, while the summary of changes is open.
        absence_strip: Option<Area>,
        page: Arrangement,
        /// One row: keys, a notice or the filter being typed.
        footer: Area,
    },
}

/// A pane with fewer rows shows no sum below them.
const MIN_ROWS_WITH_SUM: u16 = 4;

/// How many rows the sum takes below the list of a pane: one while a filter hides rows, if there is room.
pub fn sum_rows(model: &Model, place: &PaneArea) -> u16 {
    u16::from(pane_logic(place.pane).has_sum(model) && place.visible_rows() >= MIN_ROWS_WITH_SUM)
}

/// Whether a pane is on screen.
pub fn shows_pane(model: &Model, pane: Pane) -> bool {
    let ScreenLayout::Full { page, .. } = plan_layout(model) else { return false };
    page.panes.iter().any(|place| place.pane == pane)
}

pub fn plan_layout(model: &Model) -> ScreenLayout {
    let Size { width, height } = model.size;
    if is_too_small(model.size) {
        return ScreenLayout::TooSmall;
    }
    let body = body::body_area(model);
    let row = |y| Area::new(0, y, width, 1);
    ScreenLayout::Full {
        header: row(0),
        tabs: row(1),
        banner: model.banner().map(|_| row(2)),
        absence_strip: model.session.absence.changes_while_away().map(|_| row(body.y - 1)),
        page: if model.pages.is_zoomed {
            Arrangement::whole(model.focus(), body)
        } else {
            page_logic(model.page).arrange(model, body)
        },
        footer: row(height - 1),
    }
}

#[cfg(test)]
mod tests;
