//! The state of a watch over successive readings: raised once for each crossing, and not again before it was clear.

use std::collections::VecDeque;
use std::time::Duration;

use super::{Watch, WatchReading};
use crate::domain::duration::period_text;
use crate::domain::{Amount, Timestamp};

/// The number of parts into which the period of a change is divided; each stores its lowest and highest balance.
const CHANGE_PERIOD_PARTS: u32 = 30;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlertState {
    raised: Option<Timestamp>,
    /// Since when the watch is unavailable, and why.
    unavailable: Option<(Timestamp, String)>,
    /// Whether the unavailability was reported.
    unavailable_alerted: bool,
    balances: RecentBalances,
    /// The last reading, in words.
    figure: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchCrossing {
    Raised,
    Cleared,
    /// The watch has been unavailable for as long as a figure is accepted.
    Unavailable,
    /// The watch is available again, and its state has not changed.
    Available,
}

/// How a watch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchStanding {
    Raised { since: Timestamp, figure: String },
    Clear { figure: String },
    Unknown { reason: String },
}

impl AlertState {
    /// The state of a watch that was raised before this program started.
    pub fn from_raised_since(since: Timestamp) -> Self {
        Self { raised: Some(since), ..Self::default() }
    }

    pub fn standing(&self) -> WatchStanding {
        let figure = || self.figure.clone().unwrap_or_else(|| "—".into());
        match (&self.unavailable, self.raised) {
            (_, Some(since)) => WatchStanding::Raised { since, figure: figure() },
            (Some((_, reason)), None) => WatchStanding::Unknown { reason: reason.clone() },
            (None, None) if self.figure.is_none() => WatchStanding::Unknown { reason: "not read yet".into() },
            (None, None) => WatchStanding::Clear { figure: figure() },
        }
    }

    pub fn raised_since(&self) -> Option<Timestamp> {
        self.raised
    }

    /// Why the watch is unavailable, once that was reported.
    pub fn alerted_unavailable_reason(&self) -> Option<&str> {
        self.unavailable.as_ref().filter(|_| self.unavailable_alerted).map(|(_, reason)| reason.as_str())
    }

    /// Why the last reading could not be used, reported or not.
    pub fn unusable_reading_reason(&self) -> Option<&str> {
        self.unavailable.as_ref().map(|(_, reason)| reason.as_str())
    }

    /// Since when readings could not be used.
    pub fn unusable_reading_since(&self) -> Option<Timestamp> {
        self.unavailable.as_ref().map(|(since, _)| *since)
    }

    pub fn figure_text(&self) -> Option<&str> {
        self.figure.as_deref()
    }

    pub fn update(
        &mut self,
        watch: &Watch,
        reading: &WatchReading,
        now: Timestamp,
        period: Duration,
    ) -> Option<WatchCrossing> {
        self.update_with_accepted_age(watch, reading, now, period, Duration::ZERO)
    }

    /// Like `update`, but accepts a reading up to `accepted_age` old: for a sum over many users, who are read one after
    /// the other, those with new history rows first.
    pub fn update_with_accepted_age(
        &mut self,
        watch: &Watch,
        reading: &WatchReading,
        now: Timestamp,
        period: Duration,
        accepted_age: Duration,
    ) -> Option<WatchCrossing> {
        let max_age = watch.max_age(period);
        let figure = require_fresh_reading(reading, now, max_age.max(accepted_age));
        let judged = figure.and_then(|figure| watch.condition.evaluate(figure, now, &mut self.balances));
        let judged = judged.map(|(figure, holds)| {
            self.figure = Some(figure);
            holds
        });
        if let (Ok(_), WatchReading::Balance { as_of, .. }, Some(figure)) = (&judged, reading, &mut self.figure)
            && as_of.age(now) > max_age
        {
            // In minutes, or the words would change at every reading.
            let minutes = Duration::from_mins(as_of.age(now).as_secs() / 60);
            *figure = format!("{figure}, its oldest part read {} ago", period_text(minutes));
        }
        let holds = match judged {
            Ok(holds) => holds,
            Err(reason) => {
                let since = self.unavailable.as_ref().map_or(now, |(since, _)| *since);
                self.unavailable = Some((since, reason));
                let tell = !self.unavailable_alerted && since.age(now) >= max_age;
                self.unavailable_alerted |= tell;
                return tell.then_some(WatchCrossing::Unavailable);
            }
        };
        let saw_again = std::mem::take(&mut self.unavailable_alerted);
        self.unavailable = None;
        match (self.raised.is_some(), holds) {
            (false, Some(true)) => {
                self.raised = Some(now);
                Some(WatchCrossing::Raised)
            }
            (true, Some(false)) => {
                self.raised = None;
                Some(WatchCrossing::Cleared)
            }
            _ => saw_again.then_some(WatchCrossing::Available),
        }
    }
}

/// Balances within the period of a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RecentBalances {
    /// The lowest and highest balance of each part of the period, oldest first.
    parts: VecDeque<(Timestamp, Amount, Amount)>,
}

impl RecentBalances {
    /// Records a balance, and returns its largest difference from the balances of the period before, and whether it is
    /// a rise; `None` where the difference cannot be calculated.
    pub(super) fn record_and_measure_change(
        &mut self,
        amount: Amount,
        within: Duration,
        now: Timestamp,
    ) -> (Option<Amount>, bool) {
        while self.parts.front().is_some_and(|(at, ..)| at.age(now) > within) {
            self.parts.pop_front();
        }
        match self.parts.back_mut() {
            Some((at, low, high)) if at.age(now) < within / CHANGE_PERIOD_PARTS => {
                *low = if amount.cmp_value(*low).is_lt() { amount } else { *low };
                *high = if amount.cmp_value(*high).is_gt() { amount } else { *high };
            }
            _ => self.parts.push_back((now, amount, amount)),
        }
        let mut most = (Some(Amount::zero(0)), true);
        for other in self.parts.iter().flat_map(|(_, low, high)| [*low, *high]) {
            let rose = amount.cmp_value(other).is_ge();
            let (more, less) = if rose { (amount, other) } else { (other, amount) };
            let Some(change) = more.checked_sub_rescaled(less) else { return (None, rose) };
            if most.0.is_some_and(|most| change.cmp_value(most).is_gt()) {
                most = (Some(change), rose);
            }
        }
        most
    }
}

/// A reading that is recent enough.
pub(super) enum FreshReading {
    Balance(Amount),
    Pending(Option<Timestamp>, u64),
    Count(u64),
}

fn require_fresh_reading(reading: &WatchReading, now: Timestamp, max_age: Duration) -> Result<FreshReading, String> {
    let fresh = |as_of: Timestamp| {
        let age = as_of.age(now);
        let seconds = Duration::from_secs(age.as_secs());
        let age_message = || format!("the data was last read {} ago", period_text(seconds));
        if age > max_age { Err(age_message()) } else { Ok(()) }
    };
    match reading {
        WatchReading::Balance { amount, as_of } => fresh(*as_of).map(|()| FreshReading::Balance(*amount)),
        WatchReading::Pending { oldest, count, as_of } => {
            fresh(*as_of).map(|()| FreshReading::Pending(*oldest, *count))
        }
        WatchReading::Count { count, as_of } => fresh(*as_of).map(|()| FreshReading::Count(*count)),
        WatchReading::Unknown(reason) | WatchReading::NotFound(reason) => Err(reason.clone()),
    }
}
