//! Prices: which quotes are asked for when, what they were since this session began, and what figures are worth by them.
//!
//! ```text
//!  what is on screen ──▶ pairs that are due ──▶ Dataset::Quotes, a few at a time ──▶ a track for each pair
//! ```
//!
//! A quote carries no time until which it holds: each is indicative, is shown with the time at which it came, and turns
//! old. Traffic does not grow with what is held: so many quotes a period are asked for at most, whoever is oldest first.

mod valuation;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::model::{Model, Page};
use crate::domain::history::PriceList;
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{Amount, Drift, Failure, Holding, Rate, Reason, ReportedAmount, Text, Timestamp};

pub use valuation::Valuation;

/// What the operator wants of prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceSettings {
    /// The symbol of the token in which everything is valued; `None` for no values.
    pub valuation: Option<Text>,
    /// When a quote on screen counts as old.
    pub old_after: Duration,
}

impl PriceSettings {
    /// What everything is valued in, if nobody says otherwise.
    pub const VALUATION: &str = "USDT";
    /// When a quote counts as old, if nobody says otherwise.
    pub const OLD_AFTER: Duration = Duration::from_secs(15);
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self { valuation: Some(Text::clean(Self::VALUATION)), old_after: Self::OLD_AFTER }
    }
}

/// A quote that is asked for: one whole of what is sold, or ten to this power of it, where one gives too little to have
/// digits enough.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuoteRequest {
    /// What is sold and what is bought.
    pub pair: SwapPair,
    /// The power of ten.
    pub lot: u8,
}

impl QuoteRequest {
    /// How much of what is sold is asked for.
    pub fn amount(&self) -> Amount {
        let digits = format!("1{}", "0".repeat(usize::from(self.lot)));
        Amount::parse(&digits, 0).unwrap_or(Amount::zero(0))
    }
}

/// What came of asking for one quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteResult {
    /// What was asked.
    pub asked: QuoteRequest,
    /// The quote, or why the service gives none.
    pub result: Result<Quote, Failure>,
}

/// A rate and when it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoted {
    /// The rate.
    pub rate: Rate,
    /// When it came.
    pub at: Timestamp,
}

/// How long rates are remembered, and how far apart: what drift and sparkline look back at.
pub const HISTORY_SPAN: Duration = Duration::from_mins(15);
const APART: Duration = Duration::from_secs(10);
/// By how much the oldest of them may be older: where there are many pairs, each is asked for seldom.
const SELDOM: Duration = Duration::from_mins(2);
/// Pairs that are remembered at most.
const MOST_TRACKS: usize = 256;
/// Lots grow by so many powers of ten while one gives fewer than so many digits.
const LOT_STEP: u8 = 3;
const LARGEST_LOT: u8 = 9;
const DIGITS: usize = 5;

/// What was quoted for a pair since this session began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteHistory {
    /// The first rate of this session.
    first: Option<Quoted>,
    /// Rates of the last quarter of an hour and the last one before it, the newest last.
    recent: VecDeque<Quoted>,
    /// When it was last asked for.
    asked_at: Timestamp,
    lot: u8,
    /// Why the service gave no quote the last time.
    refused: Option<Failure>,
}

impl QuoteHistory {
    fn new(now: Timestamp) -> Self {
        Self { first: None, recent: VecDeque::new(), asked_at: now, lot: 0, refused: None }
    }

    /// The newest rate.
    pub fn newest(&self) -> Option<Quoted> {
        self.recent.back().copied()
    }

    /// How far it moved since this session first saw it.
    pub fn since_first(&self) -> Option<Drift> {
        self.newest()?.rate.drift_since(self.first?.rate)
    }

    /// How far it moved in the last quarter of an hour; `None` while nothing is known from so long ago.
    pub fn since_quarter(&self) -> Option<Drift> {
        let newest = self.newest()?;
        let oldest = self.recent.front()?;
        let long = oldest.at.age(newest.at) + 2 * APART >= HISTORY_SPAN;
        newest.rate.drift_since(oldest.rate).filter(|_| long)
    }

