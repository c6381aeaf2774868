//! One half of the history, what left or what came, cannot be read while an order is settled: nothing settles, fails or
//! counts as not seen by the other half.

use std::time::Duration;

use bursar::service::{FailurePolicy, Fault, FaultRule};
use rstest::rstest;

use super::payment_outcomes::OperationKind;

const MINUTE: Duration = Duration::from_mins(1);

fn no(half: &str) -> FaultRule {
    Fault::with_status(500).on_paths("/v2/transactions").only_query_containing(format!("txType={half}"))
}

/// What became of a payment stands among what left, and nowhere else.
#[rstest]
fn without_what_left_no_order_ends(
    #[values(OperationKind::Payment, OperationKind::Batch, OperationKind::Swap, OperationKind::InstantSwap)]
    operation: OperationKind,
    #[values(FailurePolicy::Never, FailurePolicy::Always)] chains: FailurePolicy,
) {
    let mut session = operation.session();
    session.service().set_failure_policy(chains);
    operation.reviews(&mut session);
    session.faults(vec![no("outgoing")]);
    session.confirms();
    session.order().is("accepted", "the service accepted it");
    session.passes(15 * MINUTE);
    let order = session.order();
    order.is("accepted", "nobody could look");
    assert!(!order.status_text.contains("Alarm"), "{}", order.status_text);
    session.faults(Vec::new());
    session.passes(12 * MINUTE);
    session.order().is(if chains == FailurePolicy::Never { "settled" } else { "failed" }, "by the history");
}

/// What left is settled by itself; of a swap it is one side, and what was shown in its review is compared with the other.
#[rstest]
#[case(OperationKind::Payment, "settled")]
#[case(OperationKind::Batch, "settled")]
#[case(OperationKind::Swap, "accepted")]
#[case(OperationKind::InstantSwap, "accepted")]
fn without_what_came_no_swap_is_done(#[case] operation: OperationKind, #[case] state: &str) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    session.faults(vec![no("incoming")]);
    session.confirms();
    session.passes(25 * MINUTE);
    let order = session.order();
    order.is(state, "by what left");
    assert!(!order.status_text.contains("Alarm"), "{}", order.status_text);
    if state == "accepted" {
        assert!(
            order.status_text.contains("until the history that shows the proceeds is read"),
            "{}",
            order.status_text
        );
    }
    session.faults(Vec::new());
    session.passes(6 * MINUTE);
    let order = session.order();
    order.is("settled", "by both");
    assert!(state == "settled" || order.status_text.contains("Proceeds: "), "{}", order.status_text);
}

/// One that brings less than was shown is an alarm also where that could be read late alone.
#[test]
fn what_a_swap_brought_is_compared_however_late_it_is_read() {
    let mut session = OperationKind::Swap.session();
    OperationKind::Swap.reviews(&mut session);
    session.faults(vec![no("incoming"), Fault::SwapPaysLess(60).on_paths("/v2/transactions")]);
    session.confirms();
    session.passes(25 * MINUTE);
    session.order().is("accepted", "what came is not known");
    session.faults(vec![Fault::SwapPaysLess(60).on_paths("/v2/transactions")]);
    session.passes(6 * MINUTE);
    let order = session.order();
    order.is("settled", "by both");
    assert!(order.status_text.contains("Alarm: amount bought"), "{}", order.status_text);
}

/// An answer that says it is done is no more than one half: neither side of the history may be missing.
#[rstest]
fn a_swap_that_its_answer_calls_done_is_not_done_by_half_a_history(#[values("outgoing", "incoming")] half: &str) {
    let mut session = OperationKind::InstantSwap.session();
    OperationKind::InstantSwap.reviews(&mut session);
    session.faults(vec![Fault::SwapReportedDone.on_changes(), no(half), Fault::RowsHidden.on_reads()]);
    session.confirms();
    session.passes(25 * MINUTE);
    session.order().is("accepted", "half of the history says nothing");
    session.faults(vec![Fault::RowsHidden.on_reads()]);
    session.passes(12 * MINUTE);
    session.order().is("settled", "all of it was read and did not show it");
}

/// That something was not seen is said of what left; whether what came can be read adds nothing and takes nothing away.
#[rstest]
#[case("outgoing", false)]
#[case("incoming", true)]
fn not_seen_is_said_by_what_left_alone(#[case] half: &str, #[case] is_said: bool) {
    without_half_of_the_history(half, is_said, OperationKind::Payment);
}

#[rstest]
#[ignore = "campaign: the other operations"]
fn not_seen_is_said_of_any_operation_by_what_left_alone(
    #[values(OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    without_half_of_the_history("outgoing", false, operation);
    without_half_of_the_history("incoming", true, operation);
}

fn without_half_of_the_history(half: &str, is_said: bool, operation: OperationKind) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes(), no(half)]);
    session.confirms();
    session.passes(20 * MINUTE);
    let order = session.order();
    order.is("unknown", "no answer came");
    assert_eq!(order.intent.counts_as_not_seen(), is_said, "{}", order.status_text);
    assert_eq!(order.executions, 0);
}
