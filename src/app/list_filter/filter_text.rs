//! The filter of a list: its text, and what follows when it is changed.

use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;

pub(in crate::app) fn filter_text_mut(model: &mut Model, pane: Pane) -> Option<&mut String> {
    pane_logic(pane).filter().map(|text| text(model))
}

/// Whether the list has a filter with named fields, such as `dir:in`.
pub(in crate::app) fn has_named_fields(pane: Pane) -> bool {
    matches!(pane, Pane::Recent | Pane::History)
}

/// Sets the filter of a list and queries it again, unless the filter is unchanged.
pub(in crate::app) fn set_filter(model: &mut Model, pane: Pane, value: String) -> Vec<Effect> {
    let Some(filter) = filter_text_mut(model, pane).filter(|filter| **filter != value) else { return Vec::new() };
    *filter = value;
    pane_logic(pane).after_filter_change(model)
}
