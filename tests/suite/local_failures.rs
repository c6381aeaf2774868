//! Paying while something is wrong with this machine: a journal that cannot be written, a clock that moved, a key that
//! was changed, a keyring that says no, a second console. Each is told in words, and nothing is paid twice.

use bursar::domain::approval::ApprovalPolicy;
use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::domain::order::{Confirmation, OrderEnd, SendReason};
use bursar::service::Fault;
use rstest::rstest;
use rusqlite::Connection;

use super::harness::wait::waits_until;
use super::harness::{Session, Setup};
use super::payment_outcomes::OperationKind;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn session() -> Session {
    Session::with(Setup { poll_period: 10 * SECOND, change_time_out: 2 * SECOND, ..Setup::default() })
}

/// A payment whose answer was lost, and which the history hides for so long.
fn unknown(hidden: Duration) -> Session {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(hidden)]);
    session.confirms();
    session.order().is("unknown", "its answer was lost");
    session
}

#[rstest]
fn a_journal_that_cannot_be_written_keeps_it_from_being_sent(
    #[values(OperationKind::Payment, OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    let locked_journal = Connection::open(session.till().file()).unwrap();
    locked_journal.execute_batch("BEGIN IMMEDIATE").unwrap();
    session.confirms();
    session.sees("Nothing was sent");
    session.sees("another program has locked the journal");
    assert_eq!(tap.changes(), []);
    locked_journal.execute_batch("ROLLBACK").unwrap();
    session.keys("Esc Esc Esc Esc");
    operation.reviews(&mut session);
    session.confirms();
    session.passes(2 * MINUTE);
    session.order().is("settled", "the journal can be written again");
    assert_eq!(tap.changes().len(), 1);
}

/// The answer comes and cannot be recorded: it is said, and the history tells the rest.
#[test]
fn an_answer_that_cannot_be_recorded_is_said_and_found_again() {
    let mut session = session();
    let tap = session.service().record_requests();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::NoAnswer { executed: true }.on_changes()]);
    let (file, log) = (session.till().file(), tap.clone());
    let (release, released) = std::sync::mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        waits_until("a request that changes something", || !log.changes().is_empty());
        let locked_journal = Connection::open(file).unwrap();
        locked_journal.busy_timeout(Duration::from_secs(5)).unwrap();
        locked_journal.execute_batch("BEGIN IMMEDIATE").unwrap();
        let _gone = released.recv();
        locked_journal.execute_batch("ROLLBACK").unwrap();
    });
    session.confirms();
    session.opens_order();
    session.keys("Esc");
    session.sees("could not be recorded");
    release.send(()).unwrap();
    holder.join().unwrap();
    session.faults(Vec::new());
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("settled", "the history shows it");
    // It may have been sent again meanwhile, with the same key.
    let body = order.intent.drafted.request.body.as_bytes();
    assert!(order.executions == 1 && tap.changes().iter().all(|request| request.body == body));
}

#[rstest]
fn a_clock_that_is_set_back_sends_nothing_by_itself(
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::InstantSwap,
        OperationKind::PaymentV1
    )]
    operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    session.faults(vec![
        Fault::ConnectionCut.on_changes(),
        Fault::RowsHidden.on_reads().lasting(10 * MINUTE),
        Fault::with_status(500).on_paths("/v1/sub-wallet/withdraw").lasting(10 * MINUTE),
    ]);
    session.confirms();
    session.order().is("unknown", "its answer was lost");
    tap.clear();
    session.sets_clock(Timestamp::parse_iso("2026-11-02T11:00:00Z").unwrap());
    session.passes(4 * MINUTE);
    session.order().is("unknown", "whatever the clock says");
    assert_eq!(tap.changes(), []);
    session.faults(Vec::new());
    session.passes(2 * MINUTE);
    let order = session.order();
    assert_eq!(order.executions, 1);
    // The chain of the embedded service goes by the same clock, and has to come that far again.
    assert!(["accepted", "settled"].contains(&order.status), "{}", order.status_text);
}

/// A review stands there, and nobody can tell any more for how long.
#[rstest]
fn a_clock_that_is_set_back_while_a_review_is_open_has_it_read_anew(
    #[values(OperationKind::Payment, OperationKind::Batch, OperationKind::Swap, OperationKind::PaymentV1)]
    operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    session.passes(2 * SECOND);
    session.sets_clock(Timestamp::parse_iso("2026-11-02T11:00:00Z").unwrap());
    // What is typed at once is typed by somebody who has not seen it since.
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
    assert_eq!(tap.changes(), []);
    session.confirms();
    // Figures that turned old meanwhile are read anew, and then Enter counts.
    if tap.changes().is_empty() {
        session.keys("Enter");
    }
    session.passes(2 * MINUTE);
    let order = session.order();
    assert!(["accepted", "settled"].contains(&order.status), "{}", order.status_text);
    assert_eq!((order.executions, tap.changes().len()), (1, 1));
}

#[test]
fn a_clock_that_is_set_ahead_warns_that_the_key_may_be_forgotten() {
    let mut session = unknown(48 * 60 * MINUTE);
    session.sets_clock(Timestamp::parse_iso("2026-11-03T03:00:00Z").unwrap());
    session.passes(MINUTE);
    assert_eq!(session.order().intent.attempts.len(), 1, "it is too late to be sent by itself");
    session.opens_order();
    session.keys("S");
    session.sees("12 hours");
    session.sees("if resent, this payment may be made");
    session.sees("twice.");
}

