//! Rows that say of our own payment that it came in, and what a payment cost.

use super::*;
use crate::domain::Direction;
use crate::orders::evidence::{evidence_in_rows, row_cost_alarms};

/// A service that does not show keys tries again what failed, in a row with the order's reference.
#[test]
fn what_failed_and_is_tried_again_without_a_key_has_not_failed() {
    let mut order = order_with_unknown_outcome(&["old"]);
    let referred =
        |id: &str, status: Status| Transaction { ref_id: Some("own-1".into()), status: Some(status), ..row(id, 5) };
    let failed = referred("first", Status::Failed);
    let observed = Some(ObservedTransaction::from_transaction(&failed));
    order.lookups.push((ago(1), HistoryLookup { observed, ..HistoryLookup::default() }));
    let differences_with = |retry: Option<Status>| {
        let retry = retry.map(|status| referred("second", status));
        let history = partial_history(vec![retry.into_iter().chain([failed.clone(), row("old", 60)]).collect()]);
        let look = evidence_in_rows(&history, &order, None, &"k".into(), &FinalStatuses::default(), true).unwrap();
        assert_eq!(look.observed.unwrap().transaction, Some(TransactionId::from_text("first")), "by its transaction");
        look.differences.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((differences_with(None), differences_with(Some(Status::Failed))), (Vec::new(), Vec::new()));
    let alarm = ["transaction second carries its reference and no key: tried again, or paid by somebody else?"];
    assert_eq!(differences_with(Some(Status::Pending)), alarm);
    assert_eq!(differences_with(Some(Status::Success)), alarm);
}

#[test]
fn what_else_carries_the_reference_of_a_failed_payment_does_not_keep_it_open() {
    let order = order_with_unknown_outcome(&["old"]);
    let plain = Transaction { ref_id: Some("own-1".into()), ..row("second", 5) };
    let retry = |row: &Transaction, owner: Option<&Order>| {
        let mut history =
            partial_history(vec![vec![row.clone(), row_of_order("first", Status::Failed), self::row("old", 60)]]);
        history.add_recorded(owner);
        history.retry_rows(&order).next().is_some()
    };
    assert!(retry(&plain, None));
    assert!(retry(&Transaction { amount: None, ..plain.clone() }, None), "it may be the same amount");
    let mut repeated = super::super::fixtures::order(2, 8, Some(Outcome::Accepted));
    assert!(retry(&plain, Some(&repeated)), "that is another's, and of another transaction");
    repeated.attempts[0].answer.as_mut().unwrap().1.created =
        Some(crate::domain::CreatedObject::Transaction(ObservedTransaction::from_transaction(&plain)));
    assert!(!retry(&plain, Some(&repeated)), "paid again from here");
    for (row, reason) in [
        (Transaction { amount: Some(ReportedAmount::Exact(usdc_amount("5"))), ..plain.clone() }, "the rest of it"),
        (Transaction { to_address: Some("0xdead".into()), ..plain.clone() }, "somebody else"),
        (Transaction { direction: Direction::Incoming, ..plain.clone() }, "a refund"),
        (Transaction { idempotency_key: Some("other".into()), ..plain.clone() }, "another request"),
        (Transaction { created_at: Some(ago(90)), id: TransactionId::from_text("old"), ..plain }, "there before"),
    ] {
        assert!(!retry(&row, None), "{reason}");
    }
}

/// The list of what went out, or any other list, says of our own payment that it came in: that is no row to be passed over.
#[test]
fn a_row_of_ours_that_says_it_came_in_is_an_alarm_and_no_row_of_somebody_else() {
    let incoming = |row: Transaction| Transaction { direction: Direction::Incoming, ..row };
    let mut order = order_with_unknown_outcome(&["old"]);
    let plain = incoming(row_of_order("one", Status::Success));
    let differences = |history: &OutgoingHistory, order: &Order| -> Vec<String> {
        history.differences_of_order(order, None).iter().map(ToString::to_string).collect()
    };
    let alarm = ["direction: the request says outgoing, the history incoming"];
    // In the list that is read for it, and in what any other read met.
    let listed_history = partial_history(vec![vec![plain.clone(), row("old", 60)]]);
    let mut row_history = OutgoingHistory::default();
    row_history.add_rows(vec![plain.clone()]);
    for history in [&listed_history, &row_history] {
        assert_eq!(history.find_own_row(&order).map(|row| row.id.as_str()), Some("one"));
        assert_eq!(differences(history, &order), alarm);
    }
    let look = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&plain)),
        differences: vec![alarm[0].into()],
        ..HistoryLookup::default()
    };
    assert_eq!(
        order_end_from_lookup(&FinalStatuses::default(), &order, &look, true, true, ago(0)),
        None,
        "somebody must look"
    );
    assert!(order.has_new_alarm(&look));
    // By the transaction that was named, which carries no key; and told once.
    order.lookups.push((ago(1), look.clone()));
    let keyless = Transaction { idempotency_key: None, ..plain.clone() };
    let history = partial_history(vec![vec![keyless, row("old", 60)]]);
    assert_eq!(differences(&history, &order), alarm);
    assert!(!order.has_new_alarm(&look));
    // By its reference, until more is known.
    let order = order_with_unknown_outcome(&["old"]);
    let referred = incoming(Transaction { ref_id: Some("own-1".into()), ..row("new", 5) });
    let history = partial_history(vec![vec![referred.clone(), row("old", 60)]]);
    assert!(history.has_keyless_row_with_reference(&order), "nobody says that it was not seen");
    let order_matches = OrderMatches::new(std::slice::from_ref(&order), &"k".into());
    assert!(history.reference_candidates(&order).any(|row| order_matches.matches_by_reference(row, &order, &history)));
    let alarm: Vec<Text> = alarm.map(Into::into).into();
    assert_eq!(row_differences(&referred, &order, None), alarm);
    // A deposit of somebody else is none of it.
    let foreign = incoming(row("deposit", 5));
    assert!(partial_history(vec![vec![foreign, row("old", 60)]]).find_own_row(&order).is_none());
}

