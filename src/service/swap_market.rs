//! The simulated market: prices, and what a swap yields.
//!
//! A price is constant for a window of half a minute. It follows from symbol and window alone, so that two services
//! agree at the same time and nothing is stored: noise of several wavelengths, interpolated linearly between
//! pseudo-random heights, moves it about its usual value.
//!
//! A swap yields slightly less than the price (the spread) and costs a fee out of what is sold. A swap within the
//! window of its quote settles exactly as quoted.

use ruint::aliases::U256;
use sha2::{Digest, Sha256};

use crate::domain::{Amount, Timestamp};

/// How long a price is constant, in milliseconds.
pub(super) const PRICE_WINDOW_MILLIS: i64 = 30_000;

/// Usual price of a whole coin in 10^-12 dollars, and its volatility in hundredths of the usual one.
const USUAL_PRICES: &[(&str, u128, i128)] = &[
    ("ETH", 3_150_000_000_000_000, 100),
    ("BNB", 880_000_000_000_000, 90),
    ("POL", 210_000_000_000, 140),
    ("SOL", 142_000_000_000_000, 130),
    ("USDT", 1_000_100_000_000, 1),
    ("USDC", 999_900_000_000, 1),
    ("DAI", 999_800_000_000, 1),
    ("LINK", 14_100_000_000_000, 130),
    ("WBTC", 91_400_000_000_000_000, 80),
    ("BTC", 91_500_000_000_000_000, 80),
    ("TRX", 286_000_000_000, 70),
    ("XRP", 2_140_000_000_000, 110),
    ("TON", 3_180_000_000_000, 120),
];

/// Wavelengths in windows, and the amplitude of each at usual volatility, in millionths: a day, two hours, ten minutes,
/// and the window itself.
const PRICE_WAVES: &[(i64, i128)] = &[(2_880, 30_000), (240, 8_000), (20, 1_500), (1, 250)];

/// Fee and spread, in ten-thousandths of what is sold.
const FEE_BASIS_POINTS: u64 = 10;
const SPREAD_BASIS_POINTS: u64 = 10;
const BASIS_POINTS: u64 = 10_000;

/// A coin, whatever chain it lives on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListedCoin {
    pub(super) symbol: &'static str,
    /// On some chains the coin has more fraction digits.
    pub(super) decimals: u8,
}

/// What a swap yields, in smallest units of its coins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) from: ListedCoin,
    /// Leaves the wallet, fee included.
    pub(super) from_amount: U256,
    /// Part of `from_amount`.
    pub(super) fee: U256,
    pub(super) to: ListedCoin,
    pub(super) to_amount: U256,
    /// Units of `to` per whole unit of `from`, after the spread.
    pub(super) price: Amount,
}

/// Fraction digits of a quote's price.
const PRICE_DECIMALS: u8 = 18;

/// A listed coin may have no market.
pub(super) fn has_market(symbol: &str) -> bool {
    USUAL_PRICES.iter().any(|(other, ..)| *other == symbol)
}

/// Price of a whole coin in 10^-12 dollars; `None` for a coin without a market.
pub(super) fn price_of_coin(symbol: &str, now: Timestamp) -> Option<u128> {
    let (symbol, usual, moves) = USUAL_PRICES.iter().find(|(other, ..)| *other == symbol)?;
    let window = now.millis().div_euclid(PRICE_WINDOW_MILLIS);
    let deviation: i128 = PRICE_WAVES
        .iter()
        .map(|(length, height)| interpolated_price_noise(symbol, window, *length) * height / 1_000)
        .sum();
    let parts = 1_000_000 + deviation * moves / 100;
    usual.checked_mul(u128::try_from(parts).ok()?)?.checked_div(1_000_000)
}

/// Noise of one wavelength at a window, from −1000 to 1000.
fn interpolated_price_noise(symbol: &str, window: i64, length: i64) -> i128 {
    let (place, within) = (window.div_euclid(length), window.rem_euclid(length));
    let (one, next) = (random_price_noise(symbol, length, place), random_price_noise(symbol, length, place + 1));
    (one * i128::from(length - within) + next * i128::from(within)) / i128::from(length)
}

fn random_price_noise(symbol: &str, length: i64, position: i64) -> i128 {
    let seed = format!("price {symbol} {length} {position}");
    let drawn = Sha256::digest(seed).iter().take(4).fold(0_i128, |sum, byte| sum << 8 | i128::from(*byte));
    drawn % 2_001 - 1_000
}

/// A quote at the price of `now`; `None` if the amount is too small to yield anything, or too large to compute.
pub(super) fn quote_swap(from: ListedCoin, amount: U256, to: ListedCoin, now: Timestamp) -> Option<Quote> {
    quote_at_prices(from, amount, to, (price_of_coin(from.symbol, now)?, price_of_coin(to.symbol, now)?))
}

