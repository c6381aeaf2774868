//! The life of an order in the journal.

use crate::domain::approval::ApprovalPolicy;
use rstest::rstest;

use super::fixtures::{
    accepted_result, attempt_result, confirmation, confirmed_order, console, destination, empty_lookup,
    lookup_with_transaction, new_user, open_journal, time_at, withdrawal,
};
use crate::domain::order::{DraftedOrder, IllegalOrderEvent, OrderEnd, OrderState, SendReason, ServiceDestination};
use crate::domain::{FinalStatuses, Network, OrderId, Outcome};
use crate::journal::{Journal, JournalError, JournalLocation, JournalSnapshot};

#[test]
fn an_order_goes_from_draft_to_settled_and_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let drafted = withdrawal("25");
    let intent = journal.record_draft(drafted.clone(), time_at(0)).unwrap();
    assert_eq!((intent.state(time_at(0)), &intent.drafted), (OrderState::Drafted, &drafted));
    journal.record_confirmation(intent.id, confirmation(), time_at(1)).unwrap();
    let order = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    assert_eq!((order.id(), order.attempt()), (intent.id, 1));
    assert_eq!((order.request_bytes(), order.destination()), (&drafted.request, &destination()));
    assert_eq!(order.order().state(time_at(3)), OrderState::Sending);
    journal.record_answer(intent.id, 1, accepted_result(), time_at(4)).unwrap();
    journal
        .record_lookup(intent.id, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(9))
        .unwrap();
    journal.record_end(intent.id, OrderEnd::Settled, time_at(9)).unwrap();
    let orders = journal.orders(&destination(), 9).unwrap();
    assert_eq!(orders.len(), 1);
    assert_eq!((orders[0].state(time_at(10)), &orders[0].drafted), (OrderState::Settled, &drafted));
    assert_eq!(orders[0].created.by, console(1));
    drop((order, journal));
    assert_eq!(open_journal(folder.path()).orders(&destination(), 9).unwrap(), orders);
}

#[rstest]
#[case::on_disk(JournalLocation::Temporary)]
#[case::in_memory(JournalLocation::Memory)]
fn what_may_not_happen_is_refused_and_leaves_no_trace(#[case] place: JournalLocation) {
    let journal = Journal::open(&place, console(1)).unwrap().journal;
    let intent = journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
    let begin = |reason| {
        journal.permit_send(
            intent.id,
            reason,
            &destination(),
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        )
    };
    assert!(matches!(begin(SendReason::Confirmed), Err(JournalError::Illegal(IllegalOrderEvent::NotConfirmed))));
    journal.record_confirmation(intent.id, confirmation(), time_at(1)).unwrap();
    let twice = journal.record_confirmation(intent.id, confirmation(), time_at(1));
    assert!(matches!(twice, Err(JournalError::Illegal(IllegalOrderEvent::Confirmed))));
    let early = journal.record_answer(intent.id, 1, accepted_result(), time_at(2));
    assert!(matches!(early, Err(JournalError::Illegal(IllegalOrderEvent::NoSuchAttempt))));
    let before = journal.order(intent.id).unwrap();
    assert_eq!(before.state(time_at(2)), OrderState::Confirmed);
    let order = begin(SendReason::Confirmed).unwrap();
    assert!(matches!(
        begin(SendReason::Operator { warned: true }),
        Err(JournalError::Illegal(IllegalOrderEvent::UnderWay))
    ));
    assert_eq!(order.order().attempts.len(), 1);
    assert_eq!(journal.order(intent.id).unwrap(), *order.order());
    let stranger = OrderId(uuid::Uuid::new_v4());
    let unknown = journal.record_confirmation(stranger, confirmation(), time_at(3));
    assert!(matches!(unknown, Err(JournalError::NoSuchOrder(id)) if id == stranger));
}

#[test]
fn it_is_sent_to_where_it_was_meant_to_go_under_the_key_that_was_meant() {
    let journal = Journal::open(&JournalLocation::Temporary, console(1)).unwrap().journal;
    let intent = confirmed_order(&journal, 0);
    for elsewhere in [
        ServiceDestination { base_url: "https://other.example.com".into(), ..destination() },
        ServiceDestination { key_mark: "fedcba9876543210".into(), ..destination() },
    ] {
        let refused = journal.permit_send(
            intent.id,
            SendReason::Confirmed,
            &elsewhere,
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        );
        assert!(matches!(refused, Err(JournalError::Illegal(IllegalOrderEvent::OtherDestination(_)))), "{refused:?}");
    }
    let _order = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
}

