mod claims;
mod otherwise;
mod simulation;

use super::evidence::order_matches::OrderMatches;
use super::evidence::outgoing_history::OutgoingHistory;
use super::evidence::row_differences;
use super::lookup::is_worth_recording;
use super::settle::{end_from_verdict, order_end_from_lookup};
use crate::domain::draft::Draft;
use crate::domain::history::Page;
use crate::domain::order::{DraftedOrder, HistoryLookup, OrderEnd};
use crate::domain::{
    FinalStatuses, ObservedTransaction, Order, Outcome, ReportedAmount, Status, Text, Transaction, TransactionId,
};
use crate::orders::fixtures::{ago, idempotency_key, order, row, usdc_amount};

/// A list that goes on below these pages.
fn partial_history(pages: Vec<Vec<Transaction>>) -> OutgoingHistory {
    let mut history = OutgoingHistory::default();
    for items in pages {
        history.add_page(page(items, None));
    }
    history
}

/// A list that has no other pages.
fn complete_history(items: Vec<Transaction>) -> OutgoingHistory {
    let mut history = OutgoingHistory::default();
    history.add_page(page(items, Some(1)));
    history
}

fn page(items: Vec<Transaction>, total_page: Option<u64>) -> Page<Transaction> {
    Page { items, unreadable: 0, page_no: None, page_limit: None, total_page }
}

fn order_with_unknown_outcome(newest: &[&str]) -> Order {
    let mut order = order(1, 10, Some(Outcome::Unknown));
    let newest: Vec<TransactionId> = newest.iter().map(|id| TransactionId::from_text(id)).collect();
    (order.drafted.newest, order.drafted.anchors) = (newest.clone(), newest);
    order
}

fn row_of_order(id: &str, status: Status) -> Transaction {
    let key = idempotency_key(1).to_string();
    Transaction { idempotency_key: Some(key.as_str().into()), status: Some(status), ..row(id, 5) }
}

#[test]
fn a_row_that_failed_does_not_hide_another_with_the_same_key() {
    let mut order = order_with_unknown_outcome(&["old"]);
    let [failed, pending] = [row_of_order("second", Status::Failed), row_of_order("first", Status::Pending)];
    for pages in [
        vec![vec![failed.clone(), pending.clone()]],
        vec![vec![pending.clone(), failed.clone()]],
        vec![vec![failed.clone(), row("other", 7)], vec![pending.clone(), row("old", 60)]],
    ] {
        let history = partial_history(pages);
        assert_eq!(history.find_by_key(&order).map(|row| row.id.as_str()), Some("first"));
        assert_eq!(history.differences_of_order(&order, None), Vec::<Text>::new(), "one of them failed");
    }
    // The next page is read, too, until one that was known before is met; once it was found, finding it is enough.
    assert!(!partial_history(vec![vec![failed.clone()]]).needs_no_further_page_for(&order));
    assert!(!partial_history(vec![vec![pending.clone()]]).needs_no_further_page_for(&order));
    let lookup =
        HistoryLookup { observed: Some(ObservedTransaction::from_transaction(&pending)), ..HistoryLookup::default() };
    order.lookups.push((ago(1), lookup));
    assert!(partial_history(vec![vec![pending]]).needs_no_further_page_for(&order));
    let history = partial_history(vec![vec![failed, row("old", 60)]]);
    assert!(history.needs_no_further_page_for(&order));
    assert_eq!(history.find_by_key(&order).map(|row| row.id.as_str()), Some("second"));
}

#[test]
fn a_list_without_what_was_known_does_not_tell_everything() {
    assert!(complete_history(vec![row("old", 60)]).covers_since_draft(&order_with_unknown_outcome(&["gone", "old"])));
    assert!(complete_history(Vec::new()).covers_since_draft(&order_with_unknown_outcome(&[])));
    assert!(!complete_history(Vec::new()).covers_since_draft(&order_with_unknown_outcome(&["old"])));
    assert!(!complete_history(vec![row("other", 60)]).covers_since_draft(&order_with_unknown_outcome(&["old"])));
    assert!(!partial_history(vec![vec![row("other", 60)]]).covers_since_draft(&order_with_unknown_outcome(&[])));
    // What was on its way when the order was born may have moved since: only the whole list tells everything.
    let order = Order {
        drafted: DraftedOrder { anchors: Vec::new(), ..order_with_unknown_outcome(&["old"]).drafted },
        ..order_with_unknown_outcome(&[])
    };
    assert!(!partial_history(vec![vec![row("old", 60)]]).covers_since_draft(&order));
    assert!(complete_history(vec![row("old", 60)]).covers_since_draft(&order));
}

