//! Values of rows as sort keys: across tokens, bare amounts cannot be compared.

use std::collections::HashMap;

use super::dictionary::{Dictionary, PhraseCode};
use super::row::{kind_fields, line_fields};
use super::scan::{Imitations, row_codes};
use super::segment::amount_sort_key;
use crate::domain::history::PriceList;
use crate::domain::{ReportedAmount, Token};

pub(super) struct PricesByKind {
    by_kind: HashMap<PhraseCode, u64>,
    imitations: Imitations,
}

impl PricesByKind {
    /// Every phrase must be loaded. Imitations of a listed token are worth nothing.
    pub(super) fn new(prices: &PriceList, listed: &[Token], phrases: &Dictionary) -> Self {
        let mut by_kind = HashMap::new();
        phrases.for_each_line(|code, line| {
            if !line.starts_with('k') {
                return;
            }
            let symbol = line_fields(line).nth(kind_fields::SYMBOL).flatten().unwrap_or_default();
            let price = prices.prices.iter().find(|(known, _)| known.eq_ignore_ascii_case(symbol));
            if let Some((_, price)) = price {
                by_kind.insert(code, amount_sort_key(Some(&ReportedAmount::Exact(*price))));
            }
        });
        Self { by_kind, imitations: Imitations::of("", listed, phrases) }
    }

    /// The price of each row of a segment, the newest first; 0 where there is none.
    pub(super) fn row_prices(&self, codes: &[u8]) -> Vec<u64> {
        let imitating = self.imitations.imitating_rows(codes);
        let kinds = row_codes(codes, 1).into_iter().enumerate();
        let price = |(position, code)| if imitating.has(position) { None } else { self.by_kind.get(&code).copied() };
        kinds.map(|row| price(row).unwrap_or(0)).collect()
    }
}

const LEADING_DIGITS: u32 = 16;
const MANTISSA_MASK: u64 = (1 << 56) - 1;

/// The key of an amount times the key of a price, both from [`amount_key`]: a number that sorts as the values do. Rows
/// without a price come last, below those of value zero.
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
