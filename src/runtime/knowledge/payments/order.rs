//! An order of this console by which money left or may have left: a payment to one recipient or to several, or a swap,
//! whose sale counts like a payment that names no recipient.

use std::collections::HashSet;

use super::Asked;
use crate::domain::address::same;
use crate::domain::comparison::{Recipients, Told};
use crate::domain::intent::State;
use crate::domain::{
    Amount, Draft, FinalWords, Intent, Sender, Skew, Stated, SubType, Text, Timestamp, Transaction, chain,
};
use crate::guard::{Earlier, Paid, Spent};

/// An order of this console that moves money.
pub(super) struct Order<'a> {
    pub(super) intent: &'a Intent,
    /// The chain, in the word that the service uses.
    pub(super) blockchain: &'a Text,
    /// The symbol of what leaves.
    pub(super) token: &'a Text,
    /// The reference for people.
    pub(super) ref_id: Option<&'a Text>,
    pub(super) sent: Timestamp,
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
pub(super) fn all<'a>(intents: &'a [Intent], words: &FinalWords, now: Timestamp) -> Vec<Order<'a>> {
    let mut latest = None;
    let orders = intents.iter().rev().filter_map(|intent| {
        latest = latest.max(Some(intent.born.at).filter(|born| *born <= now));
        let order = Order::of(intent, words, now)?;
        Some(Order { sent: latest.map_or(order.sent, |latest| latest.max(order.sent)), ..order })
    });
    let mut orders: Vec<Order<'a>> = orders.collect();
    orders.reverse();
    orders
}

impl<'a> Order<'a> {
    fn of(intent: &'a Intent, words: &FinalWords, now: Timestamp) -> Option<Self> {
        let (draft, sender) = (&intent.drafted.draft, intent.drafted.sender.as_ref()?);
        let blockchain = draft.chain(Some(sender))?;
        let (token, to) = match (draft.pays(), draft.exchange()) {
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
        let (sent, state, ref_id) = (sent(intent)?, intent.state(now), draft.reference());
        let failed = intent.got_nothing(words);
        Some(Self { intent, blockchain, token, ref_id, sent, sender, state, to, amounts, failed })
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
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'a Text, Amount)> {
        let all = self.to.iter().zip(&self.amounts).zip(0_u32..);
        let left = all.filter(|(_, part)| !self.failed.contains(part));
        left.map(|((to, amount), _)| (*to, *amount))
    }

    /// Whether a row pays as much of the same to the same place; of a batch, to all of its recipients or to one.
    pub(super) fn pays_as(&self, row: &Transaction) -> bool {
        let is_as_much = |amount: &Option<Stated>| {
            amount.as_ref().is_some_and(|told| told.raw().cmp_value(self.sender.amount).is_eq())
        };
        let is_its_way = match &self.intent.drafted.draft {
            Draft::Batch(batch) => {
                let (told, recipients) = (Told::by(row), Recipients::of(batch));
                row.amount.is_some() && (recipients.are_all(&told) || recipients.find(&told, |_| true).is_some())
            }
            // What leaves by a swap may be told with its fee or without.
            draft if draft.operation().is_swap() => {
                row.sub_type == Some(SubType::Swap) && (is_as_much(&row.amount) || is_as_much(&row.total_amount))
            }
            _ => {
                let is_paid = |to: &&Text| row.to_address.as_ref().is_some_and(|paid| same(paid, to));
                is_as_much(&row.amount) && self.to.first().is_some_and(is_paid)
            }
        };
        is_its_way
            && (row.token == self.sender.token || row.symbol.eq_ignore_ascii_case(self.token))
            && chain::same(&row.token.blockchain, self.blockchain)
    }

    /// What left by it, recipient by recipient; of a swap what is sold.
    pub(super) fn spent(&self) -> Vec<Spent> {
        let exchange = self.intent.drafted.draft.exchange();
        // Of a swap by version 1 nobody knows on which chain it was made.
        let blockchain = exchange.map_or(Some(self.blockchain), |exchange| exchange.chain);
        let spent = |to: Option<&Text>, amount| Spent {
            at: Some(self.sent),
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
        self.parts().map(|(to, amount)| spent(Some(to), amount)).collect()
    }

    pub(super) fn paid(&self) -> Vec<Paid> {
        let paid = |(to, amount): (&Text, Amount)| Paid {
            intent: Some(self.intent.id),
            transaction: self.intent.transaction().cloned(),
            at: Some(self.sent),
            to: to.clone(),
            blockchain: self.blockchain.clone(),
            token: self.sender.token.clone(),
            symbol: self.token.clone(),
            amount,
            ref_id: self.ref_id.cloned(),
            note: self.intent.drafted.draft.note().cloned(),
            state: word(self.state).into(),
            is_unresolved: self.is_unresolved(),
        };
        self.parts().map(paid).collect()
    }

    /// Whether nobody knows what became of it. One that is on its way at this moment is not known either, nor is one whose
    /// end the history contradicts.
    fn is_unresolved(&self) -> bool {
        matches!(self.state, State::Sending | State::Unknown | State::ProbablyRefused) || self.intent.is_reopened()
    }

    /// What is to be told of it if it paid the very same file, however long ago.
    pub(super) fn same_file(&self, asked: &Asked<'_>) -> Option<Earlier> {
        let Draft::Batch(batch) = &self.intent.drafted.draft else { return None };
        let hash = &asked.file?.sha256;
        let is_same = batch.file.as_ref().is_some_and(|file| file.sha256 == *hash);
        is_same.then(|| Earlier {
            intent: self.intent.id,
            at: self.sent,
            total: self.sender.amount,
            state: word(self.state).into(),
        })
    }
}

/// When an order was sent. One that became final much later, by the service's clock, may have been sent by a clock that was
/// behind, and counts from then on.
pub(in crate::runtime::knowledge) fn sent(intent: &Intent) -> Option<Timestamp> {
    let sent = intent.first_sent()?;
    let finals = intent.surely_seen().filter_map(|seen| seen.confirmed_at).max();
    Some(finals.filter(|at| sent.age(*at) > Skew::TOLERANCE).unwrap_or(sent))
}

pub(in crate::runtime::knowledge) fn word(state: State) -> &'static str {
    match state {
        State::Drafted | State::Confirmed => "not sent yet",
        State::Sending => "on its way",
        State::NotSent => "not sent",
        State::Unknown => "outcome unknown",
        State::ProbablyRefused => "probably refused",
        State::Refused => "refused",
        State::Accepted => "accepted",
        State::Settled => "settled",
        State::PartlySettled => "partly settled",
        State::Failed => "failed",
        State::Abandoned => "abandoned",
        State::WrittenOff => "written off",
    }
}
