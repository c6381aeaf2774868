//! What depends on which tokens are listed, and on what they are worth.

use std::ops::ControlFlow;

use super::fixtures::{amount, now, temporary_store, transaction};
use crate::domain::filter::{Filter, FilterContext};
use crate::domain::history::{HistoryRow, Page, PriceList, Query, Sort, WindowAnchor, WindowRequest};
use crate::domain::{Amount, Blockchain, Direction, Text, Timestamp, Token, TokenKey, Transaction};
use crate::store::{Cancel, LatestRead, Store};

fn usdt() -> Token {
    let ethereum = Blockchain { name: "Ethereum".into(), decimals: Some(6), ..Blockchain::test_blockchain("ethereum") };
    Token {
        name: "Tether USD".into(),
        decimals: Some(6),
        is_native: Some(false),
        blockchains: vec![ethereum],
        ..Token::test_token("USDT", &[])
    }
}

fn row(number: u64, symbol: &str, name: &str, chain: &str, raw: u64) -> Transaction {
    Transaction {
        token: TokenKey { blockchain: chain.into(), contract: Some(Text::clean(&format!("0x{symbol}"))) },
        symbol: symbol.into(),
        token_name: Some(name.into()),
        amount: amount(raw * 1_000_000, 6),
        ..transaction(number, &Direction::Incoming, Some(1_700_000_000_000))
    }
}

/// Rows of Tether, of what imitates it in several ways, and of others.
fn store_with_imitations() -> Store {
    let store = temporary_store();
    let rows = [
        row(1, "USDT", "Tether USD", "ethereum", 500),
        row(2, "USDT", "Tether USD", "base", 900_000),
        row(3, "USD\u{422}", "Visit claim-usdt.example", "ethereum", 800_000),
        row(4, "ETH", "Ether", "ethereum", 2),
        row(5, "SHIB", "Shiba", "ethereum", 7_000_000),
        row(6, "USDT", "Tether USD", "ethereum", 30),
        row(7, "OTHER", "Other", "ethereum", 3),
    ];
    let mut head = LatestRead::start(&store).unwrap();
    while let Some(request) = head.next_page() {
        let items: Vec<_> = rows.iter().filter(|row| row.direction == request.direction).cloned().collect();
        let page = Page { items, unreadable: 0, page_no: Some(1), page_limit: Some(100), total_page: Some(1) };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(0)).unwrap();
    store
}

fn amounts(rows: &[HistoryRow]) -> Vec<String> {
    let of =
        |row: &HistoryRow| row.transaction.exact_amount().map(|amount| amount.decimal_parts().0).unwrap_or_default();
    rows.iter().map(|row| format!("{} {}", of(row), row.transaction.symbol)).collect()
}

