//! The total: what the company holds, over all accounts, and its value at earlier moments.

use std::time::Duration;

use crate::domain::Day;
use crate::domain::sample_retention::is_sample_due;
use crate::domain::{Holding, Timestamp, TotalSample};

#[derive(Debug, Clone, Default)]
pub struct Total {
    /// The holdings of all accounts, as they were last summed; `None` before the first time.
    pub holdings: Option<Vec<Holding>>,
    /// How many users' balances the sums contain.
    pub users: u64,
    /// The time of the oldest balances among them; `None` while some have never been read.
    pub read_since: Option<Timestamp>,
    samples: Option<Vec<TotalSample>>,
    /// Whether the samples were queried, and when one was last sent to the store.
    is_queried: bool,
    sampled_at: Option<Timestamp>,
    /// The total at a key press, while the operator is present.
    at_last_key: Option<TotalSample>,
    /// The total when the operator was last present before now.
    last_seen: Option<TotalSample>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangePeriod {
    /// Since midnight UTC.
    Today,
    LastDay,
    /// Since the operator last saw the screen, in this session or in an earlier one.
    SinceLastSeen,
}

impl ChangePeriod {
    pub const ALL: [Self; 3] = [Self::Today, Self::LastDay, Self::SinceLastSeen];
}

const DAY: Duration = Duration::from_hours(24);
/// How far a sample may be from 24 hours ago: samples are taken once an hour.
const DAY_TOLERANCE: Duration = Duration::from_mins(31);
/// Keys in quick succession do not each value everything again.
const MIN_KEY_SPACING: Duration = Duration::from_secs(10);

impl Total {
    pub fn holdings(&self) -> &[Holding] {
        self.holdings.as_deref().unwrap_or_default()
    }

    /// The total at the start of a period; `None` where no sample is from then.
    pub fn opening_sample(&self, period: ChangePeriod, now: Timestamp) -> Option<&TotalSample> {
        match period {
            ChangePeriod::Today => TotalSample::at_start_of(self.samples(), Day::from_timestamp(now)),
            ChangePeriod::LastDay => TotalSample::nearest(self.samples(), now.minus(DAY), DAY_TOLERANCE),
            ChangePeriod::SinceLastSeen => self.last_seen.as_ref(),
        }
    }

    /// Earlier totals, oldest first.
    pub fn samples(&self) -> &[TotalSample] {
        self.samples.as_deref().unwrap_or_default()
    }

    /// Whether to query the samples for the first time.
    pub fn needs_samples(&self) -> bool {
        self.holdings.is_some() && !self.is_queried
    }

    /// Whether this hour has no sample yet.
    pub fn is_sample_due(&self, now: Timestamp) -> bool {
        let Some(samples) = &self.samples else { return false };
        is_sample_due(samples.last().map(|sample| sample.at), now) && is_sample_due(self.sampled_at, now)
    }

    pub(in crate::app) fn note_query(&mut self, sampled_at: Option<Timestamp>) {
        self.is_queried = true;
        self.sampled_at = sampled_at.or(self.sampled_at);
    }

    pub(in crate::app) fn apply_samples(&mut self, samples: Vec<TotalSample>) {
        // The newest sample of an earlier session is what was last seen then.
        if self.samples.is_none() {
            self.last_seen = samples.last().cloned();
        }
        self.samples = Some(samples);
    }

    pub(in crate::app) fn is_total_at_key_due(&self, now: Timestamp) -> bool {
        self.at_last_key.as_ref().is_none_or(|sample| sample.at.age(now) >= MIN_KEY_SPACING)
    }

    /// Notes the total that the operator sees at a key press, or before the window loses the focus.
    pub(in crate::app) fn note_total_at_key(&mut self, sample: Option<TotalSample>) {
        self.at_last_key = sample.or(self.at_last_key.take());
    }

    /// The operator is back from an absence.
    pub(in crate::app) fn keep_total_before_absence(&mut self) {
        self.last_seen = self.at_last_key.take().or(self.last_seen.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Text;

    const MINUTE: i64 = 60_000;

    fn total(minutes: &[i64]) -> Total {
        let sample = |minute: &i64| TotalSample {
            at: Timestamp::from_millis(minute * MINUTE),
            valuation: Text::clean("USDT"),
            values: std::collections::BTreeMap::new(),
        };
        let mut total = Total::default();
        total.apply_samples(minutes.iter().map(sample).collect());
        total
    }

    #[test]
    fn a_period_begins_with_the_sample_nearest_to_its_start() {
        let day = 24 * 60;
        let now = Timestamp::from_millis((2 * day + 12 * 60) * MINUTE);
        let opening = |minutes: &[i64], period| {
            total(minutes).opening_sample(period, now).map(|sample| sample.at.millis() / MINUTE)
        };
        let sample_times = [day + 11 * 60, day + 12 * 60, 2 * day - 60, 2 * day + 2, 2 * day + 60];
        assert_eq!(opening(&sample_times, ChangePeriod::Today), Some(2 * day + 2));
        assert_eq!(opening(&sample_times, ChangePeriod::LastDay), Some(day + 12 * 60));
        assert_eq!(opening(&sample_times, ChangePeriod::SinceLastSeen), Some(2 * day + 60));
        for none in [ChangePeriod::Today, ChangePeriod::LastDay] {
            assert_eq!(opening(&[day + 11 * 60, 2 * day - 11, 2 * day + 11], none), None);
        }
        assert_eq!(opening(&[], ChangePeriod::SinceLastSeen), None);
    }

    #[test]
    fn what_was_last_seen_is_of_an_earlier_session_until_the_operator_returns() {
        let mut total = total(&[5]);
        let now = Timestamp::from_millis(90 * MINUTE);
        let opening_minute =
            |total: &Total| total.opening_sample(ChangePeriod::SinceLastSeen, now).unwrap().at.millis() / MINUTE;
        total.keep_total_before_absence();
        assert_eq!(opening_minute(&total), 5, "nothing was noted at a key");
        total.note_total_at_key(Some(TotalSample {
            at: Timestamp::from_millis(60 * MINUTE),
            ..total.last_seen.clone().unwrap()
        }));
        total.note_total_at_key(None);
        assert_eq!(opening_minute(&total), 5);
        total.keep_total_before_absence();
        assert_eq!(opening_minute(&total), 60);
        total.apply_samples(Vec::new());
        assert_eq!(opening_minute(&total), 60, "later samples are of this session");
    }
}