/// A quote at the prices of both coins.
pub(super) fn quote_at_prices(
    from: ListedCoin,
    amount: U256,
    to: ListedCoin,
    (sold, bought): (u128, u128),
) -> Option<Quote> {
    let (sold, bought) = (U256::from(sold), U256::from(bought));
    let fee = amount.checked_mul(U256::from(FEE_BASIS_POINTS))?.checked_add(U256::from(BASIS_POINTS - 1))?
        / U256::from(BASIS_POINTS);
    let net = amount.checked_sub(fee)?;
    let worth = sold.checked_mul(U256::from(BASIS_POINTS - SPREAD_BASIS_POINTS))?;
    let cost = bought.checked_mul(U256::from(BASIS_POINTS))?;
    let ten = |digits: u8| U256::from(10_u8).checked_pow(U256::from(digits));
    let gives = net.checked_mul(worth)?.checked_mul(ten(to.decimals)?)?;
    let to_amount = gives.checked_div(cost.checked_mul(ten(from.decimals)?)?)?;
    let price = worth.checked_mul(ten(PRICE_DECIMALS)?)?.checked_div(cost)?;
    let price = Amount::new(price, PRICE_DECIMALS)?;
    (!to_amount.is_zero()).then_some(Quote { from, from_amount: amount, fee, to, to_amount, price })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOON: Timestamp = Timestamp::from_millis(1_767_614_400_000);
    const ETH: ListedCoin = ListedCoin { symbol: "ETH", decimals: 18 };
    const USDC: ListedCoin = ListedCoin { symbol: "USDC", decimals: 6 };

    fn after(millis: i64) -> Timestamp {
        Timestamp::from_millis(NOON.millis() + millis)
    }

    #[test]
    fn a_price_stands_still_for_its_window_and_moves_with_the_next() {
        assert_eq!(price_of_coin("ETH", NOON), price_of_coin("ETH", after(PRICE_WINDOW_MILLIS - 1)));
        assert_ne!(price_of_coin("ETH", NOON), price_of_coin("ETH", after(PRICE_WINDOW_MILLIS)));
        assert_eq!((price_of_coin("SHIB", NOON), has_market("SHIB"), has_market("ETH")), (None, false, true));
    }

    #[test]
    fn a_price_stays_about_its_usual_value_and_never_jumps() {
        for (symbol, usual, _) in USUAL_PRICES {
            let mut before = price_of_coin(symbol, NOON).unwrap();
            for n in 1..2_000 {
                let next = price_of_coin(symbol, after(n * PRICE_WINDOW_MILLIS)).unwrap();
                assert!(next.abs_diff(before) < usual / 200, "{symbol} jumps at {n}");
                assert!(next.abs_diff(*usual) < usual / 12, "{symbol} strays at {n}");
                before = next;
            }
        }
    }

    #[test]
    fn a_quote_takes_its_fee_and_its_spread() {
        let quoted = quote_swap(USDC, U256::from(1_000_000_000), ETH, NOON).unwrap();
        assert_eq!(quoted.fee, U256::from(1_000_000));
        let reverse_quote = quote_swap(ETH, quoted.to_amount, USDC, NOON).unwrap();
        // There and back costs twice fee and spread, about 0.4 %.
        assert!(
            reverse_quote.to_amount < U256::from(996_100_000) && reverse_quote.to_amount > U256::from(995_900_000),
            "{reverse_quote:?}"
        );
        assert_eq!(quote_swap(USDC, U256::ZERO, ETH, NOON), None);
        assert_eq!(quote_swap(ETH, U256::from(1), USDC, NOON), None, "too little to give anything");
        assert_eq!(quote_swap(ETH, U256::MAX, USDC, NOON), None, "too much to be counted");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_round_trip_ever_gains(amount in 1_000_000_u64.., from in 0..USUAL_PRICES.len(), to in 0..USUAL_PRICES.len(), window in 0..100_000_i64) {
            let coin = |n: usize| {
                ListedCoin { symbol: USUAL_PRICES[n].0, decimals: if n.is_multiple_of(2) { 18 } else { 6 } }
            };
            let now = after(window * PRICE_WINDOW_MILLIS);
            if let Some(quote) = quote_swap(coin(from), U256::from(amount), coin(to), now) {
                let reverse_quote = quote_swap(coin(to), quote.to_amount, coin(from), now);
                prop_assert!(reverse_quote.is_none_or(|reverse_quote| reverse_quote.to_amount < U256::from(amount)));
            }
        }
    }
}
