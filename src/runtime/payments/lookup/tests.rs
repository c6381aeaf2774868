mod claims;
mod otherwise;

use super::*;
use crate::domain::FinalStatuses;
use crate::domain::history::Page;
use crate::domain::order::DraftedOrder;
use crate::domain::{Outcome, ReportedAmount, Status, TransactionId};
use crate::runtime::guard_facts::tests::{ago, key, order, row, units};
use crate::runtime::payments::send_order::end_by_verdict;

/// A list that goes on below these pages.
fn read(pages: Vec<Vec<Transaction>>) -> Outgoing {
    let mut history = Outgoing::default();
    for items in pages {
        history.add_page(page(items, None));
    }
    history
}

/// A list that has no other pages.
fn whole(items: Vec<Transaction>) -> Outgoing {
    let mut history = Outgoing::default();
    history.add_page(page(items, Some(1)));
    history
}

fn page(items: Vec<Transaction>, total_page: Option<u64>) -> Page<Transaction> {
    Page { items, unreadable: 0, page_no: None, page_limit: None, total_page }
}

fn unknown(newest: &[&str]) -> Order {
    let mut order = order(1, 10, Some(Outcome::Unknown));
    let newest: Vec<TransactionId> = newest.iter().map(|id| TransactionId::read(id)).collect();
    (order.drafted.newest, order.drafted.anchors) = (newest.clone(), newest);
    order
}

fn ours(id: &str, status: Status) -> Transaction {
    let key = key(1).to_string();
    Transaction { idempotency_key: Some(key.as_str().into()), status: Some(status), ..row(id, 5) }
}

#[test]
fn a_row_that_failed_does_not_hide_another_with_the_same_key() {
    let mut order = unknown(&["old"]);
    let [failed, pending] = [ours("second", Status::Failed), ours("first", Status::Pending)];
    for pages in [
        vec![vec![failed.clone(), pending.clone()]],
        vec![vec![pending.clone(), failed.clone()]],
        vec![vec![failed.clone(), row("other", 7)], vec![pending.clone(), row("old", 60)]],
    ] {
        let history = read(pages);
        assert_eq!(history.find_by_key(&order).map(|row| row.id.as_str()), Some("first"));
        assert_eq!(history.differences_of_order(&order, None), Vec::<Text>::new(), "one of them failed");
    }
    // The next page is read, too, until one that was known before is met; once it was found, finding it is enough.
    assert!(!read(vec![vec![failed.clone()]]).is_enough_for(&order));
    assert!(!read(vec![vec![pending.clone()]]).is_enough_for(&order));
    let found =
        HistoryLookup { observed: Some(ObservedTransaction::from_transaction(&pending)), ..HistoryLookup::default() };
    order.lookups.push((ago(1), found));
    assert!(read(vec![vec![pending]]).is_enough_for(&order));
    let history = read(vec![vec![failed, row("old", 60)]]);
    assert!(history.is_enough_for(&order));
    assert_eq!(history.find_by_key(&order).map(|row| row.id.as_str()), Some("second"));
}

#[test]
fn a_list_without_what_was_known_does_not_tell_everything() {
    assert!(whole(vec![row("old", 60)]).covers_since_draft(&unknown(&["gone", "old"])));
    assert!(whole(Vec::new()).covers_since_draft(&unknown(&[])));
    assert!(!whole(Vec::new()).covers_since_draft(&unknown(&["old"])));
    assert!(!whole(vec![row("other", 60)]).covers_since_draft(&unknown(&["old"])));
    assert!(!read(vec![vec![row("other", 60)]]).covers_since_draft(&unknown(&[])));
    // What was on its way when the order was born may have moved since: only the whole list tells everything.
    let order = Order { drafted: DraftedOrder { anchors: Vec::new(), ..unknown(&["old"]).drafted }, ..unknown(&[]) };
    assert!(!read(vec![vec![row("old", 60)]]).covers_since_draft(&order));
    assert!(whole(vec![row("old", 60)]).covers_since_draft(&order));
}

#[test]
fn a_list_that_does_not_begin_with_what_is_newest_proves_nothing() {
    let rows = |minutes: &[i64]| -> Vec<Transaction> {
        minutes.iter().map(|minutes| row(&format!("at-{minutes}"), *minutes)).collect()
    };
    assert!(!read(vec![rows(&[60, 50, 40])]).is_in_order());
    assert!(read(vec![rows(&[40, 50, 60])]).is_in_order());
    assert!(read(vec![rows(&[1, 3, 2, 40, 50]), rows(&[55, 60])]).is_in_order(), "one was confirmed later");
    assert!(!read(vec![rows(&[7])]).is_in_order(), "one row shows no order");
    assert!(whole(rows(&[7])).is_in_order(), "and needs none where there are no others");
}

