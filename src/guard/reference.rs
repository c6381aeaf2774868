//! Whether two payments have the same reference or note, however it is spelt.

use std::collections::BTreeMap;

use super::RecentPayment;
use crate::domain::reference::normalise_reference;
use crate::domain::{Batch, Text, Withdrawal};

/// Whether two payments share a reference or note for whose original spelling `holds` is true.
fn shares_reference(this: &[Option<&Text>], that: &[Option<&Text>], holds: impl Fn(&str) -> bool) -> bool {
    let references: Vec<String> = that.iter().copied().flatten().filter_map(normalise_reference).collect();
    let is_among = |name: &Text| normalise_reference(name).is_some_and(|name| references.contains(&name));
    this.iter().copied().flatten().any(|name| is_among(name) && holds(name))
}

/// Whether a payment with this reference and note may count as the same as an earlier one.
pub fn may_share_reference(ref_id: Option<&Text>, note: Option<&Text>, payment: &RecentPayment) -> bool {
    shares_reference(&[ref_id, note], &words_of(payment), |_| true)
}

/// Whether an earlier payment has the same reference, or the same invoice number in its note.
pub(super) fn has_same_reference(withdrawal: &Withdrawal, payment: &RecentPayment) -> bool {
    let own = [withdrawal.ref_id.as_ref(), withdrawal.note.as_ref()];
    shares_reference(&own[..1], &[payment.ref_id.as_ref(), payment.recipient_reference.as_ref()], |_| true)
        || shares_reference(&own, &words_of(payment), |name| name.contains(char::is_numeric))
}

/// Whether a reference or note is the same, even if it consists only of words that recur, such as `rent`.
pub(super) fn has_same_words(withdrawal: &Withdrawal, payment: &RecentPayment) -> bool {
    shares_reference(&[withdrawal.ref_id.as_ref(), withdrawal.note.as_ref()], &words_of(payment), |_| true)
}

fn words_of(payment: &RecentPayment) -> [Option<&Text>; 3] {
    [payment.ref_id.as_ref(), payment.note.as_ref(), payment.recipient_reference.as_ref()]
}

/// The references that the recipients of a batch have of their own, and the recipients of each, to be compared with
/// many payments at once.
#[derive(Debug, Clone, Default)]
pub struct OwnReferences {
    recipients: BTreeMap<String, Vec<usize>>,
}

impl OwnReferences {
    pub fn from_batch(batch: &Batch) -> Self {
        let mut recipients: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, to) in batch.to.iter().enumerate() {
            if let Some(reference) = to.reference.as_ref().and_then(normalise_reference) {
                recipients.entry(reference).or_default().push(index);
            }
        }
        Self { recipients }
    }

    /// The recipients that share a reference or note with an earlier payment.
    pub fn recipients_sharing(&self, payment: &RecentPayment) -> Vec<usize> {
        if self.recipients.is_empty() {
            return Vec::new();
        }
        let shared = words_of(payment).into_iter().flatten().filter_map(normalise_reference);
        let mut indices: Vec<usize> = shared.filter_map(|name| self.recipients.get(&name)).flatten().copied().collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// The recipients of each reference that several of them have.
    pub(super) fn repeated(&self) -> impl Iterator<Item = &[usize]> {
        self.recipients.values().filter(|indices| indices.len() > 1).map(Vec::as_slice)
    }
}
