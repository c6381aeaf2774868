//! How fast the sample business lives.

use std::fmt;
use std::str::FromStr;

use crate::domain::Amount;

/// How fast the sample business lives, in thousandths of its usual pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(u32);

/// A text is no pace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a pace is a number from 0.1 to 100 with at most three digits after its point, as in 2.5")]
pub struct PaceError;

impl Pace {
    /// Thousandths of the usual pace, from 100 to 100,000.
    pub fn per_mille(self) -> u32 {
        self.0
    }
}

impl FromStr for Pace {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Self, PaceError> {
        let thousandths = Amount::parse(text, 3).ok().and_then(|amount| u32::try_from(amount.raw()).ok());
        thousandths.filter(|thousandths| (100..=100_000).contains(thousandths)).map(Self).ok_or(PaceError)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.0 / 1000, self.0 % 1000);
        let fraction = format!("{thousandths:03}");
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            digits => write!(f, "{whole}.{digits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_exact_thousandths() {
        for (text, per_mille) in [("1", 1000), ("0.1", 100), ("2.5", 2500), ("100", 100_000), ("1.001", 1001)] {
            let pace: Pace = text.parse().unwrap();
            assert_eq!(pace.per_mille(), per_mille);
            assert_eq!(pace.to_string(), text);
        }
        for text in ["", "0.099", "100.001", "1.0001", "-1", "1e1", ".5", "fast"] {
            assert_eq!(text.parse::<Pace>(), Err(PaceError), "{text}");
        }
    }
}