fn query_amounts(store: &Store, query: &Query) -> Vec<String> {
    let span = WindowRequest { query: query.clone(), anchor: WindowAnchor::Rank(0), rows: 100 };
    let mut rows = Vec::new();
    store.query_history(&span, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    // An export goes through the same rows in the same order.
    let mut walked = Vec::new();
    let mut each = |row: HistoryRow| {
        walked.push(row);
        ControlFlow::Continue(())
    };
    store.walk_rows(query, &Cancel::new(), &mut |_| {}, &mut each).unwrap();
    assert_eq!(walked, rows);
    amounts(&rows)
}

fn query_with_filter(filter: &str) -> Query {
    Query { filter: filter.into(), ..Query::default() }
}

#[test]
fn a_token_is_found_without_what_imitates_it_and_a_word_finds_both() {
    let store = store_with_imitations();
    let all = ["500 USDT", "900000 USDT", "800000 USD\u{422}", "30 USDT"];
    assert_eq!(query_amounts(&store, &query_with_filter("token:usdt")), all, "nothing is listed yet");
    store.save_tokens(&[usdt()], now(1)).unwrap();
    assert_eq!(query_amounts(&store, &query_with_filter("token:usdt")), ["500 USDT", "30 USDT"]);
    assert_eq!(query_amounts(&store, &query_with_filter("token:tether")), ["500 USDT", "30 USDT"]);
    assert_eq!(query_amounts(&store, &query_with_filter("usdt")), all);
    // Who looks for the imitation finds it, also behind a word that is the beginning of both.
    assert_eq!(query_amounts(&store, &query_with_filter("token:t")), ["500 USDT", "2 ETH", "30 USDT", "3 OTHER"]);
    assert_eq!(query_amounts(&store, &query_with_filter("token:claim-usdt")), ["800000 USD\u{422}"]);
}

#[test]
fn a_value_is_compared_by_the_prices_and_what_has_none_or_imitates_is_not_found() {
    let store = store_with_imitations();
    store.save_tokens(&[usdt()], now(1)).unwrap();
    let price = |symbol: &str, text: &str| (Text::clean(symbol), Amount::parse(text, 12).unwrap());
    let each = vec![price("usdt", "1"), price("ETH", "3136.87"), price("SHIB", "0.000009")];
    let context = FilterContext {
        prices: PriceList { token: "USDT".into(), at: Some(now(1)), prices: each },
        ..FilterContext::default()
    };
    let ids_of = |filter: &str| {
        let filter = Filter::parse(filter, &context);
        assert_eq!(filter.faults, []);
        query_amounts(&store, &Query { filter, ..Query::default() })
    };
    assert_eq!(ids_of("value:>=63"), ["500 USDT", "2 ETH", "7000000 SHIB"]);
    assert_eq!(ids_of("value:>63"), ["500 USDT", "2 ETH"]);
    assert_eq!(ids_of("value:>6k"), ["2 ETH"]);
    assert_eq!(ids_of("value:<100 token:usdt"), ["30 USDT"]);
    assert_eq!(ids_of("value:>0").len(), 4, "neither without a price nor an imitation");
    assert_eq!(query_amounts(&store, &query_with_filter("value:>0")), [] as [&str; 0], "a fault finds nothing");
    // A price that was recorded on the day of a row is surer than the present one, also where there is none any more.
    let recorded =
        PriceList { token: "USDT".into(), at: None, prices: vec![price("ETH", "10"), price("OTHER", "500")] };
    store.record_prices(&recorded, Timestamp::from_millis(1_700_000_000_000)).unwrap();
    assert_eq!(ids_of("value:>=600"), ["3 OTHER"]);
    assert_eq!(ids_of("value:<=20"), ["2 ETH"]);
}

#[test]
fn the_largest_is_what_is_worth_most_and_what_has_no_price_is_last() {
    let store = store_with_imitations();
    store.save_tokens(&[usdt()], now(1)).unwrap();
    let price = |symbol: &str, text: &str| (Text::clean(symbol), Amount::parse(text, 12).unwrap());
    let each = vec![price("usdt", "1"), price("ETH", "3136.87"), price("SHIB", "0.000009")];
    let prices = PriceList { token: "USDT".into(), at: Some(now(1)), prices: each };
    let query = |sort, prices: &PriceList| Query { sort, prices: prices.clone(), ..Query::default() };
    let mut by_value = vec![
        // 6,273.74, 500, 63 and 30.
        "2 ETH",
        "500 USDT",
        "7000000 SHIB",
        "30 USDT",
        // Without a price, and what imitates: as they came.
        "900000 USDT",
        "800000 USD\u{422}",
        "3 OTHER",
    ];
    assert_eq!(query_amounts(&store, &query(Sort::Largest, &prices)), by_value);
    by_value.reverse();
    assert_eq!(query_amounts(&store, &query(Sort::Smallest, &prices)), by_value);
    // Without prices bare numbers are compared, and the order before is not taken for this one.
    assert_eq!(query_amounts(&store, &query(Sort::Largest, &PriceList::default()))[0], "7000000 SHIB");
}