#[test]
fn pages_of_other_lengths_prove_nothing() {
    let rows = |minutes: &[i64]| -> Vec<Transaction> {
        minutes.iter().map(|minutes| row(&format!("at-{minutes}"), *minutes)).collect()
    };
    assert!(read(vec![rows(&[1, 2]), rows(&[3, 4]), rows(&[5])]).is_in_order(), "the last one may be short");
    assert!(!read(vec![rows(&[1, 2]), rows(&[3]), rows(&[4, 5])]).is_in_order());
    assert!(!read(vec![rows(&[1, 2]), rows(&[5, 6, 7])]).is_in_order());
    assert!(!read(vec![rows(&[1, 2]), rows(&[1, 2])]).is_in_order(), "a service that does not turn pages");
}

#[test]
fn a_row_under_the_orders_reference_is_the_orders_however_it_is_spelled() {
    let order = unknown(&["old"]);
    let told = || OrderMatches::new(std::slice::from_ref(&order), &"k".into());
    let plain = Transaction { ref_id: Some("own-1".into()), ..row("new", 5) };
    let mut spelled =
        Transaction { amount: Some(ReportedAmount::Exact(units("25").rescaled(18).unwrap())), ..plain.clone() };
    spelled.token.blockchain = "ethereum-mainnet".into();
    for row in [plain.clone(), spelled] {
        let history = read(vec![vec![row.clone(), self::row("old", 60)]]);
        assert!(told().is_referred_to(&row, &order, &history), "{row:?}");
    }
    // One that says something else is not taken for it; but nobody says any more that the order was not seen.
    let other = Transaction { amount: Some(ReportedAmount::Exact(units("26"))), ..plain };
    let history = read(vec![vec![other.clone(), row("old", 60)]]);
    assert!(!told().is_referred_to(&other, &order, &history));
    assert!(history.may_hold(&order));
    assert!(!read(vec![vec![row("old", 60), other]]).may_hold(&order), "it was there before the order");
}

#[test]
fn a_row_under_the_orders_key_that_says_something_else_is_an_alarm() {
    let order = unknown(&["old"]);
    let alarms = |rows: Vec<Transaction>| -> Vec<String> {
        read(vec![rows]).differences_of_order(&order, None).iter().map(ToString::to_string).collect()
    };
    let plain = ours("one", Status::Success);
    assert_eq!(alarms(vec![plain.clone()]), Vec::<String>::new());
    let mut elsewhere = plain.clone();
    elsewhere.token.blockchain = "base".into();
    for (row, words) in [
        (
            Transaction { amount: Some(ReportedAmount::Exact(units("26"))), ..plain.clone() },
            "amount: the request says 25",
        ),
        (Transaction { to_address: Some("0xdead".into()), ..plain.clone() }, "recipient's address: the request says"),
        (Transaction { symbol: "USDT".into(), ..plain.clone() }, "token: the request says USDC, the history USDT"),
        (elsewhere, "chain: the request says ethereum, the history base"),
    ] {
        let said = alarms(vec![row]);
        assert!(said.len() == 1 && said[0].starts_with(words), "{said:?}");
    }
    let twin = Transaction { id: TransactionId::read("two"), ..plain.clone() };
    let words = "paid twice? Transactions one and two both carry its key";
    assert_eq!(alarms(vec![twin.clone(), plain.clone()]), [words]);
    assert_eq!(alarms(vec![plain, twin]), [words], "in whatever order, so that it is told once");
}

#[test]
fn what_proves_nothing_is_told_once_and_not_while_an_answer_is_waited_for() {
    let nothing = HistoryLookup::default();
    assert!(says_more(&FinalStatuses::default(), &unknown(&[]), &nothing, ago(0)));
    assert!(!says_more(&FinalStatuses::default(), &order(1, 10, None), &nothing, ago(10)));
}

