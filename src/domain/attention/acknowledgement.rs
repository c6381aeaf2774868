//! Acknowledgements: somebody has seen an item and takes care of it. They are recorded, so that they outlive a restart
//! and other consoles of the profile see them.

use std::collections::HashMap;

use uuid::Uuid;

use super::{AttentionId, AttentionItem};
use crate::domain::order::ConsoleIdentity;
use crate::domain::{Text, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    pub at: Timestamp,
    pub by: ConsoleIdentity,
    /// Empty where nothing was noted.
    pub note: Text,
}

/// A recorded change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgementChange {
    pub item: AttentionId,
    /// The note of an acknowledgement; `None` where it was withdrawn, by hand or since the item was over.
    pub note: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Acknowledgements(HashMap<AttentionId, Acknowledgement>);

impl Acknowledgements {
    /// Applies a record: the later one counts.
    pub fn apply(&mut self, change: AcknowledgementChange, at: Timestamp, by: ConsoleIdentity) {
        match change.note {
            Some(note) => drop(self.0.insert(change.item, Acknowledgement { at, by, note })),
            None => drop(self.0.remove(&change.item)),
        }
    }

    pub fn find(&self, item: &AttentionId) -> Option<&Acknowledgement> {
        self.0.get(item)
    }

    /// The same without notes and names.
    #[must_use]
    pub fn to_masked(&self, mask_id: impl Fn(&AttentionId) -> AttentionId) -> Self {
        let nobody = |acknowledgement: &Acknowledgement| {
            let Acknowledgement { at, by: ConsoleIdentity { user: _, host: _, run: _ }, note: _ } = acknowledgement;
            let by = ConsoleIdentity { user: "•••".into(), host: Text::default(), run: Uuid::nil() };
            Acknowledgement { at: *at, by, note: Text::default() }
        };
        Self(self.0.iter().map(|(id, acknowledgement)| (mask_id(id), nobody(acknowledgement))).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many items nobody has acknowledged.
    pub fn count_open(&self, items: &[AttentionItem]) -> usize {
        items.iter().filter(|item| self.find(&item.id).is_none()).count()
    }

    /// Acknowledgements of these kinds' items that no longer stand: if such an item stands again, it is another
    /// occurrence. `has_ended` is asked only of identifiers that `items` lacks.
    pub fn ended_item_ids<'a>(
        &'a self,
        items: &'a [AttentionItem],
        has_ended: impl Fn(&AttentionId) -> bool + 'a,
    ) -> impl Iterator<Item = &'a AttentionId> {
        self.0.keys().filter(move |id| !items.iter().any(|item| item.id == **id) && has_ended(id))
    }
}
