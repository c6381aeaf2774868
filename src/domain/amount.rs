//! Exact amounts: a 256-bit integer of smallest units and the number of fraction digits.
//!
//! One strict parser and one printer. No binary floating point, no rounding, no arithmetic that wraps.

use std::cmp::Ordering;
use std::fmt;

use ruint::aliases::U256;

use super::Text;

/// An exact amount of one token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    raw: U256,
    decimals: u8,
}

/// Why a text is no amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Nothing was written.
    #[error("an amount is missing")]
    Empty,
    /// A comma, which means thousands to some and a fraction to others.
    #[error("write the fraction with a point and no thousands separator: 1234.56")]
    Comma,
    /// Something that is neither digit nor point.
    #[error("“{0}” does not belong in an amount; use digits and one point, as in 1234.56")]
    Character(char),
    /// Not of the form digits, or digits point digits.
    #[error("an amount has digits on both sides of its point, and one point at most: 0.5")]
    Form,
    /// A leading zero, as in `01`.
    #[error("an amount does not start with a needless zero; write {0}")]
    LeadingZero(String),
    /// More fraction digits than the token has.
    #[error("this token has {decimals} fraction digits; the longest that fits is {longest}")]
    TooPrecise {
        /// Fraction digits of the token.
        decimals: u8,
        /// The value cut to them.
        longest: String,
    },
    /// Above 2^256 − 1 smallest units.
    #[error("the amount is larger than any token can hold")]
    TooLarge,
}

impl Amount {
    /// The most fraction digits that an amount can have: 10^77 is the largest power of ten below 2^256.
    pub const MAX_DECIMALS: u8 = 77;

    /// An amount of so many smallest units; `None` if it has more than [`Amount::MAX_DECIMALS`] fraction digits.
    pub fn new(raw: U256, decimals: u8) -> Option<Self> {
        (decimals <= Self::MAX_DECIMALS).then_some(Self { raw, decimals })
    }

    /// Nothing, of a token with so many fraction digits (at most [`Amount::MAX_DECIMALS`] are kept).
    pub fn zero(decimals: u8) -> Self {
        Self { raw: U256::ZERO, decimals: decimals.min(Self::MAX_DECIMALS) }
    }

