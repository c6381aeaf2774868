//! What was closed and is open again, and how every order that was ever sent is found by its rows.

use super::fixtures::{
    accepted_result, confirmed_order, destination, lookup_with_transaction, open_journal, time_at, withdrawal,
};
use super::format::format_of;
use crate::domain::approval::ApprovalPolicy;
use crate::domain::order::{HistoryLookup, OrderEnd, OrderState, SendReason};
use crate::domain::{FinalStatuses, Order, OrderId, Text, Transaction, TransactionId};
use crate::journal::{Journal, JournalError, verify};

/// What closed an order does not hold: who does not know of that would tell of the order as closed.
#[test]
fn what_is_opened_again_raises_the_format_and_is_open_however_the_journal_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let sent = |seconds| {
        let id = confirmed_order(&journal, seconds).id;
        drop(
            journal
                .permit_send(
                    id,
                    SendReason::Confirmed,
                    &destination(),
                    time_at(seconds + 2),
                    time_at(seconds + 22),
                    None,
                    &ApprovalPolicy::default(),
                )
                .unwrap(),
        );
        journal.record_answer(id, 1, accepted_result(), time_at(seconds + 3)).unwrap();
        id
    };
    let (settled, reopened) = (sent(0), sent(10));
    let contrary = |status: &str| HistoryLookup {
        contradiction: Some("it was closed otherwise".into()),
        ..lookup_with_transaction(status)
    };
    assert!(
        matches!(journal.reopen(settled, contrary("failed"), time_at(20)), Err(JournalError::Illegal(_))),
        "it is open"
    );
    for id in [settled, reopened] {
        journal.record_end(id, OrderEnd::Settled, time_at(30)).unwrap();
        assert_eq!(format_of(folder.path()), 1);
    }
    journal.reopen(settled, contrary("failed"), time_at(40)).unwrap();
    assert_eq!(format_of(folder.path()), 5);
    journal.reopen(reopened, contrary("failed"), time_at(41)).unwrap();
    journal.record_end(reopened, OrderEnd::WrittenOff("seen by the service".into()), time_at(42)).unwrap();
    let stands = |journal: &Journal| {
        let states = [settled, reopened].map(|id| journal.order(id).unwrap().state(time_at(50)));
        assert_eq!(states, [OrderState::Accepted, OrderState::WrittenOff]);
        let open = journal.orders(&destination(), 0).unwrap();
        assert_eq!(open.iter().map(|order| order.id).collect::<Vec<_>>(), [settled]);
        assert!(open[0].is_reopened() && open[0].is_unresolved(time_at(50)));
    };
    stands(&journal);
    // Another console takes it in record by record, and one that starts later reads what is open by the indexes alone.
    let other = open_journal(folder.path());
    stands(&other);
    journal.reopen(reopened, contrary("success"), time_at(60)).unwrap();
    assert_eq!(other.order(reopened).unwrap().state(time_at(61)), OrderState::Accepted);
    other.record_end(reopened, OrderEnd::WrittenOff("repeat it".into()), time_at(62)).unwrap();
    for seconds in 0..2_100 {
        journal.record_draft(withdrawal("1"), time_at(100 + seconds)).unwrap();
    }
    drop((journal, other));
    let journal = open_journal(folder.path());
    assert_eq!(journal.order(settled).unwrap().state(time_at(5_000)), OrderState::Accepted);
    assert_eq!(journal.order(reopened).unwrap().state(time_at(5_000)), OrderState::WrittenOff);
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}

/// Whatever became of an order, a row that bears a mark of it finds it, and no other row does.
#[test]
fn every_order_that_was_ever_sent_is_found_by_its_key_its_transaction_and_its_reference() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let never = confirmed_order(&journal, 0);
    let id = confirmed_order(&journal, 10).id;
    let row = |key: Option<String>, row_id: &str| Transaction {
        id: TransactionId::from_text(row_id),
        idempotency_key: key.map(|key| Text::clean(&key)),
        ..Transaction::minimal("ethereum")
    };
    let key = |intent: &Order| intent.drafted.request.key.map(|key| key.to_string().to_uppercase());
    let finds = |row: Transaction| -> Vec<OrderId> {
        journal.matching_orders(&[row]).unwrap().into_iter().map(|(intent, _)| intent.id).collect()
    };
    assert_eq!(finds(row(key(&never), "x")), [], "nothing of it was ever sent");
    drop(
        journal
            .permit_send(
                id,
                SendReason::Confirmed,
                &destination(),
                time_at(12),
                time_at(32),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    journal.record_answer(id, 1, accepted_result(), time_at(13)).unwrap();
    for end in [None, Some(OrderEnd::Settled)] {
        if let Some(end) = end {
            journal
                .record_lookup(id, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(20))
                .unwrap();
            journal.record_end(id, end, time_at(21)).unwrap();
        }
        assert_eq!(finds(row(key(&journal.order(id).unwrap()), "x")), [id]);
        assert_eq!(finds(row(None, "t-10")), [id]);
        assert_eq!(finds(row(None, "t-11")), []);
    }
    drop(journal);
    let journal = open_journal(folder.path());
    let rows = [row(None, "x"), row(None, "t-10"), row(None, "t-10")];
    let matched = journal.matching_orders(&rows).unwrap();
    assert_eq!(matched.iter().map(|(intent, rows)| (intent.id, rows.clone())).collect::<Vec<_>>(), [(id, vec![1, 2])]);
}
