//! Prices: which quotes are requested when, their history in this session, and values by them.
//!
//! ```text
//!  what is on screen ──▶ pairs that are due ──▶ Dataset::Quotes, a few at a time ──▶ a history for each pair
//! ```
//!
//! A quote has no expiry: each is indicative, is shown with the time of its arrival, and becomes stale. Traffic does
//! not grow with the number of holdings: a limited number of quotes is requested at a time, the oldest first.

mod requests;
mod valuation;

use std::collections::VecDeque;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::domain::history::PriceList;
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{Amount, DatedRate, Failure, FailureReason, Rate, RateChange, RateHistory, Text, Timestamp};

pub(in crate::app) use requests::{apply_quotes, due_requests, next_due};
pub use requests::{is_awaiting_prices, stale_quote_age, unlisted_valuation};
pub use valuation::Valuation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceSettings {
    /// The symbol of the token in which everything is valued; `None` for no valuation.
    pub valuation: Option<Text>,
    /// The age at which a quote on screen is stale.
    pub old_after: Duration,
    /// Rates from before this session, where they are known: of a demo's market.
    pub past_rates: Vec<RateHistory>,
}

impl PriceSettings {
    pub const VALUATION: &str = "USDT";
    pub const OLD_AFTER: Duration = Duration::from_secs(15);
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self { valuation: Some(Text::clean(Self::VALUATION)), old_after: Self::OLD_AFTER, past_rates: Vec::new() }
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
    first: Option<DatedRate>,
    /// Rates of the last [`HISTORY_SPAN`] and the last one before it, newest last.
    recent: VecDeque<DatedRate>,
    requested_at: Timestamp,
    lot: u8,
    refusal: Option<Failure>,
}

impl QuoteHistory {
    fn new(now: Timestamp) -> Self {
        Self { first: None, recent: VecDeque::new(), requested_at: now, lot: 0, refusal: None }
    }

    /// Rates from before this session. A new one is due at once.
    fn of_past(rates: Vec<DatedRate>) -> Self {
        Self { recent: rates.into(), ..Self::new(Timestamp::from_millis(0)) }
    }

    pub fn newest(&self) -> Option<DatedRate> {
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
        self.recent.iter().map(|dated_rate| dated_rate.rate)
    }

    /// Why the service gave no quote the last time.
    pub fn refusal(&self) -> Option<&Failure> {
        self.refusal.as_ref()
    }

    fn add_rate(&mut self, dated_rate: DatedRate) {
        self.first.get_or_insert(dated_rate);
        // Of rates in quick succession only the newest is kept.
        if self.recent.len() > 1
            && let Some(before) = self.recent.get(self.recent.len() - 2)
            && before.at.age(dated_rate.at) < MIN_RATE_SPACING
        {
            self.recent.pop_back();
        }
        self.recent.push_back(dated_rate);
        // One rate older than the span is kept, so that the drift over the span stays defined.
        let age = |aged_rate: Option<&DatedRate>| {
            aged_rate.map_or(Duration::ZERO, |aged_rate| aged_rate.at.age(dated_rate.at))
        };
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
    quote_histories: QuoteHistories,
}

/// Histories by the token that is bought, then by the one that is sold: a frame asks for hundreds of rates, and copies no
/// symbol for one.
type QuoteHistories = FxHashMap<Text, FxHashMap<Text, QuoteHistory>>;

impl Prices {
    pub fn new(mut settings: PriceSettings) -> Self {
        let mut quote_histories = QuoteHistories::default();
        for RateHistory { pair, rates } in std::mem::take(&mut settings.past_rates) {
            quote_histories.entry(pair.to).or_default().insert(pair.from, QuoteHistory::of_past(rates));
        }
        Self { settings, quote_histories, ..Self::default() }
    }

    pub fn history_of(&self, pair: &SwapPair) -> Option<&QuoteHistory> {
        self.history_of_symbols(&pair.from, &pair.to)
    }

    fn history_of_symbols(&self, from: &Text, to: &Text) -> Option<&QuoteHistory> {
        self.quote_histories.get(to)?.get(from)
    }

    /// The pair that values a token; `None` for the token of the valuation itself, and without a valuation.
    pub fn valuation_pair_of(&self, symbol: &Text) -> Option<SwapPair> {
        let (from, to) = self.valuation_symbols(symbol)?;
        Some(SwapPair { from: from.clone(), to: to.clone() })
    }

    fn valuation_symbols<'a>(&'a self, symbol: &'a Text) -> Option<(&'a Text, &'a Text)> {
        let to = self.settings.valuation.as_ref()?;
        (!symbol.eq_ignore_ascii_case(to)).then_some((symbol, to))
    }

