//! Payments by version 1, which has a memo and no idempotency key: sent once, and looked for by their reference.

use std::time::Duration;

use bursar::domain::Draft;
use bursar::service::{FailurePolicy, Fault};

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn session() -> Session {
    Session::with(Setup { poll_period: MINUTE, change_time_out: 2 * SECOND, ..Setup::default() })
}

/// Fills in a payment of 25 USDC up to its review.
#[track_caller]
fn reviews(session: &mut Session, memo: &str) {
    session.reviews_v1("base-ops", "USDC", "25", STRANGER, memo);
}

#[test]
fn a_payment_carries_its_memo_and_settles() {
    let mut session = session();
    let tap = session.service().record_requests();
    session.keys("1 m");
    session.sees("Withdraw · version 1");
    session.sees("Version 1 has no idempotency key");
    session.keys("Esc");
    reviews(&mut session, "customer 12");
    session.sees("customer 12");
    session.sees("never sends");
    let (draft, bytes) = session.reviewed_payment().unwrap();
    let Draft::Payment(payment) = &draft else { panic!("{draft:?}") };
    assert_eq!(payment.memo.as_deref(), Some("customer 12"));
    session.confirms();
    session.order().is("accepted", "the service accepted it");
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("settled", "by the history");
    assert_eq!(order.executions, 1);
    let changes = tap.changes();
    assert_eq!(changes.iter().map(|request| &*request.path).collect::<Vec<_>>(), ["/v1/withdraw/create"]);
    assert_eq!(changes[0].body, bytes);
    session.opens_order();
    session.sees("customer 12");
    session.sees("Payment (v1)");
}

/// What comes of every answer stands in the table of outcomes. Nor does the operator's word send it again.
#[test]
fn a_payment_of_unknown_fate_is_not_sent_again_by_anybodys_word() {
    let mut session = session();
    let tap = session.service().record_requests();
    reviews(&mut session, "");
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.passes(15 * MINUTE);
    let order = session.order();
    order.is("unknown", "no answer came");
    assert!(order.status_text.contains("Version 1 has no idempotency key"), "{}", order.status_text);
    session.opens_order();
    session.keys("S");
    session.sees("no idempotency key");
    assert_eq!((tap.changes().len(), order.intent.attempts.len()), (1, 1));
}

#[test]
fn a_payment_that_version_2_does_not_show_is_found_in_version_1() {
    let mut session = session();
    reviews(&mut session, "");
    // The history of version 2 stays empty of it.
    session.faults(vec![
        Fault::ConnectionCut.on_changes(),
        Fault::RowsHidden.on_paths("/v2/transactions").lasting(30 * MINUTE),
    ]);
    session.confirms();
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("settled", "by its clientTxId");
    assert_eq!((order.executions, order.intent.attempts.len()), (1, 1));
}

#[test]
fn a_payment_that_its_chain_lets_fail_is_told_as_failed() {
    let mut session = session();
    session.service().set_failure_policy(FailurePolicy::Always);
    reviews(&mut session, "");
    session.confirms();
    session.passes(16 * MINUTE);
    session.order().is("failed", "its chain let it, as three reads over ten minutes say");
}

#[test]
fn an_equal_payment_by_the_other_version_is_stopped_while_nobody_knows() {
    let mut session = session();
    reviews(&mut session, "");
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.order().is("unknown", "no answer came");
    session.faults(Vec::new());
    session.keys("Esc Esc Esc");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("An equal payment is unresolved and may have been made");
    assert_eq!(session.judgement().map(|(_, stopped)| stopped), Some(true));
}

#[test]
fn a_console_without_version_1_says_so() {
    let mut session = Session::with(Setup { v1: false, ..Setup::default() });
    session.keys("m");
    session.sees("version 1 is not used");
}
