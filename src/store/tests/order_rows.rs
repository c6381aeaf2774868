//! Rows that are found by the orders that made them.

use super::fixtures::{transaction, uuid};
use super::search_results::{query_rows, query_with_filter, store_with_rows, sync_rows};
use crate::domain::filter::OrderRowIds;
use crate::domain::history::Query;
use crate::domain::{Direction, TransactionId};
use crate::store::Store;

/// A filter that an order matches with these transactions, and another one with this key.
fn query(text: &str, numbers: &[u64], key: u64) -> Query {
    let mut query = query_with_filter(text);
    let mut transactions: Vec<TransactionId> =
        numbers.iter().map(|number| TransactionId::from_text(&uuid(*number))).collect();
    transactions.sort();
    let term = query.filter.terms[0].clone();
    query.filter.order_rows = vec![(term, OrderRowIds { transactions, keys: vec![uuid(key + 1_000_000)] })];
    query
}

fn matching_ids(store: &Store, query: Query) -> Vec<String> {
    let mut ids: Vec<String> = query_rows(store, query).into_iter().map(|row| row.transaction.id.to_string()).collect();
    ids.sort();
    ids
}

fn ids(numbers: &[u64]) -> Vec<String> {
    let mut ids: Vec<String> = numbers.iter().map(|number| uuid(*number)).collect();
    ids.sort();
    ids
}

#[test]
fn rows_are_found_by_the_transactions_and_the_keys_of_orders_wherever_they_stand() {
    let store = store_with_rows(5_000);
    for text in ["zebra", "ref:zebra", "note:zebra"] {
        assert_eq!(matching_ids(&store, query(text, &[4, 3_001, 9_999], 7)), ids(&[4, 7, 3_001]), "{text}");
        assert_eq!(matching_ids(&store, query_with_filter(text)), ids(&[]), "{text}");
    }
    assert_eq!(matching_ids(&store, query("zebra dir:out", &[4, 3_001], 7)), ids(&[7, 3_001]));
    // A row that comes later is found as well.
    let mut newest: Vec<_> = (4_900..5_000).rev().map(row).collect();
    newest.insert(0, row(9_999));
    sync_rows(&store, &newest);
    assert_eq!(matching_ids(&store, query("zebra", &[4, 3_001, 9_999], 7)), ids(&[4, 7, 3_001, 9_999]));
}

/// A row as the store has it.
fn row(number: u64) -> crate::domain::Transaction {
    let direction = if number.is_multiple_of(2) { Direction::Incoming } else { Direction::Outgoing };
    transaction(number, &direction, Some(super::search_results::time_of_row(number)))
}
