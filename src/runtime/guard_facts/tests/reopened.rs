//! No closed word is final against evidence: each closed state, and each thing that a row may say against it.

use super::*;
use crate::domain::order::OrderState;
use crate::domain::outcome::RecipientObservation;

const FAILED: (&str, Option<bool>) = ("failed", None);
const FAILED_AND_CONFIRMED: (&str, Option<bool>) = ("failed", Some(true));
const PENDING: (&str, Option<bool>) = ("pending", None);
const DONE: (&str, Option<bool>) = ("success", Some(true));
const UNKNOWN_STATUS: (&str, Option<bool>) = ("void", Some(true));

fn history_lookup((status, confirmed): (&str, Option<bool>)) -> HistoryLookup {
    let transaction = Some(TransactionId::from_text("tx-1"));
    let observed = ObservedTransaction {
        transaction,
        status: Some(Status::from_word(status)),
        confirmed,
        ..ObservedTransaction::default()
    };
    HistoryLookup { observed: Some(observed), ..HistoryLookup::default() }
}

fn add_complete_reads(intent: &mut Order, minutes_ago: &[i64]) {
    for ago in minutes_ago {
        intent.apply(
            order_stamp(*ago),
            OrderEvent::LookedUp(HistoryLookup { is_complete: true, ..HistoryLookup::default() }),
        );
    }
}

fn order_with_end(outcome: Outcome, observed: Option<(&str, Option<bool>)>, end: OrderEnd) -> Order {
    let mut intent = order(1, 60, Some(outcome));
    if let Some(observed) = observed {
        intent.apply(order_stamp(55), OrderEvent::LookedUp(history_lookup(observed)));
    }
    intent.apply(order_stamp(50), OrderEvent::Ended(end));
    intent
}

/// An order of an hour ago in each closed state.
fn closed_orders() -> Vec<(&'static str, OrderState, Order)> {
    let mut declined = order(1, 60, Some(Outcome::Declined));
    add_complete_reads(&mut declined, &[59]);
    let mut doubtful = order(1, 60, Some(Outcome::ProbablyRefused { wait: None }));
    add_complete_reads(&mut doubtful, &[59, 55, 45]);
    let written_off = || OrderEnd::WrittenOff("paid by hand".into());
    vec![
        ("refused by an older version", OrderState::Refused, order(1, 60, Some(Outcome::Refused))),
        ("refused in its own words", OrderState::Refused, declined),
        ("refused by what reads like it", OrderState::Refused, doubtful),
        ("not sent", OrderState::NotSent, order(1, 60, Some(Outcome::NotSent))),
        ("given up", OrderState::Abandoned, order_with_end(Outcome::NotSent, None, OrderEnd::Abandoned(None))),
        ("settled", OrderState::Settled, order_with_end(Outcome::Accepted, Some(DONE), OrderEnd::Settled)),
        ("settled by its answer", OrderState::Settled, order_with_end(Outcome::Accepted, None, OrderEnd::Settled)),
        ("failed", OrderState::Failed, order_with_end(Outcome::Accepted, Some(FAILED), OrderEnd::Failed)),
        ("written off", OrderState::WrittenOff, order_with_end(Outcome::Unknown, None, written_off())),
        (
            "written off while pending",
            OrderState::WrittenOff,
            order_with_end(Outcome::Unknown, Some(PENDING), written_off()),
        ),
    ]
}

fn duplicate_severity(intent: &Order) -> Option<Severity> {
    let facts = facts_for_payment_with(&store(&[]), std::slice::from_ref(intent));
    let findings =
        guard::judge(&GuardedPayment { request: &withdrawal(), sender: &sender(), facts: &facts, now: now() });
    findings.into_iter().find(|finding| finding.rule == Rule::Duplicate).map(|finding| finding.severity)
}

