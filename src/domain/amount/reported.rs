//! Amounts as a service reports them: an exact integer and a formatted text, which should agree.

use std::cmp::Ordering;

use super::{Amount, join_decimal_parts};
use crate::domain::Text;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ReportedAmount {
    /// Integer and text agree, or only one of them was reported.
    Exact(Amount),
    /// Integer and text disagree. The row is marked, and left out of sums.
    Disputed {
        /// The amount that counts: the integer's, or the text's where the integer cannot be read.
        raw: Amount,
        formatted: Text,
    },
}

impl ReportedAmount {
    /// Parses a reported amount; `None` where nothing usable was reported. An empty text counts as absent.
    ///
    /// Without decimals, or without `raw`, the formatted text alone counts, with the token's fraction digits where they
    /// are known and suffice, else with its own.
    pub fn parse(formatted: Option<&str>, raw: Option<&str>, decimals: Option<u8>) -> Option<Self> {
        let formatted = formatted.filter(|text| !text.is_empty());
        let raw = raw.filter(|text| !text.is_empty());
        let formatted_amount = formatted.and_then(parse_decimal_with_exponent).map(|formatted_amount| {
            let widened = decimals.and_then(|decimals| formatted_amount.rescaled(decimals));
            widened.unwrap_or(formatted_amount)
        });
        let Some((raw, decimals)) = raw.zip(decimals) else {
            return formatted_amount.map(Self::Exact);
        };
        let disputed = |raw, contradiction| Some(Self::Disputed { raw, formatted: Text::clean(contradiction) });
        match (Amount::parse_raw(raw, decimals), formatted, formatted_amount) {
            (Some(exact), None, _) => Some(Self::Exact(exact)),
            (Some(exact), Some(_), Some(formatted_amount)) if formatted_amount.cmp_value(exact) == Ordering::Equal => {
                Some(Self::Exact(exact))
            }
            (Some(exact), Some(formatted), _) => disputed(exact, formatted),
            (None, _, Some(formatted_amount)) => disputed(formatted_amount, raw),
            (None, _, None) => None,
        }
    }

    /// The amount that counts, also where it is disputed.
    pub fn even_if_disputed(&self) -> Amount {
        match self {
            Self::Exact(amount) | Self::Disputed { raw: amount, .. } => *amount,
        }
    }

    /// The amount, unless it is disputed.
    pub fn exact(&self) -> Option<Amount> {
        match self {
            Self::Exact(amount) => Some(*amount),
            Self::Disputed { .. } => None,
        }
    }
}

/// The most digits of a formatted amount: 2^256 has 78.
const MAX_DIGITS: usize = 78;

/// The largest exponent in either direction. It bounds the zeros that are written out below.
const MAX_EXPONENT: i32 = 100;

/// Parses a formatted amount: `digits[.digits][(e|E)[+|-]digits]`, within 78 digits and an exponent of 100.
fn parse_decimal_with_exponent(text: &str) -> Option<Amount> {
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            if !all_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)) {
                return None;
            }
            (mantissa, exponent.parse::<i32>().ok()?)
        }
        None => (text, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, fraction)) if !all_digits(fraction) => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    if !all_digits(whole)
        || whole.len() + fraction.len() > MAX_DIGITS
        || !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&exponent)
    {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()?.checked_add(exponent)?;
    let (whole, fraction) = if let Ok(point) = usize::try_from(point) {
        let padded = format!("{digits:0<point$}");
        let (whole, fraction) = padded.split_at(point);
        (whole.to_owned(), fraction.to_owned())
    } else {
        let zeros = usize::try_from(point.unsigned_abs()).ok()?;
        (String::new(), format!("{}{digits}", "0".repeat(zeros)))
    };
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let decimals = u8::try_from(fraction.len()).ok()?;
    Amount::parse(&join_decimal_parts(if whole.is_empty() { "0" } else { whole }, fraction), decimals).ok()
}
