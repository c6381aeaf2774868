//! Timestamps, in milliseconds since 1970 in UTC. Nothing here reads a clock.

use std::fmt::{self, Write};
use std::time::Duration;

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use compact_str::CompactString;

#[cfg(test)]
mod tests;

/// What stands for a time that chrono does not support, and for any time where the pattern is not one of its own.
const UNFORMATTABLE: &str = "—";

/// In milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Milliseconds since 1970, negative before.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Parses an ISO 8601 time with a zone (`Z`, `+01:00` or `+0100`), with or without a fraction. A time without a
    /// zone is rejected: the hour would be a guess.
    pub fn parse_iso(iso: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(iso)
            .or_else(|_| DateTime::parse_from_str(iso, "%Y-%m-%dT%H:%M:%S%.f%z"))
            .ok()
            .map(|time| Self(time.timestamp_millis()))
    }

    /// How long ago this was at `now`; zero if it is in the future.
    pub fn age(self, now: Self) -> Duration {
        Duration::from_millis(u64::try_from(now.0.saturating_sub(self.0)).unwrap_or(0))
    }

    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// For chrono; `None` beyond the years that it supports.
    pub fn to_utc(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_millis(self.0)
    }

    /// As `%m-%d %H:%M:%S`, in UTC: a page of rows has dozens of these, and a pattern takes five times as long.
    pub fn format_month_to_second(self) -> String {
        self.to_utc().map_or_else(
            || UNFORMATTABLE.into(),
            |time| {
                let (month, day) = (time.month(), time.day());
                format!("{month:02}-{day:02} {:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
            },
        )
    }

    /// Formatted with a chrono pattern, in UTC; a dash beyond the years that chrono supports, and for an invalid
    /// pattern, with which chrono's own `to_string` would panic.
    pub fn format(self, pattern: &str) -> String {
        let mut text = CompactString::default();
        match self.to_utc().map(|time| write!(text, "{}", time.format(pattern))) {
            Some(Ok(())) => text.into_string(),
            Some(Err(_)) | None => UNFORMATTABLE.into(),
        }
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(time: DateTime<Utc>) -> Self {
        Self(time.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    /// ISO 8601 with milliseconds, in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_utc() {
            Some(time) => f.pad(&time.to_rfc3339_opts(SecondsFormat::Millis, true)),
            None => f.pad(UNFORMATTABLE),
        }
    }
}