#[test]
fn each_closed_state_is_opened_again_by_what_contradicts_it_and_counts_at_once() {
    let final_statuses = FinalStatuses::default();
    for (name, state, order) in closed_orders() {
        assert_eq!(order.state(now()), state, "{name}");
        assert!(!order.is_unresolved(now()), "{name}");
        for evidence in [PENDING, DONE, FAILED, FAILED_AND_CONFIRMED, UNKNOWN_STATUS] {
            let contradicts = match state {
                OrderState::Settled => [FAILED, FAILED_AND_CONFIRMED].contains(&evidence),
                OrderState::WrittenOff if name.ends_with("pending") => {
                    ![FAILED, PENDING, UNKNOWN_STATUS].contains(&evidence)
                }
                _ => evidence != FAILED,
            };
            let mut look = history_lookup(evidence);
            look.contradiction = order.contradiction(&look, &final_statuses, now());
            assert_eq!(look.contradiction.is_some(), contradicts, "{name}: {evidence:?}");
            if !contradicts {
                continue;
            }
            let event = if order.end.is_some() { OrderEvent::Reopened(look) } else { OrderEvent::LookedUp(look) };
            assert_eq!(order.check_event(&event, now()), Ok(()), "{name}: {evidence:?}");
            let mut opened = order.clone();
            opened.apply(order_stamp(1), event);
            assert_eq!(opened.state(now()), OrderState::Accepted, "{name}: {evidence:?}");
            assert!(opened.is_open(now()) && opened.is_unresolved(now()) && opened.is_reopened(), "{name}");
            let alarm = opened.differences().iter().map(ToString::to_string).collect::<String>();
            assert!(alarm.contains("and the history now shows") && alarm.contains(evidence.0), "{name}: {alarm}");
            assert_eq!(duplicate_severity(&opened), Some(Severity::Stop), "{name}: {evidence:?}");
            // The same again says nothing new, until somebody closes it; what he knew then opens it no more.
            assert_eq!(opened.contradiction(&self::history_lookup(evidence), &final_statuses, now()), None, "{name}");
            opened.apply(order_stamp(0), OrderEvent::Ended(OrderEnd::WrittenOff("the service says so".into())));
            assert_eq!(
                opened.contradiction(&self::history_lookup(evidence), &final_statuses, now()),
                None,
                "{name}: {evidence:?}"
            );
        }
        // A second payment under its key is an alarm whatever it was closed as.
        let twice = HistoryLookup {
            differences: vec!["paid twice? Transactions a and b".into()],
            ..self::history_lookup(DONE)
        };
        assert!(order.contradiction(&twice, &final_statuses, now()).is_some(), "{name}");
    }
}

#[test]
fn one_that_failed_beside_the_one_that_was_done_contradicts_nothing() {
    let settled = order_with_end(Outcome::Accepted, Some(DONE), OrderEnd::Settled);
    let mut other = history_lookup(FAILED);
    other.observed.as_mut().unwrap().transaction = Some(TransactionId::from_text("tx-2"));
    assert_eq!(settled.contradiction(&other, &FinalStatuses::default(), now()), None);
}

#[test]
fn each_recipient_of_a_batch_that_fares_otherwise_than_it_was_closed_opens_it_again() {
    let final_statuses = FinalStatuses::default();
    let observed_with =
        |word: &str| ObservedTransaction { status: Some(Status::from_word(word)), ..ObservedTransaction::default() };
    let part = |recipient, word: &str| RecipientObservation { recipient, observed: observed_with(word) };
    let mut batch = order(1, 60, Some(Outcome::Accepted));
    let parts = vec![part(0, "success"), part(1, "failed")];
    batch.apply(
        order_stamp(30),
        OrderEvent::LookedUp(HistoryLookup {
            observed: Some(observed_with("x")),
            recipient_reports: parts,
            ..HistoryLookup::default()
        }),
    );
    batch.apply(order_stamp(20), OrderEvent::Ended(OrderEnd::PartlySettled));
    for (report, contradicts) in [
        (part(0, "success"), false),
        (part(0, "reverted"), true),
        (part(1, "failed"), false),
        (part(1, "pending"), true),
        (part(1, "success"), true),
    ] {
        let look = HistoryLookup {
            observed: Some(observed_with("x")),
            recipient_reports: vec![report.clone()],
            ..HistoryLookup::default()
        };
        assert_eq!(batch.contradiction(&look, &final_statuses, now()).is_some(), contradicts, "{report:?}");
    }
}

#[test]
fn what_is_told_as_failed_takes_three_whole_reads_over_ten_minutes_that_all_say_so() {
    let final_statuses = FinalStatuses::default();
    let failing = || HistoryLookup { shows_failure: true, ..history_lookup(FAILED) };
    let mut order = order(1, 60, Some(Outcome::Accepted));
    assert!(!order.is_surely_failed(&final_statuses, ago(50)), "one reading");
    order.apply(order_stamp(50), OrderEvent::LookedUp(failing()));
    assert!(!order.is_surely_failed(&final_statuses, ago(39)), "two");
    order.apply(order_stamp(46), OrderEvent::LookedUp(failing()));
    assert!(!order.is_surely_failed(&final_statuses, ago(41)), "three within nine minutes");
    assert!(order.is_surely_failed(&final_statuses, ago(40)));
    // What is met in between and says the same changes nothing; what says otherwise has them counted anew.
    order.apply(order_stamp(45), OrderEvent::LookedUp(history_lookup(FAILED)));
    assert!(order.is_surely_failed(&final_statuses, ago(40)));
    order.apply(order_stamp(44), OrderEvent::LookedUp(history_lookup(PENDING)));
    assert!(!order.is_surely_failed(&final_statuses, ago(40)) && order.failing_read_times(&final_statuses).is_empty());
}

#[test]
fn a_row_under_an_own_key_is_never_called_somebody_elses() {
    let row = Transaction { idempotency_key: Some(idempotency_key(1).to_string().as_str().into()), ..row("x", 5) };
    for outcome in [Outcome::Refused, Outcome::NotSent] {
        let facts = facts_for_payment_with(&store(std::slice::from_ref(&row)), &[order(1, 10, Some(outcome))]);
        let intents: Vec<_> = facts.recent_payments.iter().map(|payment| payment.order).collect();
        assert_eq!(intents, [Some(OrderId(Uuid::from_u128(1)))], "{outcome:?}");
    }
}
