//! Events since the console was opened, newest first.

pub(in crate::app) mod page;
pub mod pane;
pub mod view;

use super::Tone;
use crate::app::model::{Mode, Model};
use crate::app::session::events::Event;

/// The selected event, or the first on screen while none is selected.
pub fn shown_event(model: &Model) -> Option<&Event> {
    let listing = &model.pages.events.listing;
    let id = listing.selected_key().or_else(|| listing.visible_rows().next().map(|(id, _)| id))?;
    model.pages.events.find(*id)
}

/// Opens the order of the selected event; where none is selected, selects the first one instead.
pub fn open_event_order(model: &mut Model) {
    if model.pages.events.listing.select_first_visible() {
        return;
    }
    let Some(order) = shown_event(model).map(|event| event.order) else { return };
    match order {
        Some(id) => model.show_mode(Mode::Order { id, top: 0 }),
        None => model.notice = Some("this event has no further details".into()),
    }
}

pub fn event_text(event: &Event) -> String {
    if event.occurrences > 1 { format!("{} (×{})", event.text, event.occurrences) } else { event.text.clone() }
}

/// The details of an event, wrapped to `columns`, for the box beside or below the list.
pub fn event_detail_lines(model: &Model, event: &Event, columns: u16) -> Vec<(String, Tone)> {
    let mut lines: Vec<_> =
        crate::domain::text::wrap(&event_text(event), columns).into_iter().map(|line| (line, event.tone)).collect();
    let last = model.console.zone.format_with_offset(event.at, "%Y-%m-%d %H:%M:%S");
    let when = if event.occurrences > 1 {
        format!("first {}, last {last}", model.console.zone.format_with_offset(event.first_at, "%Y-%m-%d %H:%M:%S"))
    } else {
        last
    };
    lines.push((when, Tone::Dim));
    if event.order.is_some() {
        lines.push(("Enter shows the order".into(), Tone::Dim));
    }
    lines
}
