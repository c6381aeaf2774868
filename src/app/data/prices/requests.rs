//! Which quotes are requested when, and what becomes of them.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::{Prices, QuoteHistory, QuoteRequest, QuoteResult};
use crate::app::model::{Model, Page};
use crate::domain::v1::SwapPair;
use crate::domain::{Holding, ReportedAmount, Text, Timestamp};

/// Pause before a pair is requested again: on the Overview, and where the service gave no quote.
const SLOW_QUOTE_PAUSE: Duration = Duration::from_mins(1);

const REFUSED_QUOTE_PAUSE: Duration = Duration::from_mins(10);

/// Quotes in one read: on the Markets page, and elsewhere.
const MAX_QUOTES_ON_MARKETS: usize = 8;

pub(super) const MAX_QUOTES_ELSEWHERE: usize = 4;

/// Whether a quote can be requested. Unlisted tokens may carry any symbol, so the pair or the token sold must be
/// listed. The service may quote pairs that it does not swap, such as coins without a common chain.
fn is_pair_or_sold_token_listed(model: &Model, (from, to): (&Text, &Text)) -> bool {
    // There are many more pairs than tokens.
    let is_listed = model.data.listed_tokens.iter().any(|token| token.symbol.eq_ignore_ascii_case(from));
    is_listed || model.data.prices.lists_pair(from, to)
}

/// Whether a price of these holdings is still on its way for the first time, so that their sum is preliminary.
pub fn is_awaiting_prices(model: &Model, holdings: &[Holding]) -> bool {
    let prices = &model.data.prices;
    if prices.settings.valuation.is_some() && prices.pairs.is_none() && !model.pages.markets.tokens.is_loaded() {
        return true;
    }
    let has_result = |track: &QuoteHistory| track.newest().is_some() || track.refusal().is_some();
    priceable_holdings(holdings).filter_map(|holding| prices.valuation_symbols(&holding.symbol)).any(|(from, to)| {
        !prices.history_of_symbols(from, to).is_some_and(has_result) && is_pair_or_sold_token_listed(model, (from, to))
    })
}

/// The holdings that can have a price.
fn priceable_holdings(holdings: &[Holding]) -> impl Iterator<Item = &Holding> {
    holdings.iter().filter(|holding| {
        let has_amount =
            holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(|amount| !amount.is_zero());
        has_amount && !holding.suspicious
    })
}

/// The symbols of holdings, without duplicates: accounts share prices.
fn distinct_symbols<'a>(holdings: impl Iterator<Item = &'a Holding>) -> Vec<&'a Text> {
    let mut symbols = FxHashSet::default();
    holdings.map(|holding| &holding.symbol).filter(|symbol| symbols.insert(*symbol)).collect()
}

/// Every pair that the screen needs, sold and bought, the most wanted first, and the pause between quotes.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other pages show no prices")]
fn needed_pairs(model: &Model) -> (Vec<(&Text, &Text)>, Duration) {
    let prices = &model.data.prices;
    let (sold, others, pause) = match model.page {
        Page::Markets => {
            let tokens = model.pages.markets.tokens.visible_rows().map(|(token, _)| &token.symbol).collect();
            let pairs = model.pages.markets.pairs.visible_rows().map(|(pair, _)| (&pair.from, &pair.to)).collect();
            (tokens, pairs, prices.settings.old_after.saturating_mul(2) / 3)
        }
        Page::Overview => {
            let holdings = priceable_holdings(&model.pages.overview.balances.all);
            // All accounts together hold what each of them holds.
            let accounts =
                model.data.analyses.holdings_of_each_account().filter(|_| model.data.total.holdings.is_none());
            let others = accounts.chain([model.data.total.holdings()]).flat_map(priceable_holdings);
            (distinct_symbols(holdings.chain(others)), Vec::new(), SLOW_QUOTE_PAUSE)
        }
        Page::Users => {
            (distinct_symbols(priceable_holdings(model.pages.users.holdings.rows())), Vec::new(), SLOW_QUOTE_PAUSE)
        }
        _ => (Vec::new(), Vec::new(), SLOW_QUOTE_PAUSE),
    };
    let mut pairs = Vec::new();
    for pair in sold.into_iter().filter_map(|symbol| prices.valuation_symbols(symbol)).chain(others) {
        if !pairs.contains(&pair) && is_pair_or_sold_token_listed(model, pair) {
            pairs.push(pair);
        }
    }
    (pairs, pause.max(model.console.preferences.poll_period))
}

/// When a pair is next due; `None` for now.
fn due_at(prices: &Prices, (from, to): (&Text, &Text), pause: Duration, now: Timestamp) -> Option<Timestamp> {
    let track = prices.history_of_symbols(from, to)?;
    let pause = if track.refusal.is_some() { REFUSED_QUOTE_PAUSE } else { pause };
    // A time in the future is from before the clock was set back.
    (track.requested_at <= now).then(|| track.requested_at.plus(pause)).filter(|due| *due > now)
}

/// The quotes that are due, oldest request first.
pub(in crate::app) fn due_requests(model: &Model) -> Vec<QuoteRequest> {
    let (pairs, pause) = needed_pairs(model);
    let prices = &model.data.prices;
    let mut due: Vec<(&Text, &Text)> =
        pairs.into_iter().filter(|pair| due_at(prices, *pair, pause, model.now).is_none()).collect();
    due.sort_by_cached_key(|(from, to)| prices.history_of_symbols(from, to).map(|track| track.requested_at));
    due.truncate(if model.page == Page::Markets { MAX_QUOTES_ON_MARKETS } else { MAX_QUOTES_ELSEWHERE });
    due.into_iter()
        .map(|(from, to)| QuoteRequest {
            lot: prices.history_of_symbols(from, to).map_or(0, |track| track.lot),
            pair: SwapPair { from: from.clone(), to: to.clone() },
        })
        .collect()
}

/// When a quote is next due, or becomes stale on screen.
pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let (pairs, pause) = needed_pairs(model);
    let prices = &model.data.prices;
    let due_times = pairs.iter().filter_map(|pair| due_at(prices, *pair, pause, model.now));
    let shown_pairs = pairs.iter().filter(|_| model.page == Page::Markets);
    let ages = shown_pairs
        .filter_map(|(from, to)| prices.history_of_symbols(from, to)?.newest())
        .map(|dated_rate| dated_rate.at);
    let turns_old = ages.map(|at| at.plus(prices.settings.old_after + Duration::from_millis(1)));
    due_times.chain(turns_old).filter(|at| *at > model.now).min()
}

/// The token of the valuation, if the service lists others but not this one: then nothing will ever have a price.
pub fn unlisted_valuation(model: &Model) -> Option<&Text> {
    let symbol = model.data.prices.settings.valuation.as_ref()?;
    let mut tokens = model.data.listed_tokens.iter().peekable();
    (tokens.peek().is_some() && tokens.all(|token| !token.symbol.eq_ignore_ascii_case(symbol))).then_some(symbol)
}

pub fn stale_quote_age(model: &Model, at: Timestamp) -> Option<Duration> {
    let age = at.age(model.now);
    (age > model.data.prices.settings.old_after).then_some(age)
}

pub(in crate::app) fn apply_quotes(model: &mut Model, quotes: Vec<QuoteResult>) {
    model.data.prices.apply_quotes(quotes, model.now);
}
