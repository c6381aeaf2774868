//! The payments of payables: found as the guard finds an earlier payment with the reference of a batch's recipient.

use std::collections::HashMap;

use super::{PaymentUnderReview, gather_payment_facts};
use crate::domain::draft::{Batch, Metadata, Recipient};
use crate::domain::order::OrderState;
use crate::domain::payables::{Payable, PaymentProgress, ReferencedPayment};
use crate::domain::{
    Amount, Order, OrderId, Sender, Text, Timestamp, TokenKey, Transaction, TransactionId, Verdict, WalletId,
};
use crate::guard::RecentPayment;
use crate::runtime::guard_facts::FactSources;
use crate::store::OutgoingRows;

/// The payments with the reference of each payable. A payment of one payable is none of another with that reference.
pub(in crate::runtime::guard_facts) fn payments_of_payables(
    sources: &FactSources<'_>,
    outgoing_rows: &OutgoingRows,
    payables: &[Payable],
    now: Timestamp,
) -> Vec<Vec<ReferencedPayment>> {
    let batch = batch_from_payables(payables);
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey { blockchain: Text::default(), contract: None },
        amount: Amount::zero(0),
    };
    let batch_payment = PaymentUnderReview::from_batch(&batch, &sender);
    let orders: HashMap<OrderId, &Order> = sources.orders.iter().map(|order| (order.id, order)).collect();
    let rows: HashMap<&TransactionId, &Transaction> =
        outgoing_rows.outgoing.iter().map(|(_, row)| (&row.id, row)).collect();
    let mut payments_by_payable = vec![Vec::new(); payables.len()];
    for recent in gather_payment_facts(sources, outgoing_rows, &batch_payment, now).recent {
        let order = recent.order.and_then(|id| orders.get(&id).copied());
        let row = recent.transaction.as_ref().and_then(|id| rows.get(id).copied());
        let payment = ReferencedPayment {
            to: recent.to.clone(),
            blockchain: recent.blockchain.clone(),
            token: recent.symbol.clone(),
            amount: recent.amount,
            progress: payment_progress(&recent, order, row, sources, now),
        };
        let mut sharing = batch_payment.own_references.recipients_sharing(&recent);
        let is_paid = |index: &usize| payables.get(*index).is_some_and(|payable| payable.is_paid_by(&payment));
        if sharing.iter().any(is_paid) {
            sharing.retain(is_paid);
        }
        for index in sharing {
            if let Some(payments) = payments_by_payable.get_mut(index) {
                payments.push(payment.clone());
            }
        }
    }
    payments_by_payable
}

/// The payables as recipients of one batch.
fn batch_from_payables(payables: &[Payable]) -> Batch {
    let recipient = |payable: &Payable| Recipient {
        address: payable.to.clone(),
        amount: Text::clean(&payable.amount.to_string()),
        label: None,
        reference: Some(payable.reference.clone()),
        line: None,
    };
    Batch {
        wallet: WalletId::from_text(""),
        blockchain: Text::default(),
        token: Text::default(),
        to: payables.iter().map(recipient).collect(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
        queue: None,
        file: None,
    }
}

/// By the history, else by the order. The rows of a batch are not told apart, so that its order counts.
fn payment_progress(
    payment: &RecentPayment,
    order: Option<&Order>,
    row: Option<&Transaction>,
    sources: &FactSources<'_>,
    now: Timestamp,
) -> PaymentProgress {
    let is_single = order.is_none_or(|order| order.recipient_count() <= 1);
    match (order, row.filter(|_| is_single)) {
        _ if payment.is_unresolved => PaymentProgress::Unknown,
        (_, Some(row)) => match row.verdict(sources.final_statuses) {
            Verdict::Settled => PaymentProgress::Confirmed,
            Verdict::Open => PaymentProgress::Sent,
            Verdict::Failed | Verdict::Contradiction => PaymentProgress::Unknown,
        },
        (Some(order), None) => match order.state(now) {
            OrderState::Settled | OrderState::PartlySettled => PaymentProgress::Confirmed,
            OrderState::Accepted => PaymentProgress::Sent,
            OrderState::Drafted
            | OrderState::Confirmed
            | OrderState::Sending
            | OrderState::NotSent
            | OrderState::Unknown
            | OrderState::ProbablyRefused
            | OrderState::Refused
            | OrderState::Failed
            | OrderState::Abandoned
            | OrderState::WrittenOff => PaymentProgress::Unknown,
        },
        (None, None) => PaymentProgress::Unknown,
    }
}
