use crate::app::data::poll::Snapshot;
use crossterm::event::KeyCode;

use super::requests::MAX_QUOTES_ELSEWHERE;
use super::*;
use crate::app::Effect;
use crate::app::data::poll;
use crate::app::data::poll::Dataset;
use crate::app::model::Model;
use crate::app::model::Settings;
use crate::app::msg::Msg;
use crate::app::pages::holdings;
use crate::app::pages::overview::balances;
use crate::app::screen::Size;
use crate::app::update::update;
use crate::domain::history::Window;
use crate::domain::{BalanceBasis, FailureReason, Token, TokenKey};
use crate::domain::{Holding, ReportedAmount};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_000_000_000 + seconds * 1_000)
}

fn model() -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, at(0));
    model.data.is_connected = true;
    model
}

fn holding(symbol: &str, raw: u64) -> Holding {
    Holding {
        token: TokenKey { blockchain: "base".into(), contract: Some(Text::clean(&symbol.to_lowercase())) },
        symbol: symbol.into(),
        name: None,
        amount: Amount::new(ruint::aliases::U256::from(raw), 2).map(ReportedAmount::Exact),
        basis: BalanceBasis::Reported,
        as_of: None,
        suspicious: false,
    }
}

fn pair(from: &str) -> SwapPair {
    SwapPair { from: from.into(), to: "USDT".into() }
}

fn quote_request(from: &str, lot: u8) -> QuoteRequest {
    QuoteRequest { pair: pair(from), lot }
}

/// A quote for a lot, of so many hundredths of a millionth.
fn quote(request: &QuoteRequest, millionths: u64) -> Quote {
    Quote {
        from_coin: request.pair.from.clone(),
        from_amount: ReportedAmount::Exact(request.amount()),
        to_coin: request.pair.to.clone(),
        to_amount: ReportedAmount::Exact(Amount::new(ruint::aliases::U256::from(millionths), 6).unwrap()),
        fee: None,
        swap_price: None,
    }
}

fn listed_token(symbol: &str, name: &str) -> Token {
    Token {
        symbol: symbol.into(),
        name: name.into(),
        decimals: None,
        is_native: None,
        standards: Vec::new(),
        blockchains: Vec::new(),
    }
}

fn apply_quote(model: &mut Model, request: QuoteRequest, millionths: u64) {
    let result = Ok(quote(&request, millionths));
    apply_quotes(model, vec![QuoteResult { request, result }]);
}

fn set_holdings(model: &mut Model, symbols: &[&str]) {
    model.pages.overview.balances.all = symbols.iter().map(|symbol| holding(symbol, 100)).collect();
    model.data.prices.pairs = Some(symbols.iter().map(|symbol| pair(symbol)).collect());
}

fn drift_texts(model: &Model, from: &str) -> (Option<String>, Option<String>) {
    let track = model.data.prices.history_of(&pair(from)).unwrap();
    let percent = |drift: Option<RateChange>| drift.map(RateChange::format_percent);
    (percent(track.drift_since_first()), percent(track.drift_over_history_span()))
}

#[test]
fn only_what_is_held_and_swapped_is_asked_for_and_a_few_at_a_time() {
    let mut model = model();
    set_holdings(&mut model, &["ETH", "BNB", "USDT", "POL", "SOL", "LINK", "DAI"]);
    model.pages.overview.balances.all.push(holding("NONE", 5));
    model.pages.overview.balances.all.push(Holding { suspicious: true, ..holding("ETH", 5) });
    model.pages.overview.balances.all.push(holding("WBTC", 0));
    let of =
        |requests: &[QuoteRequest]| requests.iter().map(|request| request.pair.from.to_string()).collect::<Vec<_>>();
    let first = due_requests(&model);
    assert_eq!(of(&first), ["ETH", "BNB", "POL", "SOL"], "the valuation's own token needs no quote");
    for request in first {
        apply_quote(&mut model, request, 2_000_000);
    }
    assert_eq!(of(&due_requests(&model)), ["LINK", "DAI"]);
    for request in due_requests(&model) {
        apply_quote(&mut model, request, 2_000_000);
    }
    assert_eq!(due_requests(&model), []);
    assert_eq!(next_due(&model), Some(at(60)), "slowly, while nobody looks at quotes");
    // However much is held, so many are asked for in a period.
    set_holdings(&mut model, &["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"]);
    assert_eq!(due_requests(&model).len(), MAX_QUOTES_ELSEWHERE);
}

