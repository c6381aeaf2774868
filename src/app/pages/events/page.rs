//! Events as a page.

use crate::app::model::Model;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, DETAIL_MIN_WIDTH, Pane};
use crate::app::session::events;

/// Rows of the box that shows the selected event in full.
const DETAIL_HEIGHT: u16 = 6;

pub(in crate::app) struct EventsLogic;

impl PageLogic for EventsLogic {
    fn arrange(&self, _model: &Model, body: Area) -> Arrangement {
        // A narrow row may cut the sentence of an event.
        if body.width < DETAIL_MIN_WIDTH && body.height >= 2 * DETAIL_HEIGHT {
            let list = Area { height: body.height - DETAIL_HEIGHT, ..body };
            let detail = Area { y: list.y + list.height, height: DETAIL_HEIGHT, ..body };
            return Arrangement { detail: Some(detail), ..Arrangement::whole(Pane::Events, list) };
        }
        Arrangement::list_and_detail(Pane::Events, body)
    }

    fn rebuild_list(&self, model: &mut Model) {
        events::rebuild_list(model);
    }
}
