//! The base addresses, past and present, of a profile's service.
//!
//! Orders and contacts are remembered for the profile's service, not for one spelling of its base address: otherwise a
//! profile with a new address would forget every unresolved order. So an address that the profile had before, also
//! under an earlier name, counts as its own until an operator answers that another service is behind it. Only looking
//! up and resending that address's orders waits for the answer that the service is the same.

use std::collections::{BTreeMap, BTreeSet};

use super::{Order, OrderState, ServiceDestination};
use crate::domain::{Text, Timestamp};

/// An operator's answer on whether two base addresses are the same service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressAnswer {
    /// The profile's address at the time of the answer.
    pub one: Text,
    /// The profile's earlier address.
    pub other: Text,
    pub is_same: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProfileAddress {
    pub profile: Text,
    pub base_url: Text,
}

/// How a profile's earlier base address relates to its present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressRelation {
    /// The same address, or another address of the same service by an operator's answer.
    Same,
    Unanswered,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressRelations {
    related: BTreeMap<Text, AddressRelation>,
    /// Addresses with orders or contacts, for which no operator has answered yet.
    unanswered: Vec<Text>,
}

impl AddressRelations {
    /// The addresses of the profile of `destination`: `stands` are the addresses at which profiles sent orders or have
    /// an address book, `visits` other addresses that profiles had, and `answers` the operators' answers, latest last.
    pub fn from_history(
        destination: &ServiceDestination,
        stands: &BTreeSet<ProfileAddress>,
        visits: &BTreeSet<ProfileAddress>,
        answers: &[AddressAnswer],
    ) -> Self {
        let answers = AddressAnswers::from_answers(answers);
        let own = answers.same_service_addresses(&destination.base_url);
        let is_other = |class: &BTreeSet<Text>| {
            own.iter().any(|one| class.iter().any(|other| answers.are_different_services(one, other)))
        };
        let mut related: BTreeMap<Text, AddressRelation> =
            own.iter().map(|own| (own.clone(), AddressRelation::Same)).collect();
        let mut names = BTreeSet::from([destination.profile.clone()]);
        // From name to address to name: a profile may have been renamed at one address before it moved to the next.
        loop {
            let is_reached = |at: &Text| related.get(at).is_some_and(|relation| *relation != AddressRelation::Other);
            let all = || stands.iter().chain(visits);
            let before = (names.len(), related.len());
            names.extend(all().filter(|stand| is_reached(&stand.base_url)).map(|stand| stand.profile.clone()));
            for stand in all().filter(|stand| names.contains(&stand.profile)) {
                if related.contains_key(&stand.base_url) {
                    continue;
                }
                let class = answers.same_service_addresses(&stand.base_url);
                let relation = if is_other(&class) { AddressRelation::Other } else { AddressRelation::Unanswered };
                related.extend(class.into_iter().map(|address| (address, relation)));
            }
            if before == (names.len(), related.len()) {
                break;
            }
        }
        let is_open = |stand: &&ProfileAddress| related.get(&stand.base_url) == Some(&AddressRelation::Unanswered);
        let questions: BTreeSet<Text> = stands.iter().filter(is_open).map(|stand| stand.base_url.clone()).collect();
        Self { related, unanswered: questions.into_iter().collect() }
    }

    /// `None` where nothing connects the address with the profile.
    pub fn relation(&self, base_url: &str) -> Option<AddressRelation> {
        self.related.get(&Text::clean(base_url)).copied()
    }

    pub fn all(&self) -> impl Iterator<Item = (&Text, AddressRelation)> {
        self.related.iter().map(|(address, relation)| (address, *relation))
    }

    /// The addresses with orders or contacts, for which no operator has answered yet.
    pub fn unanswered(&self) -> &[Text] {
        &self.unanswered
    }

    /// Whether orders and contacts of an address count for payments from here: it is the same service, or no operator
    /// has answered otherwise.
    pub fn may_be_same_service(&self, base_url: &str) -> bool {
        matches!(self.relation(base_url), Some(AddressRelation::Same | AddressRelation::Unanswered))
    }

    /// Whether an order counts against payments from here, by its address. An unresolved order counts even if it was
    /// made at another service: its recipient is the same, and may have been paid. An operator who knows more writes it
    /// off, with a reason.
    pub fn counts_order(&self, order: &Order, now: Timestamp) -> bool {
        let is_open = || order.is_unresolved(now) || order.state(now) == OrderState::Sending;
        match self.relation(&order.drafted.destination.base_url) {
            Some(AddressRelation::Same | AddressRelation::Unanswered) => true,
            Some(AddressRelation::Other) => is_open(),
            None => false,
        }
    }

