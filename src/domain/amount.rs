//! Exact amounts: a 256-bit integer of smallest units and the number of fraction digits.
//!
//! One strict parser and one printer. No binary floating point, no rounding, no arithmetic that wraps.

use std::cmp::Ordering;
use std::fmt;

use compact_str::{CompactString, ToCompactString};
use ruint::aliases::U256;

use super::text::{pad_uncut, quote_character};

mod percent;
mod reported;
#[cfg(test)]
mod tests;

pub use percent::{Percent, PercentError};
pub use reported::ReportedAmount;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    raw: U256,
    decimals: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    #[error("an amount is missing")]
    Empty,
    /// A comma, which separates thousands for some and a fraction for others.
    #[error("write the fraction with a point and no thousands separator: 1234.56")]
    Comma,
    /// Commas that can only separate thousands, with the amount without them.
    #[error("the commas look like thousands separators; write the amount without them: {0}")]
    Thousands(String),
    #[error(
        "the comma may separate thousands or be a decimal point: write {thousands} or {fraction}, whichever is meant"
    )]
    Ambiguous {
        /// The amount, if the comma separates thousands.
        thousands: String,
        /// The amount, if the comma is the point.
        fraction: String,
    },
    #[error("{} does not belong in an amount; use digits and one point, as in 1234.56", quote_character(*.0))]
    Character(char),
    #[error("an amount has digits on both sides of its point, and one point at most: 0.5")]
    Form,
    #[error("an amount has no leading zero; write {0}")]
    LeadingZero(String),
    #[error("this token has {decimals} fraction digits; the smallest amount is {least}")]
    TooSmall { decimals: u8, least: String },
    #[error("this token has {decimals} fraction digits; shorten the amount to {longest}")]
    TooPrecise {
        decimals: u8,
        /// The amount cut to the token's fraction digits.
        longest: String,
    },
    /// The token reportedly has more fraction digits than an amount can have.
    #[error("this token has {0} fraction digits; at most {max} are supported", max = Amount::MAX_DECIMALS)]
    Decimals(u8),
    /// Above 2^256 − 1 smallest units.
    #[error("the amount is larger than any token can hold")]
    TooLarge,
}

impl Amount {
    /// The most fraction digits that an amount can have: 10^77 is the largest power of ten below 2^256.
    pub const MAX_DECIMALS: u8 = 77;

    /// `None` if there are more than [`Amount::MAX_DECIMALS`] fraction digits.
    pub fn new(raw: U256, decimals: u8) -> Option<Self> {
        (decimals <= Self::MAX_DECIMALS).then_some(Self { raw, decimals })
    }

    /// Zero of a token. More than [`Amount::MAX_DECIMALS`] fraction digits are no error here.
    pub fn zero(decimals: u8) -> Self {
        Self { raw: U256::ZERO, decimals: decimals.min(Self::MAX_DECIMALS) }
    }

    /// Parses what a person or a request may write: ASCII digits, at most one point, a digit on each side of it; no
    /// sign, exponent, separator or blank; no needless leading zero; no more fraction digits than the token has.
    pub fn parse(text: &str, decimals: u8) -> Result<Self, AmountError> {
        if decimals > Self::MAX_DECIMALS {
            return Err(AmountError::Decimals(decimals));
        }
        if text.is_empty() {
            return Err(AmountError::Empty);
        }
        if text.contains(',') {
            return Err(comma_error(text));
        }
        if let Some(stranger) = text.chars().find(|c| !c.is_ascii_digit() && *c != '.') {
            return Err(AmountError::Character(stranger));
        }
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return Err(AmountError::Form),
            Some((whole, fraction)) if !fraction.contains('.') => (whole, fraction),
            Some(_) => return Err(AmountError::Form),
            None => (text, ""),
        };
        if whole.is_empty() {
            return Err(AmountError::Form);
        }
        if whole.len() > 1 && whole.starts_with('0') {
            let trimmed = whole.trim_start_matches('0');
            let whole = if trimmed.is_empty() { "0" } else { trimmed };
            return Err(AmountError::LeadingZero(join_decimal_parts(whole, fraction)));
        }
        if fraction.len() > usize::from(decimals) {
            let longest = join_decimal_parts(whole, &fraction[..usize::from(decimals)]);
            let is_zero = |text: &str| text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
            if is_zero(&longest) && !is_zero(text) {
                let least = Self { raw: U256::ONE, decimals }.to_string();
                return Err(AmountError::TooSmall { decimals, least });
            }
            return Err(AmountError::TooPrecise { decimals, longest });
        }
        let zeros = usize::from(decimals) - fraction.len();
        let raw = parse_digits(whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', zeros)))
            .ok_or(AmountError::TooLarge)?;
        Ok(Self { raw, decimals })
    }

