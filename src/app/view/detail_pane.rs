//! The details of the selected row, or of the first on screen, beside or below its list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::to_rect;
use crate::app::model::{Model, Page};
use crate::app::overlays::detail;
use crate::app::pages::{attention, book, events, markets, orders};
use crate::app::screen::Area;
use crate::domain::history::Sort;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

#[expect(clippy::wildcard_enum_match_arm, reason = "the other pages have no pane of details")]
pub(super) fn draw(model: &Model, theme: &Theme, area: Area, buf: &mut Buffer) {
    chrome::draw_box(buf, to_rect(area), false, &PaneTitle { title: title(model), ..PaneTitle::default() }, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    let is_drawn = match model.page {
        Page::Transactions => draw_transaction(model, theme, inner, buf),
        Page::Orders => draw_order(model, theme, inner, buf),
        Page::Events => events::view::draw_detail(model, theme, inner, buf),
        Page::Book => book::view::draw_detail(model, theme, inner, buf),
        Page::Attention => attention::view::draw_detail(model, theme, inner, buf),
        Page::Markets => markets::view::draw_chart(model, theme, inner, buf),
        _ => false,
    };
    if !is_drawn {
        paint::put_centered(buf, inner, "—", theme.dim);
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other pages have no pane of details")]
fn title(model: &Model) -> String {
    let history = &model.pages.transactions;
    let (is_selected, is_newest) = match model.page {
        Page::Transactions => (
            history.listing.selected().is_some(),
            history.query.sort == Sort::Newest && history.listing.first_visible_rank() == 0,
        ),
        Page::Orders => (model.pages.orders.listing.selected_key().is_some(), false),
        Page::Events => {
            (model.pages.events.listing.selected_key().is_some(), model.pages.events.listing.first_visible_rank() == 0)
        }
        Page::Book => (model.pages.book.listing.selected().is_some(), false),
        Page::Attention => return "What to do".into(),
        Page::Markets => return markets::view::chart_title(model),
        _ => (true, false),
    };
    match (is_selected, is_newest) {
        (true, _) => "Selected",
        (false, true) => "Newest",
        (false, false) => "First on screen",
    }
    .into()
}

fn draw_transaction(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
    let listing = &model.pages.transactions.listing;
    let row = listing.selected().or_else(|| listing.visible_rows().next().map(|(row, _)| row));
    row.is_some_and(|row| {
        detail::view::view(model, theme, row, 0, area, buf);
        true
    })
}

/// Without a selected one, the first order needs attention most.
fn draw_order(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
    let list = &model.pages.orders.listing;
    let id = list.selected_key().or_else(|| list.visible_rows().next().map(|(id, _)| id));
    id.is_some_and(|id| {
        orders::view::draw_order(model, theme, *id, 0, area, buf);
        true
    })
}