    /// Reads what a person or a request may write: ASCII digits, at most one point, a digit on each side of it; no
    /// sign, exponent, separator or blank; no needless leading zero; no more fraction digits than the token has.
    pub fn parse(text: &str, decimals: u8) -> Result<Self, AmountError> {
        let decimals = decimals.min(Self::MAX_DECIMALS);
        if text.is_empty() {
            return Err(AmountError::Empty);
        }
        if text.contains(',') {
            return Err(AmountError::Comma);
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
            return Err(AmountError::LeadingZero(join(whole, fraction)));
        }
        if fraction.len() > usize::from(decimals) {
            let longest = join(whole, &fraction[..usize::from(decimals)]);
            return Err(AmountError::TooPrecise { decimals, longest });
        }
        let zeros = usize::from(decimals) - fraction.len();
        let raw = digits(whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', zeros)))
            .ok_or(AmountError::TooLarge)?;
        Ok(Self { raw, decimals })
    }

    /// Reads an integer of smallest units, as `raw` carries it: ASCII digits only.
    pub fn parse_raw(text: &str, decimals: u8) -> Option<Self> {
        if text.is_empty() || text.len() > 256 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::new(digits(text.bytes())?, decimals)
    }

    /// Smallest units.
    pub fn raw(self) -> U256 {
        self.raw
    }

    /// Fraction digits.
    pub fn decimals(self) -> u8 {
        self.decimals
    }

    /// Whether this is nothing.
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

    /// Which of two is worth more of its token; amounts with different fraction digits are compared by value.
    pub fn cmp_value(self, other: Self) -> Ordering {
        let (a_whole, a_fraction) = self.parts();
        let (b_whole, b_fraction) = other.parts();
        a_whole
            .len()
            .cmp(&b_whole.len())
            .then_with(|| a_whole.cmp(&b_whole))
            .then_with(|| a_fraction.trim_end_matches('0').cmp(b_fraction.trim_end_matches('0')))
    }

    /// The digits before and after the point; the fraction has all its digits.
    pub fn parts(self) -> (String, String) {
        let digits = self.raw.to_string();
        let decimals = usize::from(self.decimals);
        if digits.len() > decimals {
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            (whole.to_owned(), fraction.to_owned())
        } else {
            ("0".to_owned(), format!("{digits:0>decimals$}"))
        }
    }

    /// For people: thousands grouped by commas, needless zeros of the fraction left out, nothing rounded.
    pub fn grouped(self) -> String {
        let (whole, fraction) = self.parts();
        join(&group(&whole), fraction.trim_end_matches('0'))
    }
}

/// Digits with a comma before each group of three.
fn group(whole: &str) -> String {
    let mut grouped = String::with_capacity(whole.len() + whole.len() / 3);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn join(whole: &str, fraction: &str) -> String {
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// ruint's own parser takes signs of other bases and reads nothing as zero, so digits are added up here.
fn digits(bytes: impl Iterator<Item = u8>) -> Option<U256> {
    let ten = U256::from(10_u8);
    let mut sum = U256::ZERO;
    for byte in bytes {
        sum = sum.checked_mul(ten)?.checked_add(U256::from(byte.checked_sub(b'0')?))?;
    }
    Some(sum)
}

impl fmt::Display for Amount {
    /// Plain digits, as requests carry them: no grouping, needless zeros of the fraction left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = self.parts();
        f.pad(&join(&whole, fraction.trim_end_matches('0')))
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amount({self} / {})", self.decimals)
    }
}

/// An amount as a service stated it: an exact integer and its formatted twin, which ought to agree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stated {
    /// Both agree, or only one was given.
    Exact(Amount),
    /// They disagree. `raw` is what counts; the row is marked, and left out of sums.
    Disputed {
        /// What the integer says.
        raw: Amount,
        /// What the text says.
        formatted: Text,
    },
}

impl Stated {
    /// Reads an amount as a service stated it; `None` when nothing usable was stated.
    ///
    /// Without decimals, or without `raw`, the formatted text alone counts, with the fraction digits that it shows.
    pub fn read(formatted: Option<&str>, raw: Option<&str>, decimals: Option<u8>) -> Option<Self> {
        let text = formatted.and_then(read_formatted);
        let Some(exact) = raw.zip(decimals).and_then(|(raw, decimals)| Amount::parse_raw(raw, decimals)) else {
            let shown = text?;
            let widened = decimals.and_then(|decimals| Amount::parse(&shown.to_string(), decimals).ok());
            return Some(Self::Exact(widened.unwrap_or(shown)));
        };
        match (formatted, text) {
            (None, _) => Some(Self::Exact(exact)),
            (Some(_), Some(text)) if text.cmp_value(exact) == Ordering::Equal => Some(Self::Exact(exact)),
            (Some(formatted), _) => Some(Self::Disputed { raw: exact, formatted: Text::clean(formatted) }),
        }
    }

    /// The amount that counts: `raw`, also where it is disputed.
    pub fn raw(&self) -> Amount {
        match self {
            Self::Exact(amount) | Self::Disputed { raw: amount, .. } => *amount,
        }
    }

    /// The amount, where nothing contradicts it.
    pub fn exact(&self) -> Option<Amount> {
        match self {
            Self::Exact(amount) => Some(*amount),
            Self::Disputed { .. } => None,
        }
    }
}

/// Reads a formatted amount of a service: a point, and also an exponent, within 78 digits and ±100.
fn read_formatted(text: &str) -> Option<Amount> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let valid = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !valid(whole) || !valid(fraction) || exponent.abs() > 100 {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    if digits.len() > 155 {
        return None;
    }
    let point = i32::try_from(whole.len()).ok()?.checked_add(exponent)?;
    let (whole, fraction) = if point <= 0 {
        ("0".to_owned(), format!("{}{digits}", "0".repeat(usize::try_from(-point).ok()?)))
    } else {
        let point = usize::try_from(point).ok()?;
        let padded = format!("{digits:0<point$}");
        let (whole, fraction) = padded.split_at(point);
        (whole.to_owned(), fraction.to_owned())
    };
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let decimals = u8::try_from(fraction.len()).ok().filter(|digits| *digits <= Amount::MAX_DECIMALS)?;
    Amount::parse(&join(if whole.is_empty() { "0" } else { whole }, fraction), decimals).ok()
}
