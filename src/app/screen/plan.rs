//! The plan of the whole screen, for the page on it.

use super::{Area, Chrome, PaneArea, STACKED_MIN_HEIGHT, attention, is_too_small, markets, overview, users};
use crate::app::model::{Model, Page};
use crate::app::screen::Size;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenLayout {
    TooSmall,
    /// Header, pages, banner, summary of changes, panes, footer.
    Full {
        header: Area,
        tabs: Area,
        /// One row, while there is a warning.
        banner: Option<Area>,
        /// One row, while the summary of changes is open.
        absence_strip: Option<Area>,
        panes: Vec<PaneArea>,
        /// What needs a person, on the Overview, while anything does.
        attention: Option<Area>,
        /// One row that names the panes, where only one of them is shown.
        pane_bar: Option<Area>,
        /// The selected row in full, beside or below its list.
        detail: Option<Area>,
        /// One row: keys, a notice or the filter being typed.
        footer: Area,
    },
}

/// A pane with fewer rows shows no sum below them.
const MIN_ROWS_WITH_SUM: u16 = 4;

/// How many rows the sum takes below the list of a pane: one while a filter hides rows, if there is room.
pub fn sum_rows(model: &Model, place: &PaneArea) -> u16 {
    u16::from(model.has_sum(place.pane) && place.visible_rows() >= MIN_ROWS_WITH_SUM)
}

/// From this width on, panes are side by side: each is wide enough for the columns that it has alone at 80.
pub(super) const TWO_COLUMN_MIN_WIDTH: u16 = 120;
/// From this width on, the Overview has three columns above.
const THREE_COLUMN_MIN_WIDTH: u16 = 168;
/// From this width on, tokens and their pairs are side by side.
const MARKETS_MIN_WIDTH: u16 = 164;
/// From this width on, a list has its detail beside it and still all of its columns.
pub(super) const DETAIL_MIN_WIDTH: u16 = 190;
const LIST_WIDTH: u16 = 137;
/// From this height on, panes stand below one another beside others.
pub(super) const TALL_MIN_HEIGHT: u16 = 30;

/// From this height on, the Overview has a row for the total, above the four panes of a single column.
const TOTAL_MIN_HEIGHT: u16 = STACKED_MIN_HEIGHT + 1;

/// Rows of the box that shows the selected event in full.
const EVENT_DETAIL_HEIGHT: u16 = 6;

#[expect(clippy::wildcard_enum_match_arm, reason = "the other pages are one list")]
pub fn plan_layout(model: &Model) -> ScreenLayout {
    let Size { width, height } = model.size;
    if is_too_small(model.size) {
        return ScreenLayout::TooSmall;
    }
    let banner = model.banner().map(|_| Area::new(0, 2, width, 1));
    let top = first_body_row(model);
    let strip = model.session.absence.changes_while_away().map(|_| Area::new(0, top - 1, width, 1));
    let below_total = Area::new(0, top, width, height - top - 1).without_top(total_area(model).height);
    let attention = attention::strip_area(model, below_total);
    let body = below_total.without_top(attention.height);
    let mut pane_bar = None;
    let mut detail = None;
    let focus = model.focus();
    let whole = |area: Area| vec![PaneArea { pane: focus, area, chrome: Chrome::Ruled }];
    let places = match model.page {
        Page::Overview | Page::Users | Page::Markets | Page::Attention if model.pages.is_zoomed => whole(body),
        Page::Overview if width >= THREE_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT => overview::three_columns(body),
        Page::Overview if width >= TWO_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT => overview::two_columns(body),
        Page::Overview if height >= STACKED_MIN_HEIGHT => {
            overview::stacked(body, focus, model.pages.overview.accounts.count().number())
        }
        Page::Users if width >= users::THREE_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT => {
            users::three_columns(body, focus)
        }
        Page::Users if width >= TWO_COLUMN_MIN_WIDTH && body.height >= users::TWO_COLUMN_MIN_HEIGHT => {
            users::two_columns(body, focus)
        }
        Page::Users if height >= STACKED_MIN_HEIGHT => {
            pane_bar = Some(Area::new(0, body.y, width, 1));
            users::stacked(body.without_top(1), focus, model.pages.users.detail_pane)
        }
        Page::Markets if width >= MARKETS_MIN_WIDTH => {
            let (places, below) = markets::two_columns(body, model.pages.markets.tokens.count().number());
            detail = below;
            places
        }
        Page::Markets if height >= TALL_MIN_HEIGHT => markets::stacked(body),
        Page::Overview | Page::Users | Page::Markets => {
            pane_bar = Some(Area::new(0, body.y, width, 1));
            whole(body.without_top(1))
        }
        Page::Transactions | Page::Orders | Page::Events | Page::Book if width >= DETAIL_MIN_WIDTH => {
            let (list, beside) = list_and_detail(body);
            detail = Some(beside);
            whole(list)
        }
        Page::Attention => {
            let (places, beside) = attention::panes(model, body);
            detail = beside;
            places
        }
        // A narrow row may cut the sentence of an event.
        Page::Events if body.height >= 2 * EVENT_DETAIL_HEIGHT => {
            let list = body.height - EVENT_DETAIL_HEIGHT;
            detail = Some(Area::new(0, body.y + list, width, EVENT_DETAIL_HEIGHT));
            whole(Area { height: list, ..body })
        }
        _ => whole(body),
    };
    ScreenLayout::Full {
        header: Area::new(0, 0, width, 1),
        tabs: Area::new(0, 1, width, 1),
        banner,
        absence_strip: strip,
        attention: (attention.height > 0).then_some(attention),
        panes: places,
        pane_bar,
        detail,
        footer: Area::new(0, height - 1, width, 1),
    }
}

/// A list with all of its columns, and the details of its selected row beside it.
pub(super) fn list_and_detail(body: Area) -> (Area, Area) {
    let beside = (body.width - LIST_WIDTH).clamp(60, 84);
    let list = Area { width: body.width - beside, ..body };
    (list, Area { x: body.x + list.width, width: beside, ..body })
}

/// The first row below header, pages, banner and summary.
fn first_body_row(model: &Model) -> u16 {
    2 + u16::from(model.banner().is_some()) + u16::from(model.session.absence.changes_while_away().is_some())
}

/// The rows of the total above the panes of the Overview; none where the screen is low or nothing is valued.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other pages show no total")]
pub fn total_area(model: &Model) -> Area {
    let Size { width, height } = model.size;
    let is_valued = model.data.prices.settings.valuation.is_some() || model.session.veil.is_on();
    let rows = match model.page {
        Page::Overview if !is_valued || model.pages.is_zoomed || height < TOTAL_MIN_HEIGHT => 0,
        Page::Overview if width >= TWO_COLUMN_MIN_WIDTH && height >= TALL_MIN_HEIGHT => 2,
        Page::Overview => 1,
        _ => 0,
    };
    Area::new(0, first_body_row(model), width, rows)
}

/// The area of a text that fills the page: everything between `top` and the footer.
pub fn reading_area(model: &Model) -> Area {
    let Size { width, height } = model.size;
    let top = first_body_row(model);
    Area::new(0, top.min(height), width, height.saturating_sub(top + 1))
}
