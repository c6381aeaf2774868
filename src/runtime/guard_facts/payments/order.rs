//! An order of this console by which money left or may have left: a payment to one recipient or to several, or a swap,
//! whose sale counts like a payment that names no recipient.

use std::collections::HashSet;

use super::ComparablePayment;
use crate::domain::address::is_same_address;
use crate::domain::comparison::{Recipients, ReportedPayment};
use crate::domain::intent::State;
use crate::domain::{
    Amount, Draft, FinalStatuses, Order, ReportedAmount, Sender, Skew, SubType, Text, Timestamp, Transaction, chain,
};
use crate::guard::{Outflow, RecentPayment, SameFileOrder};

/// An order of this console that moves money.
pub(super) struct SentOrder<'a> {
    pub(super) order: &'a Order,
    /// The chain, in the word that the service uses.
    pub(super) blockchain: &'a Text,
    /// The symbol of what leaves.
    pub(super) token: &'a Text,
    /// The reference for people.
    pub(super) ref_id: Option<&'a Text>,
    pub(super) sent_at: Timestamp,
    sender: &'a Sender,
    state: State,
    /// Each recipient's address; none of a swap.
    to: Vec<&'a Text>,
    /// How much each recipient gets.
    amounts: Vec<Amount>,
    /// Recipients of a batch that is over who got nothing, by the service's word.
    failed: HashSet<u32>,
}

/// The orders among these intents, of which the newest comes first. Each was sent at the earliest when any before it was born:
/// a clock that was behind makes none older. What says a time that has not come yet was written by a clock that was ahead,
/// and shows nothing.
pub(super) fn sent_orders<'a>(intents: &'a [Order], words: &FinalStatuses, now: Timestamp) -> Vec<SentOrder<'a>> {
    let mut latest = None;
    let orders = intents.iter().rev().filter_map(|intent| {
        latest = latest.max(Some(intent.created.at).filter(|born| *born <= now));
        let order = SentOrder::of(intent, words, now)?;
        Some(SentOrder { sent_at: latest.map_or(order.sent_at, |latest| latest.max(order.sent_at)), ..order })
    });
    let mut orders: Vec<SentOrder<'a>> = orders.collect();
    orders.reverse();
    orders
}

impl<'a> SentOrder<'a> {
    fn of(intent: &'a Order, words: &FinalStatuses, now: Timestamp) -> Option<Self> {
        let (draft, sender) = (&intent.drafted.draft, intent.drafted.sender.as_ref()?);
        let blockchain = draft.chain(Some(sender))?;
        let (token, to) = match (draft.payment_details(), draft.exchange()) {
            (Some(pays), _) => (pays.token, pays.to.into_iter().map(|(to, _)| to).collect()),
            (None, Some(exchange)) => (exchange.from, Vec::new()),
            (None, None) => return None,
        };
        let amounts = match draft {
            // It pays nobody.
            Draft::Swap(_) | Draft::InstantSwap(_) => Vec::new(),
            // What cannot be read counts as all of it.
            Draft::Batch(batch) => {
                batch.amounts(sender.amount.decimals()).unwrap_or_else(|| vec![sender.amount; batch.to.len()])
            }
            _ => vec![sender.amount],
        };
        let (sent, state, ref_id) = (sent_at(intent)?, intent.state(now), draft.reference());
        let failed = intent.unpaid_recipients(words);
        Some(Self { order: intent, blockchain, token, ref_id, sent_at: sent, sender, state, to, amounts, failed })
    }

    /// Whether it was executed, or nobody can say that it was not. An order that was written off is closed, not undone.
    pub(super) fn may_have_paid(&self) -> bool {
        matches!(
            self.state,
            State::Sending
                | State::Unknown
                | State::ProbablyRefused
                | State::Accepted
                | State::Settled
                | State::PartlySettled
                | State::WrittenOff
        )
    }

    pub(super) fn was_accepted(&self) -> bool {
        matches!(self.state, State::Accepted | State::Settled | State::PartlySettled)
    }

    /// Those who may have got something of it, and how much.
    pub(super) fn possible_payments(&self) -> impl Iterator<Item = (&'a Text, Amount)> {
        let all = self.to.iter().zip(&self.amounts).zip(0_u32..);
        let left = all.filter(|(_, part)| !self.failed.contains(part));
        left.map(|((to, amount), _)| (*to, *amount))
    }

