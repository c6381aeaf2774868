//! The columns of an event of a console.

use super::table::{Cell, optional_cell};
use crate::app::session::events::Event;

pub const EVENT_COLUMNS: [&str; 6] = ["at", "first_at", "times", "about", "words", "order"];

pub fn event_cells(event: &Event) -> [Cell; EVENT_COLUMNS.len()] {
    [
        Some(event.at.to_string()),
        Some(event.first_at.to_string()),
        Some(event.occurrences.to_string()),
        Some(event.kind.label().to_owned()),
        Some(event.words.clone()),
        optional_cell(event.order.as_ref()),
    ]
}