    /// The remembered rates, the newest last.
    pub fn rates(&self) -> impl ExactSizeIterator<Item = Rate> + '_ {
        self.recent.iter().map(|quoted| quoted.rate)
    }

    /// Why the service gave no quote the last time.
    pub fn refusal(&self) -> Option<&Failure> {
        self.refused.as_ref()
    }

    fn take(&mut self, quoted: Quoted) {
        self.first.get_or_insert(quoted);
        // Of rates that came soon after each other the newest is enough; the one before it stays until it is.
        if self.recent.len() > 1
            && let Some(before) = self.recent.get(self.recent.len() - 2)
            && before.at.age(quoted.at) < APART
        {
            self.recent.pop_back();
        }
        self.recent.push_back(quoted);
        // The last one from before stays, or nothing would be known of so long ago until the next comes to that age.
        let age = |known: Option<&Quoted>| known.map_or(Duration::ZERO, |known| known.at.age(quoted.at));
        while age(self.recent.get(1)) >= HISTORY_SPAN || age(self.recent.front()) > HISTORY_SPAN + SELDOM {
            self.recent.pop_front();
        }
    }
}

/// Prices of this session.
#[derive(Debug, Clone, Default)]
pub struct Prices {
    /// What the operator wants of them.
    pub settings: PriceSettings,
    /// The pairs that the service swaps; `None` while it did not say.
    pub pairs: Option<Vec<SwapPair>>,
    tracks: HashMap<SwapPair, QuoteHistory>,
}

