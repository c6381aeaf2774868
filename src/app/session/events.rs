//! Events of this session: the newest ones, in a ring of bounded size. Nothing here is stored on disk: the journal
//! holds the orders, and the service its history.

mod hints;
mod masking;
mod record;
mod state_changes;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::app::listing::{Keyed, Listing};
use crate::app::pages::Tone;
use crate::domain::filter::AllWordsFilter;
use crate::domain::order::OrderState;
use crate::domain::{OrderId, Text, Timestamp};

pub(in crate::app) use hints::{apply_hints, apply_listener_state};
pub(in crate::app) use record::{rebuild_list, record_key_change};
pub(in crate::app) use state_changes::{PreviousState, record_changes, record_forbidden_reads};

pub const MAX_EVENTS: usize = 2_000;

/// How many of the newest events are searched for an equal recent one, which is then counted instead of repeated: a
/// connection that flaps between two states takes two rows.
const REPEAT_SEARCH_DEPTH: usize = 4;
/// Longer ago, an equal event is a new one, or two outages would look like one.
const REPEAT_WINDOW: Duration = Duration::from_mins(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The connection to the service, and whether its webhooks can be received.
    Connection,
    /// A webhook was received: a hint to read now.
    Hint,
    /// A watch of the profile was raised or cleared.
    Watch,
    /// An order changed state.
    Order,
    /// An action of the console itself.
    Console,
    /// A cue for the presenter: the program's own words, which name no party and stay readable through the veil.
    Cue,
}

impl EventKind {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Connection => "link",
            Self::Hint => "hint",
            Self::Watch => "watch",
            Self::Order => "order",
            Self::Console => "console",
            Self::Cue => "cue",
        }
    }

    /// Whether it adds to the unread count that other pages show.
    const fn counts_as_unread(self) -> bool {
        match self {
            Self::Connection | Self::Watch | Self::Order => true,
            Self::Hint | Self::Console | Self::Cue => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u64);

impl Keyed for EventId {
    type Key = Self;
    fn key(&self) -> Self {
        *self
    }
}

/// An event, once or repeated in the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    pub at: Timestamp,
    pub first_at: Timestamp,
    pub occurrences: u32,
    pub kind: EventKind,
    pub tone: Tone,
    /// Text from the service in it has been cleaned.
    pub text: String,
    pub order: Option<OrderId>,
}

/// What of an order is news when it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OrderStanding {
    state: OrderState,
    alarms: Vec<String>,
    approvals: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Events {
    /// Newest first.
    ring: VecDeque<Event>,
    /// How many events were ever recorded: the next identifier.
    next_id: u64,
    /// Events since the page was last shown.
    unread: usize,
    /// Advances with each change.
    revision: u64,
    /// The revision and the filter that the listing reflects.
    listed_inputs: Option<(u64, String)>,
    pub listing: Listing<EventId>,
    pub filter: String,
    /// Whether the journal was read: before that, an empty list of orders means nothing.
    pub(in crate::app) is_journal_read: bool,
    /// Each order at the last comparison.
    last_order_states: Option<HashMap<OrderId, OrderStanding>>,
    /// The mark of the API key under which the last request was serialised.
    last_key_mark: Option<Text>,
}

impl Events {
    /// Every event, newest first.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.ring.iter()
    }

    pub fn find(&self, id: EventId) -> Option<&Event> {
        self.ring.iter().find(|event| event.id == id)
    }

    pub fn unread_count(&self) -> usize {
        self.unread
    }

    pub fn record(&mut self, at: Timestamp, kind: EventKind, tone: Tone, text: String, order: Option<OrderId>) {
        self.add_or_count_again(Event {
            id: EventId(self.next_id),
            at,
            first_at: at,
            occurrences: 1,
            kind,
            tone,
            text,
            order,
        });
    }

    pub fn record_repeated(&mut self, at: Timestamp, kind: EventKind, tone: Tone, text: String, times: u32) {
        self.add_or_count_again(Event {
            id: EventId(self.next_id),
            at,
            first_at: at,
            occurrences: times,
            kind,
            tone,
            text,
            order: None,
        });
    }

    fn add_or_count_again(&mut self, new: Event) {
        self.revision = self.revision.wrapping_add(1);
        let is_same = |event: &Event| {
            let equal = event.kind == new.kind && event.text == new.text && event.order == new.order;
            equal && event.first_at.age(new.at) <= REPEAT_WINDOW
        };
        if let Some(index) = self.ring.iter().take(REPEAT_SEARCH_DEPTH).position(is_same)
            && let Some(mut event) = self.ring.remove(index)
        {
            event.occurrences = event.occurrences.saturating_add(new.occurrences);
            event.at = new.at;
            event.tone = new.tone;
            self.ring.push_front(event);
            return;
        }
        self.next_id = self.next_id.wrapping_add(1);
        if new.kind.counts_as_unread() {
            self.unread = self.unread.saturating_add(1).min(MAX_EVENTS);
        }
        self.ring.push_front(new);
        self.ring.truncate(MAX_EVENTS);
    }

    fn matching_ids(&self, filter: &str) -> Vec<EventId> {
        let word_filter = AllWordsFilter::parse(filter);
        let holds = |event: &&Event| word_filter.matches([event.text.as_str(), event.kind.label()]);
        self.ring.iter().filter(holds).map(|event| event.id).collect()
    }
}
