use super::send::of_another;
use super::*;
use crate::domain::intent::{Because, Confirmation, Console, Drafted};
use crate::domain::{Amount, Outcome};
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

/// A cache on the way gives what an equal payment got before, and neither of them shows key or reference.
#[test]
fn an_answer_that_names_the_transaction_of_another_order_is_an_alarm() {
    let by = Console { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) };
    let journal = Journal::open(&Place::Temporary, by).unwrap().journal;
    let sent = |number: u128| {
        let drafted = order(number, 10, None).drafted;
        let (here, now) = (drafted.destination.clone(), ago(0));
        let id = journal.draft(drafted, now).unwrap().id;
        let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
        journal.confirm(id, confirmation, now).unwrap();
        drop(journal.begin(id, Because::Confirmed, &here, now, now, None).unwrap());
        (id, here)
    };
    let (first, here) = sent(1);
    let answered = order(1, 10, Some(Outcome::Accepted)).attempts.remove(0).answer.unwrap().1;
    let told = |id| of_another(&journal, &here, id, &answered).unwrap();
    assert_eq!(told(first), None);
    journal.answered(first, 1, answered.clone(), ago(0)).unwrap();
    // Of the order itself it may be told again.
    assert_eq!(told(first), None);
    let mut drafted = order(2, 10, None).drafted;
    drafted.sender.as_mut().unwrap().amount = Amount::parse("26", 6).unwrap();
    let second = journal.draft(drafted, ago(0)).unwrap().id;
    let said = format!("transaction: the answer names tx-1, which is that of order {first}");
    assert_eq!(told(second), Some(said.as_str().into()));
}