#[test]
fn where_nothing_is_said_of_pairs_only_listed_tokens_are_asked_for() {
    let mut model = model();
    model.pages.overview.balances.all = vec![holding("ETH", 100), holding("EVIL", 100)];
    assert_eq!(due_requests(&model), []);
    model.data.listed_tokens = vec![listed_token("ETH", "Ether")];
    assert_eq!(due_requests(&model), [quote_request("ETH", 0)]);
    model.data.prices.settings.valuation = None;
    assert_eq!(due_requests(&model), []);
}

#[test]
fn a_refused_pair_is_left_alone_for_long_and_has_no_price() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    let refusal = |reason| Err(Failure::from_read(reason, "no"));
    apply_quotes(
        &mut model,
        vec![QuoteResult { request: quote_request("ETH", 0), result: refusal(FailureReason::NotFound) }],
    );
    assert_eq!((due_requests(&model), next_due(&model)), (vec![], Some(at(600))));
    assert_eq!(model.data.prices.valuation_rate(&"ETH".into()), None, "never a price of zero");
    let valuation = model.data.prices.value_holdings(&model.pages.overview.balances.all);
    assert_eq!((valuation.total, valuation.missing), (None, 1));
    model.data.prices.retry_refused();
    assert_eq!(due_requests(&model), [quote_request("ETH", 0)]);
    // It may have been too little: larger lots are tried, and then no more.
    for lot in [0, 3, 6, 9] {
        assert_eq!(due_requests(&model), [quote_request("ETH", lot)]);
        apply_quotes(
            &mut model,
            vec![QuoteResult {
                request: quote_request("ETH", lot),
                result: refusal(FailureReason::Refused { status: 400 }),
            }],
        );
    }
    assert_eq!(due_requests(&model), []);
}

#[test]
fn a_token_of_which_one_gives_next_to_nothing_is_asked_for_in_larger_lots() {
    let mut model = model();
    set_holdings(&mut model, &["SHIB"]);
    apply_quote(&mut model, quote_request("SHIB", 0), 9);
    assert_eq!(model.data.prices.valuation_rate(&"SHIB".into()), None, "of one digit nothing can be said");
    assert_eq!(due_requests(&model), [quote_request("SHIB", 3)]);
    assert_eq!(due_requests(&model)[0].amount().to_string(), "1000");
    apply_quote(&mut model, quote_request("SHIB", 3), 9_412);
    apply_quote(&mut model, quote_request("SHIB", 6), 9_412_345);
    assert_eq!(model.data.prices.valuation_rate(&"SHIB".into()).unwrap().0.format_rate(), "0.00000941235");
}

#[test]
fn drift_is_told_of_the_session_and_of_a_quarter_of_an_hour() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
    assert_eq!(drift_texts(&model, "ETH"), (Some("0.00%".into()), None), "a quarter of an hour is not over");
    for minute in 1..=40 {
        model.now = at(minute * 60);
        let millionths = if minute < 30 { 2_002_000 } else { 2_001_000 };
        apply_quote(&mut model, quote_request("ETH", 0), millionths);
    }
    assert_eq!(drift_texts(&model, "ETH"), (Some("+0.05%".into()), Some("−0.05%".into())));
    assert!(model.data.prices.history_of(&pair("ETH")).unwrap().rates().len() <= 16);
    // Seconds apart they make no longer track.
    for second in 0..100 {
        model.now = at(2_400 + second);
        apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
    }
    assert!(model.data.prices.history_of(&pair("ETH")).unwrap().rates().len() <= 28);
}