/// One key may have two rows, as after a service tried more than once: that one failed is not the end of the other.
#[test]
fn an_order_failed_only_by_the_word_of_everything_that_was_read() {
    let mut order = unknown(&["old"]);
    let (failed, pending) = (ours("second", Status::Failed), ours("first", Status::Pending));
    assert!(!read(vec![vec![failed.clone()]]).shows_failure(&order), "the other row may stand on the next page");
    assert!(!read(vec![vec![failed.clone(), pending.clone(), row("old", 60)]]).shows_failure(&order));
    assert!(!read(vec![vec![row("other", 5), row("old", 60)]]).shows_failure(&order), "nothing was found");
    let met = vec![vec![failed.clone(), row("old", 60)]];
    assert!(read(met.clone()).shows_failure(&order));
    // What another read met is not everything.
    let mut noted = Outgoing::default();
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
    assert!(!read(met).shows_failure(&order));
    let words = FinalStatuses::default();
    assert_eq!(ending(&words, &order, &look, false, false, ago(0)), None);
    assert_eq!(ending(&words, &order, &look, true, false, ago(0)), Some(OrderEnd::Failed));
    let done = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&ours("first", Status::Success))),
        ..HistoryLookup::default()
    };
    assert_eq!(
        ending(&words, &order, &done, false, false, ago(0)),
        end_by_verdict(words.verdict(&ObservedTransaction::from_transaction(&ours("first", Status::Success))))
    );
}

/// A service may leave the keys out of its history: the transaction that its answer named is compared all the same.
#[test]
fn a_row_that_the_answer_named_is_compared_with_the_request_without_its_key() {
    let order = order(1, 10, Some(Outcome::Accepted));
    let own = Transaction { status: Some(Status::Success), confirmed: Some(true), ..row("tx-1", 5) };
    assert_eq!(differences(&own, &order, None), Vec::<Text>::new());
    let other = Transaction { to_address: Some("0xdead".into()), ..own };
    let found = differences(&other, &order, None);
    assert!(found.len() == 1 && found[0].starts_with("recipient's address: the request says"), "{found:?}");
    let look = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&other)),
        differences: found,
        ..HistoryLookup::default()
    };
    assert!(order.is_alarmed_by(&look));
    assert_eq!(ending(&FinalStatuses::default(), &order, &look, true, false, ago(0)), None, "somebody must look");
    let elsewhere = Transaction { id: TransactionId::read("tx-2"), ..other.clone() };
    assert_eq!(differences(&elsewhere, &order, None), Vec::<Text>::new(), "it is another payment");
    // It is found in the list that is read, however old what is known of it is; under another key it is another one.
    let history = read(vec![vec![elsewhere.clone(), other.clone()]]);
    assert_eq!(history.find_by_id(&order), Some(&other));
    assert_eq!(history.differences_of_order(&order, None).len(), 1);
    let foreign = Transaction { idempotency_key: Some(key(9).to_string().as_str().into()), ..other };
    assert_eq!(read(vec![vec![elsewhere, foreign]]).find_by_id(&order), None);
}

#[test]
fn a_reference_in_another_workspace_is_not_the_orders() {
    let order = unknown(&["old"]);
    let referred = Transaction { ref_id: Some("own-1".into()), ..row("new", 5) };
    let is_its = |history: &Outgoing, key_mark: &str| {
        OrderMatches::new(std::slice::from_ref(&order), &key_mark.into()).is_referred_to(&referred, &order, history)
    };
    let history = read(vec![vec![referred.clone()]]);
    assert!(is_its(&history, "k"), "it was read under the order's own key");
    assert!(!is_its(&history, "other"), "nothing in it was known when the order was made");
    assert!(is_its(&read(vec![vec![referred.clone(), row("old", 60)]]), "other"));
}

#[test]
fn one_anchor_that_moved_is_not_the_end_of_what_is_newer() {
    let order = unknown(&["a", "b", "c", "d"]);
    assert!(!read(vec![vec![row("d", 1), row("other", 7)]]).covers_since_draft(&order));
    assert!(read(vec![vec![row("d", 1), row("other", 7), row("a", 60)]]).covers_since_draft(&order));
    // A success that the service does not call final may still change.
    assert!(!row("a", 60).is_at_rest(&FinalStatuses::default()));
    assert!(Transaction { confirmed: Some(true), ..row("a", 60) }.is_at_rest(&FinalStatuses::default()));
    assert!(Transaction { status: Some(Status::Failed), ..row("a", 60) }.is_at_rest(&FinalStatuses::default()));
}

