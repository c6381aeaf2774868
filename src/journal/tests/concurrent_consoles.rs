//! Several consoles on one journal. That they may be several processes is tried in the suite.

use std::sync::Barrier;
use std::thread;

use super::disk_faults::execute_pragma;
use super::fixtures::{
    accepted_result, all_orders, confirmation, confirmed_order, console, destination, lookup_with_transaction,
    open_journal, time_at, withdrawal,
};
use crate::domain::approval::ApprovalPolicy;
use crate::domain::order::{IllegalOrderEvent, OrderEnd, OrderState, SendReason};
use crate::domain::{AddressBook, FinalStatuses};
use crate::journal::{Journal, JournalError, JournalLocation, SendPermit, verify};

#[test]
fn of_consoles_that_confirm_the_same_order_one_sends_it() {
    const CONSOLES: u128 = 4;
    let folder = tempfile::tempdir().unwrap();
    let first = open_journal(folder.path());
    for round in 0..20 {
        let start = 100 * round;
        let id = first.record_draft(withdrawal("25"), time_at(start)).unwrap().id;
        let together = Barrier::new(usize::try_from(CONSOLES).unwrap());
        let one = |run| -> Result<SendPermit, JournalError> {
            let place = JournalLocation::Folder(folder.path().to_owned());
            let journal = Journal::open(&place, console(run)).unwrap().journal;
            together.wait();
            // Each confirms as if it were alone; whoever comes second is told so.
            journal.record_confirmation(id, confirmation(), time_at(start + 1))?;
            journal.permit_send(
                id,
                SendReason::Confirmed,
                &destination(),
                time_at(start + 2),
                time_at(start + 22),
                None,
                &ApprovalPolicy::default(),
            )
        };
        let permits: Vec<Result<SendPermit, JournalError>> = thread::scope(|scope| {
            let all: Vec<_> = (0..CONSOLES).map(|run| scope.spawn(move || one(run))).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let (orders, refused): (Vec<_>, Vec<_>) = permits.into_iter().partition(Result::is_ok);
        assert_eq!(orders.len(), 1, "round {round}");
        for refused in refused {
            let message = refused.unwrap_err().to_string();
            assert_eq!(message, "this order was already confirmed");
        }
        let order = first.order(id).unwrap();
        assert_eq!((order.attempts.len(), order.state(time_at(start + 3))), (1, OrderState::Sending));
        first.record_answer(id, 1, accepted_result(), time_at(start + 3)).unwrap();
    }
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}

#[test]
fn of_consoles_that_send_again_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_journal(folder.path());
    let second = open_journal(folder.path());
    let id = confirmed_order(&first, 0).id;
    drop(
        first
            .permit_send(
                id,
                SendReason::Confirmed,
                &destination(),
                time_at(2),
                time_at(22),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    // The second knows of it without being told, and waits until the first must have given up.
    let resend = |seconds| {
        second.permit_send(
            id,
            SendReason::Retry,
            &destination(),
            time_at(seconds),
            time_at(seconds + 20),
            None,
            &ApprovalPolicy::default(),
        )
    };
    assert!(matches!(resend(5), Err(JournalError::Illegal(IllegalOrderEvent::UnderWay))));
    assert_eq!(second.order(id).unwrap().state(time_at(21)), OrderState::Sending);
    assert_eq!(second.order(id).unwrap().state(time_at(22)), OrderState::Unknown);
    let order = resend(30).unwrap();
    assert_eq!(order.attempt(), 2);
    let late = first.permit_send(
        id,
        SendReason::Retry,
        &destination(),
        time_at(31),
        time_at(51),
        None,
        &ApprovalPolicy::default(),
    );
    assert!(matches!(late, Err(JournalError::Illegal(IllegalOrderEvent::UnderWay))));
    // The answer to the first attempt comes after all, and is kept.
    first.record_answer(id, 1, accepted_result(), time_at(32)).unwrap();
    assert_eq!(second.order(id).unwrap().state(time_at(33)), OrderState::Accepted);
}

#[test]
fn what_was_judged_before_another_order_left_or_the_book_changed_is_judged_anew() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_journal(folder.path());
    let second = open_journal(folder.path());
    let confirmed_for = |amount: &str| {
        let id = first.record_draft(withdrawal(amount), time_at(0)).unwrap().id;
        first.record_confirmation(id, confirmation(), time_at(1)).unwrap();
        id
    };
    let (smaller, larger) = (confirmed_for("25"), confirmed_for("26"));
    let begin = |judged| {
        first.permit_send(
            smaller,
            SendReason::Confirmed,
            &destination(),
            time_at(9),
            time_at(29),
            Some(judged),
            &ApprovalPolicy::default(),
        )
    };
    let is_stirred =
        |begun: Result<SendPermit, JournalError>| matches!(begun, Err(JournalError::Illegal(IllegalOrderEvent::Stale)));
    // The other one is over before this one is sent, so that it is not among those that are open.
    let judged = first.last_seq().unwrap();
    drop(
        second
            .permit_send(
                larger,
                SendReason::Confirmed,
                &destination(),
                time_at(2),
                time_at(22),
                Some(judged),
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    second.record_answer(larger, 1, accepted_result(), time_at(3)).unwrap();
    second.record_end(larger, OrderEnd::Settled, time_at(4)).unwrap();
    assert!(is_stirred(begin(judged)));
    assert_eq!(first.order(smaller).unwrap().state(time_at(9)), OrderState::Confirmed);
    let judged = first.last_seq().unwrap();
    second.change_book(&destination(), &AddressBook::default(), Vec::new(), Vec::new(), time_at(5)).unwrap();
    assert!(is_stirred(begin(judged)));
    // What is said of an address decides which orders count.
    let judged = first.last_seq().unwrap();
    second.record_address_answer(&destination(), "https://old.example.com".into(), true, time_at(5)).unwrap();
    assert!(is_stirred(begin(judged)));
    // What changes neither is no reason to judge anew.
    let judged = first.last_seq().unwrap();
    second.record_draft(withdrawal("27"), time_at(6)).unwrap();
    assert_eq!(begin(judged).unwrap().attempt(), 1);
}

/// Which of two came first the records say, and no clock: one may be set back in between.
#[test]
fn an_equal_payment_that_left_since_a_draft_was_recorded_overtakes_it_whatever_the_clock_says() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_journal(folder.path());
    let ready = |journal: &Journal, amount: &str, seconds: i64| {
        let id = journal.record_draft(withdrawal(amount), time_at(seconds)).unwrap().id;
        journal.record_confirmation(id, confirmation(), time_at(seconds)).unwrap();
        id
    };
    let (waiting, other) = (ready(&first, "25", 100), ready(&first, "26", 100));
    // Somebody sets the clock back by a minute, and another console pays the same.
    let second = open_journal(folder.path());
    let equal = ready(&second, "25", 40);
    drop(
        second
            .permit_send(
                equal,
                SendReason::Confirmed,
                &destination(),
                time_at(41),
                time_at(61),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    let begin = |id, seconds| {
        first.permit_send(
            id,
            SendReason::Confirmed,
            &destination(),
            time_at(seconds),
            time_at(seconds + 20),
            None,
            &ApprovalPolicy::default(),
        )
    };
    let is_overtaken = |begun| matches!(begun, Err(JournalError::Illegal(IllegalOrderEvent::DuplicateSent)));
    assert!(is_overtaken(begin(waiting, 101)));
    assert!(begin(other, 101).is_ok(), "it pays something else");
    // What is drafted from here on is reviewed with the other in sight.
    let later = ready(&first, "25", 30);
    assert!(begin(later, 31).is_ok());
    // Whoever reads the journal by its end alone knows the same.
    execute_pragma(&first, "PRAGMA synchronous = OFF");
    for nth in 0..2_100 {
        first
            .record_lookup(
                equal,
                lookup_with_transaction(&format!("word-{nth}")),
                None,
                &FinalStatuses::default(),
                time_at(200 + nth),
            )
            .unwrap();
    }
    drop((first, second));
    let third = open_journal(folder.path());
    let begun = third.permit_send(
        waiting,
        SendReason::Confirmed,
        &destination(),
        time_at(102),
        time_at(122),
        None,
        &ApprovalPolicy::default(),
    );
    assert!(is_overtaken(begun));
}

#[test]
fn a_console_learns_that_another_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_journal(folder.path());
    let second = open_journal(folder.path());
    assert!(!first.take_changed_elsewhere().unwrap());
    let id = second.record_draft(withdrawal("25"), time_at(0)).unwrap().id;
    assert!(!second.take_changed_elsewhere().unwrap(), "its own writes are no news to it");
    assert!(first.take_changed_elsewhere().unwrap());
    assert!(!first.take_changed_elsewhere().unwrap());
    assert_eq!(all_orders(&first), [second.order(id).unwrap()]);
}

#[test]
fn consoles_that_share_a_journal_in_memory_learn_what_the_other_wrote() {
    let first = Journal::open(&JournalLocation::Memory, console(1)).unwrap().journal;
    let second = first.for_console(console(2));
    let id = first.record_draft(withdrawal("25"), time_at(0)).unwrap().id;
    assert!(!first.take_changed_elsewhere().unwrap(), "its own writes are no news to it");
    assert!(second.take_changed_elsewhere().unwrap());
    assert!(!second.take_changed_elsewhere().unwrap());
    second.record_end(id, OrderEnd::Abandoned(None), time_at(1)).unwrap();
    assert!(!second.take_changed_elsewhere().unwrap());
    assert!(first.take_changed_elsewhere().unwrap());
    assert!(!first.take_changed_elsewhere().unwrap());
}

#[test]
fn many_consoles_that_start_together_make_one_journal() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let together = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    together.wait();
                    let journal = open_journal(folder.path());
                    journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
                });
            }
        });
        let verified = verify(folder.path()).unwrap();
        assert_eq!((verified.records, verified.faults), (8, vec![]));
    }
}
