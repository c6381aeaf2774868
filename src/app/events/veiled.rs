//! Events seen through the veil: when something happened and what it is about, and not what was said of it. Cues alone
//! were written to be read through it.

use super::{Event, EventKind, Events};
use crate::app::veil::WITHHELD_MESSAGE;
use crate::domain::OrderId;

impl Events {
    /// The same rows without their words; `id` gives the stand-in of an order.
    pub(in crate::app) fn masked(&self, filter: String, id: impl Fn(&OrderId) -> OrderId) -> Self {
        let veiled = |event: &Event| {
            let Event { id: number, at, first_at, times, kind, tone, words, order } = event;
            Event {
                id: *number,
                at: *at,
                first_at: *first_at,
                times: (*times).min(1),
                kind: *kind,
                tone: *tone,
                words: if *kind == EventKind::Cue { words.clone() } else { WITHHELD_MESSAGE.into() },
                order: order.as_ref().map(&id),
            }
        };
        Self {
            ring: self.ring.iter().map(veiled).collect(),
            listing: self.listing.masked(|number| *number, |number| *number),
            filter,
            ..Self::default()
        }
    }
}
