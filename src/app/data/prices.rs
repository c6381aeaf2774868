//! Prices: which quotes are requested when, their history in this session, and values by them.
//!
//! ```text
//!  what is on screen ──▶ pairs that are due ──▶ Dataset::Quotes, a few at a time ──▶ a history for each pair
//! ```
//!
//! A quote has no expiry: each is indicative, is shown with the time of its arrival, and becomes stale. Traffic does
//! not grow with the number of holdings: a limited number of quotes is requested at a time, the oldest first.

mod valuation;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::app::model::{Model, Page};
use crate::domain::history::PriceList;
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{Amount, Failure, FailureReason, Holding, Rate, RateChange, ReportedAmount, Text, Timestamp};

pub use valuation::Valuation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceSettings {
    /// The symbol of the token in which everything is valued; `None` for no valuation.
    pub valuation: Option<Text>,
    /// The age at which a quote on screen is stale.
    pub old_after: Duration,
}

impl PriceSettings {
    pub const VALUATION: &str = "USDT";
    pub const OLD_AFTER: Duration = Duration::from_secs(15);
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self { valuation: Some(Text::clean(Self::VALUATION)), old_after: Self::OLD_AFTER }
    }
}

/// A request for a quote: for ten to the power of `lot` tokens sold, where the quote for one has too few digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuoteRequest {
    pub pair: SwapPair,
    pub lot: u8,
}

