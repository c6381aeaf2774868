//! Event times of the history: more by day than by night, more on workdays than on Sundays.

use std::time::Duration;

use crate::domain::Timestamp;

/// Weight of each hour of the day, UTC.
const HOUR_WEIGHTS: [u64; 24] = [2, 1, 1, 1, 1, 2, 4, 7, 11, 14, 15, 14, 12, 13, 15, 15, 13, 11, 8, 6, 5, 4, 3, 2];

/// Weight of each weekday from Thursday on, since 1970 began on a Thursday.
const DAY_WEIGHTS: [u64; 7] = [10, 10, 3, 2, 9, 10, 10];

const HOUR_MILLIS: u64 = 3_600_000;
const HOURS_OF_WEEK: u64 = 168;

/// Weight of an hour, counted from 1970.
fn weight_of_hour(hour: u64) -> u64 {
    let of = |table: &[u64], index: u64| table.get(usize::try_from(index).unwrap_or(0)).copied().unwrap_or(1);
    of(&HOUR_WEIGHTS, hour % 24) * of(&DAY_WEIGHTS, hour / 24 % 7)
}

/// Times of a given number of events up to the present.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    first_hour: u64,
    end: u64,
    events: u64,
    /// Total weight of the hours before each hour of a week that begins with `first_hour`.
    weight_before_hour_of_week: Vec<u64>,
    total_weight: u64,
    /// Where in the total weight the second half of the events begins, in thousandths.
    middle: u64,
    present: Timestamp,
    recent_events: RecentEvents,
}

/// How long a history is, and how its events are spread over that time.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryShape {
    pub(super) shortest_days: u64,
    /// Half of the events are in so many of its last days; `None` for an even spread.
    pub(super) half_within_days: Option<u64>,
    pub(super) recent_events: RecentEvents,
}

/// The last events of the history, seconds before the present: most are still pending.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecentEvents {
    pub(super) events: u64,
    /// Time between them.
    pub(super) gap: Duration,
}

/// No other event within the last two minutes, so that all others have settled. In milliseconds.
const SETTLED_MILLIS_BEFORE_PRESENT: u64 = 120_000;

impl Timeline {
    /// Length of the history: about 20 events a day, over the shortest span to 2 years.
    pub(super) fn history_span(events: u64, shape: &HistoryShape) -> Duration {
        Duration::from_hours(24 * Self::history_days(events, shape))
    }

    fn history_days(events: u64, shape: &HistoryShape) -> u64 {
        (events / 20).clamp(shape.shortest_days, 730)
    }

    pub(super) fn new(events: u64, present: Timestamp, shape: &HistoryShape) -> Self {
        let end = u64::try_from(present.millis()).unwrap_or(0).saturating_sub(SETTLED_MILLIS_BEFORE_PRESENT);
        let span = u64::try_from(Self::history_span(events, shape).as_millis()).unwrap_or(0);
        let first_hour = end.saturating_sub(span) / HOUR_MILLIS;
        let mut sum = 0;
        let week: Vec<u64> = (0..=HOURS_OF_WEEK)
            .map(|hour| {
                let before = sum;
                sum += weight_of_hour(first_hour + hour);
                before
            })
            .collect();
        let mut timeline = Self {
            first_hour,
            end,
            events: events.max(1),
            weight_before_hour_of_week: week,
            total_weight: 0,
            middle: shape
                .half_within_days
                .map_or(500, |late| 1_000_u64.saturating_sub(late * 1_000 / Self::history_days(events, shape))),
            present,
            recent_events: shape.recent_events,
        };
        timeline.total_weight = timeline.weight_before(end / HOUR_MILLIS - first_hour).max(1);
        timeline
    }

    fn weight_before(&self, hours: u64) -> u64 {
        let of_week = usize::try_from(hours % HOURS_OF_WEEK).unwrap_or(0);
        hours / HOURS_OF_WEEK * self.weight_per_week()
            + self.weight_before_hour_of_week.get(of_week).copied().unwrap_or(0)
    }

    fn weight_per_week(&self) -> u64 {
        self.weight_before_hour_of_week.last().copied().unwrap_or(1).max(1)
    }

    /// The weight before an event, in thousandths.
    fn weight_before_event(&self, n: u64) -> u64 {
        let (n, events) = (u128::from(n), u128::from(self.events));
        let (total, middle) = (u128::from(self.total_weight) * 1000, u128::from(self.middle));
        let weight = if middle == 500 {
            n * total / events
        } else if 2 * n < events {
            2 * n * total * middle / 1000 / events
        } else {
            total * middle / 1000 + (2 * n - events) * total * (1000 - middle) / 1000 / events
        };
        u64::try_from(weight).unwrap_or(0)
    }

    /// Time of the `n`-th event, counted from 0. `noise` moves it within its share of the hour, never past the end.
    pub(super) fn event_time(&self, n: u64, noise: u64) -> Timestamp {
        let events_left = self.events.saturating_sub(n);
        if events_left <= self.recent_events.events && self.events > 4 * self.recent_events.events {
            let ago = self.recent_events.gap.saturating_mul(u32::try_from(events_left).unwrap_or(0));
            let ago = i64::try_from(ago.as_millis()).unwrap_or(0);
            return Timestamp::from_millis(self.present.millis() - ago);
        }
        // In thousandths of weight, so that events of one busy hour spread over it.
        let sought = self.weight_before_event(n);
        let (weeks, rest) = (sought / (self.weight_per_week() * 1000), sought % (self.weight_per_week() * 1000));
        let hour =
            self.weight_before_hour_of_week.partition_point(|before| before * 1000 <= rest).saturating_sub(1) as u64;
        let before =
            self.weight_before_hour_of_week.get(usize::try_from(hour).unwrap_or(0)).copied().unwrap_or(0) * 1000;
        let hours = weeks * HOURS_OF_WEEK + hour;
        let own = weight_of_hour(self.first_hour + hours) * 1000;
        let share = self.total_weight * 1000 / self.events;
        let within = (rest - before + noise % share.max(1)).min(own.saturating_sub(1)) * HOUR_MILLIS / own.max(1);
        let millis = ((self.first_hour + hours) * HOUR_MILLIS + within).min(self.end);
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }
}
