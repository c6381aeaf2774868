//! The columns of an event of a console.

use crate::app::session::events::Event;
use crate::domain::export::cells::{Cell, columns, optional_cell};

columns! {
    pub fn event_cells(event: &Event) -> EVENT_COLUMNS {
        "at" => Some(event.at.to_string()),
        "first_at" => Some(event.first_at.to_string()),
        "times" => Some(event.occurrences.to_string()),
        "about" => Some(event.kind.label().to_owned()),
        "words" => Some(event.text.clone()),
        "order" => optional_cell(event.order.as_ref()),
    }
}
