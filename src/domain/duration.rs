//! Durations for people.

use std::time::Duration;

/// A measured duration, rounded down to its largest unit.
pub fn duration_text(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    match minutes {
        0 => format!("{} s", duration.as_secs()),
        1..120 => format!("{minutes} min"),
        120..2_880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1_440),
    }
}

/// A chosen duration to the second: `1 day`, `1 h 30 min`.
pub fn period_text(period: Duration) -> String {
    let seconds = period.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    let days_unit = if days == 1 { "day" } else { "days" };
    let parts = [(days, days_unit), (hours, "h"), (minutes, "min"), (seconds % 60, "s")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    if parts.is_empty() { "0 s".into() } else { parts.join(" ") }
}

/// An age in one short word: whole seconds, then minutes, hours, days; [`Duration::MAX`] is an unknown one.
pub fn format_age(age: Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        u64::MAX => "?".into(),
        0..120 => format!("{seconds}s"),
        120..7_200 => format!("{}m", seconds / 60),
        7_200..172_800 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_reads_as_a_person_writes_it() {
        let text = |seconds| period_text(Duration::from_secs(seconds));
        assert_eq!(
            [0, 1, 600, 3_600, 5_400, 86_400, 42 * 86_400, 90_061].map(text),
            ["0 s", "1 s", "10 min", "1 h", "1 h 30 min", "1 day", "42 days", "1 day 1 h 1 min 1 s"]
        );
    }
}