impl QuoteRequest {
    pub fn amount(&self) -> Amount {
        let digits = format!("1{}", "0".repeat(usize::from(self.lot)));
        Amount::parse(&digits, 0).unwrap_or(Amount::zero(0))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteResult {
    pub request: QuoteRequest,
    /// An error is why the service gives no quote.
    pub result: Result<Quote, Failure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedRate {
    pub rate: Rate,
    pub at: Timestamp,
}

/// Span and resolution of the rates in memory, for drift and sparklines.
pub const HISTORY_SPAN: Duration = Duration::from_mins(15);
const MIN_RATE_SPACING: Duration = Duration::from_secs(10);
/// Tolerance for the age of the oldest rate: with many pairs, each is quoted seldom.
const RATE_AGE_TOLERANCE: Duration = Duration::from_mins(2);
const MAX_QUOTE_HISTORIES: usize = 256;
/// Lots grow by this power of ten while a quote has fewer than `DIGITS` digits.
const LOT_STEP: u8 = 3;
const LARGEST_LOT: u8 = 9;
const MIN_QUOTE_DIGITS: usize = 5;

/// Rates of a pair since this session began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteHistory {
    first: Option<QuotedRate>,
    /// Rates of the last [`HISTORY_SPAN`] and the last one before it, newest last.
    recent: VecDeque<QuotedRate>,
    requested_at: Timestamp,
    lot: u8,
    refusal: Option<Failure>,
}

impl QuoteHistory {
    fn new(now: Timestamp) -> Self {
        Self { first: None, recent: VecDeque::new(), requested_at: now, lot: 0, refusal: None }
    }

    pub fn newest(&self) -> Option<QuotedRate> {
        self.recent.back().copied()
    }

    /// The drift since the first rate of this session.
    pub fn drift_since_first(&self) -> Option<RateChange> {
        self.newest()?.rate.change_since(self.first?.rate)
    }

    /// The drift over [`HISTORY_SPAN`]; `None` before there are rates of that age.
    pub fn drift_over_history_span(&self) -> Option<RateChange> {
        let newest = self.newest()?;
        let oldest = self.recent.front()?;
        let long = oldest.at.age(newest.at) + 2 * MIN_RATE_SPACING >= HISTORY_SPAN;
        newest.rate.change_since(oldest.rate).filter(|_| long)
    }

    /// The rates in memory, newest last.
    pub fn rates(&self) -> impl ExactSizeIterator<Item = Rate> + '_ {
        self.recent.iter().map(|quoted| quoted.rate)
    }

    /// Why the service gave no quote the last time.
    pub fn refusal(&self) -> Option<&Failure> {
        self.refusal.as_ref()
    }

    fn add_rate(&mut self, quoted: QuotedRate) {
        self.first.get_or_insert(quoted);
        // Of rates in quick succession only the newest is kept.
        if self.recent.len() > 1
            && let Some(before) = self.recent.get(self.recent.len() - 2)
            && before.at.age(quoted.at) < MIN_RATE_SPACING
        {
            self.recent.pop_back();
        }
        self.recent.push_back(quoted);
        // One rate older than the span is kept, so that the drift over the span stays defined.
        let age = |known: Option<&QuotedRate>| known.map_or(Duration::ZERO, |known| known.at.age(quoted.at));
        while age(self.recent.get(1)) >= HISTORY_SPAN || age(self.recent.front()) > HISTORY_SPAN + RATE_AGE_TOLERANCE {
            self.recent.pop_front();
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Prices {
    pub settings: PriceSettings,
    /// The pairs that the service swaps; `None` before it has listed them.
    pub pairs: Option<Vec<SwapPair>>,
    quote_histories: HashMap<SwapPair, QuoteHistory>,
}

impl Prices {
    pub fn new(settings: PriceSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    pub fn history_of(&self, pair: &SwapPair) -> Option<&QuoteHistory> {
        self.quote_histories.get(pair)
    }

    /// The pair that values a token; `None` for the token of the valuation itself, and without a valuation.
    pub fn valuation_pair_of(&self, symbol: &Text) -> Option<SwapPair> {
        let to = self.settings.valuation.clone()?;
        (!symbol.eq_ignore_ascii_case(&to)).then(|| SwapPair { from: symbol.clone(), to })
    }

    /// The value of one whole token, and when it was quoted; the token of the valuation is always worth one.
    pub fn valuation_rate(&self, symbol: &Text) -> Option<(Rate, Option<Timestamp>)> {
        self.settings.valuation.as_ref()?;
        let Some(pair) = self.valuation_pair_of(symbol) else { return Some((Rate::ONE, None)) };
        self.history_of(&pair)?.newest().map(|quoted| (quoted.rate, Some(quoted.at)))
    }

    /// The latest prices of all tokens, for a sort order that must not change with every quote.
    pub fn price_list(&self) -> PriceList {
        let Some(token) = self.settings.valuation.clone() else { return PriceList::default() };
        let told = self.quote_histories.iter().filter(|(pair, _)| pair.to.eq_ignore_ascii_case(&token));
        let told = told.filter_map(|(pair, track)| Some((&pair.from, track.newest()?)));
        let mut each: Vec<(Text, Amount)> =
            told.clone().filter_map(|(symbol, quoted)| Some((symbol.clone(), quoted.rate.amount()?))).collect();
        // With no quote yet, nothing but the token of the valuation has a price.
        if each.is_empty() {
            return PriceList::default();
        }
        each.extend(Rate::ONE.amount().map(|one| (token.clone(), one)));
        each.sort_by(|(one, _), (other, _)| one.cmp(other));
        let at = told.map(|(_, quoted)| quoted.at).min();
        PriceList { token, at, prices: each }
    }

    /// The pairs in which a token is sold.
    pub fn pairs_selling(&self, symbol: &Text) -> Vec<SwapPair> {
        let all = self.pairs.iter().flatten();
        all.filter(|pair| pair.from.eq_ignore_ascii_case(symbol)).cloned().collect()
    }

    /// Whether the service lists the pair.
    fn lists_pair(&self, pair: &SwapPair) -> bool {
        let same =
            |known: &SwapPair| known.from.eq_ignore_ascii_case(&pair.from) && known.to.eq_ignore_ascii_case(&pair.to);
        self.pairs.iter().flatten().any(same)
    }

    /// Lets every refused quote be requested again.
    pub(in crate::app) fn retry_refused(&mut self) {
        self.quote_histories.retain(|_, track| track.refusal.is_none() || track.newest().is_some());
        for track in self.quote_histories.values_mut() {
            track.refusal = None;
        }
    }
}

/// Pause before a pair is requested again: on the Overview, and where the service gave no quote.
const SLOW_QUOTE_PAUSE: Duration = Duration::from_mins(1);
const REFUSED_QUOTE_PAUSE: Duration = Duration::from_mins(10);
/// Quotes in one read: on the Markets page, and elsewhere.
const MAX_QUOTES_ON_MARKETS: usize = 8;
const MAX_QUOTES_ELSEWHERE: usize = 4;

/// Whether a quote can be requested. Unlisted tokens may carry any symbol, so the pair or the token sold must be
/// listed. The service may quote pairs that it does not swap, such as coins without a common chain.
fn can_request_quote(model: &Model, pair: &SwapPair) -> bool {
    let listed = || model.listed_tokens.iter().any(|token| token.symbol.eq_ignore_ascii_case(&pair.from));
    model.prices.lists_pair(pair) || listed()
}

/// Whether a price of these holdings is still on its way for the first time, so that their sum is preliminary.
pub fn is_awaiting_prices(model: &Model, holdings: &[Holding]) -> bool {
    let prices = &model.prices;
    if prices.settings.valuation.is_some() && prices.pairs.is_none() && !model.tokens.is_loaded() {
        return true;
    }
    distinct_symbols(priceable_holdings(holdings))
        .into_iter()
        .filter_map(|symbol| prices.valuation_pair_of(symbol))
        .any(|pair| {
            let is_told = |track: &QuoteHistory| track.newest().is_some() || track.refusal().is_some();
            !prices.history_of(&pair).is_some_and(is_told) && can_request_quote(model, &pair)
        })
}

/// The holdings that can have a price.
fn priceable_holdings(holdings: &[Holding]) -> impl Iterator<Item = &Holding> {
    holdings.iter().filter(|holding| {
        let some = holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(|amount| !amount.is_zero());
        some && !holding.suspicious
    })
}

/// The symbols of holdings, without duplicates: accounts share prices.
fn distinct_symbols<'a>(holdings: impl Iterator<Item = &'a Holding>) -> Vec<&'a Text> {
    let mut symbols = Vec::new();
    for Holding { symbol, .. } in holdings {
        if !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols
}

/// Every pair that the screen needs, the most wanted first, and the pause between quotes.
fn needed_pairs(model: &Model) -> (Vec<SwapPair>, Duration) {
    let prices = &model.prices;
    let (sold, others, pause) = match model.page {
        Page::Markets => {
            let tokens = model.tokens.visible_rows().map(|(token, _)| &token.symbol).collect();
            let pairs = model.pairs.visible_rows().map(|(pair, _)| pair.clone()).collect();
            (tokens, pairs, prices.settings.old_after.saturating_mul(2) / 3)
        }
        Page::Overview => {
            let accounts = model.charts.all_account_holdings().flat_map(priceable_holdings);
            let all = priceable_holdings(&model.balances.all).chain(accounts);
            let all = all.chain(priceable_holdings(model.total.holdings()));
            (distinct_symbols(all), Vec::new(), SLOW_QUOTE_PAUSE)
        }
        Page::Users => {
            (distinct_symbols(priceable_holdings(model.users.holdings.rows())), Vec::new(), SLOW_QUOTE_PAUSE)
        }
        Page::Transactions | Page::Orders | Page::Events | Page::Book => (Vec::new(), Vec::new(), SLOW_QUOTE_PAUSE),
    };
    let mut pairs: Vec<SwapPair> = Vec::new();
    for pair in sold.into_iter().filter_map(|symbol| prices.valuation_pair_of(symbol)).chain(others) {
        if !pairs.contains(&pair) && can_request_quote(model, &pair) {
            pairs.push(pair);
        }
    }
    (pairs, pause.max(model.period))
}

/// When a pair is next due; `None` for now.
fn due_at(prices: &Prices, pair: &SwapPair, pause: Duration, now: Timestamp) -> Option<Timestamp> {
    let track = prices.history_of(pair)?;
    let pause = if track.refusal.is_some() { REFUSED_QUOTE_PAUSE } else { pause };
    // A time in the future is from before the clock was set back.
    (track.requested_at <= now).then(|| track.requested_at.plus(pause)).filter(|due| *due > now)
}

/// The quotes that are due, oldest request first.
pub(in crate::app) fn due_requests(model: &Model) -> Vec<QuoteRequest> {
    let (pairs, pause) = needed_pairs(model);
    let prices = &model.prices;
    let mut due: Vec<SwapPair> =
        pairs.into_iter().filter(|pair| due_at(prices, pair, pause, model.now).is_none()).collect();
    due.sort_by_key(|pair| prices.history_of(pair).map(|track| track.requested_at));
    due.truncate(if model.page == Page::Markets { MAX_QUOTES_ON_MARKETS } else { MAX_QUOTES_ELSEWHERE });
    let lot = |pair: &SwapPair| prices.history_of(pair).map_or(0, |track| track.lot);
    due.into_iter().map(|pair| QuoteRequest { lot: lot(&pair), pair }).collect()
}

/// When a quote is next due, or becomes stale on screen.
pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    let (pairs, pause) = needed_pairs(model);
    let prices = &model.prices;
    let asks = pairs.iter().filter_map(|pair| due_at(prices, pair, pause, model.now));
    let shown = pairs.iter().filter(|_| model.page == Page::Markets);
    let ages = shown.filter_map(|pair| prices.history_of(pair)?.newest()).map(|quoted| quoted.at);
    let turns_old = ages.map(|at| at.plus(prices.settings.old_after + Duration::from_millis(1)));
    asks.chain(turns_old).filter(|at| *at > model.now).min()
}

/// The token of the valuation, if the service lists others but not this one: then nothing will ever have a price.
pub fn unlisted_valuation(model: &Model) -> Option<&Text> {
    let symbol = model.prices.settings.valuation.as_ref()?;
    let mut listed = model.listed_tokens.iter().peekable();
    (listed.peek().is_some() && listed.all(|token| !token.symbol.eq_ignore_ascii_case(symbol))).then_some(symbol)
}

/// The age from which the price of a value is marked as old.
pub const OLD_PRICE_AGE: Duration = Duration::from_mins(5);

pub fn stale_quote_age(model: &Model, at: Timestamp) -> Option<Duration> {
    let age = at.age(model.now);
    (age > model.prices.settings.old_after).then_some(age)
}

pub(in crate::app) fn apply_quotes(model: &mut Model, told: Vec<QuoteResult>) {
    model.prices.apply_quotes(told, model.now);
}

impl Prices {
    /// Requests for the pairs of which neither a rate nor a refusal is known, with larger lots where they were too small.
    pub fn missing_requests(&self, symbols: &[Text]) -> Vec<QuoteRequest> {
        let pairs = symbols.iter().filter_map(|symbol| self.valuation_pair_of(symbol));
        let request = |pair: SwapPair| match self.history_of(&pair) {
            None => Some(QuoteRequest { pair, lot: 0 }),
            Some(track) if track.newest().is_some() || track.refusal.is_some() => None,
            Some(track) => Some(QuoteRequest { lot: track.lot, pair }),
        };
        pairs.filter_map(request).collect()
    }

    pub fn apply_quotes(&mut self, told: Vec<QuoteResult>, now: Timestamp) {
        for QuoteResult { request: asked, result } in told {
            if self.quote_histories.len() >= MAX_QUOTE_HISTORIES
                && !self.quote_histories.contains_key(&asked.pair)
                && let Some(oldest) = self
                    .quote_histories
                    .iter()
                    .min_by_key(|(_, track)| track.requested_at)
                    .map(|(pair, _)| pair.clone())
            {
                self.quote_histories.remove(&oldest);
            }
            let track = self.quote_histories.entry(asked.pair).or_insert_with(|| QuoteHistory::new(now));
            track.apply_quote(asked.lot, result, now);
        }
    }
}

impl QuoteHistory {
    fn apply_quote(&mut self, lot: u8, result: Result<Quote, Failure>, now: Timestamp) {
        self.requested_at = now;
        let coarse = match &result {
            Ok(quote) => quote.to_amount.raw().raw().to_string().trim_start_matches('0').len() < MIN_QUOTE_DIGITS,
            // The amount may be too small for the market.
            Err(failure) => matches!(failure.reason, FailureReason::Refused { .. }) && self.newest().is_none(),
        };
        let grows = coarse && lot < LARGEST_LOT;
        if grows {
            self.lot = lot + LOT_STEP;
        }
        match result.map(|quote| Rate::from_quote(&quote)) {
            // A larger lot is requested at once: a rate of few digits shows no drift.
            _ if grows => self.requested_at = Timestamp::from_millis(0),
            Ok(Some(rate)) => {
                self.refusal = None;
                self.add_rate(QuotedRate { rate, at: now });
            }
            Ok(None) => {
                let words = "the quote does not report a price";
                self.refusal = Some(Failure::from_read(FailureReason::NotUnderstood, words));
            }
            Err(failure) => self.refusal = Some(failure),
        }
    }
}

#[cfg(test)]
mod tests;