#[test]
fn after_the_key_was_changed_an_order_is_found_and_not_sent_under_another() {
    let mut session = unknown(2 * MINUTE);
    let tap = session.service().record_requests();
    tap.clear();
    session.rotates_keys();
    // By itself, and by the operator's word.
    session.passes(50 * SECOND);
    session.opens_order();
    session.keys("S 'again' Enter");
    session.sees("under another API key");
    assert_eq!(tap.changes(), []);
    session.passes(5 * MINUTE);
    session.order().is("settled", "reading needs no old key");
    session.reviews("base-ops", "USDC", "26", STRANGER);
    session.confirms();
    session.passes(2 * MINUTE);
    session.order().is("settled", "what is new goes under the new key");
}

#[test]
fn a_keyring_that_says_no_leaves_the_form_as_it_was_and_sends_nothing() {
    let mut session = session();
    session.till().refuses("the keyring is locked; unlock it");
    session.fills_in("base-ops", "USDC", "25", STRANGER);
    session.sees("the keyring is locked; unlock it");
    session.sees(STRANGER);
    assert_eq!(session.till().orders(), []);
}

#[rstest]
fn a_keyring_that_is_locked_in_mid_session_lets_nothing_be_reviewed(
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::InstantSwap,
        OperationKind::PaymentV1
    )]
    operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    session.keys("Esc");
    session.till().refuses("the keyring is locked; unlock it");
    session.keys("Enter");
    session.sees("the keyring is locked; unlock it");
    session.sees("Nothing was sent");
    session.sees("[ Review ]");
    assert!(session.reviewed_payment().is_none());
    assert_eq!(session.till().orders().len(), 1, "another one was drafted");
    // It is unlocked, and the form goes on.
    session.rotates_keys();
    session.passes(SECOND);
    session.keys("Enter");
    session.confirms();
    session.passes(2 * MINUTE);
    let order = session.order();
    order.is("settled", "under the key that there is now");
    assert_eq!((order.executions, tap.changes().len()), (1, 1));
}

/// The draft is on record by then, and nobody will ever review it.
#[test]
fn a_draft_that_cannot_be_reviewed_is_given_up_with_the_reason() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.keys("Esc");
    session.sees("[ Review ]");
    let cache = Connection::open(session.till().cache().join("cache.db")).unwrap();
    cache.execute_batch("ALTER TABLE wallet RENAME TO wallet_elsewhere").unwrap();
    session.keys("Enter");
    session.sees("Nothing was sent");
    let [order, _reviewed] = &session.till().orders()[..] else { panic!("two orders were drafted") };
    let Some((_, OrderEnd::Abandoned(Some(reason)))) = &order.end else { panic!("{:?}", order.end) };
    assert!(reason.contains("the order could not be reviewed") && reason.contains("wallet"), "{reason}");
    let status_texts: Vec<String> = session.orders().into_iter().map(|order| order.status_text).collect();
    assert!(
        status_texts.iter().any(|text| text.contains("Given up by the console: the order could not be reviewed")),
        "{status_texts:?}"
    );
    cache.execute_batch("ALTER TABLE wallet_elsewhere RENAME TO wallet").unwrap();
    session.keys("Esc Esc Esc Esc");
    session.passes(SECOND);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.passes(MINUTE);
    session.order().is("settled", "the next one can be");
}

#[test]
fn what_another_console_did_with_an_order_is_on_screen_and_not_done_twice() {
    let mut session = session();
    let tap = session.service().record_requests();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    let other = session.till().opens();
    let id = session.till().orders()[0].id;
    other
        .journal
        .record_confirmation(id, Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }, session.now())
        .unwrap();
    session.confirms();
    session.sees("already confirmed");
    assert_eq!(tap.changes(), []);
    // It is sent there; here it is seen to be on its way, and cannot be sent.
    let (factory, at) = (other.operator_factory, session.now());
    let destination = factory().unwrap().destination;
    let order = other
        .journal
        .permit_send(
            id,
            SendReason::Confirmed,
            &destination,
            at,
            at.plus(30 * SECOND),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    session.passes(11 * SECOND);
    session.opens_order();
    session.order().is("sending", "the other console is at it");
    session.keys("S");
    session.sees("is being sent at this moment, perhaps by another console");
    drop(order);
    session.passes(2 * MINUTE);
    session.order().is("unknown", "it never said what came of it");
    other.journal.record_end(id, OrderEnd::WrittenOff("it was never sent".into()), session.now()).unwrap();
    session.passes(11 * SECOND);
    session.order().is("written off", "there");
}

/// Two people review the same at one moment, and each is asked nothing of the other's.
#[rstest]
fn what_another_console_sends_while_an_equal_one_is_reviewed_is_not_done_twice(
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::InstantSwap,
        OperationKind::PaymentV1
    )]
    operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    let other = session.till().opens();
    let (drafted, at) = (session.till().orders()[0].drafted.clone(), session.now());
    let id = other.journal.record_draft(drafted, at).unwrap().id;
    let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    other.journal.record_confirmation(id, confirmation, at).unwrap();
    let destination = (other.operator_factory)().unwrap().destination;
    let order = other
        .journal
        .permit_send(
            id,
            SendReason::Confirmed,
            &destination,
            at,
            at.plus(30 * SECOND),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    session.confirms();
    assert_eq!(tap.changes(), [], "it was done twice");
    session.sees("Nothing was sent");
    drop(order);
    // Once this console has learnt of the other one, its reviews say so.
    session.keys("Esc");
    session.passes(MINUTE);
    session.keys("Enter");
    session.sees("STOP");
}