    /// Whether requests to `origin` and to `destination` may be for one workspace: they are for the same service and,
    /// as far as is known, the same workspace. Profile names are ignored, since a profile may be renamed and several
    /// may name one service. Another API key may open the same workspace, unless the networks contradict each other.
    pub fn may_share_workspace(&self, origin: &ServiceDestination, destination: &ServiceDestination) -> bool {
        let is_same =
            origin.base_url == destination.base_url || self.relation(&origin.base_url) == Some(AddressRelation::Same);
        is_same && (origin.key_mark == destination.key_mark || !origin.names_other_network_than(destination))
    }

    /// Whether an order sent to `origin` is shown to a console at `destination`: it may be of its workspace, has the
    /// same profile name, or was made at another address of the profile, where no other console would show it; if that
    /// address was answered to be another service, only while the order is open.
    pub fn is_order_shown(&self, origin: &ServiceDestination, destination: &ServiceDestination, is_open: bool) -> bool {
        let of_profile = || match self.relation(&origin.base_url).filter(|_| origin.base_url != destination.base_url) {
            Some(AddressRelation::Unanswered) => true,
            Some(AddressRelation::Other) => is_open,
            Some(AddressRelation::Same) | None => false,
        };
        self.may_share_workspace(origin, destination) || origin.profile == destination.profile || of_profile()
    }
}

/// The latest answers, without earlier ones that they contradict: an answer that two addresses are different services
/// overrules the answers that made them one, also indirectly.
struct AddressAnswers<'a>(BTreeMap<[&'a Text; 2], bool>);

impl<'a> AddressAnswers<'a> {
    fn from_answers(answers: &'a [AddressAnswer]) -> Self {
        let mut so_far = Self(BTreeMap::new());
        for AddressAnswer { one, other, is_same } in answers.iter().rev() {
            let (class, other_class) = (so_far.same_service_addresses(one), so_far.same_service_addresses(other));
            let differ = class.iter().any(|address| {
                other_class.iter().any(|other_address| so_far.are_different_services(address, other_address))
            });
            let contradicts = if *is_same { differ } else { class.contains(other) };
            if !contradicts {
                so_far.0.entry(ordered_pair(one, other)).or_insert(*is_same);
            }
        }
        so_far
    }

    fn are_different_services(&self, one: &Text, other: &Text) -> bool {
        self.0.get(&ordered_pair(one, other)) == Some(&false)
    }

    /// All addresses that are the same service as this one.
    fn same_service_addresses(&self, address: &Text) -> BTreeSet<Text> {
        let mut class = BTreeSet::from([address.clone()]);
        loop {
            let before = class.len();
            for ([one, other], _) in self.0.iter().filter(|(_, is_same)| **is_same) {
                if class.contains(*one) || class.contains(*other) {
                    class.extend([(*one).clone(), (*other).clone()]);
                }
            }
            if before == class.len() {
                return class;
            }
        }
    }
}

