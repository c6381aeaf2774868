//! No closed word is final against evidence: each closed state, and each thing that a row may say against it.

use super::*;
use crate::domain::order::State;
use crate::domain::outcome::RecipientObservation;

const FAILED: (&str, Option<bool>) = ("failed", None);
const TORN: (&str, Option<bool>) = ("failed", Some(true));
const PENDING: (&str, Option<bool>) = ("pending", None);
const DONE: (&str, Option<bool>) = ("success", Some(true));
const STRANGE: (&str, Option<bool>) = ("void", Some(true));

fn look((status, confirmed): (&str, Option<bool>)) -> HistoryLookup {
    let transaction = Some(TransactionId::read("tx-1"));
    let seen = ObservedTransaction {
        transaction,
        status: Some(Status::read(status)),
        confirmed,
        ..ObservedTransaction::default()
    };
    HistoryLookup { observed: Some(seen), ..HistoryLookup::default() }
}

fn reads(intent: &mut Order, minutes_ago: &[i64]) {
    for ago in minutes_ago {
        intent.apply(stamp(*ago), Event::Looked(HistoryLookup { is_complete: true, ..HistoryLookup::default() }));
    }
}

fn ended(outcome: Outcome, seen: Option<(&str, Option<bool>)>, end: OrderEnd) -> Order {
    let mut intent = order(1, 60, Some(outcome));
    if let Some(seen) = seen {
        intent.apply(stamp(55), Event::Looked(look(seen)));
    }
    intent.apply(stamp(50), Event::Ended(end));
    intent
}

/// An order of an hour ago in each closed state.
fn closed() -> Vec<(&'static str, State, Order)> {
    let mut declined = order(1, 60, Some(Outcome::Declined));
    reads(&mut declined, &[59]);
    let mut doubtful = order(1, 60, Some(Outcome::ProbablyRefused { wait: None }));
    reads(&mut doubtful, &[59, 55, 45]);
    let written_off = || OrderEnd::WrittenOff("paid by hand".into());
    vec![
        ("refused by an older version", State::Refused, order(1, 60, Some(Outcome::Refused))),
        ("refused in its own words", State::Refused, declined),
        ("refused by what reads like it", State::Refused, doubtful),
        ("not sent", State::NotSent, order(1, 60, Some(Outcome::NotSent))),
        ("given up", State::Abandoned, ended(Outcome::NotSent, None, OrderEnd::Abandoned(None))),
        ("settled", State::Settled, ended(Outcome::Accepted, Some(DONE), OrderEnd::Settled)),
        ("settled by its answer", State::Settled, ended(Outcome::Accepted, None, OrderEnd::Settled)),
        ("failed", State::Failed, ended(Outcome::Accepted, Some(FAILED), OrderEnd::Failed)),
        ("written off", State::WrittenOff, ended(Outcome::Unknown, None, written_off())),
        ("written off while pending", State::WrittenOff, ended(Outcome::Unknown, Some(PENDING), written_off())),
    ]
}

fn judged(intent: &Order) -> Option<Severity> {
    let known = known(&store(&[]), std::slice::from_ref(intent));
    let findings = guard::judge(&GuardedPayment { request: &says(), sender: &sender(), facts: &known, now: now() });
    findings.into_iter().find(|finding| finding.rule == Rule::Duplicate).map(|finding| finding.severity)
}

#[test]
fn each_closed_state_is_opened_again_by_what_contradicts_it_and_counts_at_once() {
    let words = FinalStatuses::default();
    for (name, state, order) in closed() {
        assert_eq!(order.state(now()), state, "{name}");
        assert!(!order.is_unresolved(now()), "{name}");
        for evidence in [PENDING, DONE, FAILED, TORN, STRANGE] {
            let contradicts = match state {
                State::Settled => [FAILED, TORN].contains(&evidence),
                State::WrittenOff if name.ends_with("pending") => ![FAILED, PENDING, STRANGE].contains(&evidence),
                _ => evidence != FAILED,
            };
            let mut look = look(evidence);
            look.contradiction = order.contradiction(&look, &words, now());
            assert_eq!(look.contradiction.is_some(), contradicts, "{name}: {evidence:?}");
            if !contradicts {
                continue;
            }
            let event = if order.end.is_some() { Event::Reopened(look) } else { Event::Looked(look) };
            assert_eq!(order.check_event(&event, now()), Ok(()), "{name}: {evidence:?}");
            let mut opened = order.clone();
            opened.apply(stamp(1), event);
            assert_eq!(opened.state(now()), State::Accepted, "{name}: {evidence:?}");
            assert!(opened.is_open(now()) && opened.is_unresolved(now()) && opened.is_reopened(), "{name}");
            let alarm = opened.differences().iter().map(ToString::to_string).collect::<String>();
            assert!(alarm.contains("and the history now shows") && alarm.contains(evidence.0), "{name}: {alarm}");
            assert_eq!(judged(&opened), Some(Severity::Stop), "{name}: {evidence:?}");
            // The same again says nothing new, until somebody closes it; what he knew then opens it no more.
            assert_eq!(opened.contradiction(&self::look(evidence), &words, now()), None, "{name}");
            opened.apply(stamp(0), Event::Ended(OrderEnd::WrittenOff("the service says so".into())));
            assert_eq!(opened.contradiction(&self::look(evidence), &words, now()), None, "{name}: {evidence:?}");
        }
        // A second payment under its key is an alarm whatever it was closed as.
        let twice = HistoryLookup { differences: vec!["paid twice? Transactions a and b".into()], ..self::look(DONE) };
        assert!(order.contradiction(&twice, &words, now()).is_some(), "{name}");
    }
}

