//! Rows that are there to deceive are left out, whatever the words of the filter are.

use proptest::prelude::*;

use super::balance_history::sync_rows;
use super::fixtures::{amount, temporary_store, transaction};
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Query, WindowAnchor, WindowRequest};
use crate::domain::poison::PoisonFilter;
use crate::domain::{Direction, Text, Timestamp, Transaction};
use crate::store::{Cancel, Store, StoreError};

const FORGED: &str = "0xF0f0000000000000000000000000000000000f0f";

fn rows_of_list(store: &Store, filter: &Filter) -> Vec<HistoryRow> {
    let query = Query { filter: filter.clone(), ..Query::default() };
    let request = WindowRequest { query: query.clone(), anchor: WindowAnchor::Rank(0), rows: 100_000 };
    let mut rows = Vec::new();
    store.query_history(&request, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    assert_eq!(store.count_rows(&query, &Cancel::new()).unwrap(), rows.len() as u64);
    rows
}

/// A transaction that may deceive: by its counterparty, by its token, or since it moves nothing.
fn row(number: u64, kind: u8) -> Transaction {
    let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
    let mut row = transaction(number, &direction, Some(1_790_000_000_000 + i64::try_from(number).unwrap()));
    match kind {
        0 => {
            let other = if direction == Direction::Outgoing { &mut row.to_address } else { &mut row.from_address };
            *other = Some(FORGED.into());
        }
        1 => row.symbol = Text::clean("UЅDT"),
        2 => row.amount = amount(0, row.total_amount.as_ref().unwrap().even_if_disputed().decimals()),
        _ => {}
    }
    row
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_list_leaves_out_exactly_the_rows_that_deceive(kinds in prop::collection::vec(0_u8..6, 1..60)) {
        let store = temporary_store();
        let rows: Vec<Transaction> = (1..).zip(&kinds).map(|(number, kind)| row(number, *kind)).collect();
        sync_rows(&store, &rows, 0);
        let forged = Text::from(FORGED);
        for poison_filter in [PoisonFilter::default(), PoisonFilter::new([&forged])] {
            for filter in ["", "dir:in", "status:success"] {
                let all = rows_of_list(&store, &Filter::from(filter));
                let hiding = Filter { poison_filter: Some(poison_filter.clone()), ..Filter::from(filter) };
                let listed_rows = rows_of_list(&store, &hiding);
                let honest: Vec<HistoryRow> = all.into_iter().filter(|row| !poison_filter.hides(row)).collect();
                prop_assert_eq!(listed_rows, honest);
            }
        }
    }
}

/// A row's phrases are in memory before its batch is committed, and their numbers are free again if it fails.
#[test]
fn phrases_of_a_batch_that_failed_leave_no_other_row_out() {
    let store = temporary_store();
    let mut rows = vec![row(1, 3)];
    sync_rows(&store, &rows, 0);
    let hiding = Filter { poison_filter: Some(PoisonFilter::default()), ..Filter::default() };
    let failed = store.with_write_batch(|batch| {
        batch.index_dictionary()?;
        batch.pack_row(&row(2, 1), Timestamp::from_millis(0), Timestamp::from_millis(0))?;
        assert_eq!(rows_of_list(&store, &hiding).len(), 1);
        Err::<(), _>(StoreError::Cancelled)
    });
    assert!(matches!(failed, Err(StoreError::Cancelled)));
    let honest = Transaction { symbol: "MANA".into(), ..row(2, 3) };
    rows.push(honest);
    sync_rows(&store, &rows, 0);
    assert_eq!(rows_of_list(&store, &hiding).len(), 2);
}
