//! Events under the veil: time and kind stay, the words are withheld. Only cues are written to be read through it.

use super::{Event, EventKind, Events};
use crate::app::session::veil::WITHHELD_MESSAGE;
use crate::domain::OrderId;

impl Events {
    /// The same rows with their words withheld; `id` gives the stand-in of an order.
    pub(in crate::app) fn to_masked(&self, filter: String, id: impl Fn(&OrderId) -> OrderId) -> Self {
        let veiled = |event: &Event| {
            let Event { id: number, at, first_at, occurrences, kind, tone, text, order } = event;
            Event {
                id: *number,
                at: *at,
                first_at: *first_at,
                occurrences: (*occurrences).min(1),
                kind: *kind,
                tone: *tone,
                text: if *kind == EventKind::Cue { text.clone() } else { WITHHELD_MESSAGE.into() },
                order: order.as_ref().map(&id),
            }
        };
        Self {
            ring: self.ring.iter().map(veiled).collect(),
            listing: self.listing.to_masked(|number| *number, |number| *number),
            filter,
            ..Self::default()
        }
    }
}