#[test]
fn one_that_failed_beside_the_one_that_was_done_contradicts_nothing() {
    let settled = ended(Outcome::Accepted, Some(DONE), OrderEnd::Settled);
    let mut other = look(FAILED);
    other.observed.as_mut().unwrap().transaction = Some(TransactionId::read("tx-2"));
    assert_eq!(settled.contradiction(&other, &FinalStatuses::default(), now()), None);
}

#[test]
fn each_recipient_of_a_batch_that_fares_otherwise_than_it_was_closed_opens_it_again() {
    let words = FinalStatuses::default();
    let seen = |word: &str| ObservedTransaction { status: Some(Status::read(word)), ..ObservedTransaction::default() };
    let part = |recipient, word: &str| RecipientObservation { recipient, observed: seen(word) };
    let mut batch = order(1, 60, Some(Outcome::Accepted));
    let parts = vec![part(0, "success"), part(1, "failed")];
    batch.apply(
        stamp(30),
        Event::Looked(HistoryLookup { observed: Some(seen("x")), parts, ..HistoryLookup::default() }),
    );
    batch.apply(stamp(20), Event::Ended(OrderEnd::PartlySettled));
    for (told, contradicts) in [
        (part(0, "success"), false),
        (part(0, "reverted"), true),
        (part(1, "failed"), false),
        (part(1, "pending"), true),
        (part(1, "success"), true),
    ] {
        let look = HistoryLookup { observed: Some(seen("x")), parts: vec![told.clone()], ..HistoryLookup::default() };
        assert_eq!(batch.contradiction(&look, &words, now()).is_some(), contradicts, "{told:?}");
    }
}

#[test]
fn what_is_told_as_failed_takes_three_whole_reads_over_ten_minutes_that_all_say_so() {
    let words = FinalStatuses::default();
    let failing = || HistoryLookup { shows_failure: true, ..look(FAILED) };
    let mut order = order(1, 60, Some(Outcome::Accepted));
    assert!(!order.is_surely_failed(&words, ago(50)), "one reading");
    order.apply(stamp(50), Event::Looked(failing()));
    assert!(!order.is_surely_failed(&words, ago(39)), "two");
    order.apply(stamp(46), Event::Looked(failing()));
    assert!(!order.is_surely_failed(&words, ago(41)), "three within nine minutes");
    assert!(order.is_surely_failed(&words, ago(40)));
    // What is met in between and says the same changes nothing; what says otherwise has them counted anew.
    order.apply(stamp(45), Event::Looked(look(FAILED)));
    assert!(order.is_surely_failed(&words, ago(40)));
    order.apply(stamp(44), Event::Looked(look(PENDING)));
    assert!(!order.is_surely_failed(&words, ago(40)) && order.failing_reads(&words).is_empty());
}

#[test]
fn a_row_under_an_own_key_is_never_called_somebody_elses() {
    let row = Transaction { idempotency_key: Some(key(1).to_string().as_str().into()), ..row("x", 5) };
    for outcome in [Outcome::Refused, Outcome::NotSent] {
        let known = known(&store(std::slice::from_ref(&row)), &[order(1, 10, Some(outcome))]);
        let intents: Vec<_> = known.recent_payments.iter().map(|paid| paid.order).collect();
        assert_eq!(intents, [Some(OrderId(Uuid::from_u128(1)))], "{outcome:?}");
    }
}
