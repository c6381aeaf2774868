//! Filters on lists.

pub mod completions;
mod context;
pub(super) mod examples;
pub mod filter_line;
pub mod view;

use super::model::Model;
use super::msg::Effect;
use super::pages::panes;
use super::screen::Pane;
pub(super) use context::parse_context;

pub(super) fn filter_text_mut(model: &mut Model, pane: Pane) -> Option<&mut String> {
    panes::logic(pane).filter().map(|text| text(model))
}

/// Whether the list has a filter with named fields, such as `dir:in`.
pub(super) fn has_named_fields(pane: Pane) -> bool {
    matches!(pane, Pane::Recent | Pane::History)
}

/// Sets the filter of a list and queries it again, unless the filter is unchanged.
pub(super) fn set_filter(model: &mut Model, pane: Pane, value: String) -> Vec<Effect> {
    let Some(filter) = filter_text_mut(model, pane).filter(|filter| **filter != value) else { return Vec::new() };
    *filter = value;
    panes::logic(pane).after_filter_change(model)
}
