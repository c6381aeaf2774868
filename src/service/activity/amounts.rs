//! Amounts of the sample business: many small, few large, in integers throughout.

use ruint::aliases::U256;

use crate::service::rng::Rng;

/// Median payments in cents with their weights: a bell curve over steps of about 2.5 times.
const PAYMENT_STEPS: [(u64, u64); 10] = [
    (450, 2),
    (1_100, 6),
    (2_800, 13),
    (7_000, 21),
    (17_500, 24),
    (44_000, 18),
    (110_000, 9),
    (270_000, 5),
    (680_000, 2),
    (1_700_000, 1),
];

/// Rough value of a token in cents, to make amounts plausible; nothing is valued by it.
const TOKEN_CENTS: [(&str, u64); 12] = [
    ("ETH", 291_000),
    ("BNB", 61_000),
    ("POL", 48),
    ("SOL", 14_800),
    ("USDT", 100),
    ("USDC", 100),
    ("DAI", 100),
    ("LINK", 1_420),
    ("WBTC", 6_430_000),
    ("BTC", 6_430_000),
    ("TRX", 28),
    ("XRP", 214),
];

/// A random payment in cents.
pub(super) fn random_payment_cents(rng: &mut Rng) -> u64 {
    let weights: [u64; PAYMENT_STEPS.len()] = PAYMENT_STEPS.map(|(_, weight)| weight);
    let (middle, _) = PAYMENT_STEPS[rng.weighted(&weights).min(PAYMENT_STEPS.len() - 1)];
    rng.in_range(middle * 6 / 10, middle * 16 / 10).max(1)
}

/// Cents converted to a token's smallest units, rounded down to the digits that people write: two for stable tokens,
/// six for others.
pub(super) fn cents_to_token_units(symbol: &str, decimals: u8, cents: u64) -> U256 {
    let worth = TOKEN_CENTS.iter().find(|(other, _)| *other == symbol).map_or(100, |(_, worth)| *worth);
    let digits = decimals.min(if worth == 100 { 2 } else { 6 });
    let steps = u128::from(cents) * 10_u128.pow(u32::from(digits)) / u128::from(worth);
    let scale = U256::from(10).checked_pow(U256::from(decimals - digits)).unwrap_or(U256::ONE);
    U256::from(steps.max(1)).checked_mul(scale).unwrap_or(U256::MAX)
}

/// A share of an amount, in hundredths.
pub(super) fn percent_of(amount: U256, hundredths: u64) -> U256 {
    let hundred = U256::from(100);
    amount.checked_div(hundred).and_then(|part| part.checked_mul(U256::from(hundredths))).unwrap_or(U256::ZERO)
}

/// An amount cut to so many fraction digits.
pub(super) fn truncate_fraction_digits(amount: U256, decimals: u8, fraction_digits: u8) -> U256 {
    let scale = U256::from(10).checked_pow(U256::from(decimals.saturating_sub(fraction_digits))).unwrap_or(U256::ONE);
    amount.checked_div(scale).and_then(|steps| steps.checked_mul(scale)).unwrap_or(amount)
}
