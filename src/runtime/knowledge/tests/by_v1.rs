//! Orders of version 1 beside the rows of version 2's history.

use super::*;
use crate::domain::draft::Payment;

/// An order of version 1, which has no key, and knows its transaction by the identifier of version 1.
fn ordered(number: u128, minutes_ago: i64) -> Intent {
    let mut order = order(number, minutes_ago, Some(Outcome::Accepted));
    let Draft::Withdraw(paid) = order.drafted.draft.clone() else { panic!("no withdrawal") };
    order.drafted.draft = Draft::Payment(Payment { paid, fee: None, memo: None });
    order.drafted.frozen.key = None;
    order
}

#[test]
fn a_payment_by_version_1_and_its_row_under_another_identifier_are_one() {
    let under_its_reference =
        |id: &str| Transaction { ref_id: Some("own-1".into()), idempotency_key: None, ..row(id, 5) };
    let alone = known(&store(&[under_its_reference("v2-9")]), &[ordered(1, 6)]);
    assert_eq!((alone.spent.len(), alone.recent.len(), alone.others.payments), (1, 1, 0));
    // A second one under the same reference is somebody's.
    let rows = [under_its_reference("v2-9"), under_its_reference("v2-10")];
    let both = known(&store(&rows), &[ordered(1, 6)]);
    assert_eq!((both.spent.len(), both.others.payments), (2, 1));
}