impl Prices {
    /// No prices yet.
    pub fn new(settings: PriceSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// What was quoted for a pair.
    pub fn history_of(&self, pair: &SwapPair) -> Option<&QuoteHistory> {
        self.tracks.get(pair)
    }

    /// The pair that tells what a token is worth; `None` for the valuation's own token, and where nothing is valued.
    pub fn pair_of(&self, symbol: &Text) -> Option<SwapPair> {
        let to = self.settings.valuation.clone()?;
        (!symbol.eq_ignore_ascii_case(&to)).then(|| SwapPair { from: symbol.clone(), to })
    }

    /// What one whole of a token is worth, and since when that is known; the valuation's own token is worth one at any
    /// time.
    pub fn rate(&self, symbol: &Text) -> Option<(Rate, Option<Timestamp>)> {
        self.settings.valuation.as_ref()?;
        let Some(pair) = self.pair_of(symbol) else { return Some((Rate::ONE, None)) };
        self.history_of(&pair)?.newest().map(|quoted| (quoted.rate, Some(quoted.at)))
    }

    /// What everything was last worth, for an order that must not change with every quote.
    pub fn price_list(&self) -> PriceList {
        let Some(token) = self.settings.valuation.clone() else { return PriceList::default() };
        let told = self.tracks.iter().filter(|(pair, _)| pair.to.eq_ignore_ascii_case(&token));
        let told = told.filter_map(|(pair, track)| Some((&pair.from, track.newest()?)));
        let mut each: Vec<(Text, Amount)> =
            told.clone().filter_map(|(symbol, quoted)| Some((symbol.clone(), quoted.rate.amount()?))).collect();
        // By its own token alone nothing else is valued.
        if each.is_empty() {
            return PriceList::default();
        }
        each.extend(Rate::ONE.amount().map(|one| (token.clone(), one)));
        each.sort_by(|(one, _), (other, _)| one.cmp(other));
        let at = told.map(|(_, quoted)| quoted.at).min();
        PriceList { token, at, prices: each }
    }

    /// The pairs in which a token is sold.
    pub fn pairs_of(&self, symbol: &Text) -> Vec<SwapPair> {
        let all = self.pairs.iter().flatten();
        all.filter(|pair| pair.from.eq_ignore_ascii_case(symbol)).cloned().collect()
    }

    /// Whether the service says that it swaps a pair.
    fn exists(&self, pair: &SwapPair) -> bool {
        let same =
            |known: &SwapPair| known.from.eq_ignore_ascii_case(&pair.from) && known.to.eq_ignore_ascii_case(&pair.to);
        self.pairs.iter().flatten().any(same)
    }

    /// Asks for everything again that was refused.
    pub(super) fn retry_refused(&mut self) {
        self.tracks.retain(|_, track| track.refused.is_none() || track.newest().is_some());
        for track in self.tracks.values_mut() {
            track.refused = None;
        }
    }
}

/// How long after it was asked for a pair is asked for again, on the Overview and where the service gave no quote.
const SLOWLY: Duration = Duration::from_mins(1);
const REFUSED: Duration = Duration::from_mins(10);
/// Quotes in one read: where quotes are what is looked at, and elsewhere.
const WATCHED_AT_ONCE: usize = 8;
const AT_ONCE: usize = 4;

/// Whether a pair can be asked for. A token that nobody lists may bear any symbol: only what the service says to swap, or
/// to list, is asked for. It may quote what it does not swap, as a coin that shares no chain with what it is valued in.
fn may_be_asked(model: &Model, pair: &SwapPair) -> bool {
    let listed = || model.listed.iter().any(|token| token.symbol.eq_ignore_ascii_case(&pair.from));
    model.prices.exists(pair) || listed()
}

/// Whether a price of what is held is still on its way for the first time, so that what it is worth together is so only
/// so far.
pub fn is_awaiting_prices(model: &Model, holdings: &[Holding]) -> bool {
    let prices = &model.prices;
    if prices.settings.valuation.is_some() && prices.pairs.is_none() && !model.tokens.is_loaded() {
        return true;
    }
    symbols(valued(holdings)).into_iter().filter_map(|symbol| prices.pair_of(symbol)).any(|pair| {
        let is_told = |track: &QuoteHistory| track.newest().is_some() || track.refusal().is_some();
        !prices.history_of(&pair).is_some_and(is_told) && may_be_asked(model, &pair)
    })
}

/// What is held that can have a price.
fn valued(holdings: &[Holding]) -> impl Iterator<Item = &Holding> {
    holdings.iter().filter(|holding| {
        let some = holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(|amount| !amount.is_zero());
        some && !holding.suspicious
    })
}

/// The symbols of what is held, each once: what many accounts hold is one price.
fn symbols<'a>(holdings: impl Iterator<Item = &'a Holding>) -> Vec<&'a Text> {
    let mut symbols = Vec::new();
    for Holding { symbol, .. } in holdings {
        if !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols
}

/// Every pair that the screen wants, the most wanted first, and how often.
fn wanted(model: &Model) -> (Vec<SwapPair>, Duration) {
    let prices = &model.prices;
    let (sold, others, pause) = match model.page {
        Page::Markets => {
            let tokens = model.tokens.visible().map(|(token, _)| &token.symbol).collect();
            let pairs = model.pairs.visible().map(|(pair, _)| pair.clone()).collect();
            (tokens, pairs, prices.settings.old_after.saturating_mul(2) / 3)
        }
        Page::Overview => {
            let accounts = model.charts.all_account_holdings().flat_map(valued);
            (symbols(valued(&model.balances.all).chain(accounts)), Vec::new(), SLOWLY)
        }
        Page::Users => (symbols(valued(model.users.holdings.rows())), Vec::new(), SLOWLY),
        _ => (Vec::new(), Vec::new(), SLOWLY),
    };
    let mut pairs: Vec<SwapPair> = Vec::new();
    for pair in sold.into_iter().filter_map(|symbol| prices.pair_of(symbol)).chain(others) {
        if !pairs.contains(&pair) && may_be_asked(model, &pair) {
            pairs.push(pair);
        }
    }
    (pairs, pause.max(model.period))
}

/// When a pair is next to be asked for; `None` for at once.
fn due_at(prices: &Prices, pair: &SwapPair, pause: Duration, now: Timestamp) -> Option<Timestamp> {
    let track = prices.history_of(pair)?;
    let pause = if track.refused.is_some() { REFUSED } else { pause };
    // One from the future was noted by a clock that was set back since.
    (track.asked_at <= now).then(|| track.asked_at.plus(pause)).filter(|due| *due > now)
}

