//! Fits texts and lists to the screen: limits scrolling, sets the height of lists and requests missing rows.

use super::layout::body::body_area;
use super::layout::{ScreenLayout, plan_layout, sum_rows};
use super::model::{Mode, Model};
use super::msg::Effect;
use super::overlays::{detail, help};
use super::pages;
use super::pages::registry::pane_logic;

/// The lines of the open text; 0 if none is open.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes are no texts")]
pub(super) fn text_line_count(model: &Model, mode: &Mode) -> u16 {
    let columns = body_area(model).width;
    let lines = match mode {
        Mode::Help { chapter, .. } => help::chapter_lines(model, *chapter, columns).len(),
        Mode::Detail { row, .. } => detail::transaction_lines(model, row, columns).len(),
        Mode::Record { record, .. } => detail::wrap_detail_lines(record.detail_lines(model), columns).len(),
        Mode::Chart(chart) => chart.line_count(model),
        Mode::Order { id, .. } => pages::orders::order_detail_lines(model, *id, columns, true).len(),
        _ => 0,
    };
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// Keeps the last page of an open text on screen. A text at its top is not wrapped to find out how long it is.
pub(super) fn clamp_text_scroll(model: &mut Model) {
    if model.mode.scroll_top().is_none_or(|top| *top == 0) {
        return;
    }
    let visible = body_area(model).height.saturating_sub(1);
    let last = text_line_count(model, &model.mode).saturating_sub(visible);
    if let Some(top) = model.mode.scroll_top() {
        *top = (*top).min(last);
    }
}

/// Sets the height of every list, and queries rows that are missing.
pub(super) fn fit_lists(model: &mut Model) -> Vec<Effect> {
    let ScreenLayout::Full { page, .. } = plan_layout(model) else { return Vec::new() };
    let mut effects = Vec::new();
    for place in page.panes {
        let rows = place.visible_rows() - sum_rows(model, &place);
        let pane = pane_logic(place.pane);
        if pane.list_mut(model).is_some_and(|list| list.set_height(rows)) {
            effects.extend(pane.query_rows(model));
        }
    }
    effects
}
