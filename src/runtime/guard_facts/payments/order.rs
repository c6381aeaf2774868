//! An order of this console that moved or may have moved money: a payment to one recipient or to several, or a swap,
//! whose sale counts as a payment without a recipient.

use std::collections::HashSet;

use super::PaymentUnderReview;
use crate::domain::order::OrderState;
use crate::domain::{Amount, Draft, FinalStatuses, Order, Sender, Skew, Text, Timestamp};
use crate::guard::{Outflow, RecentPayment, SameFileOrder};

pub(super) struct SentOrder<'a> {
    pub(super) order: &'a Order,
    /// The chain, in the service's spelling.
    pub(super) blockchain: &'a Text,
    /// The symbol of the token that leaves.
    pub(super) token: &'a Text,
    pub(super) ref_id: Option<&'a Text>,
    pub(super) sent_at: Timestamp,
    sender: &'a Sender,
    state: OrderState,
    /// Each recipient's address; empty for a swap.
    recipients: Vec<&'a Text>,
    /// The own reference of each recipient of a batch; empty for other orders.
    own_references: Vec<Option<&'a Text>>,
    amounts: Vec<Amount>,
    /// Recipients of a finished batch that the service reports as not paid.
    failed: HashSet<u32>,
}

/// The money-moving orders among these, newest first. An order counts as sent no earlier than any older order was
/// created, so that a clock that was set back makes none older. Creation times in the future are ignored: a clock was
/// ahead.
pub(super) fn sent_orders<'a>(
    journal_orders: &'a [Order],
    final_statuses: &FinalStatuses,
    now: Timestamp,
) -> Vec<SentOrder<'a>> {
    let mut latest = None;
    let orders = journal_orders.iter().rev().filter_map(|journal_order| {
        latest = latest.max(Some(journal_order.created.at).filter(|created_at| *created_at <= now));
        let order = SentOrder::from_order(journal_order, final_statuses, now)?;
        Some(SentOrder { sent_at: latest.map_or(order.sent_at, |latest| latest.max(order.sent_at)), ..order })
    });
    let mut orders: Vec<SentOrder<'a>> = orders.collect();
    orders.reverse();
    orders
}

impl<'a> SentOrder<'a> {
    fn from_order(journal_order: &'a Order, final_statuses: &FinalStatuses, now: Timestamp) -> Option<Self> {
        let (draft, sender) = (&journal_order.drafted.draft, journal_order.drafted.sender.as_ref()?);
        let blockchain = draft.chain(Some(sender))?;
        let (token, to) = match (draft.payment_details(), draft.exchange()) {
            (Some(pays), _) => (pays.token, pays.to.into_iter().map(|(to, _)| to).collect()),
            (None, Some(exchange)) => (exchange.from, Vec::new()),
            (None, None) => return None,
        };
        let amounts = if let Draft::Batch(batch) = draft {
            // Unreadable amounts count as the whole for each recipient.
            batch.amounts(sender.amount.decimals()).unwrap_or_else(|| vec![sender.amount; batch.to.len()])
        } else if draft.exchange().is_some() {
            // A swap has no recipient.
            Vec::new()
        } else {
            vec![sender.amount]
        };
        let (sent_at, state, ref_id) = (order_sent_at(journal_order)?, journal_order.state(now), draft.reference());
        let failed = journal_order.finally_unpaid_recipients(final_statuses);
        let own_references = if let Draft::Batch(batch) = draft {
            batch.to.iter().map(|to| to.reference.as_ref()).collect()
        } else {
            Vec::new()
        };
        Some(Self {
            order: journal_order,
            blockchain,
            token,
            ref_id,
            sent_at,
            sender,
            state,
            recipients: to,
            own_references,
            amounts,
            failed,
        })
    }

    /// Whether it was executed, or may have been. An order that was written off is closed, not undone.
    pub(super) fn may_have_paid(&self) -> bool {
        matches!(
            self.state,
            OrderState::Sending
                | OrderState::Unknown
                | OrderState::ProbablyRefused
                | OrderState::Accepted
                | OrderState::Settled
                | OrderState::PartlySettled
                | OrderState::WrittenOff
        )
    }

    pub(super) fn was_accepted(&self) -> bool {
        matches!(self.state, OrderState::Accepted | OrderState::Settled | OrderState::PartlySettled)
    }