/// The answer to an equal swap of before, say: what that one did is not what became of this one.
#[test]
fn an_answer_that_says_something_else_than_the_request_names_no_swap() {
    use crate::domain::{CreatedObject, SubType, SwapDetails};
    let mut order = order(1, 10, Some(Outcome::Accepted));
    let swapped = Some(SwapDetails { group: Some("g".into()), proceeds: None });
    let answer = &mut order.attempts[0].answer.as_mut().unwrap().1;
    answer.change =
        Some(CreatedObject::Transaction(ObservedTransaction { swap: swapped, ..ObservedTransaction::default() }));
    let leaves = Transaction { sub_type: Some(SubType::Swap), group: Some("g".into()), ..row("out", 5) };
    let history = whole(vec![leaves]);
    assert_eq!(history.find_by_group(&order).map(|row| row.id.as_str()), Some("out"));
    order.attempts[0].answer.as_mut().unwrap().1.differences = vec!["reference: the request says own-1".into()];
    assert!(history.find_by_group(&order).is_none());
}

/// Its two sides need not be listed in one moment, and what the answer named is a promise.
#[test]
fn a_swap_settles_once_what_it_brought_is_shown_or_was_waited_for() {
    use crate::domain::draft::Swap;
    use crate::domain::{SwapDetails, SwapProceeds};
    let mut order = order(1, 30, Some(Outcome::Unknown));
    let Draft::Withdraw(paid) = order.drafted.draft.clone() else { unreachable!() };
    order.drafted.draft = Draft::Swap(Swap {
        wallet: paid.wallet,
        blockchain: paid.blockchain,
        from: paid.token,
        amount: paid.amount,
        to: "ETH".into(),
        ref_id: None,
        note: None,
    });
    let received = SwapProceeds { coin: "ETH".into(), amount: units("1") };
    let look = |received: Option<SwapProceeds>| {
        let swapped = Some(SwapDetails { group: Some("g".into()), proceeds: received });
        HistoryLookup {
            observed: Some(ObservedTransaction {
                swap: swapped,
                ..ObservedTransaction::from_transaction(&ours("one", Status::Success))
            }),
            ..HistoryLookup::default()
        }
    };
    let ends = |order: &Order, look: &HistoryLookup, minutes| {
        ending(&FinalStatuses::default(), order, look, false, false, ago(minutes))
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
    answer.change = Some(crate::domain::CreatedObject::Transaction(promised));
    assert_eq!((order.proceeds(), order.proceeds_in_history()), (Some(&received), None));
    assert_eq!(ends(&order, &look(None), 11), None);
    let failed = HistoryLookup {
        observed: Some(ObservedTransaction::from_transaction(&ours("one", Status::Failed))),
        ..HistoryLookup::default()
    };
    assert_eq!(ending(&FinalStatuses::default(), &order, &failed, true, false, ago(11)), Some(OrderEnd::Failed));
}

/// An answer may call it done at once and name what it brings: that is a promise until a history had the time to show it.
#[test]
fn a_swap_of_version_1_that_no_history_shows_settles_by_its_answer_and_not_at_once() {
    use crate::domain::draft::InstantSwap;
    use crate::domain::{CreatedObject, SwapDetails, SwapProceeds, UserId};
    let mut order = order(1, 30, Some(Outcome::Accepted));
    let by_version_2 = order.clone();
    order.drafted.draft = Draft::InstantSwap(InstantSwap {
        sub_wallet: UserId::read("u"),
        from: "USDC".into(),
        amount: "25".into(),
        to: "ETH".into(),
        ext_id: Some("own-1".into()),
    });
    let promised = SwapDetails { group: None, proceeds: Some(SwapProceeds { coin: "ETH".into(), amount: units("1") }) };
    let done =
        ObservedTransaction { status: Some(Status::Success), swap: Some(promised), ..ObservedTransaction::default() };
    let answers = |order: &mut Order, seen: ObservedTransaction| {
        order.attempts[0].answer.as_mut().unwrap().1.change = Some(CreatedObject::Transaction(seen));
    };
    answers(&mut order, done.clone());
    let ends = |order: &Order, minutes| {
        ending(&FinalStatuses::default(), order, &HistoryLookup::default(), false, true, ago(minutes))
    };
    assert_eq!((ends(&order, 30), ends(&order, 21)), (None, None));
    assert_eq!(ends(&order, 20), Some(OrderEnd::Settled));
    let unread = ending(&FinalStatuses::default(), &order, &HistoryLookup::default(), false, false, ago(0));
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