    /// The same with the fraction digits that the text shows, at most `most` of them.
    pub fn parse_as_written(text: &str, most: u8) -> Result<Self, AmountError> {
        let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        Self::parse(text, u8::try_from(digits).unwrap_or(u8::MAX).min(most))
    }

    /// Parses an integer of smallest units, as the field `raw` carries it: ASCII digits only.
    pub fn parse_raw(text: &str, decimals: u8) -> Option<Self> {
        if text.is_empty() || text.len() > 256 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::new(parse_digits(text.bytes())?, decimals)
    }

    /// In smallest units.
    pub fn raw(self) -> U256 {
        self.raw
    }

    pub fn decimals(self) -> u8 {
        self.decimals
    }

    pub fn is_zero(self) -> bool {
        self.raw.is_zero()
    }

    /// The sum; `None` if it is too large, or if the two have different fraction digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if self.decimals != other.decimals {
            return None;
        }
        Some(Self { raw: self.raw.checked_add(other.raw)?, decimals: self.decimals })
    }

    /// The difference; `None` if it is below zero, or if the two have different fraction digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        if self.decimals != other.decimals {
            return None;
        }
        Some(Self { raw: self.raw.checked_sub(other.raw)?, decimals: self.decimals })
    }

    /// The same value with other fraction digits; `None` if they cannot express it exactly, or if it is too large.
    pub fn rescaled(self, decimals: u8) -> Option<Self> {
        if decimals > Self::MAX_DECIMALS {
            return None;
        }
        let ten = U256::from(10_u8);
        let factor = ten.checked_pow(U256::from(decimals.abs_diff(self.decimals)))?;
        let raw = if decimals >= self.decimals {
            self.raw.checked_mul(factor)?
        } else if self.raw.checked_rem(factor)?.is_zero() {
            self.raw.checked_div(factor)?
        } else {
            return None;
        };
        Some(Self { raw, decimals })
    }

    /// The sum by value, with the larger number of fraction digits; `None` if it is too large.
    pub fn checked_add_rescaled(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        self.rescaled(decimals)?.checked_add(other.rescaled(decimals)?)
    }

    /// The difference, whatever the fraction digits; `None` below zero and where it is too large for them.
    pub fn checked_sub_rescaled(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        self.rescaled(decimals)?.checked_sub(other.rescaled(decimals)?)
    }

    /// The product; `None` if it is too large.
    pub fn checked_mul(self, factor: u16) -> Option<Self> {
        Some(Self { raw: self.raw.checked_mul(U256::from(factor))?, decimals: self.decimals })
    }

    /// Compares by value, whatever the fraction digits.
    pub fn cmp_value(self, other: Self) -> Ordering {
        if self.decimals == other.decimals {
            return self.raw.cmp(&other.raw);
        }
        let (a_whole, a_fraction) = self.decimal_parts();
        let (b_whole, b_fraction) = other.decimal_parts();
        a_whole
            .len()
            .cmp(&b_whole.len())
            .then_with(|| a_whole.cmp(&b_whole))
            .then_with(|| a_fraction.trim_end_matches('0').cmp(b_fraction.trim_end_matches('0')))
    }

    /// How many whole times `other` fits into this amount, and whether it fits exactly; `None` where `other` is zero,
    /// or where the two cannot be brought to the same fraction digits.
    pub fn divide_with_exactness(self, other: Self) -> Option<(U256, bool)> {
        let decimals = self.decimals.max(other.decimals);
        let (own, other) = (self.rescaled(decimals)?.raw, other.rescaled(decimals)?.raw);
        Some((own.checked_div(other)?, own.checked_rem(other)?.is_zero()))
    }

    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        if other.cmp_value(self).is_gt() { other } else { self }
    }

    /// The digits of the raw integer.
    pub fn raw_digits(self) -> CompactString {
        // Nearly every amount fits a u128, which prints much faster.
        u128::try_from(self.raw).map_or_else(|_| self.raw.to_compact_string(), |small| small.to_compact_string())
    }

    /// The digits before and after the point; the fraction is not trimmed.
    pub fn decimal_parts(self) -> (String, String) {
        let digits = self.raw_digits();
        let decimals = usize::from(self.decimals);
        if digits.len() > decimals {
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            (whole.to_owned(), fraction.to_owned())
        } else {
            ("0".to_owned(), format!("{digits:0>decimals$}"))
        }
    }

    /// For people: thousands grouped by commas, trailing zeros of the fraction dropped, nothing rounded.
    pub fn format_grouped(self) -> String {
        let mut text = CompactString::default();
        self.push_grouped(&mut text);
        text.into_string()
    }

    /// Appends what [`format_grouped`](Self::format_grouped) returns.
    pub fn push_grouped(self, text: &mut CompactString) {
        let digits = self.raw_digits();
        let decimals = usize::from(self.decimals);
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
        push_with_thousands_separators(text, if whole.is_empty() { "0" } else { whole });
        let significant = fraction.trim_end_matches('0');
        if !significant.is_empty() {
            text.push('.');
            text.extend(std::iter::repeat_n('0', decimals - fraction.len()));
            text.push_str(significant);
        }
    }
}

