use super::*;
use crate::app::data::analyses::{AnalysisQuery, AnalysisResult, apply_analysis_result};
use crate::app::data::prices::{QuoteRequest, QuoteResult};
use crate::app::model::{Page, Settings};
use crate::app::pages::markets::panes::PairsPane;
use crate::app::request_id::RequestId;
use crate::app::screen::Size;
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{Amount, BalanceSample, PriceHistory, ReportedAmount, Timestamp, Token};

/// The service itself may list what only looks like another token.
#[test]
fn a_listed_token_in_disguise_is_marked_wherever_it_stands() {
    const FALSE: &str = "U\u{405}DT";
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(0));
    let theme = Theme::from_name(crate::domain::ThemeName::default(), crate::domain::Colours::Many);
    let area = Rect::new(0, 0, 60, 5);
    for (symbol, expected) in [(FALSE, format!("?{FALSE}")), ("USDT", "USDT".to_owned())] {
        model.data.listed_tokens = vec![listed_token(symbol)];
        model.data.prices.pairs = Some(vec![SwapPair { from: symbol.into(), to: FALSE.into() }]);
        model.pages.markets.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
        let mut buf = Buffer::empty(area);
        TokensPane.draw(&model, &theme, area, &mut buf);
        let row = |buf: &Buffer| (0..60).map(|x| buf[(x, 1)].symbol().to_owned()).collect::<String>();
        assert!(
            row(&buf).contains(&format!(" {expected} ")) || row(&buf).contains(&format!("▌{expected} ")),
            "{}",
            row(&buf)
        );
        let mut buf = Buffer::empty(area);
        PairsPane.draw(&model, &theme, area, &mut buf);
        assert!(row(&buf).contains(&format!("?{FALSE}")), "{}", row(&buf));
        for title in [PairsPane.title(&model, &theme).title, ChainsPane.title(&model, &theme).title] {
            assert!(title.contains(&format!(" {expected}")), "{title}");
        }
    }
}

const DAY_MILLIS: i64 = 86_400_000;
/// Noon of a day.
const NOW: Timestamp = Timestamp::from_millis(20_000 * DAY_MILLIS + DAY_MILLIS / 2);

fn price(text: &str) -> Amount {
    Amount::parse(text, 8).unwrap()
}

fn pair(from: &str, to: &str) -> SwapPair {
    SwapPair { from: from.into(), to: to.into() }
}

fn listed_token(symbol: &str) -> Token {
    Token {
        symbol: symbol.into(),
        name: symbol.into(),
        decimals: None,
        is_native: None,
        standards: Vec::new(),
        blockchains: Vec::new(),
    }
}

/// ETH at 3,000 yesterday and at 2,500 a week ago, BTC at 60,000 yesterday alone; now at 3,300 and at 66,000.
fn quoted_model() -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, NOW);
    model.page = Page::Markets;
    model.pages.markets.tokens.set_height(6);
    model.pages.markets.pairs.set_height(6);
    let pairs = [pair("ETH", "USDT"), pair("BTC", "USDT"), pair("ETH", "BTC")];
    model.data.listed_tokens = ["ETH", "BTC", "USDT", "SHIB"].map(listed_token).to_vec();
    model.data.prices.pairs = Some(pairs.to_vec());
    let quoted = pairs.into_iter().zip(["3300", "66000", "0.04987"]).map(|(pair, rate)| {
        let quote = Quote {
            from_coin: pair.from.clone(),
            from_amount: ReportedAmount::Exact(Amount::parse("1", 0).unwrap()),
            to_coin: pair.to.clone(),
            to_amount: ReportedAmount::Exact(price(rate)),
            fee: None,
            swap_price: None,
        };
        QuoteResult { request: QuoteRequest { pair, lot: 0 }, result: Ok(quote) }
    });
    model.data.prices.apply_quotes(quoted.collect(), NOW);
    model.pages.markets.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
    let mut past = PriceHistory::new("USDT".into());
    let sample = |days_ago: i64, text| BalanceSample {
        at: Timestamp::from_millis(NOW.millis() - days_ago * DAY_MILLIS),
        amount: price(text),
    };
    past.add_samples("ETH", &[sample(7, "2500"), sample(1, "3000")]);
    past.add_samples("BTC", &[sample(3, "50000"), sample(1, "60000")]);
    let query = AnalysisQuery::Prices { valuation: "USDT".into(), today: Day::from_timestamp(NOW) };
    apply_analysis_result(&mut model, query, RequestId::default(), Ok(AnalysisResult::Prices(Box::new(past))));
    model
}

fn drawn_lines(model: &Model, width: u16, pane: &dyn PaneView) -> Vec<String> {
    let theme = Theme::from_name(crate::domain::ThemeName::default(), crate::domain::Colours::Many);
    let area = Rect::new(0, 0, width, 8);
    let mut buf = Buffer::empty(area);
    pane.draw(model, &theme, area, &mut buf);
    (0..8).map(|y| (0..width).map(|x| buf[(x, y)].symbol()).collect::<String>()).collect()
}

/// The last two words before the sparkline of the row that begins with a symbol.
fn moves<'a>(lines: &'a [String], symbol: &str) -> [&'a str; 2] {
    let row = lines.iter().find(|line| line.trim_start_matches(['▌', ' ']).starts_with(symbol)).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    let trend = words.iter().position(|word| word.starts_with('─')).unwrap();
    [words[trend - 2], words[trend - 1]]
}

#[test]
fn a_price_is_compared_with_the_last_ones_of_yesterday_and_of_a_week_ago() {
    let model = quoted_model();
    let tokens = drawn_lines(&model, 120, &TokensPane);
    assert!(tokens[0].contains("vs Oct 03 vs Sep 27"), "{}", tokens[0]);
    assert_eq!(moves(&tokens, "ETH"), ["+10.00%", "+32.00%"]);
    // A price of three days ago is none of a week ago.
    assert_eq!(moves(&tokens, "BTC"), ["+10.00%", "—"]);
    // Where room is short, the columns that were there before stay.
    assert!(!drawn_lines(&model, 80, &TokensPane)[0].contains("vs "));
}

#[test]
fn the_move_of_a_pair_needs_the_prices_of_both_tokens() {
    let mut model = quoted_model();
    let pairs = drawn_lines(&model, 80, &PairsPane);
    assert_eq!(moves(&pairs, "USDT"), ["+10.00%", "+32.00%"]);
    // The spread of the quote of the pair itself is no move.
    assert_eq!(moves(&pairs, "BTC"), ["0.00%", "—"]);
    model.data.listed_tokens.retain(|token| token.symbol.as_str() == "SHIB");
    model.data.prices.pairs = Some(vec![pair("SHIB", "USDT")]);
    model.pages.markets.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
    let shib = &drawn_lines(&model, 80, &PairsPane)[1];
    assert!(shib.contains("USDT") && !shib.contains('%'), "{shib}");
}
