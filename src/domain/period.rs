//! Calendar periods: a year, a month, a week, a day, an hour or a minute. In UTC, unless one is placed in a zone.

pub mod named;

use chrono::{Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::{Day, Timestamp, Zone};

/// A half-open period: `end` does not belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Period {
    /// Parses `2026`, `2026-11`, `2026-11-01`, `2026-11-01T12` or `2026-11-01T12:03`, all in UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |from: usize, to: usize| -> Option<u32> {
            let digits = text.get(from..to)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let stands = |at: usize, mark: u8| text.as_bytes().get(at) == Some(&mark);
        let year = i32::try_from(number(0, 4)?).ok()?;
        let day = |month: u32, day: u32| NaiveDate::from_ymd_opt(year, month, day);
        let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN);
        let (begins, ends) = match text.len() {
            4 => (midnight(day(1, 1)?), midnight(day(1, 1)?.checked_add_months(Months::new(12))?)),
            7 if stands(4, b'-') => {
                let first = day(number(5, 7)?, 1)?;
                (midnight(first), midnight(first.checked_add_months(Months::new(1))?))
            }
            10 | 13 | 16 if stands(4, b'-') && stands(7, b'-') => {
                let date = day(number(5, 7)?, number(8, 10)?)?;
                if text.len() == 10 {
                    (midnight(date), midnight(date.checked_add_days(Days::new(1))?))
                } else {
                    let minute = match text.len() {
                        16 if stands(13, b':') => number(14, 16)?,
                        13 => 0,
                        _ => return None,
                    };
                    if !(stands(10, b'T') || stands(10, b't')) {
                        return None;
                    }
                    let begins = date.and_hms_opt(number(11, 13)?, minute, 0)?;
                    let long = if text.len() == 13 { TimeDelta::hours(1) } else { TimeDelta::minutes(1) };
                    (begins, begins.checked_add_signed(long)?)
                }
            }
            _ => return None,
        };
        let moment = |time: NaiveDateTime| Timestamp::from(time.and_utc());
        Some(Self { start: moment(begins), end: moment(ends) })
    }

    /// The period of this name on clocks of the zone, where this one is as on clocks of UTC.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Self {
        Self { start: zone.to_utc(self.start), end: zone.to_utc(self.end) }
    }

    /// All of time.
    pub const EVER: Self = Self { start: Timestamp::from_millis(i64::MIN), end: Timestamp::from_millis(i64::MAX) };

    /// The last `count` days, today included, all in UTC.
    pub fn last_days(count: u16, now: Timestamp) -> Self {
        let today = Day::from_timestamp(now);
        Self { start: today.days_before(count.saturating_sub(1)).start(), end: today.next().start() }
    }

    /// Parses `30d` for the last 30 days, `all`, or what [`parse`](Self::parse) and [`parse_named`](Self::parse_named) do.
    pub fn parse_span(text: &str, now: Timestamp) -> Option<Self> {
        let days = text.strip_suffix('d').and_then(|days| days.parse().ok()).filter(|days| *days > 0);
        match days {
            Some(days) => Some(Self::last_days(days, now)),
            None if text == "all" => Some(Self::EVER),
            None => Self::parse(text).or_else(|| Self::parse_named(text, now)),
        }
    }

    /// The month that contains a moment; `None` beyond the years of the calendar.
    pub fn month_of(at: Timestamp) -> Option<Self> {
        Self::parse_month(&at.format("%Y-%m"))
    }

    /// The month before the one that begins at `start`.
    pub fn month_before(start: Timestamp) -> Option<Self> {
        Self::month_of(Timestamp::from_millis(start.millis().saturating_sub(1)))
    }

    /// The last `count` months, the present one included.
    pub fn spanning_last_months(count: u16, now: Timestamp) -> Option<Self> {
        let current = Self::month_of(now)?;
        let first =
            current.start.to_utc()?.date_naive().checked_sub_months(Months::new(u32::from(count.max(1)) - 1))?;
        Some(Self { start: Self::parse_month(&first.format("%Y-%m").to_string())?.start, end: current.end })
    }

    /// The months that the period begins or contains, oldest first; none where it is longer than a century.
    pub fn months(self) -> Vec<Self> {
        const CENTURY: usize = 1_200;
        let mut months = Vec::new();
        let mut next = Self::month_of(self.start);
        while let Some(month) = next.filter(|month| month.start < self.end) {
            if months.len() == CENTURY {
                return Vec::new();
            }
            months.push(month);
            next = Self::month_of(month.end);
        }
        months
    }

    pub fn parse_month(text: &str) -> Option<Self> {
        if text.len() == 7 { Self::parse(text) } else { None }
    }

    pub fn contains(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period_bounds(text: &str) -> Option<[String; 2]> {
        Period::parse(text).map(|period| [period.start, period.end].map(|at| at.format("%Y-%m-%dT%H:%M")))
    }

    #[test]
    fn a_stretch_begins_with_its_first_moment_and_ends_before_the_next() {
        for (text, begins, ends) in [
            ("2026", "2026-01-01T00:00", "2027-01-01T00:00"),
            ("2024-02", "2024-02-01T00:00", "2024-03-01T00:00"),
            ("2026-12", "2026-12-01T00:00", "2027-01-01T00:00"),
            ("2024-02-29", "2024-02-29T00:00", "2024-03-01T00:00"),
            ("2026-11-01T23", "2026-11-01T23:00", "2026-11-02T00:00"),
            ("2026-11-01t12:59", "2026-11-01T12:59", "2026-11-01T13:00"),
        ] {
            assert_eq!(period_bounds(text), Some([begins.to_owned(), ends.to_owned()]), "{text}");
        }
    }

    #[test]
    fn months_follow_each_other_over_the_years() {
        let now = Timestamp::parse_iso("2026-02-28T12:00:00Z").unwrap();
        let months = Period::spanning_last_months(4, now).unwrap().months();
        let names: Vec<String> = months.iter().map(|month| month.start.format("%Y-%m")).collect();
        assert_eq!(names, ["2025-11", "2025-12", "2026-01", "2026-02"]);
        assert!(
            months
                .windows(2)
                .all(|pair| pair[0].end == pair[1].start && Period::month_before(pair[1].start) == Some(pair[0]))
        );
        assert_eq!(Period::spanning_last_months(0, now).unwrap(), Period::month_of(now).unwrap());
        assert_eq!(Period::EVER.months(), []);
        let week = Period::parse_span("7d", now).unwrap();
        assert_eq!([week.start, week.end].map(|at| at.format("%m-%dT%H:%M")), ["02-22T00:00", "03-01T00:00"]);
        assert_eq!(["0d", "d", "-1d", "70000d", "ever"].map(|text| Period::parse_span(text, now)), [None; 5]);
    }

    #[test]
    fn what_no_calendar_has_is_not_read() {
        for text in [
            "",
            "202",
            "20266",
            "2026-",
            "2026-1",
            "2026-13",
            "2026-00",
            "2026-1a",
            "2026/11",
            "2026-02-30",
            "2026-11-1",
            "2026-11-01T",
            "2026-11-01 12",
            "2026-11-01T24",
            "2026-11-01T12:60",
            "2026-11-01T12:3",
            "+026",
            "２０２６",
        ] {
            assert_eq!(Period::parse(text), None, "{text}");
        }
        assert_eq!(Period::parse_month("2026"), None);
        assert_eq!(Period::parse_month("2026-11"), Period::parse("2026-11"));
    }
}
