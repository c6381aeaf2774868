//! How fast the sample business lives, as it is written.

use crate::domain::Amount;
use crate::service::Pace;

/// Reads a pace: a number from 0.1 to 100.
pub(super) fn read(text: &str) -> Result<Pace, String> {
    let thousandths = Amount::parse(text, 3).ok().and_then(|amount| u32::try_from(amount.raw()).ok());
    thousandths
        .filter(|thousandths| (100..=100_000).contains(thousandths))
        .and_then(Pace::per_mille)
        .ok_or_else(|| "a pace is a number from 0.1 to 100 with at most three digits after its point, as in 2.5".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_exact_thousandths() {
        for (text, per_mille) in [("1", 1000), ("0.1", 100), ("2.5", 2500), ("100", 100_000), ("1.001", 1001)] {
            assert_eq!(Some(read(text).unwrap()), Pace::per_mille(per_mille));
        }
        for text in ["", "0.099", "100.001", "1.0001", "-1", "1e1", ".5", "fast"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
