//! Sums of the rows that match a filter, against the rows of the same list.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::balance_history::sync_rows;
use super::fixtures::{amount, is_between_own_wallets, temporary_store, transaction_maybe_internal};
use crate::domain::filter::{Filter, FilterTerm, RowPredicate};
use crate::domain::history::{HistoryRow, Query, Scope, WindowAnchor, WindowRequest};
use crate::domain::{
    Amount, Blockchain, Direction, ListSum, ReportedAmount, Status, Text, Timestamp, Token, Transaction,
};
use crate::store::{Cancel, Store};

const HOUR: i64 = 3_600_000;

fn rows_of_list(store: &Store, scope: &Scope, filter: &Filter) -> Vec<HistoryRow> {
    let query = Query { scope: scope.clone(), filter: filter.clone(), ..Query::default() };
    let request = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 100_000 };
    let mut rows = Vec::new();
    store.query_history(&request, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    rows
}

/// The sum of a list by looking at each of its rows.
fn expected_sum(rows: &[HistoryRow], all: &[Transaction]) -> ListSum {
    let mut sum = ListSum::default();
    // First those of movements between own wallets, then all others.
    let mut totals: [BTreeMap<Text, [Amount; 2]>; 2] = Default::default();
    for HistoryRow { transaction, suspicious, internal, .. } in rows {
        assert_eq!(*internal, is_between_own_wallets(transaction, all));
        let exact = transaction.amount.as_ref().and_then(ReportedAmount::exact);
        if !suspicious && transaction.status != Some(Status::Failed) {
            for (symbol, fee) in fees_of(transaction) {
                let total = sum.fees.entry(symbol).or_insert(Some(Amount::zero(0)));
                *total = total.and_then(|total| total.checked_add_rescaled(fee));
            }
        }
        match (suspicious, transaction.status.as_ref(), exact) {
            (true, ..) => sum.suspicious += 1,
            (_, Some(Status::Failed), _) => sum.failed += 1,
            (_, _, None) => sum.unclear += 1,
            (_, _, Some(amount)) => {
                *(if *internal { &mut sum.internal_rows } else { &mut sum.rows }) += 1;
                let totals = &mut totals[usize::from(!internal)];
                let sides = totals.entry(transaction.symbol.clone()).or_insert([Amount::zero(amount.decimals()); 2]);
                let side = &mut sides[usize::from(transaction.direction == Direction::Outgoing)];
                *side = side.checked_add(amount).unwrap();
            }
        }
    }
    [sum.internal_by_symbol, sum.by_symbol] =
        totals.map(|totals| totals.into_iter().map(|(symbol, sides)| (symbol, sides.map(Some))).collect());
    sum
}

/// What a payment costs beside its amount: the rest of its total, and the fee that is in another token.
fn fees_of(transaction: &Transaction) -> Vec<(Text, Amount)> {
    let exact = |amount: &Option<ReportedAmount>| amount.as_ref().and_then(ReportedAmount::exact);
    let mut fees = Vec::new();
    if let (Direction::Outgoing, Some(amount), Some(total)) =
        (&transaction.direction, exact(&transaction.amount), exact(&transaction.total_amount))
    {
        fees.extend(total.checked_sub(amount).map(|fee| (transaction.symbol.clone(), fee)));
    }
    if let (Some(token), Some(fee)) = (&transaction.fee_token, exact(&transaction.total_fee))
        && !token.eq_ignore_ascii_case(&transaction.symbol)
    {
        fees.push((token.clone(), fee));
    }
    fees.retain(|(_, fee)| !fee.is_zero());
    fees
}

fn filter_internal(is_internal: bool) -> Filter {
    let term = FilterTerm { field: None, predicate: RowPredicate::Internal(is_internal) };
    Filter { text: format!("internal:{is_internal}"), terms: vec![term], ..Filter::default() }
}

fn row(number: u64, hours: i64) -> Transaction {
    let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
    transaction_maybe_internal(number, &direction, Some(1_790_000_000_000 + hours * HOUR))
}

/// `USDT` is listed with another number of digits than the rows have, so that theirs are imitations.
fn list_tether(store: &Store, decimals: u8) {
    let chain = Blockchain {
        slug: Text::clean("ethereum"),
        name: Text::clean("Ethereum"),
        symbol: None,
        decimals: Some(decimals),
        protocol: None,
        chain_id: None,
        is_testnet: None,
        standards: Vec::new(),
        block_explorer: None,
    };
    let token = Token {
        symbol: Text::clean("USDT"),
        name: Text::clean("Tether USD"),
        decimals: Some(decimals),
        is_native: Some(false),
        standards: Vec::new(),
        blockchains: vec![chain],
    };
    store.save_tokens(&[token], Timestamp::from_millis(1_790_000_000_000)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_sum_of_a_list_is_the_sum_of_its_rows_also_after_rows_arrived_and_changed(
        hours in prop::collection::vec(0_i64..500, 1..60),
        later in prop::collection::vec(400_i64..600, 0..20),
        changed in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..8),
        decimals in prop::sample::select(vec![6_u8, 8]),
    ) {
        let store = temporary_store();
        let mut rows: Vec<Transaction> = (1..).zip(&hours).map(|(number, hour)| row(number, *hour)).collect();
        sync_rows(&store, &rows, 0);
        let account = Scope::Account(rows[0].account.clone().unwrap());
        let check = |rows: &[Transaction]| {
            let filter_texts = ["dir:out", "token:usdt", "amount:>1000", "status:success", "from:2026-10", "no such row"];
            let filters = filter_texts.map(Filter::from).into_iter().chain([true, false].map(filter_internal));
            for filter in filters {
                for scope in [&Scope::All, &account] {
                    let sums = store.row_sums(scope, &filter, &Cancel::new()).unwrap();
                    let list = rows_of_list(&store, scope, &filter);
                    let sum = ListSum::new(&sums);
                    let mut queried = sum.clone();
                    let digits = |side: &Option<Amount>| side.map(|side| side.to_string());
                    let text = |sum: &ListSum| -> Vec<_> {
                        let all = sum.by_symbol.iter().chain(&sum.internal_by_symbol);
                        all.map(|(symbol, sides)| (symbol.clone(), sides.each_ref().map(digits))).collect()
                    };
                    let mut expected = expected_sum(&list, rows);
                    assert_eq!(text(&queried), text(&expected), "{filter:?} {scope:?}");
                    for sum in [&mut queried, &mut expected] {
                        sum.by_symbol.clear();
                        sum.internal_by_symbol.clear();
                    }
                    assert_eq!(queried, expected, "{filter:?} {scope:?}");
                    assert_eq!(sum.total_row_count(), list.len() as u64);
                    if filter == filter_internal(true) {
                        let internal = rows.iter().filter(|row| is_between_own_wallets(row, rows));
                        let in_scope = internal.filter(|row| *scope == Scope::All || row.account == rows[0].account);
                        assert_eq!(list.len(), in_scope.count());
                        assert_eq!(sum.rows, 0, "what is between own wallets is neither deposit nor withdrawal");
                    }
                }
            }
        };
        check(&rows);
        rows.extend((1_000..).zip(&later).map(|(number, hour)| row(number, *hour)));
        for (index, fails) in changed {
            let at = index.index(rows.len());
            rows[at].status = Some(if fails { Status::Failed } else { Status::Success });
            rows[at].confirmed = Some(!fails);
            rows[at].amount = amount(77, rows[at].total_amount.as_ref().unwrap().even_if_disputed().decimals());
        }
        sync_rows(&store, &rows, 1);
        check(&rows);
        list_tether(&store, decimals);
        check(&rows);
    }
}