fn ordered_pair<'a>(one: &'a Text, other: &'a Text) -> [&'a Text; 2] {
    if one <= other { [one, other] } else { [other, one] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile_address(profile: &str, base_url: &str) -> ProfileAddress {
        ProfileAddress { profile: profile.into(), base_url: base_url.into() }
    }

    fn destination_at(profile: &str, base_url: &str) -> ServiceDestination {
        ServiceDestination {
            profile: profile.into(),
            environment: None,
            base_url: base_url.into(),
            key_mark: "k".into(),
        }
    }

    fn address_answer(one: &str, other: &str, is_same: bool) -> AddressAnswer {
        AddressAnswer { one: one.into(), other: other.into(), is_same }
    }

    #[test]
    fn a_profile_with_another_address_remembers_the_old_one_until_it_is_said_to_be_another_service() {
        let stands = BTreeSet::from([profile_address("harbour", "old"), profile_address("quay", "far")]);
        let of = |answers: &[AddressAnswer]| {
            AddressRelations::from_history(&destination_at("harbour", "new"), &stands, &BTreeSet::new(), answers)
        };
        let unanswered = of(&[]);
        assert_eq!(unanswered.relation("new"), Some(AddressRelation::Same));
        assert_eq!(unanswered.relation("old"), Some(AddressRelation::Unanswered));
        assert_eq!(unanswered.relation("far"), None, "what nobody connects is another profile's affair");
        assert_eq!(unanswered.unanswered(), [Text::from("old")]);
        assert!(unanswered.may_be_same_service("old") && !unanswered.may_be_same_service("far"));

        let addresses = of(&[address_answer("new", "old", true)]);
        assert_eq!((addresses.relation("old"), addresses.unanswered()), (Some(AddressRelation::Same), &[][..]));
        let other = of(&[address_answer("new", "old", false)]);
        assert_eq!((other.relation("old"), other.unanswered()), (Some(AddressRelation::Other), &[][..]));
        assert!(!other.may_be_same_service("old"));
        // Who was wrong may say so: the last word holds, whichever address is named first.
        assert_eq!(of(&[address_answer("new", "old", false), address_answer("old", "new", true)]), addresses);
    }

    #[test]
    fn what_is_said_of_one_address_holds_for_all_of_its_service() {
        let stands = BTreeSet::from([profile_address("harbour", "a"), profile_address("harbour", "b")]);
        let of = |answers: &[AddressAnswer]| {
            AddressRelations::from_history(&destination_at("harbour", "c"), &stands, &BTreeSet::new(), answers)
        };
        let unasked = of(&[address_answer("b", "a", true)]);
        assert_eq!([unasked.relation("a"), unasked.relation("b")], [Some(AddressRelation::Unanswered); 2]);
        let addresses = of(&[address_answer("b", "a", true), address_answer("c", "b", true)]);
        assert_eq!([addresses.relation("a"), addresses.relation("b")], [Some(AddressRelation::Same); 2]);
        let other = of(&[address_answer("b", "a", true), address_answer("c", "b", false)]);
        assert_eq!([other.relation("a"), other.relation("b")], [Some(AddressRelation::Other); 2]);
    }

    /// An address that an operator answered to be another service stays so whatever earlier answers about other
    /// addresses imply; only a later answer corrects it.
    #[test]
    fn the_last_word_overrules_what_follows_from_earlier_ones() {
        let stands = BTreeSet::from([profile_address("harbour", "a"), profile_address("harbour", "b")]);
        let of = |answers: &[AddressAnswer]| {
            let addresses =
                AddressRelations::from_history(&destination_at("harbour", "c"), &stands, &BTreeSet::new(), answers);
            [addresses.relation("a"), addresses.relation("b")]
        };
        let (same_service, other) = (Some(AddressRelation::Same), Some(AddressRelation::Other));
        let [one, cut, last] =
            [address_answer("b", "a", true), address_answer("c", "a", false), address_answer("c", "b", true)];
        assert_eq!(of(&[one.clone(), cut.clone(), last.clone()]), [other, same_service]);
        assert_eq!(of(&[cut.clone(), one.clone(), last.clone()]), [same_service, same_service]);
        assert_eq!(of(&[one.clone(), last, cut]), [other, same_service]);
        // What was said of two of one service holds for both, until something else is said of either.
        assert_eq!(of(&[one.clone(), address_answer("c", "b", false)]), [other, other]);
        assert_eq!(of(&[one, address_answer("c", "b", false), address_answer("c", "a", true)]), [same_service, other]);
    }

    #[test]
    fn a_profile_that_was_renamed_remembers_what_it_did_under_its_old_name() {
        // Renamed at one address, where nothing was done since, and given another one after that.
        let stands = BTreeSet::from([profile_address("harbour", "old"), profile_address("harbour", "older")]);
        let visits = BTreeSet::from([profile_address("quay", "old")]);
        let addresses = AddressRelations::from_history(&destination_at("quay", "new"), &stands, &visits, &[]);
        assert_eq!(addresses.unanswered(), [Text::from("old"), Text::from("older")]);
        // What is another service leads no further.
        let cut = AddressRelations::from_history(
            &destination_at("quay", "new"),
            &stands,
            &visits,
            &[address_answer("new", "old", false)],
        );
        assert_eq!((cut.relation("old"), cut.relation("older")), (Some(AddressRelation::Other), None));
        // Nothing is asked about an address at which nothing was done.
        let idle = AddressRelations::from_history(&destination_at("quay", "new"), &BTreeSet::new(), &visits, &[]);
        assert_eq!(idle.unanswered(), &[] as &[Text]);
    }
}
