//! The first read and the looks at the head, against a service that goes on meanwhile.

use proptest::prelude::*;

use super::fixtures::{mix_bits, now, store_in_folder, temporary_store, transaction};
use crate::domain::history::{
    HistoryRow, Page, PropertyEvidence, Query, RowCount, Sort, TransactionPageRequest, WindowAnchor, WindowRequest,
};
use crate::domain::{Direction, Status, Transaction};
use crate::store::{BackfillRead, Cancel, LatestRead, Store, SyncResult};

/// Two lists, the newest first, in pages.
#[derive(Default)]
pub(super) struct FakeService {
    pub(super) incoming: Vec<Transaction>,
    pub(super) outgoing: Vec<Transaction>,
    pub(super) limit: usize,
    next: u64,
    clock: i64,
    ignores_paging: bool,
    ignores_type: bool,
    tells_pages: bool,
    /// The rows of each page stand in another order each time.
    pub(super) shuffles: bool,
    /// Each page but the first begins with the last row of the one before.
    pub(super) shifts: bool,
    /// Rows that are counted, and on no page.
    pub(super) hides: Vec<String>,
}

impl FakeService {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, clock: 1_700_000_000_000, tells_pages: true, ..Self::default() }
    }

    fn list(&mut self, direction: &Direction) -> &mut Vec<Transaction> {
        if *direction == Direction::Outgoing && !self.ignores_type { &mut self.outgoing } else { &mut self.incoming }
    }

    pub(super) fn add_transaction(&mut self, direction: &Direction) {
        self.next += 1;
        self.clock += 1_000;
        let time = (!self.next.is_multiple_of(7)).then_some(self.clock);
        let arrived = transaction(self.next, direction, time);
        self.list(direction).insert(0, arrived);
    }

    pub(super) fn page(&mut self, request: &TransactionPageRequest) -> Page<Transaction> {
        let limit = self.limit;
        let hides = self.hides.clone();
        let (ignores_paging, tells) = (self.ignores_paging, self.tells_pages);
        let (shuffles, shifts) = (self.shuffles, self.shifts);
        let list = self.list(&request.direction);
        let page = if ignores_paging { 0 } else { usize::try_from(request.page_no).unwrap() - 1 };
        let total = list.len().div_ceil(limit) as u64;
        let from = (page * limit).saturating_sub(usize::from(shifts));
        let mut items: Vec<_> = list.iter().skip(from).take(limit).cloned().collect();
        items.retain(|row| !hides.iter().any(|hidden| hidden == row.id.as_str()));
        if shuffles {
            self.next += 1;
            items.sort_by_key(|row| mix_bits(self.next ^ mix_bits(row.id.as_str().bytes().map(u64::from).sum())));
        }
        Page {
            items,
            unreadable: 0,
            page_no: tells.then_some(request.page_no),
            page_limit: tells.then_some(limit as u64),
            total_page: tells.then_some(total),
        }
    }

    pub(super) fn listed_ids(&self) -> (Vec<String>, Vec<String>) {
        let ids = |list: &[Transaction]| list.iter().map(|transaction| transaction.id.to_string()).collect();
        (ids(&self.incoming), ids(&self.outgoing))
    }
}

pub(super) fn sync_latest(store: &Store, service: &mut FakeService, minute: i64) -> SyncResult {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let page = service.page(&request);
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(minute)).unwrap()
}

pub(super) fn run_backfill(store: &Store, service: &mut FakeService, budget: u64, minute: i64) -> SyncResult {
    let mut backfill = BackfillRead::start(store, budget).unwrap();
    while let Some(request) = backfill.next_page() {
        let page = service.page(&request);
        backfill.add_page(&request, page).unwrap();
    }
    backfill.finish(now(minute)).unwrap()
}

pub(super) fn stored_rows(store: &Store, sort: Sort) -> Vec<HistoryRow> {
    let span =
        WindowRequest { query: Query { sort, ..Query::default() }, anchor: WindowAnchor::Rank(0), rows: 1_000_000 };
    let mut answered = Vec::new();
    store
        .query_history(&span, &Cancel::new(), &mut |window| {
            assert_eq!(window.count, RowCount::Exact(window.rows.len() as u64));
            answered = window.rows;
        })
        .unwrap();
    answered
}

pub(super) fn stored_ids(store: &Store) -> (Vec<String>, Vec<String>) {
    let rows = stored_rows(store, Sort::Listed);
    assert!(rows.is_sorted_by(|newer, older| newer.seq == older.seq + 1), "the rows are dense");
    let of = |direction: &Direction| {
        rows.iter()
            .filter(|row| row.transaction.direction == *direction)
            .map(|row| row.transaction.id.to_string())
            .collect()
    };
    (of(&Direction::Incoming), of(&Direction::Outgoing))
}