    /// The value of one whole token, and when it was quoted; the token of the valuation is always worth one.
    pub fn valuation_rate(&self, symbol: &Text) -> Option<(Rate, Option<Timestamp>)> {
        self.settings.valuation.as_ref()?;
        let Some((from, to)) = self.valuation_symbols(symbol) else { return Some((Rate::ONE, None)) };
        self.history_of_symbols(from, to)?.newest().map(|dated_rate| (dated_rate.rate, Some(dated_rate.at)))
    }

    /// The latest prices of all tokens, for a sort order that must not change with every quote.
    pub fn price_list(&self) -> PriceList {
        let Some(token) = self.settings.valuation.clone() else { return PriceList::default() };
        let histories = self.quote_histories.iter().filter(|(bought, _)| bought.eq_ignore_ascii_case(&token));
        let histories = histories.flat_map(|(_, by_sold)| by_sold);
        let newest_quotes = histories.filter_map(|(sold, track)| Some((sold, track.newest()?)));
        let mut each: Vec<(Text, Amount)> = newest_quotes
            .clone()
            .filter_map(|(symbol, dated_rate)| Some((symbol.clone(), dated_rate.rate.amount()?)))
            .collect();
        // With no quote yet, nothing but the token of the valuation has a price.
        if each.is_empty() {
            return PriceList::default();
        }
        each.extend(Rate::ONE.amount().map(|one| (token.clone(), one)));
        each.sort_by(|(one, _), (other, _)| one.cmp(other));
        let at = newest_quotes.map(|(_, dated_rate)| dated_rate.at).min();
        PriceList { token, at, prices: each }
    }

    /// The pairs in which a token is sold.
    pub fn pairs_selling(&self, symbol: &Text) -> Vec<SwapPair> {
        let all = self.pairs.iter().flatten();
        all.filter(|pair| pair.from.eq_ignore_ascii_case(symbol)).cloned().collect()
    }

    /// Whether the service lists the pair.
    fn lists_pair(&self, from: &Text, to: &Text) -> bool {
        let is_same = |pair: &SwapPair| pair.from.eq_ignore_ascii_case(from) && pair.to.eq_ignore_ascii_case(to);
        self.pairs.iter().flatten().any(is_same)
    }

    /// Lets every refused quote be requested again.
    pub(in crate::app) fn retry_refused(&mut self) {
        for by_sold in self.quote_histories.values_mut() {
            by_sold.retain(|_, track| track.refusal.is_none() || track.newest().is_some());
            for track in by_sold.values_mut() {
                track.refusal = None;
            }
        }
    }
}

/// The age from which the price of a value is marked as old.
pub const OLD_PRICE_AGE: Duration = Duration::from_mins(5);

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

    pub fn apply_quotes(&mut self, quotes: Vec<QuoteResult>, now: Timestamp) {
        for QuoteResult { request, result } in quotes {
            let SwapPair { from, to } = request.pair;
            if self.history_of_symbols(&from, &to).is_none() {
                self.forget_oldest_of_too_many();
            }
            let track =
                self.quote_histories.entry(to).or_default().entry(from).or_insert_with(|| QuoteHistory::new(now));
            track.apply_quote(request.lot, result, now);
        }
    }

    fn forget_oldest_of_too_many(&mut self) {
        if self.quote_histories.values().map(FxHashMap::len).sum::<usize>() < MAX_QUOTE_HISTORIES {
            return;
        }
        let all = self
            .quote_histories
            .iter()
            .flat_map(|(to, by_sold)| by_sold.iter().map(move |sold_and_track| (to, sold_and_track)));
        let oldest = all.min_by_key(|(_, (_, track))| track.requested_at);
        let Some((to, from)) = oldest.map(|(to, (from, _))| (to.clone(), from.clone())) else { return };
        if let Some(by_sold) = self.quote_histories.get_mut(&to) {
            by_sold.remove(&from);
        }
    }
}

impl QuoteHistory {
    fn apply_quote(&mut self, lot: u8, result: Result<Quote, Failure>, now: Timestamp) {
        self.requested_at = now;
        let coarse = match &result {
            Ok(quote) => {
                quote.to_amount.even_if_disputed().raw().to_string().trim_start_matches('0').len() < MIN_QUOTE_DIGITS
            }
            // The amount may be too small for the market.
            Err(failure) => matches!(failure.reason, FailureReason::Refused { .. }) && self.newest().is_none(),
        };
        let grows = coarse && lot < LARGEST_LOT;
        if grows {
            self.lot = lot + LOT_STEP;
        }
        match result.map(|quote| Rate::from_swap_quote(&quote)) {
            // A larger lot is requested at once: a rate of few digits shows no drift.
            _ if grows => self.requested_at = Timestamp::from_millis(0),
            Ok(Some(rate)) => {
                self.refusal = None;
                self.add_rate(DatedRate { rate, at: now });
            }
            Ok(None) => {
                let message = "the quote does not report a price";
                self.refusal = Some(Failure::from_read(FailureReason::NotUnderstood, message));
            }
            Err(failure) => self.refusal = Some(failure),
        }
    }
}

#[cfg(test)]
mod tests;