#[test]
fn a_list_that_does_not_begin_with_what_is_newest_proves_nothing() {
    let rows = |minutes: &[i64]| -> Vec<Transaction> {
        minutes.iter().map(|minutes| row(&format!("at-{minutes}"), *minutes)).collect()
    };
    assert!(!partial_history(vec![rows(&[60, 50, 40])]).is_consistent_and_newest_first());
    assert!(partial_history(vec![rows(&[40, 50, 60])]).is_consistent_and_newest_first());
    assert!(
        partial_history(vec![rows(&[1, 3, 2, 40, 50]), rows(&[55, 60])]).is_consistent_and_newest_first(),
        "one was confirmed later"
    );
    assert!(!partial_history(vec![rows(&[7])]).is_consistent_and_newest_first(), "one row shows no order");
    assert!(complete_history(rows(&[7])).is_consistent_and_newest_first(), "and needs none where there are no others");
}

#[test]
fn pages_of_other_lengths_prove_nothing() {
    let rows = |minutes: &[i64]| -> Vec<Transaction> {
        minutes.iter().map(|minutes| row(&format!("at-{minutes}"), *minutes)).collect()
    };
    assert!(
        partial_history(vec![rows(&[1, 2]), rows(&[3, 4]), rows(&[5])]).is_consistent_and_newest_first(),
        "the last one may be short"
    );
    assert!(!partial_history(vec![rows(&[1, 2]), rows(&[3]), rows(&[4, 5])]).is_consistent_and_newest_first());
    assert!(!partial_history(vec![rows(&[1, 2]), rows(&[5, 6, 7])]).is_consistent_and_newest_first());
    assert!(
        !partial_history(vec![rows(&[1, 2]), rows(&[1, 2])]).is_consistent_and_newest_first(),
        "a service that does not turn pages"
    );
}

#[test]
fn a_row_under_the_orders_reference_is_the_orders_however_it_is_spelled() {
    let order = order_with_unknown_outcome(&["old"]);
    let order_matches = || OrderMatches::new(std::slice::from_ref(&order), &"k".into());
    let plain = Transaction { ref_id: Some("own-1".into()), ..row("new", 5) };
    let mut spelled =
        Transaction { amount: Some(ReportedAmount::Exact(usdc_amount("25").rescaled(18).unwrap())), ..plain.clone() };
    spelled.token.blockchain = "ethereum-mainnet".into();
    for row in [plain.clone(), spelled] {
        let history = partial_history(vec![vec![row.clone(), self::row("old", 60)]]);
        assert!(order_matches().matches_by_reference(&row, &order, &history), "{row:?}");
    }
    // One that says something else is not taken for it; but nobody says any more that the order was not seen.
    let other = Transaction { amount: Some(ReportedAmount::Exact(usdc_amount("26"))), ..plain };
    let history = partial_history(vec![vec![other.clone(), row("old", 60)]]);
    assert!(!order_matches().matches_by_reference(&other, &order, &history));
    assert!(history.has_keyless_row_with_reference(&order));
    // Below a row of before it is one of before as well, unless that row moved up since.
    let below = |other: Transaction| partial_history(vec![vec![row("old", 60), other]]);
    let before = Transaction { created_at: Some(ago(61)), ..other.clone() };
    assert!(!below(before).has_keyless_row_with_reference(&order));
    assert!(below(other).has_keyless_row_with_reference(&order));
}

#[test]
fn a_row_under_the_orders_key_that_says_something_else_is_an_alarm() {
    let order = order_with_unknown_outcome(&["old"]);
    let alarms = |rows: Vec<Transaction>| -> Vec<String> {
        partial_history(vec![rows]).differences_of_order(&order, None).iter().map(ToString::to_string).collect()
    };
    let plain = row_of_order("one", Status::Success);
    assert_eq!(alarms(vec![plain.clone()]), Vec::<String>::new());
    let mut elsewhere = plain.clone();
    elsewhere.token.blockchain = "base".into();
    for (row, expected) in [
        (
            Transaction { amount: Some(ReportedAmount::Exact(usdc_amount("26"))), ..plain.clone() },
            "amount: the request says 25",
        ),
        (Transaction { to_address: Some("0xdead".into()), ..plain.clone() }, "recipient's address: the request says"),
        (Transaction { symbol: "USDT".into(), ..plain.clone() }, "token: the request says USDC, the history USDT"),
        (elsewhere, "chain: the request says ethereum, the history base"),
    ] {
        let messages = alarms(vec![row]);
        assert!(messages.len() == 1 && messages[0].starts_with(expected), "{messages:?}");
    }
    let twin = Transaction { id: TransactionId::from_text("two"), ..plain.clone() };
    let expected = "paid twice? Transactions one and two both carry its key";
    assert_eq!(alarms(vec![twin.clone(), plain.clone()]), [expected]);
    assert_eq!(alarms(vec![plain, twin]), [expected], "in whatever order, so that it is told once");
}

