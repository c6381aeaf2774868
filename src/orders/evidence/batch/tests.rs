use super::*;
use crate::domain::draft::Recipient;
use crate::domain::order::{HistoryLookup, OrderEnd};
use crate::domain::{Metadata, Outcome, ReportedAmount};
use crate::orders::evidence::evidence_in_rows;
use crate::orders::evidence::order_matches::OrderMatches;
use crate::orders::fixtures::{ago, idempotency_key, order, row, usdc_amount};

const FIRST_ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SECOND_ADDRESS: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// An order that pays 25 to one and 10 to another, and whose outcome is unknown.
fn batch() -> Order {
    let mut order = order(1, 10, Some(Outcome::Unknown));
    let Draft::Withdraw(withdrawal) = order.drafted.draft.clone() else { unreachable!() };
    let to = |address: &str, amount: &str| Recipient {
        address: address.into(),
        amount: amount.into(),
        label: None,
        reference: None,
        line: None,
    };
    let batch = Batch {
        wallet: withdrawal.wallet,
        blockchain: withdrawal.blockchain,
        token: withdrawal.token,
        to: vec![to(FIRST_ADDRESS, "25"), to(SECOND_ADDRESS, "10")],
        ref_id: withdrawal.ref_id,
        note: None,
        file: None,
        metadata: Metadata::default(),
        queue: None,
    };
    order.drafted.draft = Draft::Batch(batch);
    order.drafted.sender.as_mut().unwrap().amount = usdc_amount("35");
    order
}

fn batch_of(order: &Order) -> &Batch {
    let Draft::Batch(batch) = &order.drafted.draft else { unreachable!() };
    batch
}

fn batch_row(id: &str, to: Option<&str>, amount: &str, status: Status) -> Transaction {
    Transaction {
        idempotency_key: Some(idempotency_key(1).to_string().as_str().into()),
        to_address: to.map(Into::into),
        amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        status: Some(status),
        ..row(id, 5)
    }
}

fn evidence_in_all_rows(order: &Order, rows: &[Transaction]) -> HistoryLookup {
    let rows: Vec<&Transaction> = rows.iter().collect();
    evidence_in_batch_rows(&rows, order, batch_of(order), None, &FinalStatuses::default(), true).unwrap()
}

/// The same of rows of which nobody knows whether others stand beside them.
fn evidence_in_some_rows(order: &Order, rows: &[Transaction]) -> HistoryLookup {
    let rows: Vec<&Transaction> = rows.iter().collect();
    evidence_in_batch_rows(&rows, order, batch_of(order), None, &FinalStatuses::default(), false).unwrap()
}

/// Takes in what was found.
fn add_lookup(order: &mut Order, lookup: HistoryLookup) {
    order.lookups.push((
        ago(1),
        HistoryLookup {
            observed: lookup.observed,
            recipient_reports: lookup.recipient_reports,
            ..HistoryLookup::default()
        },
    ));
}

/// How the order ends by what is found now, after what was found before.
fn order_end(order: &Order, lookup: &HistoryLookup) -> Option<OrderEnd> {
    let look = HistoryLookup {
        observed: lookup.observed.clone(),
        recipient_reports: lookup.recipient_reports.clone(),
        ..HistoryLookup::default()
    };
    if order.has_recipient_reports(&look) {
        crate::orders::settle::end_from_recipient_reports(order, &look, &FinalStatuses::default())
    } else {
        None
    }
}

#[test]
fn one_row_tells_of_all_recipients() {
    let order = batch();
    let evidence = evidence_in_all_rows(&order, &[batch_row("all", None, "35", Status::Success)]);
    assert_eq!(evidence.observed.unwrap().status, Some(Status::Success));
    assert_eq!((evidence.recipient_reports, evidence.differences), (Vec::new(), Vec::new()));
}

