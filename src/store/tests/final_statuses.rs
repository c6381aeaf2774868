//! Which words are final: sums, filters and orders judge by the same ones, those of the profile.

use super::directory_and_holdings::{single_holding, sync_rows, transaction_of_wallet, usdt_amount, wallet};
use crate::domain::filter::Filter;
use crate::domain::history::{Query, Scope, WindowAnchor, WindowRequest};
use crate::domain::{BalanceBasis, Direction, FinalStatuses, ObservedTransaction, Status, Transaction, Verdict};
use crate::store::{CacheLocation, Cancel, Store};

fn store_with_final_statuses(final_statuses: &FinalStatuses) -> Store {
    Store::open_with_final_statuses(&CacheLocation::Temporary, final_statuses.clone()).unwrap().store
}

fn search_ids(store: &Store, filter: &str) -> Vec<String> {
    let query = Query { filter: Filter::from(filter), ..Query::default() };
    let mut ids = Vec::new();
    let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 20 };
    store
        .query_history(&span, &Cancel::new(), &mut |window| {
            ids = window.rows.iter().map(|row| row.transaction.id.to_string()).collect();
        })
        .unwrap();
    ids.sort();
    ids
}

/// Rows as orders judge them: what counts in a sum is what is done, or may still be.
#[test]
fn sums_and_filters_judge_a_status_as_orders_do_by_the_words_of_the_profile() {
    let own = FinalStatuses { ok: vec!["done".into()], failed: vec!["Bounced".into()] };
    let wallet = wallet("w1", "base", None);
    let row = |number: u64, direction: &Direction, units: u64, status: &str, confirmed: Option<bool>| Transaction {
        confirmed,
        ..transaction_of_wallet(number, direction, &wallet, units, Status::from_word(status))
    };
    let rows = |last: &str, confirmed| {
        [
            row(4, &Direction::Outgoing, 10, last, confirmed),
            row(3, &Direction::Outgoing, 10, "bounced", None),
            row(2, &Direction::Incoming, 5, "pending", Some(true)),
            row(1, &Direction::Incoming, 90, "done", None),
        ]
    };
    for (final_statuses, last, confirmed, balance) in [
        (&own, "bounced", Some(false), usdt_amount(90)),
        (&own, "done", None, usdt_amount(79)),
        // In neither list: nobody knows what it took, however confirmed it is.
        (&own, "rolled back", Some(true), None),
        (&own, "success", Some(true), None),
        (&FinalStatuses::default(), "success", None, None),
    ] {
        let store = store_with_final_statuses(final_statuses);
        let rows = rows(last, confirmed);
        sync_rows(&store, &rows, 1);
        let holdings = store.holdings(&Scope::Wallet(wallet.id.clone())).unwrap();
        let basis = if balance.is_some() { BalanceBasis::Derived } else { BalanceBasis::Unknown };
        assert_eq!(single_holding(&holdings), (balance, basis), "{last} {confirmed:?}");
        // What is not final goes on being watched.
        let open = rows
            .iter()
            .filter(|row| final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Open)
            .count() as u64;
        assert_eq!(store.progress().unwrap().pending, open, "{last} {confirmed:?}");
        for (filter, verdict) in [("status:failed", Verdict::Failed), ("status:success", Verdict::Settled)] {
            let word = filter.trim_start_matches("status:");
            let is_found = |row: &&Transaction| {
                let is_word = row.status.as_ref().is_some_and(|status| status.word() == word);
                final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == verdict || is_word
            };
            let mut expected: Vec<String> = rows.iter().filter(is_found).map(|row| row.id.to_string()).collect();
            expected.sort();
            assert_eq!(search_ids(&store, filter), expected, "{last} {confirmed:?} {filter}");
        }
    }
}
