//! The payment under judgement, to one recipient or to several.

use std::collections::HashMap;

use crate::domain::address::{ComparableAddress, is_same_address};
use crate::domain::draft::BatchFile;
use crate::domain::{Batch, Sender, Text, Withdrawal};
use crate::guard::OwnReferences;

/// The properties by which other payments are compared with a payment.
pub(in crate::runtime::guard_facts) struct PaymentUnderReview<'a> {
    pub(super) blockchain: &'a Text,
    pub(super) token: &'a Text,
    pub(super) ref_id: Option<&'a Text>,
    pub(super) note: Option<&'a Text>,
    pub(super) sender: &'a Sender,
    pub(super) file: Option<&'a BatchFile>,
    /// Those of a batch's recipients.
    pub(super) own_references: OwnReferences,
    recipients: PaymentRecipients<'a>,
}

enum PaymentRecipients<'a> {
    One(&'a Text),
    /// The indices of each address in the batch, and the number of recipients.
    Several(HashMap<ComparableAddress, Vec<usize>>, usize),
}

impl<'a> PaymentUnderReview<'a> {
    pub(in crate::runtime::guard_facts) fn from_withdrawal(withdrawal: &'a Withdrawal, sender: &'a Sender) -> Self {
        let Withdrawal { blockchain, token, ref_id, note, to, .. } = withdrawal;
        let (ref_id, note) = (ref_id.as_ref(), note.as_ref());
        let own_references = OwnReferences::default();
        let recipients = PaymentRecipients::One(to);
        Self { blockchain, token, ref_id, note, sender, file: None, own_references, recipients }
    }

    pub(in crate::runtime::guard_facts) fn from_batch(batch: &'a Batch, sender: &'a Sender) -> Self {
        let Batch { blockchain, token, ref_id, note, to, file, .. } = batch;
        let mut places: HashMap<ComparableAddress, Vec<usize>> = HashMap::new();
        for (index, recipient) in to.iter().enumerate() {
            places.entry(ComparableAddress::parse(&recipient.address)).or_default().push(index);
        }
        let (ref_id, note, file) = (ref_id.as_ref(), note.as_ref(), file.as_ref());
        let own_references = OwnReferences::from_batch(batch);
        let recipients = PaymentRecipients::Several(places, to.len());
        Self { blockchain, token, ref_id, note, sender, file, own_references, recipients }
    }

    pub(super) fn recipient_count(&self) -> usize {
        match &self.recipients {
            PaymentRecipients::One(_) => 1,
            PaymentRecipients::Several(_, count) => *count,
        }
    }

    /// The indices of the recipients at an address.
    pub(super) fn recipient_indices_at(&self, address: &str) -> Vec<usize> {
        match &self.recipients {
            PaymentRecipients::One(to) if is_same_address(to, address) => vec![0],
            PaymentRecipients::One(_) => Vec::new(),
            PaymentRecipients::Several(places, _) => {
                places.get(&ComparableAddress::parse(address)).cloned().unwrap_or_default()
            }
        }
    }
}
