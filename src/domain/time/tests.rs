use std::time::Duration;

use proptest::prelude::*;
use rstest::rstest;

use super::Timestamp;

#[rstest]
#[case("2026-01-02T03:04:05Z", 1_767_323_045_000)]
#[case("2026-01-02T03:04:05.678Z", 1_767_323_045_678)]
#[case("2026-01-02T03:04:05.678901234Z", 1_767_323_045_678)]
#[case("2026-01-02T04:04:05+01:00", 1_767_323_045_000)]
#[case("2026-01-02T04:04:05.000+0100", 1_767_323_045_000)]
#[case("1969-12-31T23:59:59.999Z", -1)]
fn iso_8601_with_a_zone_is_read(#[case] text: &str, #[case] millis: i64) {
    assert_eq!(Timestamp::parse_iso(text), Some(Timestamp::from_millis(millis)));
}

#[rstest]
fn what_is_no_point_in_time_is_not_read(
    #[values(
        "",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "2026-02-30T00:00:00Z",
        "1767323045000",
        "now",
        "2026-01-02T25:00:00Z"
    )]
    text: &str,
) {
    assert_eq!(Timestamp::parse_iso(text), None);
}

#[test]
fn times_beyond_the_calendar_are_a_dash_and_nothing_overflows() {
    let (first, last) = (Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MAX));
    assert_eq!((first.to_string(), last.format("%H")), ("—".into(), "—".into()));
    assert_eq!(last.plus(Duration::MAX), last);
    assert_eq!(last.age(first), Duration::ZERO);
    assert_eq!(first.age(last), Duration::from_millis(i64::MAX.unsigned_abs()));
    assert_eq!(Timestamp::from_millis(0).format("%Q"), "—");
    assert_eq!((first.format_month_to_second(), last.format_month_to_second()), ("—".into(), "—".into()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_as_the_same_time(millis in 0_i64..253_402_300_800_000) {
        let time = Timestamp::from_millis(millis);
        prop_assert_eq!(Timestamp::parse_iso(&time.to_string()), Some(time));
    }

    #[test]
    fn month_to_second_are_those_of_the_pattern(millis in -62_135_596_800_000_i64..253_402_300_800_000) {
        let time = Timestamp::from_millis(millis);
        prop_assert_eq!(time.format_month_to_second(), time.format("%m-%d %H:%M:%S"));
    }

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        let timestamp = Timestamp::parse_iso(&text);
        prop_assert!(timestamp.is_none() || text.contains('T') || text.contains('t') || text.contains(' '));
    }
}
