use super::*;
use crate::domain::intent::{Console, Drafted};
use crate::journal::Place;
use crate::runtime::knowledge::tests::{ago, order};

/// What was made under another key for another network is not looked up here, and yet the guard must count it.
#[test]
fn the_guard_counts_every_order_at_the_service() {
    let by = Console { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) };
    let journal = Journal::open(&Place::Temporary, by).unwrap().journal;
    let here = Destination {
        profile: "harbour".into(),
        environment: Some("mainnet".into()),
        base_url: "https://a.example".into(),
        key_mark: "k".into(),
    };
    let other = Destination {
        profile: "quay".into(),
        environment: Some("testnet".into()),
        key_mark: "other".into(),
        ..here.clone()
    };
    let elsewhere = Destination { base_url: "https://b.example".into(), ..here.clone() };
    let drafted = |destination: &Destination| {
        let drafted = Drafted { destination: destination.clone(), ..order(1, 10, None).drafted };
        journal.draft(drafted, ago(0)).unwrap().id
    };
    let (own, other, _) = (drafted(&here), drafted(&other), drafted(&elsewhere));
    let ids = |orders: Vec<Intent>| orders.iter().map(|order| order.id).collect::<Vec<_>>();
    assert_eq!(ids(concerning(&journal, &here, usize::MAX).unwrap()), [own]);
    let counted = ids(at_service(&journal, &here).unwrap());
    assert!(counted.len() == 2 && counted.contains(&own) && counted.contains(&other), "{counted:?}");
}
