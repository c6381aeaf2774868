//! The time that a filter covers, in words.

use super::{Timestamp, Zone};

/// Whole days by their dates, as `Nov 1 – Nov 30 UTC`; other bounds to the minute. `None` without a bound.
pub fn format_time_bounds(bounds: [Option<Timestamp>; 2], zone: &Zone, now: Timestamp) -> Option<String> {
    let is_midnight = |at: Timestamp| zone.format(at, "%H:%M:%S") == "00:00:00";
    let day = |at: Timestamp| {
        let is_this_year = zone.format(at, "%Y") == zone.format(now, "%Y");
        zone.format(at, if is_this_year { "%b %-d" } else { "%b %-d %Y" })
    };
    let minute = |at: Timestamp| format!("{} {}", day(at), zone.format(at, "%H:%M"));
    let last_moment = |before: Timestamp| Timestamp::from_millis(before.millis().saturating_sub(1));
    let text = match bounds {
        [None, None] => return None,
        [Some(since), Some(before)] if since >= before => return Some("no time".to_owned()),
        [Some(since), None] if is_midnight(since) => format!("since {}", day(since)),
        [Some(since), None] => format!("since {}", minute(since)),
        [None, Some(before)] if is_midnight(before) => format!("until {}", day(last_moment(before))),
        [None, Some(before)] => format!("before {}", minute(before)),
        [Some(since), Some(before)] if is_midnight(since) && is_midnight(before) => {
            let (first, last) = (day(since), day(last_moment(before)));
            if first == last { first } else { format!("{first} – {last}") }
        }
        [Some(since), Some(before)] if day(since) == day(before) => {
            format!("{} – {}", minute(since), zone.format(before, "%H:%M"))
        }
        [Some(since), Some(before)] => format!("{} – {}", minute(since), minute(before)),
    };
    Some(format!("{text} {}", zone.word()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(iso: &str) -> Timestamp {
        Timestamp::parse_iso(&format!("{iso}:00Z")).unwrap()
    }

    #[test]
    fn whole_days_are_dates_and_the_year_is_named_where_it_is_another() {
        let now = at("2026-11-25T12:00");
        for (since, before, expected) in [
            ("2026-11-24T00:00", "", "since Nov 24 UTC"),
            ("2026-11-24T12:05", "", "since Nov 24 12:05 UTC"),
            ("", "2026-12-01T00:00", "until Nov 30 UTC"),
            ("", "2026-11-24T12:05", "before Nov 24 12:05 UTC"),
            ("2026-11-01T00:00", "2026-12-01T00:00", "Nov 1 – Nov 30 UTC"),
            ("2026-11-24T00:00", "2026-11-25T00:00", "Nov 24 UTC"),
            ("2025-12-01T00:00", "2026-01-01T00:00", "Dec 1 2025 – Dec 31 2025 UTC"),
            ("2026-11-24T12:05", "2026-11-24T13:05", "Nov 24 12:05 – 13:05 UTC"),
            ("2026-11-24T12:05", "2026-11-25T00:00", "Nov 24 12:05 – Nov 25 00:00 UTC"),
            ("2026-11-25T00:00", "2026-11-24T00:00", "no time"),
        ] {
            let bounds = [since, before].map(|iso| (!iso.is_empty()).then(|| at(iso)));
            assert_eq!(format_time_bounds(bounds, &Zone::default(), now).as_deref(), Some(expected));
        }
        assert_eq!(format_time_bounds([None, None], &Zone::default(), now), None);
        let west = Zone::from_offset_function(now, now, |_| -3_600);
        let day = [Some(at("2026-11-24T01:00")), Some(at("2026-11-25T01:00"))];
        assert_eq!(format_time_bounds(day, &west, now).as_deref(), Some("Nov 24 local"));
    }
}