#[test]
fn the_first_look_shows_a_page_of_each_list_merged_by_time() {
    let store = temporary_store();
    let mut service = FakeService::new(10);
    for number in 0..100 {
        service.add_transaction(if number % 3 == 0 { &Direction::Outgoing } else { &Direction::Incoming });
    }
    let merged = sync_latest(&store, &mut service, 0);
    assert!(merged.added >= 10, "the first page of a list stands: {merged:?}");
    assert!(!merged.progress.complete);
    let times: Vec<_> =
        stored_rows(&store, Sort::Listed).iter().filter_map(|row| row.transaction.reported_time()).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older));
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 20, 1);
    }
    assert_eq!(stored_ids(&store), service.listed_ids());
    let merged = sync_latest(&store, &mut service, 2);
    assert_eq!((merged.added, merged.changed), (0, 0));
    assert_eq!(merged.progress.expected, Some(100));
}

#[test]
fn a_row_that_went_on_is_updated_where_it_stands() {
    let store = temporary_store();
    let mut service = FakeService::new(10);
    for _ in 0..60 {
        service.add_transaction(&Direction::Incoming);
    }
    sync_latest(&store, &mut service, 0);
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 1000, 0);
    }
    let before = stored_rows(&store, Sort::Listed);
    let deep = before.iter().rposition(|row| row.transaction.status == Some(Status::Pending)).unwrap();
    assert!(deep > 20, "beyond the pages that every look reads");
    service.incoming[deep].status = Some(Status::Success);
    service.incoming[deep].confirmed = Some(true);
    let version = store.version();
    let mut changed = 0;
    for minute in 1..5 {
        changed += sync_latest(&store, &mut service, minute).changed;
    }
    assert_eq!(changed, 1);
    assert!(store.version() > version);
    let after = stored_rows(&store, Sort::Listed);
    assert_eq!(after[deep].transaction, service.incoming[deep]);
    assert_eq!((after[deep].seq, after[deep].seen_at), (before[deep].seq, before[deep].seen_at));
}

#[test]
fn a_gap_larger_than_memory_is_closed_at_once() {
    let store = temporary_store();
    let mut service = FakeService::new(100);
    for _ in 0..50 {
        service.add_transaction(&Direction::Outgoing);
    }
    sync_latest(&store, &mut service, 0);
    for number in 0..9_000 {
        service.add_transaction(if number % 2 == 0 { &Direction::Outgoing } else { &Direction::Incoming });
    }
    // A look that is given up half way leaves nothing behind.
    let mut head = LatestRead::start(&store).unwrap();
    for _ in 0..60 {
        let request = head.next_page().unwrap();
        let page = service.page(&request);
        head.add_page(&request, page).unwrap();
    }
    drop(head);
    assert_eq!(store.progress().unwrap().rows, 50);
    assert_eq!(sync_latest(&store, &mut service, 1).added, 9_000);
    assert_eq!(stored_ids(&store), service.listed_ids());
}

#[test]
fn a_service_that_lists_the_oldest_first_is_noticed() {
    let store = temporary_store();
    let mut service = FakeService::new(10);
    for _ in 0..60 {
        service.add_transaction(&Direction::Incoming);
    }
    service.incoming.reverse();
    sync_latest(&store, &mut service, 0);
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 1000, 0);
    }
    let progress = store.progress().unwrap();
    assert_eq!((progress.rows, progress.partial.as_deref()), (60, Some("the service does not list the newest first")));
    assert_eq!(store.paging_and_order_evidence().unwrap().order, PropertyEvidence::Refuted);
}

#[test]
fn what_was_seen_of_how_a_service_lists_is_kept_and_can_be_looked_at_while_the_cache_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Store::read_progress_in_folder(folder.path()).unwrap(), None);
    let store = store_in_folder(folder.path());
    let mut service = FakeService::new(10);
    for _ in 0..6 {
        service.add_transaction(&Direction::Incoming);
    }
    sync_latest(&store, &mut service, 0);
    assert_eq!(store.paging_and_order_evidence().unwrap().paging, PropertyEvidence::Unknown, "there is one page");
    for _ in 0..60 {
        service.add_transaction(&Direction::Incoming);
        service.add_transaction(&Direction::Outgoing);
    }
    sync_latest(&store, &mut service, 1);
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 20, 1);
    }
    sync_latest(&store, &mut service, 2);
    let (progress, proof) = Store::read_progress_in_folder(folder.path()).unwrap().unwrap();
    assert_eq!((progress, proof), (store.progress().unwrap(), store.paging_and_order_evidence().unwrap()));
    assert_eq!((proof.paging, proof.filter), (PropertyEvidence::Confirmed, PropertyEvidence::Confirmed));
}