#[test]
fn a_row_for_each_recipient_tells_of_it_alone() {
    let mut order = batch();
    let first = batch_row("a", Some(&FIRST_ADDRESS.to_lowercase()), "25", Status::Success);
    let evidence = evidence_in_all_rows(&order, std::slice::from_ref(&first));
    assert_eq!(evidence.recipient_reports.iter().map(|part| part.recipient).collect::<Vec<_>>(), [0]);
    assert_eq!(
        (order_end(&order, &evidence), &evidence.differences),
        (None, &Vec::new()),
        "the other one is not told of"
    );
    order.lookups.push((
        ago(1),
        HistoryLookup {
            observed: evidence.observed,
            recipient_reports: evidence.recipient_reports,
            ..HistoryLookup::default()
        },
    ));
    // What was told before is not told again.
    for (status, expected) in [
        (Status::Pending, None),
        (Status::Success, Some(OrderEnd::Settled)),
        (Status::Failed, Some(OrderEnd::PartlySettled)),
        (Status::from_word("finalised?"), None),
    ] {
        let evidence =
            evidence_in_all_rows(&order, &[batch_row("b", Some(SECOND_ADDRESS), "10", status), first.clone()]);
        assert_eq!(evidence.recipient_reports.iter().map(|part| part.recipient).collect::<Vec<_>>(), [1]);
        assert_eq!(order_end(&order, &evidence), expected);
    }
    let failed = [
        batch_row("a", Some(FIRST_ADDRESS), "25", Status::Failed),
        batch_row("b", Some(SECOND_ADDRESS), "10", Status::Failed),
    ];
    let order = batch();
    assert_eq!(order_end(&order, &evidence_in_all_rows(&order, &failed)), Some(OrderEnd::Failed));
}

#[test]
fn what_was_tried_again_counts_by_the_try_that_stands() {
    let order = batch();
    let rows = [
        batch_row("a", Some(FIRST_ADDRESS), "25", Status::Failed),
        batch_row("b", Some(SECOND_ADDRESS), "10", Status::Success),
        batch_row("c", Some(FIRST_ADDRESS), "25", Status::Success),
    ];
    let evidence = evidence_in_all_rows(&order, &rows);
    assert_eq!((order_end(&order, &evidence), &evidence.differences), (Some(OrderEnd::Settled), &Vec::new()));
    let twice = [
        batch_row("a", Some(FIRST_ADDRESS), "25", Status::Success),
        batch_row("c", Some(FIRST_ADDRESS), "25", Status::Pending),
    ];
    let differences = evidence_in_all_rows(&order, &twice).differences;
    assert!(differences[0].contains("paid twice?"), "{differences:?}");
    let twice = [batch_row("a", None, "35", Status::Success), batch_row("b", None, "35", Status::Pending)];
    let differences = evidence_in_all_rows(&order, &twice).differences;
    assert!(differences[0].contains("Transactions a and b both carry its key"), "{differences:?}");
}

#[test]
fn rows_that_say_something_else_are_alarms() {
    let order = batch();
    for (row, expected) in [
        (batch_row("x", None, "36", Status::Success), "amount: the request says 35"),
        (
            batch_row("x", Some("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"), "25", Status::Success),
            "recipient's address",
        ),
        (batch_row("x", Some(FIRST_ADDRESS), "24", Status::Success), "amount: the request says 35"),
        (
            Transaction {
                wallet: Some(crate::domain::WalletId::from_text("w")),
                ..batch_row("x", None, "35", Status::Success)
            },
            "wallet: ",
        ),
        (
            Transaction { symbol: "USDT".into(), ..batch_row("x", Some(FIRST_ADDRESS), "25", Status::Success) },
            "token: ",
        ),
    ] {
        let differences = evidence_in_all_rows(&order, &[row]).differences;
        assert!(differences.iter().any(|message| message.starts_with(expected)), "{expected}: {differences:?}");
    }
}

