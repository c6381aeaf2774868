//! Whole numbers as arguments.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// Parses a whole number of a range; the error names the range.
pub(super) fn whole_number_parser<T>(range: impl RangeBounds<T> + Clone) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
{
    move |text| {
        let right = || match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => format!("write a whole number from {least} to {most}"),
            (Bound::Included(least), _) => format!("write a whole number, {least} or more, as in 7"),
            _ => "write a whole number, as in 7".into(),
        };
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_within_their_range() {
        let seconds = whole_number_parser::<u16>(1..=1_000);
        assert_eq!([seconds("1"), seconds("1000")], [Ok(1), Ok(1_000)]);
        for wrong in ["0", "1001", "", "x", "-3", "1e3", "1.5", "1,000", " 7", "70000"] {
            assert_eq!(seconds(wrong), Err("write a whole number from 1 to 1000".to_owned()), "{wrong:?}");
        }
        let seed = whole_number_parser::<u64>(0..);
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["x", "18446744073709551616"] {
            assert_eq!(seed(wrong), Err("write a whole number, 0 or more, as in 7".to_owned()));
        }
    }
}
