//! Every row of a query one after the other, and a cache that is copied while somebody writes it.

use std::ops::ControlFlow;

use super::fixtures::{now, store_in_folder, temporary_store, transaction};
use crate::domain::Direction;
use crate::domain::history::{HistoryRow, Page, Query, Sort, WindowAnchor, WindowRequest};
use crate::store::{CacheLocation, Cancel, LatestRead, Store, StoreError};

/// Takes in rows of both directions, the newest of which has the highest number.
fn sync_rows(store: &Store, numbers: std::ops::Range<u64>) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let odd = u64::from(request.direction == Direction::Outgoing);
        let items = numbers.clone().rev().filter(|number| number % 2 == odd);
        let items = items.map(|number| transaction(number, &request.direction, None)).collect();
        let page = Page { items, unreadable: 0, page_no: Some(1), page_limit: Some(10_000), total_page: Some(1) };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(0)).unwrap();
}

fn walk_all(store: &Store, query: &Query) -> (u64, Vec<HistoryRow>) {
    let (mut count, mut rows) = (0, Vec::new());
    store
        .walk_rows(query, &Cancel::new(), &mut |total| count = total, &mut |row| {
            rows.push(row);
            ControlFlow::Continue(())
        })
        .unwrap();
    (count, rows)
}

#[test]
fn a_walk_hands_out_what_a_window_of_all_rows_shows() {
    let store = temporary_store();
    assert_eq!(walk_all(&store, &Query::default()), (0, Vec::new()));
    sync_rows(&store, 0..1_500);
    for sort in [Sort::Newest, Sort::Oldest, Sort::Largest, Sort::Smallest, Sort::Listed] {
        for filter in ["", "dir:out usdt", "amount:>=1000", "zzz"] {
            let query = Query { filter: filter.into(), sort, ..Query::default() };
            let span = WindowRequest { query: query.clone(), anchor: WindowAnchor::Rank(0), rows: 2_000 };
            let mut rows = Vec::new();
            store.query_history(&span, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
            assert_eq!(walk_all(&store, &query), (rows.len() as u64, rows), "{filter} {sort:?}");
        }
    }
    let (_, all) = walk_all(&store, &Query { sort: Sort::Listed, ..Query::default() });
    let places = [all[7].seq, all[3].seq, all[700].seq];
    let picked = store.read_rows_by_seq(&places).unwrap();
    assert_eq!(picked.iter().map(|row| row.seq).collect::<Vec<_>>(), places);
    let incoming = Query { filter: "dir:in".into(), ..Query::default() };
    let out = all.iter().filter(|row| row.transaction.direction == Direction::Outgoing);
    let seqs: Vec<i64> = all.iter().map(|row| row.seq).collect();
    assert_eq!(
        store.rows_not_matched(&incoming, &seqs, &Cancel::new()).unwrap(),
        out.clone().map(|row| row.seq).collect::<Vec<_>>()
    );
    for (rank, row) in out.enumerate().step_by(97) {
        assert_eq!(store.position_in_service_list(&Direction::Outgoing, row.seq).unwrap(), rank as u64);
    }
}

#[test]
fn a_walk_stops_when_it_is_told_to() {
    let store = temporary_store();
    sync_rows(&store, 0..1_200);
    let mut row_count = 0;
    let mut one = |_| {
        row_count += 1;
        ControlFlow::Break(())
    };
    store.walk_rows(&Query::default(), &Cancel::new(), &mut |_| {}, &mut one).unwrap();
    assert_eq!(row_count, 1);
    let cancel = Cancel::new();
    let mut row_count = 0;
    let mut cancelling = |_| {
        row_count += 1;
        cancel.cancel();
        ControlFlow::Continue(())
    };
    let result = store.walk_rows(&Query::default(), &cancel, &mut |_| {}, &mut cancelling);
    assert!(matches!(result, Err(StoreError::Cancelled)) && row_count < 1_200, "{row_count}");
}

#[test]
fn a_copy_holds_what_was_there_and_goes_its_own_way() {
    let folder = tempfile::tempdir().unwrap();
    let copy = || Store::open(&CacheLocation::Copy(folder.path().to_owned())).unwrap().store;
    assert_eq!(copy().progress().unwrap().rows, 0, "nothing was there yet");
    let original = store_in_folder(folder.path());
    sync_rows(&original, 0..300);
    let copied = copy();
    let (_, before) = walk_all(&original, &Query::default());
    assert_eq!(walk_all(&copied, &Query::default()).1, before);
    sync_rows(&copied, 0..310);
    sync_rows(&original, 0..305);
    assert_eq!(copied.progress().unwrap().rows, 310);
    assert_eq!(original.progress().unwrap().rows, 305);
}
