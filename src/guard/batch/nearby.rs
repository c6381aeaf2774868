//! What is known at one address: what the rules look up by the recipient, found by an index and not by a search.

use std::collections::HashMap;
use std::hash::Hash;

use super::BatchCase;
use crate::domain::Text;
use crate::domain::address::Shape;
use crate::domain::book::{Book, Change, Known};
use crate::guard::{Knowledge, Own, Paid, Payee};

/// What is known around a batch, by the addresses that it is about.
pub(super) struct Nearby<'a> {
    all: &'a Knowledge,
    own: HashMap<Shape, Vec<&'a Own>>,
    payees: HashMap<Shape, Vec<&'a Payee>>,
    recent: HashMap<Shape, Vec<&'a Paid>>,
    contacts: HashMap<Shape, Vec<&'a Known>>,
    paying: Option<Text>,
    /// What one recipient's rules are told.
    told: Knowledge,
}

impl<'a> Nearby<'a> {
    pub(super) fn of(case: &BatchCase<'a>) -> Self {
        let all = case.known;
        let paying = case.sender.address.clone().or_else(|| {
            let paying = all.own.iter().find(|own| own.wallet == case.says.wallet);
            paying.map(|own| own.address.clone())
        });
        // The rest is told as it is, and cloned once.
        let told = Knowledge {
            expected_network: all.expected_network.clone(),
            networks: all.networks.clone(),
            wallet: all.wallet.clone(),
            account: all.account.clone(),
            usual: all.usual,
            chain: all.chain.clone(),
            contracts: all.contracts.clone(),
            policy: all.policy.clone(),
            spent: all.spent.clone(),
            uncounted: all.uncounted.clone(),
            counted_from: all.counted_from,
            ..Knowledge::default()
        };
        Self {
            all,
            own: by_shape(&all.own, |own| &own.address),
            payees: by_shape(&all.payees, |payee| &payee.address),
            recent: by_shape(&all.recent, |paid| &paid.to),
            contacts: by_shape(all.book.entries(), |known| &known.contact.address),
            paying,
            told,
        }
    }

    /// The paying wallet's own address.
    pub(super) fn paying(&self) -> Option<Text> {
        self.paying.clone()
    }

    /// What the rules are told of the recipient with this index and this address.
    pub(super) fn at(&mut self, index: usize, shape: &Shape) -> &Knowledge {
        let about = self.all.each.get(index);
        self.told.own = cloned(&self.own, shape);
        self.told.payees = cloned(&self.payees, shape);
        self.told.recent = cloned(&self.recent, shape);
        self.told.others = about.map(|about| about.others.clone()).unwrap_or_default();
        self.told.before = about.map(|about| about.before.clone()).unwrap_or_default();
        self.told.book = Book::default();
        for known in self.contacts.get(shape).into_iter().flatten() {
            self.told.book.apply(Change::Entered(known.contact.clone()), known.entered, known.since);
        }
        &self.told
    }
}

fn by_shape<T>(all: &[T], address: impl Fn(&T) -> &Text) -> HashMap<Shape, Vec<&T>> {
    let mut found: HashMap<Shape, Vec<&T>> = HashMap::new();
    for one in all {
        found.entry(Shape::of(address(one))).or_default().push(one);
    }
    found
}

fn cloned<K: Hash + Eq, T: Clone>(all: &HashMap<K, Vec<&T>>, key: &K) -> Vec<T> {
    all.get(key).into_iter().flatten().map(|one| (*one).clone()).collect()
}
