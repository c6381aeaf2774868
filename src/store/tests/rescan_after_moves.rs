//! Rows that the first read does not meet, since the service reorders its lists meanwhile.

use super::fixtures::temporary_store;
use super::sync_and_backfill::{FakeService, run_backfill, stored_ids, sync_latest};
use crate::domain::Direction;
use crate::domain::history::{SyncProgress, TransactionPageRequest};
use crate::store::Store;
use crate::store::cache_state::{CacheState, ListState, RescanState, flaw};
use crate::store::rescan::RescanSlice;

fn service_with_incoming(rows: usize) -> FakeService {
    let mut service = FakeService::new(10);
    (0..rows).for_each(|_| service.add_transaction(&Direction::Incoming));
    service
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable();
    ids
}

/// Reads on until nothing is left to be read, looking at the head between, as the console does.
fn read_to_the_end(store: &Store, service: &mut FakeService) -> SyncProgress {
    for minute in 1..20 {
        run_backfill(store, service, 15, minute);
        sync_latest(store, service, minute);
    }
    store.progress().unwrap()
}

/// Reads so many rows, moves one, and reads the others.
fn read_while(store: &Store, service: &mut FakeService, rows: u64, moves: impl FnOnce(&mut FakeService, usize)) {
    sync_latest(store, service, 0);
    run_backfill(store, service, rows, 1);
    let rows_read = usize::try_from(store.progress().unwrap().rows).unwrap();
    moves(service, rows_read);
    while !store.progress().unwrap().complete {
        run_backfill(store, service, 1_000, 1);
    }
}

fn move_row(service: &mut FakeService, from: usize, to: usize) {
    let row = service.incoming.remove(from);
    service.incoming.insert(to, row);
}

#[test]
fn a_row_that_slips_past_the_page_that_is_read_is_found_afterwards() {
    // The first row of the next page goes up; one that was read falls to the end; one of the end rises among those read.
    let moves: [fn(&mut FakeService, usize); 3] = [
        |service, rows_read| move_row(service, rows_read, rows_read - 1),
        |service, _| move_row(service, 3, 79),
        |service, _| move_row(service, 79, 15),
    ];
    for (nth, moves) in moves.into_iter().enumerate() {
        let store = temporary_store();
        let mut service = service_with_incoming(80);
        read_while(&store, &mut service, 25, moves);
        assert_eq!(store.progress().unwrap().rows, 79, "one is missed at first: {nth}");
        let progress = read_to_the_end(&store, &mut service);
        assert_eq!((progress.rows, progress.complete, progress.partial), (80, true, None), "{nth}");
        assert_eq!(sorted(stored_ids(&store).0), sorted(service.listed_ids().0), "{nth}");
    }
}

#[test]
fn rows_that_arrive_meanwhile_do_not_hide_that_one_is_missing() {
    let store = temporary_store();
    let mut service = service_with_incoming(80);
    read_while(&store, &mut service, 25, |service, rows_read| move_row(service, rows_read, rows_read - 1));
    (0..3).for_each(|_| service.add_transaction(&Direction::Incoming));
    let progress = read_to_the_end(&store, &mut service);
    assert_eq!((progress.rows, progress.complete, progress.partial), (83, true, None));
    assert_eq!(sorted(stored_ids(&store).0), sorted(service.listed_ids().0));
}

#[test]
fn a_service_that_counts_more_than_it_lists_is_looked_through_a_few_times_and_told_of() {
    let store = temporary_store();
    let mut service = service_with_incoming(50);
    // The last row of the last page is on no page at all.
    service.shifts = true;
    sync_latest(&store, &mut service, 0);
    let progress = read_to_the_end(&store, &mut service);
    assert_eq!((progress.rows, progress.complete), (49, true), "it is not looked for without end");
    assert_eq!(progress.partial.as_deref(), Some(flaw::MISSING_ROWS));
}

/// A minute of the console: a look at the head, and what is left to be read.
fn run_minute(store: &Store, service: &mut FakeService, minute: i64) -> SyncProgress {
    sync_latest(store, service, minute);
    let progress = store.progress().unwrap();
    if progress.is_rescanning || !progress.complete && progress.partial.is_none() {
        run_backfill(store, service, 1_000, minute);
    }
    store.progress().unwrap()
}

