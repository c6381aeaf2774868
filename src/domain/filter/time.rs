//! Parses the words of a filter that bound the time: dates, periods by name, and how long ago.

use std::time::Duration;

use super::term::parse_text;
use super::{AmountOperator, FilterContext, FilterField, RowPredicate};
use crate::domain::{Period, Timestamp};

pub(super) const TIME_HINT: &str =
    "write a day 2026-11-01, a month 2026-11, a minute 2026-11-01T12:30, yesterday, monday, last month or -7d";
pub(super) const ADDRESS_OR_TIME_HINT: &str =
    "takes a time (2026-11-01, yesterday, last month, -7d) or a part of an address (0x3f2a)";
pub(super) const DATE_HINT: &str =
    "date: takes 2026-11-01, 11-01, 12:30, today, monday, last month or -7d; from: and to: bound a longer time";
pub(super) const NO_SUCH_DAY: &str = "the calendar has no such day; write it as 2026-11-01";
pub(super) const AGE_HINT: &str = "age: write age:>30m, age:<2h, age:>7d or age:>usual, with >, >=, < or <=";
pub(super) const NO_CLOCK: &str = "write a time as 2026-11-01 here";

/// A time bound, or a part of the address.
pub(super) fn parse_address_or_time(
    value: &str,
    context: &FilterContext<'_>,
    name: &str,
    bound: impl FnOnce(Period) -> RowPredicate,
) -> Result<Vec<RowPredicate>, String> {
    if looks_like_date(value) {
        return parse_written_period(value, context).map(|period| vec![bound(period)]).ok_or_else(|| TIME_HINT.into());
    }
    if let Some(period) = parse_named_period(value, context)? {
        return Ok(vec![bound(period)]);
    }
    if let Some(moment) = parse_relative_time(value, context)? {
        return Ok(vec![bound(Period { start: moment, end: moment })]);
    }
    if is_part_of_address(value) { parse_text(None, value) } else { Err(format!("{name} {ADDRESS_OR_TIME_HINT}")) }
}

/// A word of its own that is a period: `today`, `last month`, `-7d`. A weekday alone is searched as text.
pub(super) fn parse_period(word: &str, context: &FilterContext<'_>) -> Result<Option<Vec<RowPredicate>>, String> {
    if is_relative_time(word) {
        return Ok(parse_relative_time(word, context)?.map(|since| vec![RowPredicate::NotBefore(since)]));
    }
    let is_period = ["today", "yesterday"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        || word.split_once(char::is_whitespace).is_some();
    if !is_period {
        return Ok(None);
    }
    Ok(parse_named_period(word, context)?.map(period_predicates))
}

pub(super) fn parse_date(value: &str, context: &FilterContext<'_>) -> Result<Vec<RowPredicate>, String> {
    if let Some(since) = parse_relative_time(value, context)? {
        return Ok(vec![RowPredicate::NotBefore(since)]);
    }
    if let Some(period) = parse_named_period(value, context)? {
        return Ok(period_predicates(period));
    }
    if let Some(period) = parse_written_period(value, context).filter(|_| value.contains(['T', 't'])) {
        return Ok(period_predicates(period));
    }
    if is_whole_date(value) && parse_written_period(value, context).is_none() {
        return Err(NO_SUCH_DAY.into());
    }
    let is_written = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':'));
    if is_written { parse_text(Some(FilterField::Date), value) } else { Err(DATE_HINT.into()) }
}

/// Older rows are before the moment.
pub(super) fn parse_age(value: &str, context: &FilterContext<'_>) -> Result<Vec<RowPredicate>, String> {
    let (side, age) = AmountOperator::parse_prefix(value).ok_or(AGE_HINT)?;
    let now = context.now.ok_or(NO_CLOCK)?;
    if age.eq_ignore_ascii_case("usual") && matches!(side, AmountOperator::Above | AmountOperator::AtLeast) {
        return Ok(vec![RowPredicate::OlderThanUsual(rounded_time_before(now, Duration::ZERO))]);
    }
    let moment = rounded_time_before(now, parse_duration(age).ok_or(AGE_HINT)?);
    Ok(vec![match side {
        AmountOperator::Above | AmountOperator::AtLeast => RowPredicate::Before(moment),
        AmountOperator::Below | AmountOperator::AtMost => RowPredicate::NotBefore(moment),
    }])
}

fn period_predicates(period: Period) -> Vec<RowPredicate> {
    vec![RowPredicate::NotBefore(period.start), RowPredicate::Before(period.end)]
}

/// A period by its digits, such as `2026-11`.
fn parse_written_period(value: &str, context: &FilterContext<'_>) -> Option<Period> {
    Period::parse(value).map(|period| period.in_zone(&context.zone))
}

/// A period by its name, such as `yesterday` or `last month`.
fn parse_named_period(value: &str, context: &FilterContext<'_>) -> Result<Option<Period>, String> {
    let local = |now: Timestamp| Period::parse_named(value, context.zone.to_local(now));
    match context.now {
        Some(now) => Ok(local(now).map(|period| period.in_zone(&context.zone))),
        None if local(Timestamp::from_millis(0)).is_some() => Err(NO_CLOCK.into()),
        None => Ok(None),
    }
}

/// The moment that `-7d` names.
fn parse_relative_time(value: &str, context: &FilterContext<'_>) -> Result<Option<Timestamp>, String> {
    let Some(ago) = value.strip_prefix('-') else { return Ok(None) };
    let ago = parse_duration(ago).ok_or(TIME_HINT)?;
    Ok(Some(rounded_time_before(context.now.ok_or(NO_CLOCK)?, ago)))
}

fn is_relative_time(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|ago| parse_duration(ago).is_some())
}

/// Whether the value is a date: no address begins with a year and a hyphen, and four digits alone are more likely a
/// year than a part of an address.
fn looks_like_date(value: &str) -> bool {
    let (year, rest) = value.split_at_checked(4).unwrap_or((value, ""));
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && ("1970".."2200").contains(&year);
    is_year && (rest.is_empty() || rest.starts_with('-'))
}

/// Whether the value has year, month and day, whatever their numbers.
fn is_whole_date(value: &str) -> bool {
    let mut parts = value.split('-').map(|part| (part.len(), part.bytes().all(|byte| byte.is_ascii_digit())));
    [4, 2, 2].into_iter().all(|length| parts.next() == Some((length, true))) && parts.next().is_none()
}

/// Whether an address may contain this. A word of small letters alone is an ordinary word, unless it is hexadecimal;
/// parts of addresses have digits or capitals.
fn is_part_of_address(value: &str) -> bool {
    let is_of_address = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    value.bytes().all(is_of_address)
        && (has(u8::is_ascii_digit)
            || has(u8::is_ascii_uppercase)
            || value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A duration such as `30m`, `2h`, `7d` or `1w`; the resolution is a minute.
fn parse_duration(text: &str) -> Option<Duration> {
    let is_written =
        text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_written.then(|| humantime::parse_duration(text).ok())?
}

/// The moment that long ago, rounded down to the minute so that it is stable for as long.
fn rounded_time_before(now: Timestamp, ago: Duration) -> Timestamp {
    const MINUTE: i64 = 60_000;
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    let moment = now.millis().saturating_sub(ago).max(0);
    Timestamp::from_millis(moment - moment.rem_euclid(MINUTE))
}