/// The error for an amount with a comma. The amount is suggested only where it can be read in one way: a point after
/// the commas, or several commas, show that they separate thousands.
fn comma_error(text: &str) -> AmountError {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && is_digits(first)
        && groups.all(|group| group.len() == 3 && is_digits(group));
    let has_point = text.contains('.');
    if !is_grouped || !is_digits(fraction) || (has_point && fraction.is_empty()) {
        return AmountError::Comma;
    }
    let plain = join_decimal_parts(&whole.replace(',', ""), fraction);
    if has_point || whole.matches(',').count() > 1 {
        AmountError::Thousands(plain)
    } else {
        AmountError::Ambiguous { thousands: plain, fraction: whole.replace(',', ".") }
    }
}

/// The amount without its commas, where they can only separate thousands: a suggestion, never accepted by itself.
pub fn without_thousands_separators(text: &str) -> Option<String> {
    match text.contains(',').then(|| comma_error(text)) {
        Some(AmountError::Thousands(plain)) => Some(plain),
        _ => None,
    }
}

pub fn insert_thousands_separators(whole: &str) -> String {
    let mut grouped = CompactString::default();
    push_with_thousands_separators(&mut grouped, whole);
    grouped.into_string()
}

fn push_with_thousands_separators(text: &mut CompactString, whole: &str) {
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
}

fn join_decimal_parts(whole: &str, fraction: &str) -> String {
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// ruint's own parser accepts base prefixes and reads an empty text as zero, so the digits are added up here: as many at
/// a time as a machine word takes.
fn parse_digits(bytes: impl Iterator<Item = u8>) -> Option<U256> {
    const WORD: u64 = 10_u64.pow(19);
    let append =
        |sum: U256, digits: u64, scale: u64| sum.checked_mul(U256::from(scale))?.checked_add(U256::from(digits));
    let (mut sum, mut digits, mut scale) = (U256::ZERO, 0_u64, 1_u64);
    for byte in bytes {
        digits = digits * 10 + u64::from(byte.checked_sub(b'0')?);
        scale *= 10;
        if scale == WORD {
            sum = append(sum, digits, scale)?;
            (digits, scale) = (0, 1);
        }
    }
    append(sum, digits, scale)
}

impl fmt::Display for Amount {
    /// Plain digits, as requests carry them: no grouping, trailing zeros of the fraction dropped.
    ///
    /// A width is honoured, a precision is not: `{:.2}` of a text would cut off digits and so show another amount.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = self.decimal_parts();
        pad_uncut(f, &join_decimal_parts(&whole, fraction.trim_end_matches('0')))
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amount({self} / {})", self.decimals)
    }
}