/// A history read while a row of its list is hidden, which is counted all the same.
fn read_with_hidden_row(nth: usize) -> (Store, FakeService) {
    let store = temporary_store();
    let mut service = service_with_incoming(100);
    service.hides = vec![service.incoming[nth].id.to_string()];
    let progress = (0..10).map(|at| run_minute(&store, &mut service, at)).last().unwrap();
    assert_eq!((progress.rows, progress.partial.as_deref()), (99, Some(flaw::MISSING_ROWS)), "row {nth}");
    (store, service)
}

#[test]
fn a_history_is_whole_again_when_what_was_missing_is_listed_again() {
    // At the top of the list a look sees it; further down a pass does, which is made now and then.
    for (nth, minutes) in [(0, 2), (55, 65)] {
        let (store, mut service) = read_with_hidden_row(nth);
        service.hides.clear();
        let mended = (10..200).find(|at| run_minute(&store, &mut service, *at).partial.is_none());
        assert!(mended.is_some_and(|at| at <= 10 + minutes), "row {nth} after {mended:?} minutes");
        let progress = store.progress().unwrap();
        assert_eq!((progress.rows, progress.complete), (100, true), "row {nth}");
        assert_eq!(sorted(stored_ids(&store).0), sorted(service.listed_ids().0), "row {nth}");
    }
}

#[test]
fn what_stays_missing_is_looked_for_once_an_hour() {
    let (store, mut service) = read_with_hidden_row(55);
    let hours = 10..10 + 6 * 60;
    let passes = hours.filter(|at| {
        sync_latest(&store, &mut service, *at);
        let progress = store.progress().unwrap();
        if progress.is_rescanning {
            run_backfill(&store, &mut service, 1_000, *at);
        }
        // What is looked through for other reasons leaves the history as it was.
        assert_eq!(store.progress().unwrap().partial.as_deref(), Some(flaw::MISSING_ROWS), "minute {at}");
        !progress.complete
    });
    assert!((4..=6).contains(&passes.count()));
}

#[test]
fn a_pass_goes_on_where_it_was_after_a_restart_and_survives_other_page_sizes() {
    let store = temporary_store();
    let mut service = service_with_incoming(200);
    // Deeper than the pages that a look reads for rows that are on their way.
    read_while(&store, &mut service, 100, |service, rows_read| move_row(service, rows_read, rows_read - 1));
    sync_latest(&store, &mut service, 2);
    let rescan_progress = |store: &Store| store.read_in_transaction(CacheState::read).unwrap().lists[0].again;
    let mut covered = 0;
    for limit in [10, 25, 7, 60, 10, 10, 10, 10] {
        service.limit = limit;
        run_backfill(&store, &mut service, 30, 3);
        let Some(so_far) = rescan_progress(&store) else { break };
        assert!(so_far.covered >= covered, "it does not fall back");
        covered = so_far.covered;
    }
    assert!(covered > 0, "it went on in stretches");
    let progress = read_to_the_end(&store, &mut service);
    assert_eq!((progress.rows, progress.complete, progress.partial), (200, true, None));
}

#[test]
fn pages_that_hold_arrivals_alone_are_free_and_one_that_comes_again_is_not() {
    let store = temporary_store();
    let mut service = service_with_incoming(30);
    let mut slice = RescanSlice::new(
        Direction::Incoming,
        RescanState::default(),
        &ListState { page_limit: Some(10), ..ListState::default() },
    );
    let mut page = |page_no| service.page(&TransactionPageRequest { direction: Direction::Incoming, page_no });
    slice.add_page(&store, page(1)).unwrap();
    slice.add_page(&store, page(2)).unwrap();
    assert_eq!((slice.entries_seen, slice.new_rows.len(), slice.next_page_no()), (0, 20, 3));
    // A service that ignores the page's number would otherwise be asked without end.
    slice.add_page(&store, page(2)).unwrap();
    assert_eq!((slice.entries_seen, slice.new_rows.len()), (10, 20));
}
