//! The detail box beside a wide list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::to_rect;
use crate::app::model::Model;
use crate::app::overlays::detail;
use crate::app::pages::orders;
use crate::app::screen::Area;
use crate::domain::history::Sort;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

/// Draws the selected transaction, or the first one on screen.
pub(super) fn draw_transaction(model: &Model, theme: &Theme, area: Area, buf: &mut Buffer) {
    let listing = &model.history.listing;
    let row = listing.selected().or_else(|| listing.visible_rows().next().map(|(row, _)| row));
    let newest = model.history.query.sort == Sort::Newest && listing.first_visible_rank() == 0;
    let title = match (listing.selected(), newest) {
        (Some(_), _) => "Selected",
        (None, true) => "Newest",
        (None, false) => "First on screen",
    };
    chrome::draw_box(buf, to_rect(area), false, &PaneTitle { title: title.into(), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    match row {
        Some(row) => {
            detail::view::view(model, theme, row, 0, inner, buf);
        }
        None => paint::put_centered(buf, inner, "—", theme.dim),
    }
}

/// Draws the selected order, or the first one, which needs attention most.
pub(super) fn draw_order(model: &Model, theme: &Theme, area: Area, buf: &mut Buffer) {
    let list = &model.order_list;
    let id = list.selected_key().or_else(|| list.visible_rows().next().map(|(id, _)| id));
    let title = if list.selected_key().is_some() { "Selected" } else { "First on screen" };
    chrome::draw_box(buf, to_rect(area), false, &PaneTitle { title: title.into(), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    match id {
        Some(id) => orders::view::draw_order(model, theme, *id, 0, inner, buf),
        None => paint::put_centered(buf, inner, "—", theme.dim),
    }
}
