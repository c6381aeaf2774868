//! No closed word is final against evidence: what shows up after an order was closed opens it again, and an equal payment
//! is stopped at once, whatever the timing.

use std::time::Duration;

use bursar::service::{FailurePolicy, Fault, FaultBody};
use rstest::rstest;

use super::harness::Session;
use super::payment_outcomes::OperationKind;

const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// The same payment again: its review says STOP, and nothing of it can be sent.
#[track_caller]
fn an_equal_payment_is_stopped(session: &mut Session) {
    let before = session.service().record_requests().changes().len();
    session.keys("Esc Esc Esc Esc");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("STOP");
    session.keys("Enter '25' Enter Enter");
    assert_eq!(session.service().record_requests().changes().len(), before, "{}", session.screen());
    session.keys("Esc Esc Esc Esc");
}

/// The order that was sent.
#[track_caller]
fn sent_order(session: &Session) -> super::harness::payments::OrderReport {
    session.orders().into_iter().find(|order| !order.intent.attempts.is_empty()).expect("an order was sent")
}

/// The service executes it, a copy of it is refused since its key was used, and the history lags behind: the words say
/// that there was another copy, so that nothing is called refused and the same payment is not made a second time.
#[rstest]
fn a_payment_whose_refusal_speaks_of_its_key_as_used_is_made_once(
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    let refuses = Fault::Status { status: 400, body: FaultBody::IdempotencyKeyUsed, executed: true };
    session.faults(vec![refuses.on_changes(), Fault::HistoryLags.on_reads().lasting(8 * MINUTE)]);
    session.confirms();
    let order = session.order();
    order.is("unknown", "its words speak of another copy");
    assert!(order.status_text.contains("Do not pay again from elsewhere"), "{}", order.status_text);
    session.sees("1 unresolved");
    if operation == OperationKind::Payment {
        an_equal_payment_is_stopped(&mut session);
    }
    session.passes(15 * MINUTE);
    let order = sent_order(&session);
    order.is("settled", "the history shows it");
    assert_eq!(order.executions, 1);
}

/// The service executes it and refuses it in words that say nothing of that, and the history lags behind: a whole read does
/// not show it, so that it is closed. As soon as any read shows it, it is open again, and an equal payment is stopped.
#[test]
fn what_was_refused_and_shows_up_is_opened_again_and_keeps_an_equal_payment_from_being_made() {
    let mut session = OperationKind::Payment.session();
    OperationKind::Payment.reviews(&mut session);
    session
        .faults(vec![Fault::executed_with_status(400).on_changes(), Fault::HistoryLags.on_reads().lasting(5 * MINUTE)]);
    session.confirms();
    session.order().is("rejected", "a whole read that began later did not show it");
    session.sees_no("unresolved");
    session.passes(8 * MINUTE);
    let order = sent_order(&session);
    order.is("reopened", "the history shows it");
    assert!(
        order.status_text.contains("the order was closed as rejected, and the history now shows"),
        "{}",
        order.status_text
    );
    session.sees("1 unresolved");
    session.sees("ALARM");
    an_equal_payment_is_stopped(&mut session);
    // The next start says the same, from the journal, until somebody has looked and closes it.
    session.restarts();
    session.connect();
    session.passes(5 * MINUTE);
    sent_order(&session).is("reopened", "nobody has looked");
    assert_eq!(sent_order(&session).executions, 1);
    session.opens_order();
    session.keys("W");
    session.types("asked the service");
    session.keys("Enter");
    session.types("write off");
    session.keys("Enter");
    session.passes(5 * MINUTE);
    sent_order(&session).is("written off", "what was known then opens it no more");
}

/// The first reading says failed, and the next that it was done.
#[test]
fn one_reading_that_says_failed_ends_nothing_and_what_was_closed_as_failed_is_opened_again() {
    let fails = |minutes: u32| {
        Fault::StatusReplaced { status: "failed", confirmed: false }.on_reads().lasting(minutes * MINUTE)
    };
    let mut session = OperationKind::Payment.session();
    OperationKind::Payment.reviews(&mut session);
    session.faults(vec![fails(4)]);
    session.confirms();
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("failed?", "one reading may be wrong");
    assert!(order.status_text.contains("One read may be wrong"), "{}", order.status_text);
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("settled", "the next reading says so");
    assert!(!order.status_text.contains("Alarm"), "{}", order.status_text);

    let mut session = OperationKind::Payment.session();
    OperationKind::Payment.reviews(&mut session);
    session.faults(vec![fails(20)]);
    session.confirms();
    session.passes(15 * MINUTE);
    session.order().is("failed", "three whole reads over ten minutes say so");
    session.passes(10 * MINUTE);
    let order = sent_order(&session);
    order.is("reopened", "it was done");
    assert!(
        order.status_text.contains("the order was closed as failed, and the history now shows"),
        "{}",
        order.status_text
    );
    assert_eq!(order.executions, 1);
    an_equal_payment_is_stopped(&mut session);
}

