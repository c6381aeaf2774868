//! How a balance came to be what it is: samples of it, what came and went on each day, and what follows from both.
//!
//! Days are those of UTC. A sample tells what was held at its moment, which is not yet what its day closed with. Where the
//! history was read to its end, a day closes with what is held now less everything that moved since, and a sample counts
//! for a day on which nothing moved: it sees what the history does not tell. Where the history does not tell what a day
//! closed with, the last sample of the day is shown for what it is, with its time.

use super::{Amount, ReportedAmount, Timestamp, TokenKey};

#[cfg(test)]
mod tests;

/// A day of UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Day(i64);

const DAY: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;

impl Day {
    /// The day in which a moment lies.
    pub fn from_timestamp(at: Timestamp) -> Self {
        Self(at.millis().div_euclid(DAY))
    }

    /// The day so many days before this one.
    #[must_use]
    pub fn before(self, days: u16) -> Self {
        Self(self.0.saturating_sub(i64::from(days)))
    }

    /// The day after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// When it begins.
    pub fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(DAY))
    }

    /// How many days lie between an earlier one and this one.
    pub fn days_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// What came and went of a token on a day.
///
/// Incoming rows count once they are done; outgoing ones from their acceptance, with their fee; failed ones do not count:
/// so the flows of all days add up to what is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyFlow {
    /// The day.
    pub day: Day,
    /// What came in; `None` where a sum is more than can be counted, or its parts have different fraction digits.
    pub incoming: Option<Amount>,
    /// What went out, fees included.
    pub outgoing: Option<Amount>,
    /// How many rows moved something.
    pub rows: u64,
    /// How many more rows do not say enough to be counted.
    pub unclear: u64,
}

/// A balance as it was known at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When.
    pub at: Timestamp,
    /// How much.
    pub amount: Amount,
}

/// The past of one token within a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHistory {
    /// The token.
    pub token: TokenKey,
    /// Samples, the oldest first.
    pub samples: Vec<Sample>,
    /// Days on which something moved, the oldest first.
    pub flows: Vec<DailyFlow>,
}

/// The past of a scope since a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceHistory {
    /// The first day.
    pub since: Day,
    /// Whether flows tell everything: the history was read to its end and has no gap.
    pub whole: bool,
    /// Its tokens; those of which nothing is known are left out.
    pub tokens: Vec<TokenHistory>,
}

impl BalanceHistory {
    /// What is known of a token.
    pub fn of(&self, token: &TokenKey) -> Option<&TokenHistory> {
        self.tokens.iter().find(|known| known.token == *token)
    }
}

/// How it is known what a day closed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosingBasis {
    /// It is today, and this is held now.
    Now,
    /// It follows from what is known of a later day and from what moved since.
    History,
    /// A sample, and nothing moved around it.
    Sample,
    /// It is not known; this is what was held at a moment of the day, the last one that was sampled.
    Observed(Timestamp),
}

/// What a day closed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The day.
    pub day: Day,
    /// How much was held at its end; `None` where nothing tells.
    pub amount: Option<Amount>,
    /// How that is known, if it is.
    pub basis: ClosingBasis,
}

/// What each day from `since` to today closed with, the oldest first. Today closes, so far, with what is held now.
pub fn closings(
    since: Day,
    today: Day,
    now: Option<&ReportedAmount>,
    whole: bool,
    past: Option<&TokenHistory>,
) -> Vec<Closing> {
    let (samples, flows): (&[Sample], &[DailyFlow]) = past.map_or((&[], &[]), |past| (&past.samples, &past.flows));
    let mut held = now.and_then(ReportedAmount::exact);
    let mut closings = vec![Closing { day: today, amount: held, basis: ClosingBasis::Now }];
    let mut day = today;
    while day > since {
        // From the end of a day to the end of the one before: what moved on the day is taken back. What a service dates
        // ahead has moved by today all the same.
        let moved = flows.iter().rev().filter(|flow| flow.day == day || (day == today && flow.day > today));
        held = held.filter(|_| whole);
        for flow in moved {
            held = held
                .filter(|_| flow.unclear == 0)
                .and_then(|held| held.checked_add(flow.outgoing?)?.checked_sub(flow.incoming?));
        }
        day = day.before(1);
        let sample = samples.iter().rev().find(|sample| Day::from_timestamp(sample.at) == day);
        // A sample may be of a balance that was read an hour earlier, and a row is done some time after the time it
        // bears: so nothing may have moved on the day before, either. Before the first day nothing is known to be still.
        let still = whole && day > since && !flows.iter().any(|flow| flow.day == day || flow.day == day.before(1));
        let closing = match (sample, held) {
            (Some(sample), _) if still => {
                // What it says is surer than what was taken back from today.
                held = Some(sample.amount);
                (held, ClosingBasis::Sample)
            }
            // What moved after it is not in it, and whether anything did may not be known.
            (Some(sample), None) => (Some(sample.amount), ClosingBasis::Observed(sample.at)),
            (_, held) => (held, ClosingBasis::History),
        };
        closings.push(Closing { day, amount: closing.0, basis: closing.1 });
    }
    closings.reverse();
    closings
}

/// How far apart samples are kept, by their age: hourly for eight days, then four a day, then daily for a year or so,
/// then weekly.
const SPACING: [(i64, i64); 3] = [(8 * DAY, HOUR), (60 * DAY, 6 * HOUR), (400 * DAY, DAY)];
const WEEK: i64 = 7 * DAY;

/// Leaves of samples, the oldest first, only as many as their age deserves: the last one of each stretch of time, and
/// the very first and the very last in any case. The order stays, and thinning again changes nothing.
pub fn thin_samples(samples: &mut Vec<Sample>, now: Timestamp) {
    let stretch = |sample: &Sample| {
        let age = now.millis().saturating_sub(sample.at.millis());
        let spacing = SPACING.iter().find(|(limit, _)| age < *limit).map_or(WEEK, |(_, spacing)| *spacing);
        (spacing, sample.at.millis().div_euclid(spacing))
    };
    let stretches: Vec<_> = samples.iter().map(stretch).collect();
    let mut nth = 0;
    samples.retain(|_| {
        let kept = nth == 0 || stretches.get(nth + 1) != stretches.get(nth);
        nth += 1;
        kept
    });
}

/// Whether a sample is due: none was taken in this hour yet.
pub fn is_sample_due(last: Option<Timestamp>, now: Timestamp) -> bool {
    last.is_none_or(|last| last.millis().div_euclid(HOUR) != now.millis().div_euclid(HOUR))
}
