//! When a balance or a price is sampled, and which samples stay as they age.

use super::{BalanceSample, Timestamp};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The spacing of stored samples by their age: hourly for eight days, then four a day, then daily for a year or so,
/// then weekly.
const SAMPLE_SPACING: [(i64, i64); 3] = [(8 * DAY, HOUR), (60 * DAY, 6 * HOUR), (400 * DAY, DAY)];
const WEEK: i64 = 7 * DAY;

/// Thins samples (oldest first) according to their age: the last sample of each interval stays, and always the very
/// first and the very last. The order stays, and thinning again changes nothing.
pub fn thin_samples(samples: &mut Vec<BalanceSample>, now: Timestamp) {
    let stretch = |sample: &BalanceSample| {
        let age = now.millis().saturating_sub(sample.at.millis());
        let spacing = SAMPLE_SPACING.iter().find(|(limit, _)| age < *limit).map_or(WEEK, |(_, spacing)| *spacing);
        (spacing, sample.at.millis().div_euclid(spacing))
    };
    let stretches: Vec<_> = samples.iter().map(stretch).collect();
    let mut nth = 0;
    samples.retain(|_| {
        let stays = nth == 0 || stretches.get(nth + 1) != stretches.get(nth);
        nth += 1;
        stays
    });
}

/// Whether a sample is due: none was taken in this hour yet.
pub fn is_sample_due(last: Option<Timestamp>, now: Timestamp) -> bool {
    last.is_none_or(|last| last.millis().div_euclid(HOUR) != now.millis().div_euclid(HOUR))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ruint::aliases::U256;

    use super::*;
    use crate::domain::Amount;

    fn sample(at: i64) -> BalanceSample {
        BalanceSample { at: Timestamp::from_millis(at), amount: Amount::new(U256::ONE, 6).unwrap() }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn thinning_keeps_the_ends_and_the_order_and_is_bounded(mut gaps in prop::collection::vec(1_i64..40 * HOUR, 1..400), spread in 1_i64..30) {
            let mut at = 0;
            for gap in &mut gaps {
                at += *gap * spread;
                *gap = at;
            }
            let all: Vec<BalanceSample> = gaps.iter().map(|at| sample(*at)).collect();
            let now = Timestamp::from_millis(at);
            let mut thinned = all.clone();
            thin_samples(&mut thinned, now);
            prop_assert_eq!(thinned.first(), all.first());
            prop_assert_eq!(thinned.last(), all.last());
            prop_assert!(thinned.is_sorted_by_key(|sample| sample.at) && thinned.iter().all(|sample| all.contains(sample)));
            let weeks = usize::try_from(at / WEEK).unwrap();
            prop_assert!(thinned.len() <= 8 * 24 + 52 * 4 + 340 + weeks + 8, "{}", thinned.len());
            let mut thinned_twice = thinned.clone();
            thin_samples(&mut thinned_twice, now);
            prop_assert_eq!(thinned_twice, thinned);
        }
    }
    #[test]
    fn one_sample_an_hour_is_due() {
        let at = Timestamp::from_millis;
        assert!(
            is_sample_due(None, at(0))
                && is_sample_due(Some(at(0)), at(HOUR))
                && !is_sample_due(Some(at(0)), at(HOUR - 1))
        );
        assert!(is_sample_due(Some(at(5 * HOUR)), at(HOUR)), "a clock that was set back does not stop them");
    }
}
