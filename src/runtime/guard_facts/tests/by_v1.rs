//! Orders of version 1 beside the rows of version 2's history.

use super::*;
use crate::domain::draft::V1Payment;

/// An order of version 1, which has no key, and knows its transaction by the identifier of version 1.
fn order_by_v1(number: u128, minutes_ago: i64) -> Order {
    let mut order = order(number, minutes_ago, Some(Outcome::Accepted));
    let Draft::Withdraw(withdrawal) = order.drafted.draft.clone() else { panic!("no withdrawal") };
    order.drafted.draft = Draft::Payment(V1Payment { withdrawal, fee: None, memo: None });
    order.drafted.request.key = None;
    order
}

#[test]
fn whom_a_memo_names_is_known_by_it() {
    let with = |number: u128, memo: Option<&str>| {
        let mut order = order_by_v1(number, 60);
        let Draft::Payment(payment) = &mut order.drafted.draft else { panic!("no payment") };
        payment.memo = memo.map(Into::into);
        order
    };
    let orders = [with(1, Some("7")), with(2, Some("8")), with(3, Some("7")), order(4, 60, Some(Outcome::Accepted))];
    let facts = facts_for_payment_with(&store(&[]), &orders);
    let [payee] = facts.payees.as_slice() else { panic!("{:?}", facts.payees) };
    let mut memos = payee.memos.clone();
    memos.sort();
    assert_eq!((payee.payments, memos), (4, vec![None, Some("7".into()), Some("8".into())]));
}

#[test]
fn a_payment_by_version_1_and_its_row_under_another_identifier_are_one() {
    let under_its_reference =
        |id: &str| Transaction { ref_id: Some("own-1".into()), idempotency_key: None, ..row(id, 5) };
    let alone = facts_for_payment_with(&store(&[under_its_reference("v2-9")]), &[order_by_v1(1, 6)]);
    assert_eq!((alone.outflows.len(), alone.recent_payments.len(), alone.other_payments.payments), (1, 1, 0));
    // A second one under the same reference is somebody's.
    let rows = [under_its_reference("v2-9"), under_its_reference("v2-10")];
    let facts = facts_for_payment_with(&store(&rows), &[order_by_v1(1, 6)]);
    assert_eq!((facts.outflows.len(), facts.other_payments.payments), (2, 1));
}