#[test]
fn rows_of_its_group_are_its_own_without_the_key() {
    let order = batch();
    let keyed = Transaction { group: Some("g".into()), ..batch_row("a", Some(FIRST_ADDRESS), "25", Status::Pending) };
    let of_group = Transaction {
        idempotency_key: None,
        ..Transaction { group: Some("g".into()), ..batch_row("b", Some(SECOND_ADDRESS), "10", Status::Pending) }
    };
    let stranger = Transaction {
        group: Some("h".into()),
        idempotency_key: None,
        ..batch_row("c", Some(SECOND_ADDRESS), "10", Status::Pending)
    };
    let mut history = OutgoingHistory::new(FinalStatuses::default());
    history.add_rows(vec![keyed, of_group, stranger]);
    let ids: Vec<&str> = history.batch_rows(&order, |_| false).iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn without_a_key_its_reference_finds_it() {
    let order = batch();
    let row = |id: &str, to: Option<&str>, amount: &str| Transaction {
        idempotency_key: None,
        ref_id: Some("own-1".into()),
        ..batch_row(id, to, amount, Status::Pending)
    };
    let mut history = OutgoingHistory::new(FinalStatuses::default());
    history.add_rows(vec![
        row("a", Some(FIRST_ADDRESS), "25"),
        row("b", Some(SECOND_ADDRESS), "10"),
        row("c", Some(SECOND_ADDRESS), "11"),
    ]);
    let order_matches = OrderMatches::new(std::slice::from_ref(&order), &order.drafted.destination.key_mark);
    let ids: Vec<&str> = history
        .batch_rows(&order, |row| order_matches.matches_by_reference(row, &order, &history))
        .iter()
        .map(|row| row.id.as_str())
        .collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn only_a_row_beside_its_own_may_have_tried_a_recipient_again() {
    let order = batch();
    let keyless = |row: Transaction| Transaction { idempotency_key: None, ref_id: Some("own-1".into()), ..row };
    let failed = batch_row("a", Some(FIRST_ADDRESS), "25", Status::Failed);
    let paid_row = keyless(batch_row("b", Some(SECOND_ADDRESS), "10", Status::Success));
    let retry = keyless(batch_row("c", Some(FIRST_ADDRESS), "25", Status::Success));
    let alarms = |rows: Vec<Transaction>| {
        let mut history = OutgoingHistory::new(FinalStatuses::default());
        history.add_rows(rows);
        let mark = &order.drafted.destination.key_mark;
        let look = evidence_in_rows(&history, &order, None, mark, &FinalStatuses::default(), true).unwrap();
        (look.recipient_reports.len(), look.differences.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(alarms(vec![keyless(failed.clone()), paid_row]), (2, Vec::new()), "each is a recipient's own");
    let expected = "transaction c carries its reference and no key: tried again, or paid by somebody else?";
    assert_eq!(alarms(vec![failed, retry]), (1, vec![expected.to_owned()]));
}

/// One recipient may have two rows under the key, an old one that failed and a good one.
#[test]
fn a_recipients_payment_failed_only_by_the_word_of_everything_that_was_read() {
    let mut order = batch();
    let failed = batch_row("a", Some(FIRST_ADDRESS), "25", Status::Failed);
    let evidence = evidence_in_some_rows(&order, std::slice::from_ref(&failed));
    assert_eq!(evidence.recipient_reports, []);
    let observed = evidence.observed.unwrap();
    assert_eq!((observed.status, observed.confirmed), (None, None), "the request was taken, and that is all");
    assert_eq!(evidence_in_all_rows(&order, std::slice::from_ref(&failed)).recipient_reports.len(), 1);
    // What stands is not taken back by another row, whatever was read.
    let good = batch_row("b", Some(FIRST_ADDRESS), "25", Status::Pending);
    let evidence = evidence_in_all_rows(&order, std::slice::from_ref(&good));
    add_lookup(&mut order, evidence);
    assert_eq!(evidence_in_all_rows(&order, &[failed]).recipient_reports, []);
    // It may fail itself, and once it is done it stays so.
    let turned = Transaction { status: Some(Status::Failed), ..good.clone() };
    assert_eq!(evidence_in_some_rows(&order, std::slice::from_ref(&turned)).recipient_reports, []);
    assert_eq!(evidence_in_all_rows(&order, std::slice::from_ref(&turned)).recipient_reports.len(), 1);
    let done = Transaction { status: Some(Status::Success), ..good };
    let evidence = evidence_in_some_rows(&order, &[done]);
    add_lookup(&mut order, evidence);
    assert_eq!(evidence_in_all_rows(&order, &[turned]).recipient_reports, []);
}

#[test]
fn the_whole_is_final_once_all_recipients_are_told_of() {
    let mut order = batch();
    let done = |id: &str, to: &str, amount: &str| Transaction {
        confirmed: Some(true),
        ..batch_row(id, Some(to), amount, Status::Success)
    };
    let evidence = evidence_in_some_rows(&order, &[done("a", FIRST_ADDRESS, "25")]);
    let observed = evidence.observed.clone().unwrap();
    assert_eq!((observed.status, observed.confirmed), (None, None), "one of two");
    add_lookup(&mut order, evidence);
    // The other one on another page: both are told of.
    let observed = evidence_in_some_rows(&order, &[done("b", SECOND_ADDRESS, "10")]).observed.unwrap();
    assert_eq!((observed.status, observed.confirmed), (Some(Status::Success), Some(true)));
}