#[test]
fn open_orders_are_all_listed_and_of_the_others_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let unknown = confirmed_order(&journal, 0).id;
    let _order = journal
        .permit_send(
            unknown,
            SendReason::Confirmed,
            &destination(),
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    let mut given_up = Vec::new();
    for seconds in 10..20 {
        let id = journal.record_draft(withdrawal("3"), time_at(seconds)).unwrap().id;
        journal.record_end(id, OrderEnd::Abandoned(None), time_at(seconds)).unwrap();
        given_up.push(id);
    }
    let to = |destination| DraftedOrder { destination, ..withdrawal("4") };
    // A profile is a name; where an order went decides, and under which key, where the networks differ.
    let renamed = to(ServiceDestination { profile: "bay".into(), ..destination() });
    let by_another_key = to(ServiceDestination { profile: "bay".into(), key_mark: "other".into(), ..destination() });
    // Another profile's orders at another service are none of ours, and those of this one are.
    let moved_destination = ServiceDestination { base_url: "https://other.example.com".into(), ..destination() };
    let elsewhere = to(ServiceDestination {
        profile: "far".into(),
        base_url: "https://far.example.com".into(),
        ..moved_destination.clone()
    });
    let real = ServiceDestination { environment: Some(Network::Mainnet), profile: "bay".into(), ..destination() };
    let real = ServiceDestination { key_mark: "other".into(), ..real };
    let renamed = journal.record_draft(renamed, time_at(30)).unwrap().id;
    for drafted in [elsewhere, to(real)] {
        journal.record_draft(drafted, time_at(31)).unwrap();
    }
    let by_another_key = journal.record_draft(by_another_key, time_at(32)).unwrap().id;
    let moved_order = journal.record_draft(to(moved_destination), time_at(33)).unwrap().id;
    let right = [moved_order, by_another_key, renamed, unknown];
    let ids = |journal: &Journal| -> Vec<OrderId> {
        journal.orders(&destination(), 3).unwrap().iter().map(|intent| intent.id).collect()
    };
    assert_eq!(ids(&journal), right);
    // What is born, and ends, after the list was asked for stands in it too.
    let still_drafted = journal.record_draft(new_user(), time_at(40)).unwrap().id;
    journal.record_end(by_another_key, OrderEnd::Abandoned(Some("no review".into())), time_at(41)).unwrap();
    let right = [still_drafted, moved_order, by_another_key, unknown];
    assert_eq!(ids(&journal), right);
    let orders = journal.orders(&destination(), 3).unwrap();
    let reading = JournalSnapshot::open(folder.path()).unwrap();
    assert_eq!(reading.shown_orders(&destination(), 3).unwrap(), orders, "whoever only reads is told the same");
    assert_eq!(reading.last_seq().unwrap(), journal.last_seq().unwrap());
    drop(journal);
    assert_eq!(open_journal(folder.path()).orders(&destination(), 3).unwrap(), orders);
}

#[test]
fn looks_that_say_nothing_new_are_not_recorded() {
    let journal = Journal::open(&JournalLocation::Temporary, console(1)).unwrap().journal;
    let id = confirmed_order(&journal, 0).id;
    let _order = journal
        .permit_send(
            id,
            SendReason::Confirmed,
            &destination(),
            time_at(2),
            time_at(22),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    journal.record_answer(id, 1, attempt_result(Outcome::Unknown), time_at(22)).unwrap();
    let lookup_count = || journal.order(id).unwrap().lookups.len();
    for seconds in 30..40 {
        journal.record_lookup(id, empty_lookup(false), None, &FinalStatuses::default(), time_at(seconds)).unwrap();
    }
    assert_eq!(lookup_count(), 1, "that the history proves nothing is told once");
    for seconds in [60, 300, 700, 701, 702] {
        journal.record_lookup(id, empty_lookup(true), None, &FinalStatuses::default(), time_at(seconds)).unwrap();
    }
    assert_eq!(lookup_count(), 4);
    assert!(journal.order(id).unwrap().counts_as_not_seen());
    for (seconds, status, recorded) in [(710, "pending", 5), (711, "pending", 5), (712, "success", 6)] {
        journal
            .record_lookup(id, lookup_with_transaction(status), None, &FinalStatuses::default(), time_at(seconds))
            .unwrap();
        assert_eq!(lookup_count(), recorded, "{status}");
    }
    journal.record_end(id, OrderEnd::Settled, time_at(720)).unwrap();
    journal
        .record_lookup(id, lookup_with_transaction("failed"), None, &FinalStatuses::default(), time_at(730))
        .unwrap();
    assert_eq!(lookup_count(), 7, "what is told after the end is kept");
}
