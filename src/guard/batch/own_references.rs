//! The references that the recipients of a batch have of their own: paid before, or twice in the batch.

use std::collections::HashMap;

use super::{GuardedBatch, row_labels};
use crate::domain::draft::Recipient;
use crate::domain::{Batch, Withdrawal};
use crate::guard::reference::OwnReferences;
use crate::guard::{Finding, GuardedPayment, Override, RecentPayment, Rule, duplicate, truncate_word};

/// For each recipient with a reference of its own, the earlier payments that may share it.
pub(super) fn payments_by_recipient<'a>(case: &GuardedBatch<'a>) -> HashMap<usize, Vec<&'a RecentPayment>> {
    let own = OwnReferences::from_batch(case.request);
    let mut payments: HashMap<usize, Vec<&RecentPayment>> = HashMap::new();
    for payment in &case.facts.recent_payments {
        for index in own.recipients_sharing(payment) {
            payments.entry(index).or_default().push(payment);
        }
    }
    payments
}

pub(super) fn judge(one: &GuardedPayment<'_>, to: &Recipient, payments: &[&RecentPayment]) -> Vec<Finding> {
    let row_request = Withdrawal { ref_id: to.reference.clone(), note: None, ..one.request.clone() };
    duplicate::judge_own_reference(&GuardedPayment { request: &row_request, ..*one }, payments)
}

/// Recipients of one batch that carry the same reference.
pub(super) fn repeated(batch: &Batch) -> Vec<Finding> {
    let own = OwnReferences::from_batch(batch);
    let finding = |indices: &[usize]| {
        let reference =
            indices.first().and_then(|index| batch.to.get(*index)?.reference.as_deref()).unwrap_or_default();
        let message = format!(
            "{} carry the same reference ({}): it may be the same invoice, to be paid {} times.",
            row_labels(batch, indices),
            truncate_word(reference),
            indices.len()
        );
        Finding::danger(Rule::Duplicate, Override::SameReference, message)
    };
    own.repeated().map(finding).collect()
}