#[test]
fn a_service_that_ignores_paging_is_noticed() {
    let store = temporary_store();
    let mut service = FakeService::new(10);
    service.ignores_paging = true;
    for _ in 0..25 {
        service.add_transaction(&Direction::Incoming);
    }
    sync_latest(&store, &mut service, 0);
    let merged = run_backfill(&store, &mut service, 1000, 0);
    assert!(merged.progress.complete);
    assert_eq!(merged.progress.rows, 10);
    assert_eq!(merged.progress.partial.as_deref(), Some("the service ignores paging"));
}

#[test]
fn as_many_arrivals_as_a_page_has_entries_are_not_taken_for_ignored_paging() {
    for tells_pages in [true, false] {
        for begins_with in [9, 30] {
            let store = temporary_store();
            let mut service = FakeService::new(9);
            service.tells_pages = tells_pages;
            (0..100).for_each(|_| service.add_transaction(&Direction::Outgoing));
            sync_latest(&store, &mut service, 0);
            run_backfill(&store, &mut service, begins_with, 1);
            // Each page begins with the row that the one before began with.
            for _ in 0..5 {
                (0..9).for_each(|_| service.add_transaction(&Direction::Outgoing));
                run_backfill(&store, &mut service, 1, 1);
            }
            while !store.progress().unwrap().complete {
                run_backfill(&store, &mut service, 50, 2);
            }
            sync_latest(&store, &mut service, 3);
            assert_eq!(store.progress().unwrap().partial, None, "{tells_pages} {begins_with}");
            assert_eq!(stored_ids(&store), service.listed_ids(), "{tells_pages} {begins_with}");
        }
    }
}

#[test]
fn a_service_that_ignores_the_type_is_noticed_and_nothing_is_kept_twice() {
    let store = temporary_store();
    let mut service = FakeService::new(10);
    service.ignores_type = true;
    for _ in 0..35 {
        service.add_transaction(&Direction::Incoming);
    }
    sync_latest(&store, &mut service, 0);
    for _ in 0..20 {
        run_backfill(&store, &mut service, 10, 0);
    }
    let progress = store.progress().unwrap();
    assert_eq!((progress.rows, progress.complete), (35, true));
    assert_eq!(progress.partial.as_deref(), Some("the service ignores txType"));
}

#[test]
fn what_arrives_before_a_list_is_looked_through_again_stands_in_its_order() {
    let store = temporary_store();
    let mut service = FakeService::new(9);
    for number in 0..92 {
        service.add_transaction(&Direction::Incoming);
        if number < 16 {
            service.add_transaction(&Direction::Outgoing);
        }
    }
    let arrive =
        |service: &mut FakeService, rows| (0..rows).for_each(|_| service.add_transaction(&Direction::Outgoing));
    sync_latest(&store, &mut service, 0);
    service.limit = 8;
    arrive(&mut service, 7);
    run_backfill(&store, &mut service, 32, 1);
    drop(BackfillRead::start(&store, 1_000).unwrap());
    arrive(&mut service, 1);
    run_backfill(&store, &mut service, 61, 1);
    arrive(&mut service, 44);
    sync_latest(&store, &mut service, 1);
    sync_latest(&store, &mut service, 1);
    // More than a page arrives, and the stretch that meets it is to be a short one.
    arrive(&mut service, 25);
    run_backfill(&store, &mut service, 1, 1);
    while !run_backfill(&store, &mut service, 50, 2).progress.complete {}
    sync_latest(&store, &mut service, 3);
    assert_eq!(store.progress().unwrap().partial, None);
    assert_eq!(stored_ids(&store), service.listed_ids());
}

#[test]
fn a_page_limit_that_changes_between_stretches_is_not_taken_for_ignored_paging() {
    let store = temporary_store();
    let mut service = FakeService::new(9);
    for number in 0..67 {
        if number < 17 {
            service.add_transaction(&Direction::Incoming);
        }
        service.add_transaction(&Direction::Outgoing);
    }
    sync_latest(&store, &mut service, 0);
    (0..3).for_each(|_| service.add_transaction(&Direction::Incoming));
    service.limit = 20;
    run_backfill(&store, &mut service, 12, 1);
    run_backfill(&store, &mut service, 30, 1);
    service.limit = 16;
    for _ in 0..3 {
        run_backfill(&store, &mut service, 1, 1);
    }
    while !run_backfill(&store, &mut service, 50, 2).progress.complete {}
    sync_latest(&store, &mut service, 3);
    assert_eq!(store.progress().unwrap().partial, None);
    assert_eq!(stored_ids(&store), service.listed_ids());
}

