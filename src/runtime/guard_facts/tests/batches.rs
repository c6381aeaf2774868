//! What is known around a batch, and what a batch of before is to payments that come after it.

use super::*;
use crate::domain::Batch;
use crate::domain::draft::{BatchFile, Metadata, Recipient};
use crate::domain::outcome::RecipientObservation;
use crate::guard::SameFileOrder;

fn batch() -> Batch {
    let Withdrawal { wallet, blockchain, token, ref_id, .. } = withdrawal();
    let to = |address: &str, amount: &str| Recipient {
        address: address.into(),
        amount: amount.into(),
        label: None,
        reference: None,
        line: None,
    };
    Batch {
        wallet,
        blockchain,
        token,
        to: vec![to(SUPPLIER_ADDRESS, "20"), to(OTHER_ADDRESS, "5")],
        ref_id,
        note: None,
        file: Some(BatchFile { name: "pay.csv".into(), sha256: "ab".into() }),
        metadata: Metadata::default(),
        queue: None,
    }
}

/// An order for that batch.
fn order_for_batch(number: u128, minutes_ago: i64, outcome: Option<Outcome>) -> Order {
    let mut order = order(number, minutes_ago, outcome);
    order.drafted.draft = Draft::Batch(Batch { ref_id: Some("own-1".into()), ..batch() });
    order
}

fn facts_for_batch_with(store: &Store, intents: &[Order]) -> GuardFacts {
    let (final_words, policy, book) = (FinalStatuses::default(), Policy::default(), AddressBook::default());
    gather_facts_for_batch(&sources(store, intents, &final_words, (&policy, &book)), &batch(), &sender(), now())
        .unwrap()
}

#[test]
fn each_recipient_of_a_batch_is_told_of_by_itself() {
    let mut batch_payment = row("a", 9);
    batch_payment.amount = Some(ReportedAmount::Exact(usdc_amount("7")));
    let other = Transaction { to_address: Some(OTHER_ADDRESS.to_lowercase().as_str().into()), ..row("b", 3) };
    let facts = facts_for_batch_with(&store(&[other, batch_payment]), &[]);
    let payees: Vec<_> = facts
        .per_recipient
        .iter()
        .map(|about| (about.other_payments.payments, about.earlier_amounts.clone()))
        .collect();
    assert_eq!(payees, [(1, vec![usdc_amount("7")]), (1, vec![usdc_amount("25")])]);
    assert_eq!((facts.other_payments, facts.earlier_amounts), (OtherPayments::default(), Vec::new()));
    // A payment to one is told the same of its one.
    let one = super::facts_for_payment_with(&store(&[row("b", 3)]), &[]);
    assert_eq!(
        (one.other_payments.payments, one.earlier_amounts, one.per_recipient),
        (1, vec![usdc_amount("25")], Vec::new())
    );
}

#[test]
fn an_unresolved_batch_counts_with_all_its_recipients() {
    let unknown = order_for_batch(1, 9_000, Some(Outcome::Unknown));
    let facts = facts_for_payment_with(&store(&[]), std::slice::from_ref(&unknown));
    let recent: Vec<_> =
        facts.recent_payments.iter().map(|payment| (&*payment.to, payment.amount, payment.is_unresolved)).collect();
    assert_eq!(recent, [(SUPPLIER_ADDRESS, usdc_amount("20"), true), (OTHER_ADDRESS, usdc_amount("5"), true)]);
    let spent: Vec<_> = facts.outflows.iter().map(|spent| (spent.to.as_deref(), spent.amount)).collect();
    assert_eq!(spent, [(Some(SUPPLIER_ADDRESS), usdc_amount("20")), (Some(OTHER_ADDRESS), usdc_amount("5"))]);
    assert_eq!(facts.payees, [], "nobody knows whether they were paid");
    let earlier_orders = &facts_for_batch_with(&store(&[]), &[unknown]).same_file_orders;
    assert_eq!(earlier_orders.iter().map(|earlier| &*earlier.state).collect::<Vec<_>>(), ["outcome unknown"]);
}

#[test]
fn recipients_of_an_accepted_batch_are_trusted_and_its_row_is_no_other_payment() {
    let accepted = order_for_batch(1, 60, Some(Outcome::Accepted));
    let mut of_batch = row("tx-1", 59);
    (of_batch.to_address, of_batch.is_batch) = (None, Some(true));
    of_batch.idempotency_key = Some(idempotency_key(1).to_string().as_str().into());
    let facts = facts_for_payment_with(&store(&[of_batch]), std::slice::from_ref(&accepted));
    let mut payees: Vec<_> = facts.payees.iter().map(|payee| (&*payee.address, payee.payments)).collect();
    payees.sort_unstable();
    assert_eq!(payees, [(SUPPLIER_ADDRESS, 1), (OTHER_ADDRESS, 1)]);
    assert_eq!((facts.recent_payments.len(), facts.outflows.len(), facts.other_payments.payments), (2, 2, 0));
    assert!(facts.recent_payments.iter().all(|payment| payment.transaction.is_some()));
}

#[test]
fn who_got_nothing_of_a_batch_was_not_paid() {
    let mut order = order_for_batch(1, 60, Some(Outcome::Accepted));
    let observed = |status| ObservedTransaction { status: Some(status), ..ObservedTransaction::default() };
    let parts = vec![
        RecipientObservation { recipient: 0, observed: observed(Status::Success) },
        RecipientObservation { recipient: 1, observed: observed(Status::Failed) },
    ];
    let look = HistoryLookup {
        observed: Some(observed(Status::Success)),
        recipient_reports: parts,
        ..HistoryLookup::default()
    };
    order.apply(order_stamp(50), OrderEvent::LookedUp(look));
    order.apply(order_stamp(50), OrderEvent::Ended(OrderEnd::PartlySettled));
    let facts = facts_for_payment_with(&store(&[]), &[order]);
    assert_eq!(facts.recent_payments.iter().map(|payment| &*payment.to).collect::<Vec<_>>(), [SUPPLIER_ADDRESS]);
    assert_eq!(facts.payees.iter().map(|payee| &*payee.address).collect::<Vec<_>>(), [SUPPLIER_ADDRESS]);
}

#[test]
fn the_same_file_is_remembered_for_good_and_another_one_is_not_the_same() {
    let of = |minutes_ago| {
        facts_for_batch_with(&store(&[]), &[order_for_batch(1, minutes_ago, Some(Outcome::Accepted))]).same_file_orders
    };
    assert!(matches!(of(60).as_slice(), [SameFileOrder { at, .. }] if *at == ago(60)));
    assert!(matches!(of(60 * 24 * 400).as_slice(), [SameFileOrder { at, .. }] if *at == ago(60 * 24 * 400)));
    let mut order = order_for_batch(1, 60, Some(Outcome::Accepted));
    let Draft::Batch(batch) = &mut order.drafted.draft else { unreachable!() };
    batch.file = Some(BatchFile { name: "pay.csv".into(), sha256: "cd".into() });
    assert_eq!(facts_for_batch_with(&store(&[]), &[order]).same_file_orders, []);
    // One of which nothing was executed paid nobody.
    assert_eq!(
        facts_for_batch_with(&store(&[]), &[order_for_batch(1, 60, Some(Outcome::Refused))]).same_file_orders,
        []
    );
}
