//! The facts of a batch by recipient address: looked up in an index instead of searched.

use std::collections::HashMap;
use std::hash::Hash;

use super::GuardedBatch;
use crate::domain::Text;
use crate::domain::address::ComparableAddress;
use crate::domain::book::{AddressBook, BookChange, BookEntry};
use crate::guard::{GuardFacts, OwnAddress, Payee, RecentPayment};

pub(super) struct BatchFacts<'a> {
    all: &'a GuardFacts,
    own: HashMap<ComparableAddress, Vec<&'a OwnAddress>>,
    payees: HashMap<ComparableAddress, Vec<&'a Payee>>,
    recent: HashMap<ComparableAddress, Vec<&'a RecentPayment>>,
    contacts: HashMap<ComparableAddress, Vec<&'a BookEntry>>,
    paying_address: Option<Text>,
    recipient_facts: GuardFacts,
}

impl<'a> BatchFacts<'a> {
    pub(super) fn of(case: &GuardedBatch<'a>) -> Self {
        let all = case.facts;
        let paying_address = case.sender.address.clone().or_else(|| {
            let paying = all.own_addresses.iter().find(|own| own.wallet == case.request.wallet);
            paying.map(|own| own.address.clone())
        });
        // The other facts are the same for all recipients, and cloned once.
        let recipient_facts = GuardFacts {
            expected_network: all.expected_network,
            network_claims: all.network_claims.clone(),
            wallet: all.wallet.clone(),
            account: all.account.clone(),
            usual_amount: all.usual_amount,
            chain: all.chain.clone(),
            contracts: all.contracts.clone(),
            policy: all.policy.clone(),
            outflows: all.outflows.clone(),
            outflow_gap: all.outflow_gap.clone(),
            outflows_known_from: all.outflows_known_from,
            ..GuardFacts::default()
        };
        Self {
            all,
            own: group_by_address(&all.own_addresses, |own| &own.address),
            payees: group_by_address(&all.payees, |payee| &payee.address),
            recent: group_by_address(&all.recent_payments, |payment| &payment.to),
            contacts: group_by_address(all.book.entries(), |entry| &entry.contact.address),
            paying_address,
            recipient_facts,
        }
    }

    pub(super) fn paying_address(&self) -> Option<Text> {
        self.paying_address.clone()
    }

    pub(super) fn for_recipient(&mut self, index: usize, shape: &ComparableAddress) -> &GuardFacts {
        let about = self.all.per_recipient.get(index);
        self.recipient_facts.own_addresses = clone_entries_of(&self.own, shape);
        self.recipient_facts.payees = clone_entries_of(&self.payees, shape);
        self.recipient_facts.recent_payments = clone_entries_of(&self.recent, shape);
        self.recipient_facts.other_payments = about.map(|about| about.other_payments.clone()).unwrap_or_default();
        self.recipient_facts.earlier_amounts = about.map(|about| about.earlier_amounts.clone()).unwrap_or_default();
        self.recipient_facts.book = AddressBook::default();
        for entry in self.contacts.get(shape).into_iter().flatten() {
            self.recipient_facts.book.apply_change(
                BookChange::Entered(entry.contact.clone()),
                entry.entered_at,
                entry.effective_since,
            );
        }
        &self.recipient_facts
    }
}

fn group_by_address<T>(all: &[T], address: impl Fn(&T) -> &Text) -> HashMap<ComparableAddress, Vec<&T>> {
    let mut groups: HashMap<ComparableAddress, Vec<&T>> = HashMap::new();
    for one in all {
        groups.entry(ComparableAddress::parse(address(one))).or_default().push(one);
    }
    groups
}

fn clone_entries_of<K: Hash + Eq, T: Clone>(all: &HashMap<K, Vec<&T>>, key: &K) -> Vec<T> {
    all.get(key).into_iter().flatten().map(|one| (*one).clone()).collect()
}
