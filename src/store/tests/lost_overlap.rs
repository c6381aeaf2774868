//! Rows that were read and are listed no longer: a search for the page that follows them ends, and the list is read anew.
//!
//! Each of the ends stands alone here: what the service answers leaves no other one for the search to run into.

use super::fixtures::{now, store_in_folder, transaction};
use super::sync_and_backfill::{run_backfill, sync_latest};
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Direction, Transaction};
use crate::store::cursor::MAX_TRIED_PAGES;
use crate::store::tests::sync_and_backfill::FakeService;
use crate::store::{BackfillRead, Store};

/// Entries of a page.
const LIMIT: usize = 10;

/// A row of the list that stands in place of the one that was read.
fn replacement_row(number: u64) -> Transaction {
    transaction(1_000_000 + number, &Direction::Incoming, Some(1_800_000_000_000 - i64::try_from(number).unwrap()))
}

fn page(request: &TransactionPageRequest, numbers: std::ops::Range<u64>, total_page: Option<u64>) -> Page<Transaction> {
    let items = numbers.map(replacement_row).collect();
    Page { items, unreadable: 0, page_no: Some(request.page_no), page_limit: Some(LIMIT as u64), total_page }
}

/// The rows of a page, each on one page alone.
fn rows_of(page: u64) -> std::ops::Range<u64> {
    (page - 1) * LIMIT as u64..page * LIMIT as u64
}

/// A store that was closed when five pages of a list were read.
fn partly_read_store(folder: &std::path::Path) -> Store {
    let store = store_in_folder(folder);
    let mut service = FakeService::new(LIMIT);
    (0..500).for_each(|_| service.add_transaction(&Direction::Incoming));
    sync_latest(&store, &mut service, 0);
    while store.progress().unwrap().rows < 50 {
        run_backfill(&store, &mut service, 10, 0);
    }
    drop(store);
    store_in_folder(folder)
}

/// The pages of incoming rows that are asked for until the list is read anew, or the history is complete; no more than so
/// many.
fn requested_pages(
    store: &Store,
    most: usize,
    mut answer: impl FnMut(&TransactionPageRequest) -> Page<Transaction>,
) -> Vec<u64> {
    let (mut page_numbers, before) = (Vec::new(), store.progress().unwrap().rows);
    // A stretch may end just where a search does, and the next one must not begin it anew.
    while store.progress().unwrap().rows == before && !store.progress().unwrap().complete {
        let mut backfill = BackfillRead::start(store, 100).unwrap();
        while let Some(request) = backfill.next_page() {
            let page = match request.direction {
                Direction::Incoming => {
                    page_numbers.push(request.page_no);
                    answer(&request)
                }
                _ => page(&request, 0..0, Some(0)),
            };
            backfill.add_page(&request, page).unwrap();
            assert!(
                page_numbers.len() <= most,
                "it is searched for ever: {:?}",
                &page_numbers[page_numbers.len() - 20..]
            );
        }
        backfill.finish(now(1)).unwrap();
    }
    page_numbers
}

#[test]
fn a_search_for_rows_that_are_gone_ends_at_the_last_page_that_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = partly_read_store(folder.path());
    // Behind the last page that it counts the service has others all the same.
    let pages = requested_pages(&store, 100, |request| page(request, rows_of(request.page_no), Some(30)));
    assert_eq!(pages.iter().max(), Some(&30), "{pages:?}");
    assert_eq!(pages.iter().filter(|page| **page == 30).count(), 2, "downwards and from the top: {pages:?}");
}

#[test]
fn a_search_for_rows_that_are_gone_ends_at_a_page_that_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = partly_read_store(folder.path());
    // The service counts no pages, and gives its last one for each behind it.
    let pages = requested_pages(&store, 100, |request| page(request, rows_of(request.page_no.min(30)), None));
    assert_eq!(pages.iter().max(), Some(&31), "{pages:?}");
}

#[test]
fn a_search_for_rows_that_are_gone_ends_at_a_page_without_entries() {
    let folder = tempfile::tempdir().unwrap();
    let store = partly_read_store(folder.path());
    let of = |page: u64| if page > 30 { 0..0 } else { rows_of(page) };
    let pages = requested_pages(&store, 100, |request| page(request, of(request.page_no), None));
    assert_eq!(pages.iter().max(), Some(&31), "{pages:?}");
}

#[test]
fn a_search_for_rows_that_are_gone_ends_after_two_hundred_pages() {
    let folder = tempfile::tempdir().unwrap();
    let store = partly_read_store(folder.path());
    // The service counts no pages, and has others for ever.
    let most = usize::try_from(2 * MAX_TRIED_PAGES).unwrap() + 20;
    let pages = requested_pages(&store, most, |request| page(request, rows_of(request.page_no), None));
    assert!(
        pages.len() > usize::try_from(MAX_TRIED_PAGES).unwrap() && store.progress().unwrap().rows > 50,
        "{pages:?}"
    );
}

/// Each answer brings rows that nobody ever saw, and one page more than the one before: no two pages ever follow each other.
#[test]
fn a_list_whose_pages_never_follow_each_other_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = partly_read_store(folder.path());
    let mut number = 0;
    let mut page_count = 0;
    for _ in 0..10 {
        if store.progress().unwrap().complete {
            break;
        }
        page_count += requested_pages(&store, 2_000, |request| {
            number += 1;
            page(request, rows_of(number), Some(1_000 + number))
        })
        .len();
    }
    let progress = store.progress().unwrap();
    assert!(progress.complete && page_count < 2_000, "{page_count} pages: {progress:?}");
    assert_eq!(progress.partial.as_deref(), Some("the service ignores paging"));
}
