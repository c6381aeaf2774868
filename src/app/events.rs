//! What happened while the console ran: the newest of it, in a ring of bounded size. Nothing here is kept on disk: the
//! journal holds the orders, and the service its history.

mod hints;
mod veiled;
mod watched;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::listing::Listing;
use super::model::{Mode, Model, Page};
use super::panes::Tone;
use super::update::whole_window;
use crate::domain::filter::WordFilter;
use crate::domain::intent::State;
use crate::domain::{OrderId, Text, Timestamp};

pub(super) use hints::{apply_hints, apply_listener_state};
pub(super) use watched::{StateBefore, record_changes, record_forbidden_reads};

/// How many events are held; the oldest give way.
pub const CAPACITY: usize = 2_000;

/// How many of the newest events are looked through for an equal one of a moment ago, which is then counted instead of told
/// again: a connection that flaps between two states takes two rows.
const TOLD_BEFORE: usize = 4;
/// How long ago a moment is: what comes back later is another event, or two outages would look like one.
const A_MOMENT: Duration = Duration::from_mins(5);

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The connection to the service, and whether its webhooks are heard.
    Link,
    /// A webhook came in: a hint to read now.
    Hint,
    /// A watch of the profile was raised or cleared.
    Watch,
    /// An order moved on.
    Order,
    /// What the console itself did.
    Console,
    /// What there is to show of a scene: words of the program's own, which name nobody and stand there through the veil.
    Cue,
}

impl EventKind {
    /// Its word in the list.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Hint => "hint",
            Self::Watch => "watch",
            Self::Order => "order",
            Self::Console => "console",
            Self::Cue => "cue",
        }
    }

    /// Whether somebody who looks at another page is told that there is one more.
    const fn counts(self) -> bool {
        match self {
            Self::Link | Self::Watch | Self::Order => true,
            Self::Hint | Self::Console | Self::Cue => false,
        }
    }
}

/// Which event, for as long as the console runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u64);

/// Something that happened, once or several times in the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Which.
    pub id: EventId,
    /// When it happened last.
    pub at: Timestamp,
    /// When it happened first.
    pub first_at: Timestamp,
    /// How often.
    pub times: u32,
    /// What it is about.
    pub kind: EventKind,
    /// What it means to its reader.
    pub tone: Tone,
    /// What happened, in words. Text of a service in it has been cleaned.
    pub words: String,
    /// The order that it is about, if it is about one.
    pub order: Option<OrderId>,
}

/// The Events page.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// The newest first.
    ring: VecDeque<Event>,
    /// How many there ever were: the next identifier.
    next: u64,
    /// How many happened since the page was last looked at.
    unread: usize,
    /// Moves with each change.
    revision: u64,
    /// The revision and the filter that the listing shows.
    arranged: Option<(u64, String)>,
    /// The rows on screen.
    pub listing: Listing<EventId>,
    /// The filter on them, as typed.
    pub filter: String,
    /// Whether the journal was read at all: before that, no orders means nothing.
    pub(super) is_journal_read: bool,
    /// How orders stood and how many alarms they had when they were last looked at.
    orders: Option<HashMap<OrderId, (State, usize)>>,
    /// Tells the key under which a request was frozen last from others.
    key: Option<Text>,
}

impl Events {
    /// Every event that is held, the newest first.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.ring.iter()
    }

    /// An event that is held.
    pub fn find(&self, id: EventId) -> Option<&Event> {
        self.ring.iter().find(|event| event.id == id)
    }

    /// How many happened since the page was last looked at.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// Takes note of something that happened.
    pub fn record(&mut self, at: Timestamp, kind: EventKind, tone: Tone, words: String, order: Option<OrderId>) {
        self.push(Event { id: EventId(self.next), at, first_at: at, times: 1, kind, tone, words, order });
    }

    /// Takes note of something that happened so often just now.
    pub fn record_times(&mut self, at: Timestamp, kind: EventKind, tone: Tone, words: String, times: u32) {
        self.push(Event { id: EventId(self.next), at, first_at: at, times, kind, tone, words, order: None });
    }

    fn push(&mut self, new: Event) {
        self.revision = self.revision.wrapping_add(1);
        let same = |event: &Event| {
            let equal = event.kind == new.kind && event.words == new.words && event.order == new.order;
            equal && event.first_at.age(new.at) <= A_MOMENT
        };
        if let Some(index) = self.ring.iter().take(TOLD_BEFORE).position(same)
            && let Some(mut event) = self.ring.remove(index)
        {
            event.times = event.times.saturating_add(new.times);
            event.at = new.at;
            event.tone = new.tone;
            self.ring.push_front(event);
            return;
        }
        self.next = self.next.wrapping_add(1);
        if new.kind.counts() {
            self.unread = self.unread.saturating_add(1).min(CAPACITY);
        }
        self.ring.push_front(new);
        self.ring.truncate(CAPACITY);
    }

    /// The identifiers of those that hold each word of a filter.
    fn matching(&self, filter: &str) -> Vec<EventId> {
        let words = WordFilter::parse(filter);
        let holds = |event: &&Event| words.matches([event.words.as_str(), event.kind.label()]);
        self.ring.iter().filter(holds).map(|event| event.id).collect()
    }
}

impl Model {
    /// Takes note of something that happened now.
    pub fn record_event(&mut self, kind: EventKind, tone: Tone, words: String) {
        self.events.record(self.now, kind, tone, words, None);
    }
}

/// A request was frozen under a key that `mark` tells from others. Keys are asked for anew for each review, so that one
/// that was changed in the meantime shows here first.
pub(super) fn record_key_use(model: &mut Model, mark: &Text) {
    // With a key of their own, changes are asked for under another one than reads from the start.
    let reads = if model.has_separate_keys { Text::default() } else { model.key_mark.clone() };
    let before = model.events.key.replace(mark.clone()).unwrap_or(reads);
    if !before.is_empty() && before != *mark {
        let words = if model.has_separate_keys {
            "the paying API key was changed: requests now use the new key"
        } else {
            "the API key was changed: requests now use the new key, and reads continue with the previous key"
        };
        model.record_event(EventKind::Console, Tone::Warn, words.into());
    }
}

/// Brings the list up to date. To be called after every message; only the page that is looked at costs anything.
pub(super) fn arrange(model: &mut Model) {
    if model.page != Page::Events {
        return;
    }
    if matches!(model.mode, Mode::Browse | Mode::Filter { .. }) {
        model.events.unread = 0;
    }
    let wanted = (model.events.revision, model.events.filter.clone());
    if model.events.arranged.as_ref() != Some(&wanted) {
        let ids = model.events.matching(&wanted.1);
        model.events.listing.apply_window(whole_window(ids));
        model.events.arranged = Some(wanted);
    }
}
