//! What the market quoted, and what the business was worth by it, before now.

use std::collections::HashMap;
use std::time::Duration;

use ruint::aliases::U256;

use super::sample_business::BusinessState;
use crate::domain::price::worth_at_rate;
use crate::domain::v1::SwapPair;
use crate::domain::{
    Amount, BalanceSample, DatedRate, Day, Rate, RateHistory, ReportedAmount, Text, Timestamp, TokenKey, TotalSample,
    ValuationAmount,
};
use crate::service::ledger::{Ledger, RequestError, WorkspaceNumber};
use crate::service::swap_market::{self, ListedCoin};

/// The token in which the business is valued.
const VALUATION: &str = "USDT";
/// How far back rates are known, and how far apart they are.
const RATES_SINCE: Duration = Duration::from_mins(16);
const RATE_SPACING: Duration = Duration::from_mins(2);
/// Hours for which the value of the business is known.
const SAMPLED_HOURS: i64 = 26;
/// Days whose last prices are known.
const PRICED_DAYS: u16 = 366;
const HOUR_MILLIS: i64 = 3_600_000;
/// What is sold for a rate: so much that it has digits in any coin.
const LOT: u64 = 1_000_000;

/// Rates of all pairs of the last quarter of an hour.
pub(super) fn recent_rates_per_pair(now: Timestamp) -> Vec<RateHistory> {
    let steps = u32::try_from(RATES_SINCE.as_millis() / RATE_SPACING.as_millis()).unwrap_or(0);
    let times: Vec<Timestamp> = (1..=steps).rev().map(|step| now.minus(RATE_SPACING * step)).collect();
    let prices: HashMap<&str, Vec<Option<u128>>> = Ledger::market_coins()
        .map(|coin| {
            let at = times.iter().map(|time| swap_market::price_of_coin(coin.symbol, *time));
            (coin.symbol, at.collect())
        })
        .collect();
    let rates = |from: ListedCoin, to: ListedCoin| {
        let each = prices.get(from.symbol).into_iter().flatten().zip(prices.get(to.symbol).into_iter().flatten());
        let quoted = each.zip(&times).filter_map(|((sold, bought), at)| {
            Some(DatedRate { rate: rate_at_prices(from, to, ((*sold)?, (*bought)?))?, at: *at })
        });
        quoted.collect()
    };
    let pair =
        |from: ListedCoin, to: ListedCoin| SwapPair { from: Text::clean(from.symbol), to: Text::clean(to.symbol) };
    Ledger::pairs_to_quote(VALUATION)
        .map(|(from, to)| RateHistory { pair: pair(from, to), rates: rates(from, to) })
        .collect()
}

/// The last price of each coin on each day of the last year.
pub(super) fn daily_prices_per_coin(now: Timestamp) -> Vec<(Text, Vec<BalanceSample>)> {
    let today = Day::from_timestamp(now);
    let ends: Vec<Timestamp> =
        (0..PRICED_DAYS).rev().map(|ago| today.days_before(ago).start().minus(Duration::from_millis(1))).collect();
    let sample = |symbol: &str, at: Timestamp| {
        Some(BalanceSample { at, amount: valuation_rate(symbol, at).and_then(Rate::amount)? })
    };
    let daily = |coin: ListedCoin| {
        (Text::clean(coin.symbol), ends.iter().filter_map(|at| sample(coin.symbol, *at)).collect::<Vec<_>>())
    };
    Ledger::market_coins().map(daily).filter(|(_, samples)| !samples.is_empty()).collect()
}

/// What the business was worth at each full hour of the last day.
pub(super) fn hourly_business_values(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    business: &BusinessState,
    now: Timestamp,
) -> Result<Vec<TotalSample>, RequestError> {
    let this_hour = now.millis().div_euclid(HOUR_MILLIS);
    let hours = (0..SAMPLED_HOURS).rev().map(|ago| Timestamp::from_millis((this_hour - ago) * HOUR_MILLIS));
    let times: Vec<Timestamp> = hours.collect();
    let balances = ledger.balances_at(workspace_number, &times)?;
    let sample = |(at, token_balances): (Timestamp, HashMap<i64, U256>)| {
        let value = |token: &crate::service::ledger::ChainToken| {
            let amount =
                Amount::new(*token_balances.get(&token.no)?, token.decimals).filter(|amount| !amount.is_zero())?;
            let worth = worth_at_rate(Some(&ReportedAmount::Exact(amount)), valuation_rate(&token.symbol, at));
            let key = TokenKey::new(token.chain.slug, token.contract.as_deref());
            Some((key, worth.and_then(ValuationAmount::amount)))
        };
        let values = business.tokens.iter().filter_map(value).collect();
        TotalSample { at, valuation: Text::clean(VALUATION), values }
    };
    Ok(times.into_iter().zip(balances).map(sample).filter(|sample| !sample.values.is_empty()).collect())
}

/// The rate of one whole coin in the token of the valuation; `None` where there is no market.
fn valuation_rate(symbol: &str, at: Timestamp) -> Option<Rate> {
    if symbol == VALUATION {
        return Some(Rate::ONE);
    }
    let coin = |symbol: &str| Ledger::market_coins().find(|coin| coin.symbol == symbol);
    let price = |symbol: &str| swap_market::price_of_coin(symbol, at);
    rate_at_prices(coin(symbol)?, coin(VALUATION)?, (price(symbol)?, price(VALUATION)?))
}

fn rate_at_prices(from: ListedCoin, to: ListedCoin, prices: (u128, u128)) -> Option<Rate> {
    let sold = U256::from(LOT).checked_mul(U256::from(10).checked_pow(U256::from(from.decimals))?)?;
    let quote = swap_market::quote_at_prices(from, sold, to, prices)?;
    Rate::from_amounts(Amount::new(quote.from_amount, from.decimals)?, Amount::new(quote.to_amount, to.decimals)?)
}