/// By version 1: the history of version 2 shows nothing of it, and the list that is read for another payment does.
#[test]
fn a_payment_by_version_1_that_was_written_off_is_opened_again_by_a_list_of_version_1() {
    let mut session = OperationKind::PaymentV1.session();
    OperationKind::PaymentV1.reviews(&mut session);
    session.faults(vec![
        Fault::ConnectionCut.on_paths("/v1/withdraw/create").lasting(MINUTE),
        Fault::HistoryLags.on_paths("/v2/transactions").lasting(90 * MINUTE),
        Fault::with_status(500).on_paths("/v1/sub-wallet/withdraw").lasting(10 * MINUTE),
    ]);
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("unknown", "no list shows it");
    session.opens_order();
    session.keys("W");
    session.types("nobody knows of it");
    session.keys("Enter");
    session.types("write off");
    session.keys("Enter");
    session.passes(8 * MINUTE);
    session.order().is("written off", "and no list that is read shows it");
    session.keys("Esc Esc Esc Esc");
    session.reviews_v1("base-ops", "USDC", "11", STRANGER, "");
    session.confirms();
    session.passes(5 * MINUTE);
    let first = session.orders().into_iter().min_by_key(|report| report.intent.created.at).unwrap();
    first.is("reopened", "the list that was read for the other one shows it");
    assert!(
        first.status_text.contains("the order was written off, and the history now shows"),
        "{}",
        first.status_text
    );
    assert_eq!(first.executions, 1);
    an_equal_payment_is_stopped(&mut session);
}

/// A chain undoes what it had confirmed.
#[test]
fn what_was_settled_and_failed_later_is_an_alarm_and_open_again() {
    let mut session = OperationKind::Payment.session();
    OperationKind::Payment.reviews(&mut session);
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the service calls it success");
    session.faults(vec![Fault::StatusReplaced { status: "reverted", confirmed: false }.on_reads()]);
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("reopened", "it is reverted");
    assert!(
        order.status_text.contains("the order was closed as settled, and the history now shows"),
        "{}",
        order.status_text
    );
    session.sees("ALARM");
    an_equal_payment_is_stopped(&mut session);
}

/// A transaction that a virtual machine undid is mined and confirmed all the same.
#[test]
fn a_status_that_nobody_knows_is_never_settled_however_confirmed_it_is() {
    for (status, alarm) in [
        ("rolled back", "which does not mean settled"),
        ("reverted", "failed and as final at once"),
        ("processing", "which does not mean settled"),
    ] {
        let mut session = OperationKind::Payment.session();
        OperationKind::Payment.reviews(&mut session);
        session.faults(vec![Fault::StatusReplaced { status, confirmed: true }.on_reads()]);
        session.confirms();
        session.passes(15 * MINUTE);
        let order = session.order();
        order.is("accepted", status);
        assert!(order.status_text.contains("Alarm: ") && order.status_text.contains(alarm), "{}", order.status_text);
        session.sees("ALARM");
    }
}

/// What failed is no contradiction of itself, however often it is read.
#[test]
fn a_payment_that_its_chain_lets_fail_stays_failed_while_the_history_says_nothing_else() {
    let mut session = OperationKind::Payment.session();
    session.service().set_failure_policy(FailurePolicy::Always);
    OperationKind::Payment.reviews(&mut session);
    session.confirms();
    session.passes(15 * MINUTE);
    session.order().is("failed", "its chain did not take it");
    session.restarts();
    session.connect();
    session.passes(15 * MINUTE);
    let order = session.order();
    order.is("failed", "and nothing contradicts that");
    assert!(!order.status_text.contains("Alarm"), "{}", order.status_text);
}
