//! A share of an amount in percent, rounded down to what the token can express.

use ruint::aliases::U256;

use super::{Amount, AmountError};

/// A percentage above zero and up to a hundred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percent {
    /// In ten-thousandths of a percent.
    parts: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PercentError {
    #[error("{0}")]
    Form(AmountError),
    #[error("a share of the balance is above 0% and at most 100%")]
    Range,
}

impl Percent {
    const FRACTION_DIGITS: u8 = 4;
    /// The parts of a whole.
    const WHOLE: u32 = 1_000_000;

    /// Of a whole number of percent, at most a hundred.
    pub fn from_whole_percent(percent: u8) -> Self {
        Self { parts: u32::from(percent.min(100)) * (Self::WHOLE / 100) }
    }

    /// Parses what a person may write: an amount, and the sign `%` directly behind it. `None` without the sign.
    ///
    /// # Errors
    /// What is wrong with the number in front of the sign.
    pub fn parse(text: &str) -> Option<Result<Self, PercentError>> {
        let number = Amount::parse(text.strip_suffix('%')?, Self::FRACTION_DIGITS);
        Some(number.map_err(PercentError::Form).and_then(|number| {
            let parts = u32::try_from(number.raw()).ok().filter(|parts| (1..=Self::WHOLE).contains(parts));
            parts.map(|parts| Self { parts }).ok_or(PercentError::Range)
        }))
    }
}

impl Amount {
    /// The share, rounded down: never more than the amount.
    pub fn share(self, percent: Percent) -> Option<Self> {
        let (whole, parts) = (U256::from(Percent::WHOLE), U256::from(percent.parts));
        // Divided first, so that no product exceeds the amount.
        let (hundreds, rest) = (self.raw.checked_div(whole)?, self.raw.checked_rem(whole)?);
        let raw = hundreds.checked_mul(parts)?.checked_add(rest.checked_mul(parts)?.checked_div(whole)?)?;
        Self::new(raw, self.decimals)
    }
}