#[test]
fn what_proves_nothing_is_told_once_and_not_while_an_answer_is_waited_for() {
    let nothing = HistoryLookup::default();
    assert!(is_worth_recording(&order_with_unknown_outcome(&[]), &nothing, None, &FinalStatuses::default(), ago(0)));
    assert!(!is_worth_recording(&order(1, 10, None), &nothing, None, &FinalStatuses::default(), ago(10)));
}

/// Reads that show a failure are counted, so each is recorded; what ends an order otherwise is recorded once.
#[test]
fn the_read_that_ends_an_order_is_recorded_and_each_that_shows_it_failed() {
    let mut order = order_with_unknown_outcome(&["old"]);
    let lookup_showing = |status| HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&row_of_order("one", status))),
        ..HistoryLookup::default()
    };
    let statuses = FinalStatuses::default();
    let is_recorded = |order: &Order, look: &HistoryLookup, end: OrderEnd| {
        is_worth_recording(order, look, Some(&end), &statuses, ago(0))
    };
    let failed = HistoryLookup { shows_failure: true, ..lookup_showing(Status::Failed) };
    order.lookups = vec![(ago(12), failed.clone()), (ago(5), failed.clone())];
    assert!(is_recorded(&order, &failed, OrderEnd::Failed));
    let settled = lookup_showing(Status::Success);
    assert!(is_recorded(&order, &settled, OrderEnd::Settled));
    order.lookups.push((ago(1), settled.clone()));
    assert!(!is_recorded(&order, &settled, OrderEnd::Settled));
}

/// One key may have two rows, as after a service tried more than once: that one failed is not the end of the other.
#[test]
fn an_order_failed_only_by_the_word_of_everything_that_was_read() {
    let mut order = order_with_unknown_outcome(&["old"]);
    let (failed, pending) = (row_of_order("second", Status::Failed), row_of_order("first", Status::Pending));
    assert!(
        !partial_history(vec![vec![failed.clone()]]).shows_failure(&order),
        "the other row may stand on the next page"
    );
    assert!(!partial_history(vec![vec![failed.clone(), pending.clone(), row("old", 60)]]).shows_failure(&order));
    assert!(!partial_history(vec![vec![row("other", 5), row("old", 60)]]).shows_failure(&order), "nothing was found");
    let pages = vec![vec![failed.clone(), row("old", 60)]];
    assert!(partial_history(pages.clone()).shows_failure(&order));
    // What another read met is not everything.
    let mut noted = OutgoingHistory::default();
    noted.add_rows(vec![failed.clone()]);
    assert!(!noted.shows_failure(&order));
    // The answer named another transaction, of which nothing is read.
    let look =
        HistoryLookup { observed: Some(ObservedTransaction::from_transaction(&failed)), ..HistoryLookup::default() };
    order.lookups.push((
        ago(2),
        HistoryLookup { observed: Some(ObservedTransaction::from_transaction(&pending)), ..HistoryLookup::default() },
    ));
    order.lookups.push((ago(1), look.clone()));
    assert!(!partial_history(pages).shows_failure(&order));
    let final_statuses = FinalStatuses::default();
    assert_eq!(order_end_from_lookup(&final_statuses, &order, &look, false, false, ago(0)), None);
    assert_eq!(order_end_from_lookup(&final_statuses, &order, &look, true, false, ago(0)), Some(OrderEnd::Failed));
    let done = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&row_of_order("first", Status::Success))),
        ..HistoryLookup::default()
    };
    assert_eq!(
        order_end_from_lookup(&final_statuses, &order, &done, false, false, ago(0)),
        end_from_verdict(
            final_statuses.verdict(&ObservedTransaction::from_transaction(&row_of_order("first", Status::Success)))
        )
    );
}

