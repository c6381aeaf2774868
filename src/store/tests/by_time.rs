//! Rows stand by time whatever order the service lists them in, and what is on its way stands on top.

use super::fixtures::{mix_bits, store_in_folder, temporary_store};
use super::sync_and_backfill::{FakeService, run_backfill, stored_rows, sync_latest};
use crate::domain::history::{HistoryRow, Query, RowCount, Sort, WindowAnchor, WindowRequest};
use crate::domain::{Direction, Status, Timestamp, Transaction};
use crate::store::{Cancel, Store};

const BEGINNING: i64 = 1_700_000_000_000;

fn settle_row(row: &mut Transaction, at: i64) {
    row.status = Some(Status::Success);
    row.confirmed = Some(true);
    row.created_at = None;
    row.confirmed_at = Some(Timestamp::from_millis(at));
}

fn is_on_its_way(row: &mut Transaction) {
    row.status = Some(Status::Pending);
    (row.confirmed, row.confirmed_at, row.created_at) = (None, None, None);
}

/// A service with so many rows, each of which came to its end up to `apart` milliseconds after it was made.
fn service_with_settled_rows(count: u64, apart: u64) -> FakeService {
    let mut service = FakeService::new(100);
    for nth in 0..count {
        service.add_transaction(if mix_bits(nth).is_multiple_of(3) {
            &Direction::Outgoing
        } else {
            &Direction::Incoming
        });
    }
    for (nth, row) in (0_u64..).zip(service.incoming.iter_mut().rev().chain(service.outgoing.iter_mut().rev())) {
        let offset = i64::try_from(nth * 1_000 + mix_bits(nth) % apart).unwrap();
        settle_row(row, BEGINNING + offset);
        if mix_bits(nth).is_multiple_of(97) {
            is_on_its_way(row);
        }
    }
    service
}

fn read_whole_history(store: &Store, service: &mut FakeService) {
    sync_latest(store, service, 0);
    while !store.progress().unwrap().complete {
        run_backfill(store, service, 2_000, 0);
    }
}

/// What the order must be, from the rows alone: nothing here has a time that it was not told.
fn expected_order(store: &Store, filter: impl Fn(&HistoryRow) -> bool) -> Vec<i64> {
    let mut all: Vec<(Option<Timestamp>, i64)> = stored_rows(store, Sort::Listed)
        .into_iter()
        .filter(filter)
        .map(|row| (row.transaction.confirmed_at, row.seq))
        .collect();
    all.sort_by_key(|(at, seq)| std::cmp::Reverse((at.is_none(), *at, *seq)));
    all.into_iter().map(|(_, seq)| seq).collect()
}

fn query_window(store: &Store, query: &Query, anchor: WindowAnchor, rows: u32) -> (u64, Vec<i64>) {
    let span = WindowRequest { query: query.clone(), anchor, rows };
    let mut last = (0, Vec::new());
    store
        .query_history(&span, &Cancel::new(), &mut |window| {
            let seqs: Vec<i64> = window.rows.iter().map(|row| row.seq).collect();
            // What is told early is told again, with the count.
            if let RowCount::AtLeast(_) = window.count {
                assert!(!seqs.is_empty());
            }
            if !last.1.is_empty() {
                assert_eq!(last, (window.first, seqs.clone()), "an early answer was another one");
            }
            last = (window.first, seqs);
        })
        .unwrap();
    last
}

fn assert_order_agrees(store: &Store, context: &str) {
    let incoming = |row: &HistoryRow| row.transaction.direction == Direction::Incoming;
    let orders = [("", expected_order(store, |_| true)), ("dir:in", expected_order(store, incoming))];
    for (filter, newest) in orders {
        let oldest: Vec<i64> = newest.iter().rev().copied().collect();
        for (sort, expected) in [(Sort::Newest, &newest), (Sort::Oldest, &oldest)] {
            let query = Query { filter: filter.into(), sort, ..Query::default() };
            let total = expected.len();
            assert_eq!(
                query_window(store, &query, WindowAnchor::Rank(0), 1_000_000).1,
                *expected,
                "{context} {filter} {sort:?}"
            );
            for first in [0, 1, 99, total / 3, total / 2 + 7, total - 41, total - 1] {
                let from = first.min(total - 40);
                let window = query_window(store, &query, WindowAnchor::Rank(first as u64), 40);
                assert_eq!(window, (from as u64, expected[from..from + 40].to_vec()), "{context} {filter} {sort:?}");
                let at = WindowAnchor::Row { seq: expected[first], above: 5 };
                let from = first.saturating_sub(5).min(total - 40);
                let window = query_window(store, &query, at, 40);
                assert_eq!(window, (from as u64, expected[from..from + 40].to_vec()), "{context} {filter} {sort:?}");
            }
        }
    }
}

#[test]
fn rows_stand_by_time_and_what_is_on_its_way_on_top_however_the_service_lists() {
    // Ends out of turn by nothing, by some rows, by many segments, and in no order at all.
    for apart in [1, 60_000, 3_000_000, 100_000_000] {
        let store = temporary_store();
        let mut service = service_with_settled_rows(6_000, apart);
        read_whole_history(&store, &mut service);
        assert_order_agrees(&store, &format!("{apart}"));
    }
}

#[test]
fn the_order_follows_what_arrives_and_what_comes_to_its_end() {
    let home = tempfile::tempdir().unwrap();
    let store = store_in_folder(home.path());
    let mut service = service_with_settled_rows(2_500, 60_000);
    read_whole_history(&store, &mut service);
    for minute in 1..6 {
        for nth in 0..30 {
            service.add_transaction(if nth % 2 == 0 { &Direction::Incoming } else { &Direction::Outgoing });
            is_on_its_way(&mut service.incoming[0]);
            is_on_its_way(&mut service.outgoing[0]);
        }
        for nth in (3..20).step_by(2) {
            let at = BEGINNING + 2_600_000 + i64::try_from(mix_bits(nth) % 9_000_000).unwrap();
            settle_row(&mut service.incoming[usize::try_from(nth).unwrap()], at);
        }
        sync_latest(&store, &mut service, minute);
        assert_order_agrees(&store, &format!("minute {minute}"));
    }
    drop(store);
    assert_order_agrees(&store_in_folder(home.path()), "after a restart");
}

#[test]
fn a_final_row_without_a_time_stands_where_the_service_lists_it() {
    let store = temporary_store();
    let mut service = service_with_settled_rows(50, 1);
    service.outgoing.clear();
    for (nth, row) in (0_i64..).zip(service.incoming.iter_mut().rev()) {
        settle_row(row, BEGINNING + nth * 1_000);
    }
    let failed = &mut service.incoming[20];
    (failed.status, failed.confirmed, failed.confirmed_at, failed.created_at) =
        (Some(Status::Failed), None, None, None);
    let [above, id, below] = [19, 20, 21].map(|nth: usize| service.incoming[nth].id.clone());
    read_whole_history(&store, &mut service);
    let rows = stored_rows(&store, Sort::Newest);
    let at = rows.iter().position(|row| row.transaction.id == id).unwrap();
    let near: Vec<_> = rows[at - 1..=at + 1].iter().map(|row| row.transaction.id.clone()).collect();
    assert_eq!(near, [above, id, below]);
}
