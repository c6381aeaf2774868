use super::*;
use crate::domain::{Outcome, Stated, Status};
use crate::runtime::knowledge::tests::{ago, key, order, row, units};

fn read(pages: Vec<Vec<Transaction>>) -> Outgoing {
    let mut history = Outgoing::default();
    for rows in pages {
        history.take(rows, 0);
    }
    history
}

fn unknown(newest: &[&str]) -> Intent {
    let mut order = order(1, 10, Some(Outcome::Unknown));
    order.drafted.newest = newest.iter().map(|id| TransactionId::read(id)).collect();
    order
}

fn ours(id: &str, status: Status) -> Transaction {
    let key = key(1).to_string();
    Transaction { idempotency_key: Some(key.as_str().into()), status: Some(status), ..row(id, 5) }
}

#[test]
fn a_row_that_failed_does_not_hide_another_with_the_same_key() {
    let order = unknown(&["old"]);
    let [failed, pending] = [ours("second", Status::Failed), ours("first", Status::Pending)];
    for pages in [
        vec![vec![failed.clone(), pending.clone()]],
        vec![vec![pending.clone(), failed.clone()]],
        vec![vec![failed.clone()], vec![pending.clone(), row("old", 60)]],
    ] {
        let history = read(pages);
        assert_eq!(history.by_key(&order).map(|row| row.id.as_str()), Some("first"));
    }
    // The next page is read, too, until one that was known before is met.
    assert!(!read(vec![vec![failed.clone()]]).is_enough_for(&order));
    assert!(read(vec![vec![pending]]).is_enough_for(&order));
    let history = read(vec![vec![failed, row("old", 60)]]);
    assert!(history.is_enough_for(&order));
    assert_eq!(history.by_key(&order).map(|row| row.id.as_str()), Some("second"));
}

#[test]
fn a_list_without_what_was_known_does_not_tell_everything() {
    let whole = |rows| Outgoing { is_whole: true, ..read(vec![rows]) };
    assert!(whole(vec![row("old", 60)]).reaches(&unknown(&["gone", "old"])));
    assert!(whole(Vec::new()).reaches(&unknown(&[])));
    assert!(!whole(Vec::new()).reaches(&unknown(&["old"])));
    assert!(!whole(vec![row("other", 60)]).reaches(&unknown(&["old"])));
    assert!(!read(vec![vec![row("other", 60)]]).reaches(&unknown(&[])));
}

#[test]
fn a_list_that_begins_with_its_oldest_row_proves_nothing() {
    let rows = |minutes: &[i64]| -> Vec<Transaction> {
        minutes.iter().map(|minutes| row(&format!("at-{minutes}"), *minutes)).collect()
    };
    assert!(read(vec![rows(&[60, 50, 40])]).is_upside_down());
    assert!(!read(vec![rows(&[40, 50, 60])]).is_upside_down());
    assert!(!read(vec![rows(&[1, 3, 2, 40, 50]), rows(&[55, 60])]).is_upside_down(), "one was confirmed later");
    assert!(!read(vec![rows(&[7])]).is_upside_down());
}

#[test]
fn a_row_under_the_orders_reference_is_the_orders_however_it_is_spelled() {
    let order = unknown(&["old"]);
    let told = || Told::new(std::slice::from_ref(&order));
    let plain = Transaction { ref_id: Some("own-1".into()), ..row("new", 5) };
    let mut spelled = Transaction { amount: Some(Stated::Exact(units("25").rescaled(18).unwrap())), ..plain.clone() };
    spelled.token.blockchain = "ethereum-mainnet".into();
    for row in [plain.clone(), spelled] {
        let history = read(vec![vec![row.clone(), self::row("old", 60)]]);
        assert!(told().is_referred_to(&row, &order, &history), "{row:?}");
    }
    // One that says something else is not taken for it; but nobody says any more that the order was not seen.
    let other = Transaction { amount: Some(Stated::Exact(units("26"))), ..plain };
    let history = read(vec![vec![other.clone(), row("old", 60)]]);
    assert!(!told().is_referred_to(&other, &order, &history));
    assert!(history.may_hold(&order));
    assert!(!read(vec![vec![row("old", 60), other]]).may_hold(&order), "it was there before the order");
}

#[test]
fn what_proves_nothing_is_told_once_and_not_while_an_answer_is_waited_for() {
    let nothing = Look { found: None, resembles: None, covers: false };
    assert!(says_more(&unknown(&[]), &nothing, ago(0)));
    assert!(!says_more(&order(1, 10, None), &nothing, ago(10)));
}