/// Where there are many pairs each is asked for seldom, and a rate of just a quarter of an hour ago is rare.
#[test]
fn drift_of_a_pair_that_is_asked_for_seldom_is_told_once_a_quarter_of_an_hour_is_over() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    for nth in 0..40 {
        model.now = at(nth * 100);
        apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
        let (_, quarter) = drift_texts(&model, "ETH");
        assert_eq!(quarter.is_some(), nth * 100 >= 880, "after {} s", nth * 100);
    }
    // What is much older is no rate of then.
    model.now = at(39 * 100 + 1_100);
    apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
    assert_eq!(drift_texts(&model, "ETH").1, None);
}

#[test]
fn an_old_quote_falls_due_to_be_called_old_while_it_is_looked_at() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    update(&mut model, Msg::Key(KeyCode::Char('5').into()));
    model.pages.markets.pairs.apply_window(Window::whole(vec![pair("ETH")]));
    model.pages.markets.pairs.set_height(5);
    assert_eq!(due_requests(&model), [quote_request("ETH", 0)]);
    apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
    assert_eq!(next_due(&model), Some(at(10)), "two thirds of the time after which it is old");
    model.now = at(12);
    assert_eq!(next_due(&model), Some(at(15).plus(Duration::from_millis(1))));
    assert_eq!(stale_quote_age(&model, at(0)), None);
    model.now = at(16);
    assert_eq!(stale_quote_age(&model, at(0)), Some(Duration::from_secs(16)));
}

#[test]
fn a_service_in_trouble_is_not_asked_for_quotes_in_haste() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    let started = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Load { dataset: dataset @ Dataset::Quotes(_), request_id } => Some((dataset.clone(), *request_id)),
            _ => None,
        })
    };
    let (dataset, request_id) = started(&update(&mut model, Msg::Tick(at(1)))).unwrap();
    assert_eq!(started(&update(&mut model, Msg::Tick(at(1)))), None, "one is under way");
    let failure =
        Failure::from_read(FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(40)) }, "");
    update(&mut model, Msg::Loaded { dataset, request_id, result: Err(failure) });
    // It takes its turn behind what is under way.
    for other in model.data.remotes.all_mut() {
        if other.in_flight.is_some() {
            other.fail(at(2), Failure::from_read(FailureReason::TimedOut, ""), Duration::from_mins(1));
        }
    }
    assert_eq!(started(&update(&mut model, Msg::Tick(at(40)))), None);
    let (dataset, request_id) = started(&update(&mut model, Msg::Tick(at(42)))).unwrap();
    let result = Ok(Snapshot::Quotes(vec![QuoteResult {
        request: quote_request("ETH", 0),
        result: Ok(quote(&quote_request("ETH", 0), 3_000_000)),
    }]));
    update(&mut model, Msg::Loaded { dataset, request_id, result });
    assert_eq!(model.data.prices.worth_of_holding(&holding("ETH", 250)).unwrap().format_short(), "7.50");
    assert!(poll::next_due(&model).is_some());
}

#[test]
fn a_value_has_the_time_of_its_oldest_price_and_counts_what_is_missing() {
    let mut model = model();
    set_holdings(&mut model, &["ETH", "SOL", "USDT"]);
    apply_quote(&mut model, quote_request("ETH", 0), 3_000_000);
    model.now = at(50);
    apply_quote(&mut model, quote_request("SOL", 0), 2_000_000);
    let mut all = model.pages.overview.balances.all.clone();
    all.push(Holding { amount: None, ..holding("ETH", 0) });
    all.push(holding("NONE", 0));
    all.push(Holding { suspicious: true, ..holding("SOL", 1_000_000) });
    let value = model.data.prices.value_holdings(&all);
    assert_eq!(value.total.unwrap().format_short(), "6.00");
    assert_eq!((value.missing, value.at), (1, Some(at(0))));
}