/// The quotes to be asked for now, those asked for longest ago first.
pub(super) fn due_requests(model: &Model) -> Vec<QuoteRequest> {
    let (pairs, pause) = wanted(model);
    let prices = &model.prices;
    let mut due: Vec<SwapPair> =
        pairs.into_iter().filter(|pair| due_at(prices, pair, pause, model.now).is_none()).collect();
    due.sort_by_key(|pair| prices.history_of(pair).map(|track| track.asked_at));
    due.truncate(if model.page == Page::Markets { WATCHED_AT_ONCE } else { AT_ONCE });
    let lot = |pair: &SwapPair| prices.history_of(pair).map_or(0, |track| track.lot);
    due.into_iter().map(|pair| QuoteRequest { lot: lot(&pair), pair }).collect()
}

/// When something of prices next happens by itself: one is to be asked for again, or turns old on screen.
pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let (pairs, pause) = wanted(model);
    let prices = &model.prices;
    let asks = pairs.iter().filter_map(|pair| due_at(prices, pair, pause, model.now));
    let shown = pairs.iter().filter(|_| model.page == Page::Markets);
    let ages = shown.filter_map(|pair| prices.history_of(pair)?.newest()).map(|quoted| quoted.at);
    let turns_old = ages.map(|at| at.plus(prices.settings.old_after + Duration::from_millis(1)));
    asks.chain(turns_old).filter(|at| *at > model.now).min()
}

/// The valuation's token, if the service lists others and not that one: then nothing will ever have a price.
pub fn unlisted_valuation(model: &Model) -> Option<&Text> {
    let symbol = model.prices.settings.valuation.as_ref()?;
    let mut listed = model.listed.iter().peekable();
    (listed.peek().is_some() && listed.all(|token| !token.symbol.eq_ignore_ascii_case(symbol))).then_some(symbol)
}

/// How old a quote is, if it counts as old.
pub fn stale_age(model: &Model, at: Timestamp) -> Option<Duration> {
    let age = at.age(model.now);
    (age > model.prices.settings.old_after).then_some(age)
}

/// Quotes came, or were refused.
pub(super) fn apply_quotes(model: &mut Model, told: Vec<QuoteResult>) {
    let (now, prices) = (model.now, &mut model.prices);
    for QuoteResult { asked, result } in told {
        if prices.tracks.len() >= MOST_TRACKS
            && !prices.tracks.contains_key(&asked.pair)
            && let Some(oldest) =
                prices.tracks.iter().min_by_key(|(_, track)| track.asked_at).map(|(pair, _)| pair.clone())
        {
            prices.tracks.remove(&oldest);
        }
        let track = prices.tracks.entry(asked.pair).or_insert_with(|| QuoteHistory::new(now));
        track.asked_at = now;
        let coarse = match &result {
            Ok(quote) => quote.to_amount.raw().raw().to_string().trim_start_matches('0').len() < DIGITS,
            // It may be too little for the market to take.
            Err(failure) => matches!(failure.reason, Reason::Refused { .. }) && track.newest().is_none(),
        };
        let grows = coarse && asked.lot < LARGEST_LOT;
        if grows {
            track.lot = asked.lot + LOT_STEP;
        }
        match result.map(|quote| Rate::from_quote(&quote)) {
            // A larger lot is asked for at once: a rate of a few digits is none that a drift can be read from.
            _ if grows => track.asked_at = Timestamp::from_millis(0),
            Ok(Some(rate)) => {
                track.refused = None;
                track.take(Quoted { rate, at: now });
            }
            Ok(None) => {
                let words = "the quote does not report a price";
                track.refused = Some(Failure::from_read(Reason::NotUnderstood, words));
            }
            Err(failure) => track.refused = Some(failure),
        }
    }
}

#[cfg(test)]
mod tests;