/// Where the recipient is a wallet of the same service, some services carry the key over to what came in there.
#[test]
fn the_other_end_of_a_payment_is_no_contradiction_of_it() {
    let order = order_with_unknown_outcome(&["old"]);
    let leaves = row_of_order("out", Status::Success);
    let arrives = Transaction { direction: Direction::Incoming, ..row_of_order("in", Status::Success) };
    let history = partial_history(vec![vec![leaves.clone(), arrives.clone(), row("old", 60)]]);
    assert_eq!(history.find_own_row(&order).map(|row| row.id.as_str()), Some("out"));
    assert_eq!(history.differences_of_order(&order, None), Vec::<Text>::new());
    // Another amount is no other end, and neither is the same transaction.
    let other = Transaction { amount: Some(ReportedAmount::Exact(usdc_amount("26"))), ..arrives.clone() };
    assert_eq!(partial_history(vec![vec![leaves.clone(), other]]).differences_of_order(&order, None).len(), 2);
    // Once its own transaction is known, the other end alone tells nothing; before, it tells that it was made.
    let elsewhere = Transaction { wallet: Some(crate::domain::WalletId::from_text("another")), ..arrives };
    let mut row_history = OutgoingHistory::default();
    row_history.add_rows(vec![elsewhere]);
    assert_eq!(row_history.find_own_row(&order).map(|row| row.id.as_str()), Some("in"));
    assert_eq!(row_history.differences_of_order(&order, None), Vec::<Text>::new());
    let mut recorded = order;
    recorded.lookups.push((
        ago(1),
        HistoryLookup { observed: Some(ObservedTransaction::from_transaction(&leaves)), ..HistoryLookup::default() },
    ));
    assert!(row_history.find_own_row(&recorded).is_none());
}

/// What a payment cost is an alarm, and no reason to doubt that it was made.
#[test]
fn a_fee_far_beyond_the_estimate_is_told_once_and_settles_all_the_same() {
    let mut order = order_with_unknown_outcome(&["old"]);
    let fee = Some(ReportedAmount::Exact(usdc_amount("20")));
    let done = Transaction { confirmed: Some(true), total_amount: None, ..row_of_order("one", Status::Success) };
    let settled_row = Transaction { total_fee: fee, ..done };
    let usual = Some(usdc_amount("0.5"));
    let history = partial_history(vec![vec![settled_row.clone(), row("old", 60)]]);
    assert_eq!(history.differences_of_order(&order, usual), Vec::<Text>::new());
    let costs = row_cost_alarms(&settled_row, &order, usual);
    assert!(costs.len() == 1 && costs[0].starts_with("fee: the service takes 20"), "{costs:?}");
    let look = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&settled_row)),
        cost_alarms: costs,
        ..HistoryLookup::default()
    };
    assert!(order.has_new_alarm(&look) && is_worth_recording(&order, &look, None, &FinalStatuses::default(), ago(0)));
    assert_eq!(
        order_end_from_lookup(&FinalStatuses::default(), &order, &look, false, false, ago(0)),
        Some(OrderEnd::Settled)
    );
    order.lookups.push((ago(1), look.clone()));
    assert!(!order.has_new_alarm(&look), "it is told once");
    order.end = Some((order.created.clone(), OrderEnd::Settled));
    assert_eq!(order.contradiction(&look, &FinalStatuses::default(), ago(0)), None, "and opens nothing again");
    assert_eq!(crate::app::orders::alarm_messages(&order, ago(0)).len(), 1, "and stays on record");
}
