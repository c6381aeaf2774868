//! A read that claims to have seen everything has: whatever arrives, changes or leaves between two of its pages.

use proptest::prelude::*;

use super::{OutgoingHistory, order_with_unknown_outcome, page, row};
use crate::domain::{Status, Transaction, TransactionId};

/// A service whose list is asked page by page.
#[derive(Debug, Clone)]
struct PagedService {
    rows: Vec<Transaction>,
    length: usize,
    /// Whether what changed last stands first, instead of what was made last.
    by_change: bool,
    /// Rows that came or changed since the read began.
    touched: Vec<TransactionId>,
    counter: i64,
}

/// What happens between two pages; a number chooses the row.
#[derive(Debug, Clone, Copy)]
enum HistoryEvent {
    Arrives,
    Changes(usize),
    Leaves(usize),
}

impl PagedService {
    /// So many rows that are newer than the order, then rows that were on their way when it was born, then final ones.
    /// Where what changed last stands first, those on their way may have changed since, and stand above.
    fn new(newer: usize, on_their_way: usize, length: usize, by_change: bool) -> Self {
        let ids_of = |name: &str, count: usize| (0..count).map(|nth| format!("{name}-{nth}")).collect::<Vec<_>>();
        let (newer, waiting) = (ids_of("new", newer), ids_of("waiting", on_their_way));
        let ids = if by_change { [waiting, newer] } else { [newer, waiting] }.concat();
        let ids = ids.into_iter().chain(ids_of("final", 5));
        let rows = ids.zip(1..).map(|(id, minutes)| row(&id, minutes)).collect();
        Self { rows, length, by_change, touched: Vec::new(), counter: 0 }
    }

    fn page(&self, number: u64) -> crate::domain::history::Page<Transaction> {
        let from = usize::try_from(number - 1).unwrap() * self.length;
        let items = self.rows.iter().skip(from).take(self.length).cloned().collect();
        page(items, Some(u64::try_from(self.rows.len().div_ceil(self.length)).unwrap()))
    }

    fn apply_event(&mut self, event: HistoryEvent) {
        self.counter += 1;
        let changing = |row: &Transaction| !row.id.as_str().starts_with("final");
        let chosen = |nth: usize, among: Vec<usize>| among.get(nth.checked_rem(among.len()).unwrap_or(0)).copied();
        match event {
            HistoryEvent::Arrives => {
                let arrived = row(&format!("arrived-{}", self.counter), 0);
                self.touched.push(arrived.id.clone());
                self.rows.insert(0, arrived);
            }
            HistoryEvent::Changes(nth) => {
                let among = (0..self.rows.len()).filter(|at| changing(&self.rows[*at])).collect();
                let Some(at) = chosen(nth, among) else { return };
                self.rows[at].status = Some(Status::from_word(&format!("step {}", self.counter)));
                self.touched.push(self.rows[at].id.clone());
                if self.by_change {
                    let moved_row = self.rows.remove(at);
                    self.rows.insert(0, moved_row);
                }
            }
            // Any row but one that came, or changed, within this very read.
            HistoryEvent::Leaves(nth) => {
                let among = (0..self.rows.len()).filter(|at| !self.touched.contains(&self.rows[*at].id)).collect();
                if let Some(at) = chosen(nth, among) {
                    self.rows.remove(at);
                }
            }
        }
    }
}

/// Reads as the console does, while things happen before each page; says whether it claims to have seen everything.
fn read_history(service: &mut PagedService, happens: &[Vec<HistoryEvent>]) -> (OutgoingHistory, bool) {
    let order = order_with_unknown_outcome(&["final-0", "final-1", "final-2"]);
    let mut steps = happens.iter();
    let mut history = OutgoingHistory::default();
    let mut turn = |service: &mut PagedService, number| {
        let answer = service.page(number);
        for event in steps.next().into_iter().flatten() {
            service.apply_event(*event);
        }
        answer
    };
    while let Some(number) = history.next_page() {
        history.add_page(turn(service, number));
        if history.needs_no_further_page_for(&order) {
            break;
        }
    }
    let mut claims = history.is_consistent_and_newest_first() && history.covers_since_draft(&order);
    if claims && history.needs_second_read() {
        let mut second = history.start_second_read();
        while let Some(number) = second.next_page() {
            second.compare_page(turn(service, number));
        }
        claims = second.confirms_first() && history.is_consistent_and_newest_first();
    }
    (history, claims)
}

/// Rows newer than the order that were there when the read began and are there still, and were not met.
fn missed_rows<'a>(
    history: &'a OutgoingHistory,
    before: &'a [Transaction],
    service: &'a PagedService,
) -> impl Iterator<Item = &'a str> {
    let has = |rows: &[Transaction], id: &TransactionId| rows.iter().any(|row| row.id == *id);
    let newer = before.iter().map(|row| &row.id).filter(|id| id.as_str().starts_with("new"));
    newer.filter(move |id| has(&service.rows, id) && !has(&history.rows, id)).map(TransactionId::as_str)
}

fn history_event_strategy() -> impl Strategy<Value = HistoryEvent> {
    prop_oneof![
        2 => Just(HistoryEvent::Arrives),
        2 => any::<usize>().prop_map(HistoryEvent::Changes),
        1 => any::<usize>().prop_map(HistoryEvent::Leaves),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_read_that_claims_to_have_seen_everything_has(
        newer in 0..9_usize,
        on_their_way in 0..4_usize,
        length in 1..5_usize,
        by_change: bool,
        happens in prop::collection::vec(prop::collection::vec(history_event_strategy(), 0..3), 0..12),
    ) {
        let mut service = PagedService::new(newer, on_their_way, length, by_change);
        let before = service.rows.clone();
        let (history, claims) = read_history(&mut service, &happens);
        if claims {
            let missed: Vec<&str> = missed_rows(&history, &before, &service).collect();
            prop_assert!(missed.is_empty(), "missed {missed:?}");
        }
    }

    /// It is not by claiming nothing that it is right.
    #[test]
    fn a_quiet_list_is_claimed(newer in 0..9_usize, on_their_way in 0..4_usize, length in 1..5_usize, by_change: bool) {
        let mut service = PagedService::new(newer, on_their_way, length, by_change);
        let (history, claims) = read_history(&mut service, &[]);
        // A first page of one row shows no order; more rows do.
        prop_assert!(claims || history.rows.len() < 2);
    }
}

/// Each of the three ways to slip through, by name.
#[test]
fn what_slips_between_two_pages_is_met_or_nothing_is_claimed() {
    let read = |by_change, happens: &[Vec<HistoryEvent>]| {
        let mut service = PagedService::new(4, 0, 2, by_change);
        let before = service.rows.clone();
        let (history, claims) = read_history(&mut service, happens);
        let missed = missed_rows(&history, &before, &service).count();
        (claims, missed)
    };
    assert_eq!(read(false, &[]), (true, 0));
    assert_eq!(read(false, &[vec![HistoryEvent::Arrives]]), (true, 0), "pushed down, and met there");
    assert_eq!(read(true, &[vec![HistoryEvent::Changes(3)]]), (true, 0), "jumped up, and met at the end");
    // The first row leaves after its page was read: the third one is pulled up to that page, and never seen again.
    assert!(!read(false, &[vec![HistoryEvent::Leaves(0)]]).0);
}