#[test]
fn rows_that_arrive_before_pages_become_smaller_stand_in_their_order() {
    let store = temporary_store();
    let mut service = FakeService::new(9);
    for number in 0..299 {
        if number < 98 {
            service.add_transaction(&Direction::Incoming);
        }
        service.add_transaction(&Direction::Outgoing);
    }
    sync_latest(&store, &mut service, 0);
    for budget in [1, 28, 37, 46, 67, 56, 38, 55, 19] {
        run_backfill(&store, &mut service, budget, 1);
    }
    (0..21).for_each(|_| service.add_transaction(&Direction::Incoming));
    service.limit = 4;
    while !run_backfill(&store, &mut service, 50, 2).progress.complete {}
    sync_latest(&store, &mut service, 3);
    let (incoming, outgoing) = stored_ids(&store);
    let all = service.listed_ids();
    let first = incoming.iter().zip(&all.0).position(|(a, b)| a != b);
    assert_eq!(
        (incoming.len(), first),
        (all.0.len(), None),
        "{:?}",
        first.map(|at| all.0.iter().position(|id| *id == incoming[at]))
    );
    assert_eq!(outgoing, all.1);
}

#[derive(Debug, Clone)]
enum Event {
    In(u8),
    Out(u8),
    Look,
    Back(u16),
    /// A back read that is given up after so many pages.
    GivenUp(u8),
    Restart,
    Limit(u8),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        2 => (0_u8..40).prop_map(Event::In),
        2 => (0_u8..40).prop_map(Event::Out),
        3 => Just(Event::Look),
        4 => (1_u16..80).prop_map(Event::Back),
        1 => (0_u8..6).prop_map(Event::GivenUp),
        1 => Just(Event::Restart),
        1 => (4_u8..30).prop_map(Event::Limit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_meanwhile_the_rows_are_the_services_rows(
        before in (0_u16..300, 0_u16..300),
        tells_pages in any::<bool>(),
        events in prop::collection::vec(event(), 0..40),
        interleaved in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = store_in_folder(folder.path());
        let mut service = FakeService::new(9);
        service.tells_pages = tells_pages;
        for number in 0..before.0.max(before.1) {
            if number < before.0 { service.add_transaction(&Direction::Incoming); }
            if number < before.1 { service.add_transaction(&Direction::Outgoing); }
        }
        sync_latest(&store, &mut service, 0);
        for event in events {
            match event {
                Event::In(count) => (0..count).for_each(|_| service.add_transaction(&Direction::Incoming)),
                Event::Out(count) => (0..count).for_each(|_| service.add_transaction(&Direction::Outgoing)),
                Event::Look => { sync_latest(&store, &mut service, 1); }
                Event::Back(budget) => {
                    let mut backfill = BackfillRead::start(&store, u64::from(budget)).unwrap();
                    while let Some(request) = backfill.next_page() {
                        let page = service.page(&request);
                        backfill.add_page(&request, page).unwrap();
                        if interleaved {
                            service.add_transaction(&Direction::Incoming);
                        }
                    }
                    if interleaved {
                        sync_latest(&store, &mut service, 1);
                    }
                    backfill.finish(now(1)).unwrap();
                }
                Event::GivenUp(pages) => {
                    let mut backfill = BackfillRead::start(&store, 1000).unwrap();
                    for _ in 0..pages {
                        let Some(request) = backfill.next_page() else { break };
                        let page = service.page(&request);
                        backfill.add_page(&request, page).unwrap();
                    }
                }
                Event::Restart => {
                    drop(store);
                    store = store_in_folder(folder.path());
                }
                Event::Limit(limit) => service.limit = usize::from(limit),
            }
        }
        // A look may tell of a row that is missing, which is looked for then.
        for _ in 0..1_000 {
            if run_backfill(&store, &mut service, 50, 2).progress.complete {
                sync_latest(&store, &mut service, 3);
                if store.progress().unwrap().complete {
                    break;
                }
            }
        }
        prop_assert!(store.progress().unwrap().complete);
        prop_assert_eq!(store.progress().unwrap().partial, None);
        prop_assert_eq!(stored_ids(&store), service.listed_ids());
        let mut oldest = stored_rows(&store, Sort::Oldest);
        oldest.reverse();
        prop_assert_eq!(oldest, stored_rows(&store, Sort::Newest));
        for row in stored_rows(&store, Sort::Newest) {
            let served = service.incoming.iter().chain(&service.outgoing).find(|transaction| transaction.id == row.transaction.id);
            prop_assert_eq!(served, Some(&row.transaction));
        }
    }
}
