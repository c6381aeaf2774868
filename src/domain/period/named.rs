//! Periods by name: `today`, `yesterday`, a weekday, `this month`, `last week` and the like.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveTime, Weekday};

use super::Period;
use crate::domain::Timestamp;

/// The names that a filter offers, the shortest period first.
pub const OFFERED_NAMES: [&str; 6] = ["today", "yesterday", "this week", "this month", "last week", "last month"];

/// What may follow `this` and `last`.
pub const UNITS: [&str; 3] = ["week", "month", "year"];

/// Whether a word becomes a period with the unit after it.
pub fn begins_name(word: &str) -> bool {
    ["this", "last"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

impl Period {
    /// Parses `today`, `yesterday`, a weekday (in full or three letters: the latest that has begun), or a week, month or
    /// year as `this month` and `last month`. Weeks begin on Monday. All in UTC.
    pub fn parse_named(word: &str, now: Timestamp) -> Option<Self> {
        let today = now.to_utc()?.date_naive();
        let days = |start: NaiveDate, end: NaiveDate| {
            let moment = |day: NaiveDate| Timestamp::from(day.and_time(NaiveTime::MIN).and_utc());
            Some(Self { start: moment(start), end: moment(end) })
        };
        let day = |start: NaiveDate| days(start, start.checked_add_days(Days::new(1))?);
        let since_weekday = |target: Weekday| {
            let ago = (today.weekday().num_days_from_monday() + 7 - target.num_days_from_monday()) % 7;
            today.checked_sub_days(Days::new(u64::from(ago)))
        };
        let word = word.to_ascii_lowercase();
        let parts: Vec<&str> = word.split_whitespace().collect();
        match parts[..] {
            ["today"] => day(today),
            ["yesterday"] => day(today.checked_sub_days(Days::new(1))?),
            [weekday] => day(since_weekday(weekday.parse().ok()?)?),
            [which @ ("this" | "last"), "week"] => {
                let monday = since_weekday(Weekday::Mon)?;
                let week = Days::new(7);
                if which == "this" {
                    days(monday, monday.checked_add_days(week)?)
                } else {
                    days(monday.checked_sub_days(week)?, monday)
                }
            }
            [which @ ("this" | "last"), unit @ ("month" | "year")] => {
                let (first, length) = if unit == "month" {
                    (today.with_day(1)?, Months::new(1))
                } else {
                    (NaiveDate::from_ymd_opt(today.year(), 1, 1)?, Months::new(12))
                };
                if which == "this" {
                    days(first, first.checked_add_months(length)?)
                } else {
                    days(first.checked_sub_months(length)?, first)
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_period_is_the_one_of_its_name_before_or_around_now() {
        let bounds = |word: &str, now: &str| {
            let period = Period::parse_named(word, Timestamp::parse_iso(now).unwrap());
            period.map(|period| [period.start, period.end].map(|at| at.format("%Y-%m-%dT%H:%M")))
        };
        // A Friday in the first days of a year.
        let now = "2027-01-01T00:30:00Z";
        for (word, begins, ends) in [
            ("today", "2027-01-01T00:00", "2027-01-02T00:00"),
            ("Yesterday", "2026-12-31T00:00", "2027-01-01T00:00"),
            ("monday", "2026-12-28T00:00", "2026-12-29T00:00"),
            ("this week", "2026-12-28T00:00", "2027-01-04T00:00"),
            ("last  week", "2026-12-21T00:00", "2026-12-28T00:00"),
            ("THIS month", "2027-01-01T00:00", "2027-02-01T00:00"),
            ("last month", "2026-12-01T00:00", "2027-01-01T00:00"),
            ("this year", "2027-01-01T00:00", "2028-01-01T00:00"),
            ("last year", "2026-01-01T00:00", "2027-01-01T00:00"),
        ] {
            assert_eq!(bounds(word, now), Some([begins.to_owned(), ends.to_owned()]), "{word}");
        }
        for word in ["", "last", "month", "last day", "next month", "this last month"] {
            assert_eq!(bounds(word, now), None, "{word}");
        }
        // The last month ends before the thirty-first whatever its length.
        assert_eq!(bounds("last month", "2026-03-31T12:00:00Z"), bounds("this month", "2026-02-28T12:00:00Z"));
    }

    #[test]
    fn every_offered_name_is_read() {
        let now = Timestamp::parse_iso("2027-01-01T00:30:00Z").unwrap();
        assert!(OFFERED_NAMES.iter().all(|name| Period::parse_named(name, now).is_some()));
        assert!(UNITS.iter().all(|unit| Period::parse_named(&format!("last {unit}"), now).is_some()));
    }
}