/// A service may leave the keys out of its history: the transaction that its answer named is compared all the same.
#[test]
fn a_row_that_the_answer_named_is_compared_with_the_request_without_its_key() {
    let order = order(1, 10, Some(Outcome::Accepted));
    let own = Transaction { status: Some(Status::Success), confirmed: Some(true), ..row("tx-1", 5) };
    assert_eq!(row_differences(&own, &order, None), Vec::<Text>::new());
    let other = Transaction { to_address: Some("0xdead".into()), ..own };
    let differences = row_differences(&other, &order, None);
    assert!(
        differences.len() == 1 && differences[0].starts_with("recipient's address: the request says"),
        "{differences:?}"
    );
    let look = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&other)),
        differences,
        ..HistoryLookup::default()
    };
    assert!(order.has_new_alarm(&look));
    assert_eq!(
        order_end_from_lookup(&FinalStatuses::default(), &order, &look, true, false, ago(0)),
        None,
        "somebody must look"
    );
    let elsewhere = Transaction { id: TransactionId::from_text("tx-2"), ..other.clone() };
    assert_eq!(row_differences(&elsewhere, &order, None), Vec::<Text>::new(), "it is another payment");
    // It is found in the list that is read, however old what is known of it is; under another key it is another one.
    let history = partial_history(vec![vec![elsewhere.clone(), other.clone()]]);
    assert_eq!(history.find_by_id(&order), Some(&other));
    assert_eq!(history.differences_of_order(&order, None).len(), 1);
    let foreign = Transaction { idempotency_key: Some(idempotency_key(9).to_string().as_str().into()), ..other };
    assert_eq!(partial_history(vec![vec![elsewhere, foreign]]).find_by_id(&order), None);
}

#[test]
fn a_reference_in_another_workspace_is_not_the_orders() {
    let order = order_with_unknown_outcome(&["old"]);
    let referred = Transaction { ref_id: Some("own-1".into()), ..row("new", 5) };
    let is_its = |history: &OutgoingHistory, key_mark: &str| {
        OrderMatches::new(std::slice::from_ref(&order), &key_mark.into())
            .matches_by_reference(&referred, &order, history)
    };
    let history = partial_history(vec![vec![referred.clone()]]);
    assert!(is_its(&history, "k"), "it was read under the order's own key");
    assert!(!is_its(&history, "other"), "nothing in it was known when the order was made");
    assert!(is_its(&partial_history(vec![vec![referred.clone(), row("old", 60)]]), "other"));
}

#[test]
fn one_anchor_that_moved_is_not_the_end_of_what_is_newer() {
    let order = order_with_unknown_outcome(&["a", "b", "c", "d"]);
    assert!(!partial_history(vec![vec![row("d", 1), row("other", 7)]]).covers_since_draft(&order));
    assert!(partial_history(vec![vec![row("d", 1), row("other", 7), row("a", 60)]]).covers_since_draft(&order));
    // A success that the service does not call final may still change.
    assert!(!row("a", 60).is_unchangeable(&FinalStatuses::default()));
    assert!(Transaction { confirmed: Some(true), ..row("a", 60) }.is_unchangeable(&FinalStatuses::default()));
    assert!(Transaction { status: Some(Status::Failed), ..row("a", 60) }.is_unchangeable(&FinalStatuses::default()));
}

/// The answer to an equal swap of before, say: what that one did is not what became of this one.
#[test]
fn an_answer_that_says_something_else_than_the_request_names_no_swap() {
    use crate::domain::{CreatedObject, SubType, SwapObservation};
    let mut order = order(1, 10, Some(Outcome::Accepted));
    let swapped = Some(SwapObservation { group: Some("g".into()), proceeds: None });
    let answer = &mut order.attempts[0].answer.as_mut().unwrap().1;
    answer.created =
        Some(CreatedObject::Transaction(ObservedTransaction { swap: swapped, ..ObservedTransaction::default() }));
    let leaves = Transaction { sub_type: Some(SubType::Swap), group: Some("g".into()), ..row("out", 5) };
    let history = complete_history(vec![leaves]);
    assert_eq!(history.find_by_group(&order).map(|row| row.id.as_str()), Some("out"));
    order.attempts[0].answer.as_mut().unwrap().1.differences = vec!["reference: the request says own-1".into()];
    assert!(history.find_by_group(&order).is_none());
}