    /// Whether a row pays as much of the same to the same place; of a batch, to all of its recipients or to one.
    pub(super) fn matches_row(&self, row: &Transaction) -> bool {
        let is_as_much = |amount: &Option<ReportedAmount>| {
            amount.as_ref().is_some_and(|told| told.raw().cmp_value(self.sender.amount).is_eq())
        };
        let is_its_way = match &self.order.drafted.draft {
            Draft::Batch(batch) => {
                let (told, recipients) = (ReportedPayment::from_row(row), Recipients::from_batch(batch));
                row.amount.is_some() && (recipients.covers_all(&told) || recipients.find(&told, |_| true).is_some())
            }
            // What leaves by a swap may be told with its fee or without.
            draft if draft.operation().is_swap() => {
                row.sub_type == Some(SubType::Swap) && (is_as_much(&row.amount) || is_as_much(&row.total_amount))
            }
            _ => {
                let is_paid = |to: &&Text| row.to_address.as_ref().is_some_and(|paid| is_same_address(paid, to));
                is_as_much(&row.amount) && self.to.first().is_some_and(is_paid)
            }
        };
        is_its_way
            && (row.token == self.sender.token || row.symbol.eq_ignore_ascii_case(self.token))
            && chain::is_same_chain(&row.token.blockchain, self.blockchain)
    }

    /// What left by it, recipient by recipient; of a swap what is sold.
    pub(super) fn spent(&self) -> Vec<Outflow> {
        let exchange = self.order.drafted.draft.exchange();
        // Of a swap by version 1 nobody knows on which chain it was made.
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
        self.possible_payments().map(|(to, amount)| spent(Some(to), amount)).collect()
    }

    pub(super) fn paid(&self) -> Vec<RecentPayment> {
        let paid = |(to, amount): (&Text, Amount)| RecentPayment {
            intent: Some(self.order.id),
            transaction: self.order.transaction().cloned(),
            at: Some(self.sent_at),
            to: to.clone(),
            blockchain: self.blockchain.clone(),
            token: self.sender.token.clone(),
            symbol: self.token.clone(),
            amount,
            ref_id: self.ref_id.cloned(),
            note: self.order.drafted.draft.note().cloned(),
            state: state_text(self.state).into(),
            is_unresolved: self.is_unresolved(),
        };
        self.possible_payments().map(paid).collect()
    }

    /// Whether nobody knows what became of it. One that is on its way at this moment is not known either, nor is one whose
    /// end the history contradicts.
    fn is_unresolved(&self) -> bool {
        matches!(self.state, State::Sending | State::Unknown | State::ProbablyRefused) || self.order.is_reopened()
    }

    /// What is to be told of it if it paid the very same file, however long ago.
    pub(super) fn earlier_payment_of_file(&self, asked: &ComparablePayment<'_>) -> Option<SameFileOrder> {
        let Draft::Batch(batch) = &self.order.drafted.draft else { return None };
        let hash = &asked.file?.sha256;
        let is_same = batch.file.as_ref().is_some_and(|file| file.sha256 == *hash);
        is_same.then(|| SameFileOrder {
            intent: self.order.id,
            at: self.sent_at,
            total: self.sender.amount,
            state: state_text(self.state).into(),
        })
    }
}

/// When an order was sent. One that became final much later, by the service's clock, may have been sent by a clock that was
/// behind, and counts from then on.
pub(in crate::runtime::guard_facts) fn sent_at(intent: &Order) -> Option<Timestamp> {
    let sent = intent.first_sent()?;
    let finals = intent.sure_observations().filter_map(|seen| seen.confirmed_at).max();
    Some(finals.filter(|at| sent.age(*at) > Skew::TOLERANCE).unwrap_or(sent))
}

pub(in crate::runtime::guard_facts) fn state_text(state: State) -> &'static str {
    match state {
        State::Drafted | State::Confirmed => "not sent yet",
        State::Sending => "being sent",
        State::NotSent => "not sent",
        State::Unknown => "outcome unknown",
        State::ProbablyRefused => "probably rejected",
        State::Refused => "rejected",
        State::Accepted => "accepted",
        State::Settled => "settled",
        State::PartlySettled => "partly settled",
        State::Failed => "failed",
        State::Abandoned => "abandoned",
        State::WrittenOff => "written off",
    }
}
