//! The pace of the sample business as an argument.

use crate::domain::Amount;
use crate::service::Pace;

/// Parses a pace: a number from 0.1 to 100.
pub(super) fn parse_pace(text: &str) -> Result<Pace, String> {
    let thousandths = Amount::parse(text, 3).ok().and_then(|amount| u32::try_from(amount.raw()).ok());
    thousandths.filter(|thousandths| (100..=100_000).contains(thousandths)).and_then(Pace::per_mille).ok_or_else(|| {
        "a pace is a number from 0.1 to 100 with at most three digits after the decimal point, as in 2.5".into()
    })
}

/// Parses a block time of Ethereum, from 3 milliseconds to 25 seconds, into the pace that results in it.
pub(super) fn parse_block_time(text: &str) -> Result<Pace, String> {
    let time = humantime::parse_duration(text).ok();
    let millis = time.and_then(|time| u32::try_from(time.as_millis()).ok());
    millis
        .filter(|millis| (3..=25_000).contains(millis))
        .and_then(|millis| Pace::per_mille(Pace::ETHEREUM_BLOCK.checked_mul(1_000)? / millis))
        .ok_or_else(|| "write a block time from 3ms to 25s, as in 500ms or 12s".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_time_is_a_pace_of_the_chains() {
        for (text, per_mille) in [("2500ms", 1000), ("500ms", 5000), ("12s", 208), ("25s", 100), ("3ms", 833_333)] {
            assert_eq!(Some(parse_block_time(text).unwrap()), Pace::per_mille(per_mille), "{text}");
        }
        for text in ["", "2ms", "26s", "-1s", "500", "fast"] {
            assert!(parse_block_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_pace_is_exact_thousandths() {
        for (text, per_mille) in [("1", 1000), ("0.1", 100), ("2.5", 2500), ("100", 100_000), ("1.001", 1001)] {
            assert_eq!(Some(parse_pace(text).unwrap()), Pace::per_mille(per_mille));
        }
        for text in ["", "0.099", "100.001", "1.0001", "-1", "1e1", ".5", "fast"] {
            assert!(parse_pace(text).is_err(), "{text}");
        }
    }
}