/// Its two sides need not be listed in one moment, and what the answer named is a promise.
#[test]
fn a_swap_settles_once_what_it_brought_is_shown_or_was_waited_for() {
    use crate::domain::draft::Swap;
    use crate::domain::{SwapObservation, SwapProceeds};
    let mut order = order(1, 30, Some(Outcome::Unknown));
    let Draft::Withdraw(withdrawal) = order.drafted.draft.clone() else { unreachable!() };
    order.drafted.draft = Draft::Swap(Swap {
        wallet: withdrawal.wallet,
        blockchain: withdrawal.blockchain,
        from: withdrawal.token,
        amount: withdrawal.amount,
        to: "ETH".into(),
        ref_id: None,
        note: None,
    });
    let received = SwapProceeds { coin: "ETH".into(), amount: usdc_amount("1") };
    let look = |received: Option<SwapProceeds>| {
        let swapped = Some(SwapObservation { group: Some("g".into()), proceeds: received });
        HistoryLookup {
            observed: Some(ObservedTransaction {
                swap: swapped,
                ..ObservedTransaction::from_transaction(&row_of_order("one", Status::Success))
            }),
            ..HistoryLookup::default()
        }
    };
    let ends = |order: &Order, look: &HistoryLookup, minutes| {
        order_end_from_lookup(&FinalStatuses::default(), order, look, false, false, ago(minutes))
    };
    assert_eq!(ends(&order, &look(Some(received.clone())), 20), Some(OrderEnd::Settled));
    assert_eq!(ends(&order, &look(None), 20), None, "what came may stand there in a moment");
    order.lookups.push((ago(20), look(None)));
    assert_eq!(ends(&order, &look(None), 11), None);
    assert_eq!(ends(&order, &look(None), 10), Some(OrderEnd::Settled), "and may never");
    // A promise is not what came.
    let promised = ObservedTransaction {
        swap: look(Some(received.clone())).observed.unwrap().swap,
        ..ObservedTransaction::default()
    };
    let (_, answer) = order.attempts[0].answer.as_mut().unwrap();
    answer.created = Some(crate::domain::CreatedObject::Transaction(promised));
    assert_eq!((order.proceeds(), order.proceeds_in_history()), (Some(&received), None));
    assert_eq!(ends(&order, &look(None), 11), None);
    let failed = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&row_of_order("one", Status::Failed))),
        ..HistoryLookup::default()
    };
    assert_eq!(
        order_end_from_lookup(&FinalStatuses::default(), &order, &failed, true, false, ago(11)),
        Some(OrderEnd::Failed)
    );
}

/// An answer may call it done at once and name what it brings: that is a promise until a history had the time to show it.
#[test]
fn a_swap_of_version_1_that_no_history_shows_settles_by_its_answer_and_not_at_once() {
    use crate::domain::draft::InstantSwap;
    use crate::domain::{CreatedObject, SwapObservation, SwapProceeds, UserId};
    let mut order = order(1, 30, Some(Outcome::Accepted));
    let by_version_2 = order.clone();
    order.drafted.draft = Draft::InstantSwap(InstantSwap {
        sub_wallet: UserId::from_text("u"),
        from: "USDC".into(),
        amount: "25".into(),
        to: "ETH".into(),
        ext_id: Some("own-1".into()),
    });
    let promised =
        SwapObservation { group: None, proceeds: Some(SwapProceeds { coin: "ETH".into(), amount: usdc_amount("1") }) };
    let done =
        ObservedTransaction { status: Some(Status::Success), swap: Some(promised), ..ObservedTransaction::default() };
    let answers = |order: &mut Order, observed: ObservedTransaction| {
        order.attempts[0].answer.as_mut().unwrap().1.created = Some(CreatedObject::Transaction(observed));
    };
    answers(&mut order, done.clone());
    let ends = |order: &Order, minutes| {
        order_end_from_lookup(&FinalStatuses::default(), order, &HistoryLookup::default(), false, true, ago(minutes))
    };
    assert_eq!((ends(&order, 30), ends(&order, 21)), (None, None));
    assert_eq!(ends(&order, 20), Some(OrderEnd::Settled));
    let unread =
        order_end_from_lookup(&FinalStatuses::default(), &order, &HistoryLookup::default(), false, false, ago(0));
    assert_eq!(unread, None, "what was not read shows nothing either way");
    // What is not final, what contradicts the request, and what carries a key waits for the history.
    let mut open = order.clone();
    answers(&mut open, ObservedTransaction { status: Some(Status::Pending), ..done.clone() });
    assert_eq!(ends(&open, 0), None);
    let mut alarmed = order.clone();
    alarmed.attempts[0].answer.as_mut().unwrap().1.differences = vec!["amount: another".into()];
    assert_eq!(ends(&alarmed, 0), None);
    let mut failed = order.clone();
    answers(&mut failed, ObservedTransaction { status: Some(Status::Failed), ..done.clone() });
    assert_eq!(ends(&failed, 0), None, "nobody said so but the answer");
    let mut keyed = by_version_2;
    answers(&mut keyed, done);
    assert_eq!(ends(&keyed, 0), None);
}
