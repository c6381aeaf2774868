//! An order of this console for a payment, to one recipient or to several.

use std::collections::HashSet;

use super::{Asked, DAY};
use crate::domain::address::same;
use crate::domain::comparison::{Told, is_whole, recipient_of};
use crate::domain::draft::Pays;
use crate::domain::intent::State;
use crate::domain::{Amount, Draft, FinalWords, Intent, Sender, Stated, Text, Timestamp, Transaction, Verdict, chain};
use crate::guard::{Earlier, Paid, Spent};

/// An order of this console for a payment.
pub(super) struct Order<'a> {
    pub(super) intent: &'a Intent,
    pub(super) pays: Pays<'a>,
    pub(super) sent: Timestamp,
    sender: &'a Sender,
    state: State,
    /// How much each recipient gets.
    amounts: Vec<Amount>,
    /// Recipients of a batch who got nothing, by the service's word.
    failed: HashSet<u32>,
}

impl<'a> Order<'a> {
    pub(super) fn of(intent: &'a Intent, words: &FinalWords, now: Timestamp) -> Option<Self> {
        let pays = intent.drafted.draft.pays()?;
        let sender = intent.drafted.sender.as_ref()?;
        let amounts = match &intent.drafted.draft {
            // What cannot be read counts as all of it.
            Draft::Batch(batch) => {
                batch.amounts(sender.amount.decimals()).unwrap_or_else(|| vec![sender.amount; batch.to.len()])
            }
            _ => vec![sender.amount],
        };
        let failed = |(part, seen)| (words.verdict(seen) == Verdict::Failed).then_some(part);
        let failed = intent.parts().into_iter().filter_map(failed).collect();
        Some(Self { intent, pays, sent: intent.first_sent()?, sender, state: intent.state(now), amounts, failed })
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
        let all = self.pays.to.iter().zip(&self.amounts).zip(0_u32..);
        let left = all.filter(|(_, part)| !self.failed.contains(part));
        left.map(|(((to, _), amount), _)| (*to, *amount))
    }

    /// Whether a row pays as much of the same to the same place; of a batch, to all of its recipients or to one.
    pub(super) fn pays_as(&self, row: &Transaction) -> bool {
        let recipient = if let Draft::Batch(batch) = &self.intent.drafted.draft {
            let told = Told::by(row);
            row.amount.is_some() && (is_whole(batch, &told) || recipient_of(batch, &told, |_| true).is_some())
        } else {
            let amount = row.amount.as_ref().map(Stated::raw);
            let is_paid = |(to, _): &(&Text, &Text)| row.to_address.as_ref().is_some_and(|paid| same(paid, to));
            amount.is_some_and(|amount| amount.cmp_value(self.sender.amount).is_eq())
                && self.pays.to.first().is_some_and(is_paid)
        };
        recipient
            && (row.token == self.sender.token || row.symbol.eq_ignore_ascii_case(self.pays.token))
            && chain::same(&row.token.blockchain, self.pays.blockchain)
    }

    pub(super) fn spent(&self) -> Vec<Spent> {
        let spent = |Paid { at, to, blockchain, token, symbol, amount, is_unresolved, .. }| Spent {
            at,
            to: Some(to),
            blockchain,
            token,
            symbol,
            amount,
            is_unresolved,
        };
        self.paid().into_iter().map(spent).collect()
    }

    pub(super) fn paid(&self) -> Vec<Paid> {
        let paid = |(to, amount): (&Text, Amount)| Paid {
            intent: Some(self.intent.id),
            transaction: self.intent.transaction().cloned(),
            at: Some(self.sent),
            to: to.clone(),
            blockchain: self.pays.blockchain.clone(),
            token: self.sender.token.clone(),
            symbol: self.pays.token.clone(),
            amount,
            ref_id: self.pays.ref_id.cloned(),
            state: word(self.state).into(),
            is_unresolved: self.is_unresolved(),
        };
        self.parts().map(paid).collect()
    }

    /// Whether nobody knows what became of it. One that is on its way at this moment is not known either.
    fn is_unresolved(&self) -> bool {
        matches!(self.state, State::Sending | State::Unknown | State::ProbablyRefused)
    }

    /// What is to be told of it if it paid the very same file.
    pub(super) fn same_file(&self, asked: &Asked<'_>, now: Timestamp) -> Option<Earlier> {
        let Draft::Batch(batch) = &self.intent.drafted.draft else { return None };
        let hash = &asked.file?.sha256;
        let is_recent = self.is_unresolved() || self.sent.age(now) <= DAY;
        let is_same = is_recent && batch.file.as_ref().is_some_and(|file| file.sha256 == *hash);
        is_same.then(|| Earlier {
            intent: self.intent.id,
            at: self.sent,
            total: self.sender.amount,
            state: word(self.state).into(),
        })
    }
}

fn word(state: State) -> &'static str {
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
