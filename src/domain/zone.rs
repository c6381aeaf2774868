//! The local time zone: its offset from UTC, over the years.

use std::sync::Arc;

use super::Timestamp;

/// A time zone's offsets from UTC over the years; UTC by default.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Zone(Option<Arc<[(Timestamp, i32)]>>);

impl Zone {
    /// The zone with this function's offsets, in seconds east of UTC. The function is called for every week between
    /// `from` and `to`, and more often to find when an offset changed. Outside that period the first or last offset
    /// applies.
    pub fn from_offset_function(from: Timestamp, to: Timestamp, offset: impl Fn(Timestamp) -> i32) -> Self {
        const WEEK: i64 = 7 * 24 * 60 * 60 * 1_000;
        let mut changes = vec![(from, offset(from))];
        let mut at = from.millis();
        while at < to.millis() {
            let next = at.saturating_add(WEEK).min(to.millis());
            let before = offset(Timestamp::from_millis(at));
            let after = offset(Timestamp::from_millis(next));
            if before != after {
                let (mut still, mut already) = (at, next);
                while already - still > 1_000 {
                    let middle = still + (already - still) / 2;
                    if offset(Timestamp::from_millis(middle)) == before { still = middle } else { already = middle }
                }
                // Offsets change at whole seconds.
                let second = already.div_euclid(1_000) * 1_000;
                let second = if second > still { second } else { already };
                changes.push((Timestamp::from_millis(second), after));
            }
            at = next;
        }
        Self(Some(changes.into()))
    }

    /// Whether no other zone than UTC was configured.
    pub fn is_utc(&self) -> bool {
        self.0.is_none()
    }

    /// In seconds east of UTC.
    pub fn offset(&self, at: Timestamp) -> i32 {
        let Some(changes) = &self.0 else { return 0 };
        let after = changes.partition_point(|(since, _)| *since <= at);
        changes.get(after.saturating_sub(1)).map_or(0, |(_, offset)| *offset)
    }

    /// The local time, by a chrono pattern.
    pub fn format(&self, at: Timestamp, pattern: &str) -> String {
        self.to_local(at).format(pattern)
    }

    /// The local time followed by the zone: `Z`, or as `+01:00`.
    pub fn format_with_offset(&self, at: Timestamp, pattern: &str) -> String {
        format!("{}{}", self.format(at, pattern), if self.is_utc() { "Z".to_owned() } else { self.offset_suffix(at) })
    }

    /// The local time followed by the zone in words: ` UTC`, or as ` +01:00`.
    pub fn format_with_zone(&self, at: Timestamp, pattern: &str) -> String {
        format!(
            "{} {}",
            self.format(at, pattern),
            if self.is_utc() { "UTC".to_owned() } else { self.offset_suffix(at) }
        )
    }

    /// The zone in a word.
    pub fn word(&self) -> &'static str {
        if self.is_utc() { "UTC" } else { "local" }
    }

    /// The local day, counted from 1970-01-01.
    pub fn local_day(&self, at: Timestamp) -> i64 {
        self.to_local(at).millis().div_euclid(86_400_000)
    }

    /// The moment at which a UTC clock shows the local time of `at`.
    pub fn to_local(&self, at: Timestamp) -> Timestamp {
        Timestamp::from_millis(at.millis().saturating_add(i64::from(self.offset(at)) * 1_000))
    }

    /// The reverse of [`to_local`](Self::to_local). Of two moments with this local time the earlier one; where clocks
    /// were put forward over it, the moment as if they had not been.
    pub fn to_utc(&self, local: Timestamp) -> Timestamp {
        const DAY: i64 = 86_400_000;
        let moments = [-DAY, DAY].map(|days| {
            let near = Timestamp::from_millis(local.millis().saturating_add(days));
            Timestamp::from_millis(local.millis().saturating_sub(i64::from(self.offset(near)) * 1_000))
        });
        let exact = moments.into_iter().filter(|moment| self.to_local(*moment) == local).min();
        exact.unwrap_or(moments[0])
    }

    fn offset_suffix(&self, at: Timestamp) -> String {
        let offset = self.offset(at);
        let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
        format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time_from_iso(iso: &str) -> Timestamp {
        Timestamp::parse_iso(iso).unwrap()
    }

    /// Central Europe in 2026: summer from 29 March to 25 October, each at one o'clock UTC.
    fn berlin() -> Zone {
        let summer = time_from_iso("2026-03-29T01:00:00Z")..time_from_iso("2026-10-25T01:00:00Z");
        Zone::from_offset_function(
            time_from_iso("2026-01-01T00:00:00Z"),
            time_from_iso("2026-12-31T00:00:00Z"),
            |moment| {
                if summer.contains(&moment) { 7_200 } else { 3_600 }
            },
        )
    }

    #[test]
    fn the_wall_shows_what_held_there_at_that_moment() {
        let zone = berlin();
        for (utc, wall) in [
            ("2025-07-01T12:00:00Z", "2025-07-01 13:00:00+01:00"),
            ("2026-03-29T00:59:59Z", "2026-03-29 01:59:59+01:00"),
            ("2026-03-29T01:00:00Z", "2026-03-29 03:00:00+02:00"),
            ("2026-10-25T00:59:59Z", "2026-10-25 02:59:59+02:00"),
            ("2026-10-25T01:00:00Z", "2026-10-25 02:00:00+01:00"),
            ("2026-12-31T23:30:00Z", "2027-01-01 00:30:00+01:00"),
        ] {
            assert_eq!(zone.format_with_offset(time_from_iso(utc), "%Y-%m-%d %H:%M:%S"), wall, "{utc}");
        }
        assert_eq!(
            zone.local_day(time_from_iso("2026-12-31T23:30:00Z")),
            zone.local_day(time_from_iso("2027-01-01T00:00:00Z"))
        );
        assert_eq!(zone.word(), "local");
    }

    #[test]
    fn a_local_time_is_one_moment_the_earlier_of_two_and_a_skipped_one_the_moment_without_the_skip() {
        let zone = berlin();
        for (wall, utc) in [
            ("2026-07-01T13:00:00Z", "2026-07-01T11:00:00Z"),
            ("2026-12-01T00:00:00Z", "2026-11-30T23:00:00Z"),
            ("2026-03-29T02:30:00Z", "2026-03-29T01:30:00Z"),
            ("2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z"),
            ("2026-10-25T00:00:00Z", "2026-10-24T22:00:00Z"),
        ] {
            assert_eq!(zone.to_utc(time_from_iso(wall)), time_from_iso(utc), "{wall}");
        }
        let wall = time_from_iso("2026-11-02T12:03:20Z");
        assert_eq!(Zone::default().to_utc(wall), wall);
    }

    #[test]
    fn utc_is_itself_and_a_place_west_of_it_lies_behind() {
        let noon = time_from_iso("2026-11-02T12:03:20Z");
        assert_eq!(Zone::default().format_with_offset(noon, "%H:%M"), "12:03Z");
        assert_eq!(Zone::default().format_with_zone(noon, "%H:%M"), "12:03 UTC");
        let west = Zone::from_offset_function(noon, noon, |_| -12_600);
        assert_eq!(west.format_with_zone(noon, "%H:%M"), "08:33 -03:30");
    }
}
