//! The first rows of an account before all are counted.

use super::fixtures::{store_in_folder, transaction, uuid};
use super::sync_and_backfill::{FakeService, run_backfill, stored_rows, sync_latest};
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Query, RowCount, Scope, Sort, Window, WindowAnchor, WindowRequest};
use crate::domain::poison::PoisonFilter;
use crate::domain::{AccountId, Direction, WalletId};
use crate::store::{Cancel, Store};

const ROWS: u32 = 40;

fn query_windows(store: &Store, query: Query) -> Vec<Window<HistoryRow>> {
    let mut answers = Vec::new();
    let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: ROWS };
    store.query_history(&span, &Cancel::new(), &mut |window| answers.push(window)).unwrap();
    answers
}

#[test]
fn the_newest_rows_of_an_account_come_before_all_are_counted_and_are_the_right_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = FakeService::new(100);
    // The oldest row of all is the only one of its wallet.
    let rare = WalletId::from_text("rare");
    service.incoming.push({
        let mut row = transaction(1_000_000, &Direction::Incoming, Some(1_600_000_000_000));
        row.wallet = Some(rare.clone());
        row
    });
    for _ in 0..600 {
        service.add_transaction(&Direction::Incoming);
        service.add_transaction(&Direction::Outgoing);
    }
    {
        let store = store_in_folder(folder.path());
        sync_latest(&store, &mut service, 0);
        while !store.progress().unwrap().complete {
            run_backfill(&store, &mut service, 1_000, 0);
        }
    }
    // As at a start: nothing has been asked yet.
    let store = store_in_folder(folder.path());
    let account = AccountId::from_text(&uuid(700));
    let of = |scope: Scope| Query { scope, ..Query::default() };
    let windows = query_windows(&store, of(Scope::Account(account.clone())));
    let [first, whole] = windows.as_slice() else { unreachable!("{} answers", windows.len()) };
    assert_eq!(first.count, RowCount::AtLeast(u64::from(ROWS) + 1));
    assert_eq!(first.rows, whole.rows);
    let account_rows =
        stored_rows(&store, Sort::Newest).into_iter().filter(|row| row.transaction.account.as_ref() == Some(&account));
    let account_rows: Vec<HistoryRow> = account_rows.collect();
    assert_eq!(
        (whole.count, &whole.rows[..]),
        (RowCount::Exact(account_rows.len() as u64), &account_rows[..ROWS as usize])
    );
    // What is known is told once.
    assert_eq!(query_windows(&store, of(Scope::Account(account.clone()))), std::slice::from_ref(whole));
    // What is folded is in neither answer.
    let rows = stored_rows(&store, Sort::Newest);
    let mut incoming = rows.iter().filter(|row| row.transaction.direction == Direction::Incoming);
    let poison_filter = PoisonFilter::new([incoming.find_map(|row| row.transaction.counterparty()).unwrap()]);
    assert!(rows.iter().any(|row| poison_filter.hides(row)));
    for scope in [Scope::All, Scope::Account(account.clone())] {
        let filter = Filter { poison_filter: Some(poison_filter.clone()), ..Filter::default() };
        let windows = query_windows(&store, Query { filter, ..of(scope) });
        let [first, whole] = windows.as_slice() else { unreachable!("{} answers", windows.len()) };
        assert_eq!((first.count, &first.rows), (RowCount::AtLeast(u64::from(ROWS) + 1), &whole.rows));
        assert!(!first.rows.iter().any(|row| poison_filter.hides(row)));
    }
    // Where the newest do not hold enough, and in another order, there is one answer.
    let [only] = &query_windows(&store, of(Scope::Wallet(rare)))[..] else { unreachable!() };
    assert_eq!((only.count, only.rows.len()), (RowCount::Exact(1), 1));
    let other = AccountId::from_text(&uuid(701));
    assert_eq!(query_windows(&store, Query { sort: Sort::Oldest, ..of(Scope::Account(other)) }).len(), 1);
}
