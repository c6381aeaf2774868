//! The pane of events.

use super::open_event_order;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::export::list::filter_phrase;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::app::session::events::Event;
use crate::domain::export::cells::{Cell, ExportTable, columns, optional_cell};

pub struct EventsPane;

impl PaneLogic for EventsPane {
    shows_list!(model => model.pages.events.listing);

    fn follows_newest(&self) -> bool {
        true
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            open_event_order(model);
            Vec::new()
        })
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.events.filter)
    }

    /// The rows are arranged after this message.
    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.events.listing.reset_position();
        Vec::new()
    }

    fn has_sum(&self, model: &Model) -> bool {
        !model.pages.events.filter.is_empty()
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["event", "events"],
            qualifiers: filter_phrase(&model.pages.events.filter),
            rows: |model| {
                let events = &model.pages.events;
                let events_in_list = events.listing.rows().iter().filter_map(|id| events.find(*id));
                Some(ExportTable::new("events", EVENT_COLUMNS, events_in_list.map(event_cells)).into())
            },
        })
    }
}

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
