//! What needs a person: the items that stand, and their acknowledgements.

mod cached_history_items;
mod masking;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::app::listing::Listing;
use crate::domain::Timestamp;
use crate::domain::attention::{
    Acknowledgement, AcknowledgementChange, Acknowledgements, AttentionId, AttentionItem, HistoryFindings, Severity,
};
use crate::domain::order::ConsoleIdentity;

pub use cached_history_items::CachedHistoryItems;

/// The shortest pause before the history is examined again.
const EXAMINATION_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Default)]
pub struct AttentionState {
    /// What the history shows, as last examined; `None` before the first time.
    pub findings: Option<HistoryFindings>,
    pub acknowledgements: Acknowledgements,
    /// All items that stand, the gravest first; those that somebody acknowledged last.
    pub items: Vec<AttentionItem>,
    pub cached_history_items: CachedHistoryItems,
    pub listing: Listing<AttentionId>,
    /// Whether acknowledged items are left out of the list.
    pub hides_acknowledged: bool,
    /// The number of the last examination.
    examination: u64,
    in_flight: bool,
    examined_at: Option<Timestamp>,
    /// Whether the history may have changed since.
    is_outdated: bool,
    /// Since when items without a time of their own stand.
    standing_since: BTreeMap<AttentionId, Timestamp>,
}

impl AttentionState {
    /// The items that nobody has acknowledged.
    pub fn open_items(&self) -> impl Iterator<Item = &AttentionItem> {
        self.items.iter().filter(|item| self.acknowledgements.find(&item.id).is_none())
    }

    pub fn open_count(&self) -> usize {
        self.acknowledgements.count_open(&self.items)
    }

    pub fn gravest(&self) -> Option<Severity> {
        self.open_items().map(|item| item.kind.severity()).min()
    }

    pub fn find(&self, id: &AttentionId) -> Option<&AttentionItem> {
        self.items.iter().find(|item| item.id == *id)
    }

    pub fn acknowledgement(&self, id: &AttentionId) -> Option<&Acknowledgement> {
        self.acknowledgements.find(id)
    }

    /// The selected item, or the first on screen while none is selected.
    pub fn shown_item(&self) -> Option<&AttentionItem> {
        let id = self.listing.selected_key().or_else(|| self.listing.visible_rows().next().map(|(id, _)| id))?;
        self.find(id)
    }

    /// Takes the items of this moment.
    pub(in crate::app) fn replace_items(&mut self, mut items: Vec<AttentionItem>) {
        crate::domain::attention::sort_items(&mut items);
        let acknowledgements = &self.acknowledgements;
        items.sort_by_key(|item| acknowledgements.find(&item.id).is_some());
        self.standing_since.retain(|id, _| items.iter().any(|item| item.id == *id));
        self.items = items;
    }

    /// Since when an item without a time of its own stands.
    pub(in crate::app) fn standing_since(&mut self, id: AttentionId, now: Timestamp) -> Timestamp {
        *self.standing_since.entry(id).or_insert(now)
    }

    /// Applies changes at once; the journal's answer follows.
    pub(in crate::app) fn apply_changes(
        &mut self,
        changes: &[AcknowledgementChange],
        now: Timestamp,
        by: &ConsoleIdentity,
    ) {
        for change in changes {
            self.acknowledgements.apply(change.clone(), now, by.clone());
        }
    }

    pub(in crate::app) fn mark_outdated(&mut self) {
        self.is_outdated = true;
    }

    /// The history is to be examined again at once.
    pub(in crate::app) fn reexamine(&mut self) {
        self.examined_at = None;
    }

    /// When the history is to be examined again.
    pub(in crate::app) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        match self.examined_at {
            _ if self.in_flight => None,
            None => Some(now),
            Some(at) => self.is_outdated.then(|| at.plus(EXAMINATION_PAUSE)),
        }
    }

    pub(in crate::app) fn start_examination(&mut self, now: Timestamp) -> u64 {
        (self.in_flight, self.is_outdated, self.examined_at) = (true, false, Some(now));
        self.examination += 1;
        self.examination
    }

    /// Takes the result of an examination; `None` if it failed.
    pub(in crate::app) fn apply_findings(&mut self, examination: u64, findings: Option<HistoryFindings>) {
        if examination != self.examination {
            return;
        }
        self.in_flight = false;
        match findings {
            Some(findings) => {
                self.findings = Some(findings);
                self.cached_history_items.invalidate();
            }
            None => self.is_outdated = true,
        }
    }
}