    /// Recipients that may have been paid, with their amounts.
    pub(super) fn unfailed_payments(&self) -> impl Iterator<Item = (&'a Text, Amount)> {
        self.unfailed_payments_with_references().map(|(to, amount, _)| (to, amount))
    }

    /// The same, with the recipients' own references.
    fn unfailed_payments_with_references(&self) -> impl Iterator<Item = (&'a Text, Amount, Option<&'a Text>)> {
        let all = self.recipients.iter().zip(&self.amounts).zip(0_u32..);
        let parts_left = all.filter(|(_, part)| !self.failed.contains(part));
        parts_left.map(|((to, amount), part)| {
            let own = usize::try_from(part).ok().and_then(|index| self.own_references.get(index).copied().flatten());
            (*to, *amount, own)
        })
    }

    /// The outflow to each recipient; for a swap the amount sold.
    pub(super) fn outflows(&self) -> Vec<Outflow> {
        let exchange = self.order.drafted.draft.exchange();
        // The chain of a version 1 swap is unknown.
        let blockchain = exchange.map_or(Some(self.blockchain), |exchange| exchange.chain);
        let spent = |to: Option<&Text>, amount| Outflow {
            at: Some(self.sent_at),
            to: to.cloned(),
            blockchain: blockchain.cloned().unwrap_or_default(),
            token: self.sender.token.clone(),
            symbol: self.token.clone(),
            amount,
            is_unresolved: self.is_unresolved(),
        };
        if exchange.is_some() {
            return vec![spent(None, self.sender.amount)];
        }
        self.unfailed_payments().map(|(to, amount)| spent(Some(to), amount)).collect()
    }

    pub(super) fn as_recent_payments(&self) -> Vec<RecentPayment> {
        let to_payment = |(to, amount, own): (&Text, Amount, Option<&Text>)| RecentPayment {
            order: Some(self.order.id),
            transaction: self.order.transaction_id().cloned(),
            at: Some(self.sent_at),
            to: to.clone(),
            blockchain: self.blockchain.clone(),
            token: self.sender.token.clone(),
            symbol: self.token.clone(),
            amount,
            ref_id: self.ref_id.cloned(),
            recipient_reference: own.cloned(),
            note: self.order.drafted.draft.note().cloned(),
            state: order_state_text(self.state).into(),
            is_unresolved: self.is_unresolved(),
        };
        self.unfailed_payments_with_references().map(to_payment).collect()
    }

    /// Whether its outcome is unknown, or it is being sent at this moment, or the history contradicts its end.
    fn is_unresolved(&self) -> bool {
        matches!(self.state, OrderState::Sending | OrderState::Unknown | OrderState::ProbablyRefused)
            || self.order.is_reopened()
    }

    /// Reports this order if it paid the very same file, however long ago.
    pub(super) fn earlier_payment_of_file(&self, payment: &PaymentUnderReview<'_>) -> Option<SameFileOrder> {
        let Draft::Batch(batch) = &self.order.drafted.draft else { return None };
        let hash = &payment.file?.sha256;
        let is_same = batch.file.as_ref().is_some_and(|file| file.sha256 == *hash);
        is_same.then(|| SameFileOrder {
            order: self.order.id,
            at: self.sent_at,
            total: self.sender.amount,
            state: order_state_text(self.state).into(),
        })
    }
}

/// When an order was sent. If its transaction became final much later, by the service's clock, this machine's clock may
/// have been behind, and the time of finality counts instead.
pub(in crate::runtime::guard_facts) fn order_sent_at(order: &Order) -> Option<Timestamp> {
    let sent_at = order.first_sent_at()?;
    let finals = order.sure_observations().filter_map(|observed| observed.confirmed_at).max();
    Some(finals.filter(|at| sent_at.age(*at) > Skew::TOLERANCE).unwrap_or(sent_at))
}

pub(in crate::runtime::guard_facts) fn order_state_text(state: OrderState) -> &'static str {
    match state {
        OrderState::Drafted | OrderState::Confirmed => "not sent yet",
        OrderState::Sending => "being sent",
        OrderState::NotSent => "not sent",
        OrderState::Unknown => "outcome unknown",
        OrderState::ProbablyRefused => "probably rejected",
        OrderState::Refused => "rejected",
        OrderState::Accepted => "accepted",
        OrderState::Settled => "settled",
        OrderState::PartlySettled => "partly settled",
        OrderState::Failed => "failed",
        OrderState::Abandoned => "abandoned",
        OrderState::WrittenOff => "written off",
    }
}