#[test]
fn what_is_held_is_worth_so_much_so_far_until_every_price_was_told_or_refused() {
    let mut model = model();
    model.pages.overview.balances.all = vec![holding("ETH", 100)];
    assert!(
        is_awaiting_prices(&model, &model.pages.overview.balances.all),
        "nothing is known of what can be asked for"
    );
    set_holdings(&mut model, &["USDT", "ETH", "BNB"]);
    // What nobody swaps, what imitates another and what is nothing will never have a price.
    model.pages.overview.balances.all.push(holding("NONE", 5));
    model.pages.overview.balances.all.push(Holding { suspicious: true, ..holding("POL", 5) });
    model.pages.overview.balances.all.push(holding("SOL", 0));
    apply_quote(&mut model, quote_request("ETH", 0), 2_000_000);
    assert!(is_awaiting_prices(&model, &model.pages.overview.balances.all), "BNB is still to come");
    // One that is too small to have digits enough is asked for again, and no price yet.
    apply_quote(&mut model, quote_request("BNB", 0), 2);
    assert!(is_awaiting_prices(&model, &model.pages.overview.balances.all));
    let result = Err(Failure::from_read(FailureReason::NotFound, "no"));
    apply_quotes(&mut model, vec![QuoteResult { request: quote_request("BNB", 3), result }]);
    assert!(!is_awaiting_prices(&model, &model.pages.overview.balances.all), "it was refused");
    assert_eq!(model.data.prices.value_holdings(&model.pages.overview.balances.all).missing, 2);
    model.data.prices.settings.valuation = None;
    assert!(!is_awaiting_prices(&model, &model.pages.overview.balances.all));
}

#[test]
fn balances_stand_by_value_and_what_is_selected_stays_so_when_prices_move() {
    let mut model = model();
    model.pages.overview.balances.all =
        ["DAI", "BNB", "SHIB", "ETH", "USDT"].iter().map(|symbol| holding(symbol, 100)).collect();
    model.pages.overview.balances.all.push(Holding { suspicious: true, ..holding("USDC", 1_000_000) });
    model.pages.overview.balances.all.push(Holding { amount: None, ..holding("AAVE", 0) });
    balances::refresh_balance_rows(&mut model);
    let symbols = |model: &Model| {
        model
            .pages
            .overview
            .balances
            .listing
            .rows()
            .iter()
            .map(|holding| holding.symbol.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(symbols(&model), ["USDT", "AAVE", "BNB", "DAI", "ETH", "SHIB"], "without prices by name");
    let prices = |model: &mut Model, millionths: [(&str, u64); 2]| {
        let one = |(symbol, millionths)| {
            let request = quote_request(symbol, 0);
            QuoteResult { result: Ok(quote(&request, millionths)), request }
        };
        apply_quotes(model, millionths.map(one).into());
        holdings::resort_shown(model);
    };
    model.pages.overview.balances.listing.set_height(3);
    model.pages.overview.balances.listing.select(&holding("ETH", 100).token);
    prices(&mut model, [("ETH", 3_000_000), ("BNB", 2_000_000)]);
    assert_eq!(symbols(&model), ["ETH", "BNB", "USDT", "AAVE", "DAI", "SHIB"]);
    prices(&mut model, [("ETH", 2_000_000), ("BNB", 3_000_000)]);
    assert_eq!(symbols(&model), ["BNB", "ETH", "USDT", "AAVE", "DAI", "SHIB"]);
    assert_eq!(model.pages.overview.balances.listing.selected().map(|holding| &*holding.symbol), Some("ETH"));
    assert_eq!(
        (
            model.pages.overview.balances.listing.selected_rank(),
            model.pages.overview.balances.listing.first_visible_rank()
        ),
        (Some(1), 0),
        "the picture stands still"
    );
    holdings::toggle_holding_order(&mut model);
    assert_eq!(symbols(&model), ["AAVE", "BNB", "DAI", "ETH", "SHIB", "USDT"]);
}

#[test]
fn what_is_listed_is_asked_for_though_it_is_not_swapped() {
    let mut model = model();
    set_holdings(&mut model, &["ETH"]);
    model.pages.overview.balances.all.extend([holding("BTC", 1), holding("EVIL", 1)]);
    model.data.listed_tokens = vec![listed_token("BTC", "Bitcoin")];
    assert_eq!(due_requests(&model), [quote_request("ETH", 0), quote_request("BTC", 0)]);
}
