//! Values of rows as sort keys: across tokens, bare amounts cannot be compared.

use std::collections::HashMap;

use super::dictionary::{Dictionary, PhraseCode};
use super::row::{line_fields, transfer_fields};
use super::scan::{Imitations, row_codes};
use super::segment::amount_sort_key;
use crate::domain::history::PriceList;
use crate::domain::{DatedRate, Day, PriceHistory, ReportedAmount, Timestamp, Token};

pub(super) struct RowPricer {
    /// The present prices by transfer phrase.
    present: HashMap<PhraseCode, u64>,
    /// The prices of past days by transfer phrase, for transfer phrases that have some.
    past_by_day: HashMap<PhraseCode, Vec<(Day, u64)>>,
    imitations: Imitations,
}

impl RowPricer {
    /// Every phrase must be loaded. Imitations of a listed token are worth nothing.
    pub(super) fn new(prices: &PriceList, tokens: &[Token], phrases: &Dictionary) -> Self {
        let mut present = HashMap::new();
        phrases.for_each_line(|code, line| {
            if !line.starts_with('k') {
                return;
            }
            let symbol = line_fields(line).nth(transfer_fields::SYMBOL).flatten().unwrap_or_default();
            let price = prices.prices.iter().find(|(other, _)| other.eq_ignore_ascii_case(symbol));
            if let Some((_, price)) = price {
                present.insert(code, amount_sort_key(Some(&ReportedAmount::Exact(*price))));
            }
        });
        Self { present, past_by_day: HashMap::new(), imitations: Imitations::of_listed_tokens("", tokens, phrases) }
    }

    /// Adds the recorded prices of past days.
    pub(super) fn with_history(mut self, history: &PriceHistory, phrases: &Dictionary) -> Self {
        phrases.for_each_line(|code, line| {
            if !line.starts_with('k') {
                return;
            }
            let symbol = line_fields(line).nth(transfer_fields::SYMBOL).flatten().unwrap_or_default();
            let day_price = |dated: &DatedRate| {
                Some((dated.day(), amount_sort_key(Some(&ReportedAmount::Exact(dated.rate.amount()?)))))
            };
            let days: Vec<(Day, u64)> = history.rates_of(symbol).iter().filter_map(day_price).collect();
            if !days.is_empty() {
                self.past_by_day.insert(code, days);
            }
        });
        self
    }

    /// The price of each row of a segment on the row's own day where that is known, else the present one.
    pub(super) fn row_prices_on_their_days(&self, codes: &[u8], times: &[u8]) -> Vec<u64> {
        let mut prices = self.row_prices(codes);
        if self.past_by_day.is_empty() {
            return prices;
        }
        let imitating = self.imitations.imitating_rows(codes);
        let rows = row_codes(codes, 1).into_iter().zip(times.as_chunks::<4>().0).enumerate();
        for ((position, (code, time)), price) in rows.zip(&mut prices) {
            let Some(days) = self.past_by_day.get(&code).filter(|_| !imitating.has(position)) else { continue };
            let seconds = u32::from_le_bytes(*time);
            let day = Day::from_timestamp(Timestamp::from_millis(i64::from(seconds) * 1_000));
            if let Ok(at) = days.binary_search_by_key(&day, |(of_day, _)| *of_day) {
                *price = days[at].1;
            }
        }
        prices
    }

    /// The price of each row of a segment, the newest first; 0 where there is none.
    pub(super) fn row_prices(&self, codes: &[u8]) -> Vec<u64> {
        let imitating = self.imitations.imitating_rows(codes);
        let codes_of_rows = row_codes(codes, 1).into_iter().enumerate();
        let price = |(position, code)| if imitating.has(position) { None } else { self.present.get(&code).copied() };
        codes_of_rows.map(|row| price(row).unwrap_or(0)).collect()
    }
}

const LEADING_DIGITS: u32 = 16;
const MANTISSA_MASK: u64 = (1 << 56) - 1;

/// The key of an amount times the key of a price, both from [`amount_sort_key`]: a number that sorts as the values do.
/// Rows without a price come last, below those of value zero.
pub(super) fn value_sort_key(amount: u64, price: u64) -> u64 {
    if amount <= 1 || price <= 1 {
        return if price > 1 { amount } else { 0 };
    }
    let product = u128::from(amount & MANTISSA_MASK) * u128::from(price & MANTISSA_MASK);
    // The product of two sixteen-digit numbers has 31 or 32 digits.
    let carries = product >= 10_u128.pow(2 * LEADING_DIGITS - 1);
    let leading = product / 10_u128.pow(if carries { LEADING_DIGITS } else { LEADING_DIGITS - 1 });
    let magnitude = ((amount >> 56) + (price >> 56) + u64::from(carries)).saturating_sub(129).clamp(1, 255);
    magnitude << 56 | u64::try_from(leading).unwrap_or(MANTISSA_MASK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Amount;

    fn sort_key_of(text: &str) -> u64 {
        amount_sort_key(Some(&ReportedAmount::Exact(Amount::parse(text, 18).unwrap())))
    }

    #[test]
    fn values_sort_as_the_products_do() {
        for (amount, price, value) in [
            ("2", "3", "6"),
            ("5", "4", "20"),
            ("0.000001", "91686", "0.091686"),
            ("4215.48", "1", "4215.48"),
            ("0.042628", "3136.87", "133.71849436"),
            ("99999999.5", "0.000025", "2499.9999875"),
        ] {
            assert_eq!(
                value_sort_key(sort_key_of(amount), sort_key_of(price)),
                sort_key_of(value),
                "{amount} at {price}"
            );
        }
        assert!(
            value_sort_key(sort_key_of("1"), sort_key_of("91000"))
                > value_sort_key(sort_key_of("80000"), sort_key_of("1"))
        );
        assert_eq!(value_sort_key(sort_key_of("1"), 0), 0, "without a price");
        assert_eq!(value_sort_key(0, sort_key_of("1")), 0, "without an amount");
        assert_eq!(value_sort_key(sort_key_of("0"), sort_key_of("1")), 1, "nothing at all");
    }
}
