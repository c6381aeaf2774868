//! One word of a filter: what it asks for, or what would be right.

use std::time::Duration;

use super::{Field, ParseContext, Side, Term, Test, fold, named};
use crate::domain::{Amount, Direction, FinalWords, Period, SubType, Timestamp};

pub(super) const A_TIME: &str = "as 2026-11-01, 2026-11 or 2026-11-01T12:30 (UTC), or as yesterday, monday or -7d";
pub(super) const AN_END: &str = "takes a time (2026-11-01, yesterday, monday, -7d) or a part of an address (0x3f2a)";
pub(super) const A_DATE: &str = "date: is as 2026-11-01, 11-01, 12:30, today or monday (UTC)";
pub(super) const A_DIRECTION: &str = "dir: is in or out";
pub(super) const AN_AMOUNT: &str = "amount: is as amount:>=1000.50 or amount:>5k, with >, >=, < or <=, or its digits";
pub(super) const A_VALUE: &str = "value: is as value:>1000 or value:<=5k, with >, >=, < or <=";
pub(super) const NO_PRICES: &str = "value: needs quotes, and none was read; amount: compares bare amounts";
pub(super) const AN_AGE: &str = "age: is as age:>30m, age:<2h or age:>7d, with >, >=, < or <=";
pub(super) const NO_CLOCK: &str = "write a time as 2026-11-01 here";

/// Words that services use for how far a transaction has come, the usual ones first. It is open: others are found in quotes.
const STATUSES: [&str; 24] = [
    "pending",
    "success",
    "failed",
    "completed",
    "confirmed",
    "cancelled",
    "canceled",
    "rejected",
    "reverted",
    "expired",
    "error",
    "dropped",
    "replaced",
    "returned",
    "processing",
    "submitted",
    "queued",
    "created",
    "confirming",
    "broadcast",
    "sent",
    "approved",
    "waiting",
    "done",
];

/// The terms of a word: none where it asks for nothing yet.
///
/// # Errors
/// What would be right, where the word can be none of what its field holds.
pub(super) fn read(word: &str, context: &ParseContext) -> Result<Vec<Term>, String> {
    let (field, value) = match (word.strip_prefix('"'), named(word)) {
        (Some(quoted), _) => (None, quoted.strip_suffix('"').unwrap_or(quoted)),
        (None, Some((field, value))) => (Some(field), value),
        (None, None) => (None, word),
    };
    if let (None, Some(name)) = (field, unknown(word)) {
        return Err(format!("no field is called {name}; \"{word}\" is looked for everywhere"));
    }
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let tests = match field {
        Some(Field::From) => one_end(value, context, "from:", |period| Test::Since(period.begins)),
        Some(Field::To) => one_end(value, context, "to:", |period| Test::Before(period.ends)),
        Some(Field::Date) => date(value, context),
        Some(Field::Age) => age(value, context),
        Some(Field::Amount) => amount(value),
        Some(Field::Value) => worth(value, context),
        Some(Field::Direction) => {
            let words = [Direction::Incoming, Direction::Outgoing].map(|one| one.word().to_owned());
            if words.iter().any(|word| word.starts_with(&fold(value))) {
                holds(field, value)
            } else {
                Err(A_DIRECTION.into())
            }
        }
        Some(Field::Status) => {
            let FinalWords { ok, failed } = &context.words;
            let own = ok.iter().chain(failed).map(String::as_str);
            let known: Vec<&str> = STATUSES.iter().copied().chain(own).collect();
            vocabulary(field, value, "status", &known)
        }
        Some(Field::SubType) => vocabulary(field, value, "type", SubType::KNOWN),
        _ => holds(field, value),
    }?;
    // Commas alone group no digits.
    let asks = |test: &Test| !matches!(test, Test::Holds(needle) if needle.is_empty());
    Ok(tests.into_iter().filter(asks).map(|test| Term { field, test }).collect())
}

/// The name of a field that there is none of, if a word names one.
fn unknown(word: &str) -> Option<&str> {
    let (name, value) = word.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && !value.starts_with('/') && named(word).is_none()).then_some(name)
}

#[expect(clippy::unnecessary_wraps, reason = "what other words mean may be an error, and all are read alike")]
fn holds(field: Option<Field>, value: &str) -> Result<Vec<Test>, String> {
    let mut needle = fold(value);
    if matches!(field, None | Some(Field::Amount)) && is_grouped(&needle) {
        needle.retain(|c| c != ',');
    }
    Ok(vec![Test::Holds(needle)])
}

/// A word of an open list, such as a status: services have their own, which are found without the field.
fn vocabulary(field: Option<Field>, value: &str, name: &str, known: &[&str]) -> Result<Vec<Test>, String> {
    let needle = fold(value);
    if known.iter().any(|word| fold(word).contains(&needle)) {
        return holds(field, value);
    }
    let usual = known.iter().take(3).map(|word| fold(word)).collect::<Vec<_>>().join(", ");
    Err(format!("{name}: is {usual} …; for another word of the service type \"{value}\" with its quotes"))
}

/// Since when or until when; or a part of the address at that end.
fn one_end(
    value: &str,
    context: &ParseContext,
    name: &str,
    bound: impl FnOnce(Period) -> Test,
) -> Result<Vec<Test>, String> {
    if is_calendar(value) {
        return Period::read(value).map(|period| vec![bound(period)]).ok_or_else(|| A_TIME.into());
    }
    if let Some(period) = relative(value, context)? {
        return Ok(vec![bound(period)]);
    }
    if is_part_of_address(value) { holds(None, value) } else { Err(format!("{name} {AN_END}")) }
}

/// A stretch of time that counts from now: `today`, `yesterday`, a day of the week, or `-7d` for the moment that long ago.
fn relative(value: &str, context: &ParseContext) -> Result<Option<Period>, String> {
    let Some(period) = value.strip_prefix('-').map(duration).map(|ago| ago.ok_or(A_TIME)).transpose()? else {
        let Some(now) = context.now else {
            return if Period::around(value, Timestamp::from_millis(0)).is_some() {
                Err(NO_CLOCK.into())
            } else {
                Ok(None)
            };
        };
        return Ok(Period::around(value, now));
    };
    let moment = before(context.now.ok_or(NO_CLOCK)?, period);
    Ok(Some(Period { begins: moment, ends: moment }))
}

fn date(value: &str, context: &ParseContext) -> Result<Vec<Test>, String> {
    if let Some(period) = relative(value, context)? {
        return Ok(vec![Test::Since(period.begins), Test::Before(period.ends)]);
    }
    if let Some(period) = Period::read(value).filter(|_| value.contains(['T', 't'])) {
        return Ok(vec![Test::Since(period.begins), Test::Before(period.ends)]);
    }
    let is_written = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':'));
    if is_written { holds(Some(Field::Date), value) } else { Err(A_DATE.into()) }
}

/// What is older lies before a moment.
fn age(value: &str, context: &ParseContext) -> Result<Vec<Test>, String> {
    let (side, age) = Side::split(value).ok_or(AN_AGE)?;
    let moment = before(context.now.ok_or(NO_CLOCK)?, duration(age).ok_or(AN_AGE)?);
    Ok(vec![match side {
        Side::Above | Side::AtLeast => Test::Before(moment),
        Side::Below | Side::AtMost => Test::Since(moment),
    }])
}

fn amount(value: &str) -> Result<Vec<Test>, String> {
    let Some((side, bound)) = Side::split(value) else {
        let is_digits = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        return if is_digits { holds(Some(Field::Amount), value) } else { Err(AN_AMOUNT.into()) };
    };
    Ok(vec![Test::Compares(side, number(bound).ok_or(AN_AMOUNT)?)])
}

fn worth(value: &str, context: &ParseContext) -> Result<Vec<Test>, String> {
    let (side, bound) = Side::split(value).ok_or(A_VALUE)?;
    let bound = number(bound).ok_or(A_VALUE)?;
    if context.prices.each.is_empty() {
        return Err(NO_PRICES.into());
    }
    Ok(vec![Test::Values(side, bound, context.prices.clone())])
}

/// Whether somebody who writes this means the calendar: no address begins with a year and a hyphen, and one that holds
/// four digits alone is not looked for by them.
fn is_calendar(value: &str) -> bool {
    let (year, rest) = value.split_at_checked(4).unwrap_or((value, ""));
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && ("1970".."2200").contains(&year);
    is_year && (rest.is_empty() || rest.starts_with('-'))
}

/// Whether an address may hold this. A word of small letters alone is one that somebody would say, not a part of an
/// address: those have digits, or large and small letters, or are in hexadecimal.
fn is_part_of_address(value: &str) -> bool {
    let is_of_address = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    value.bytes().all(is_of_address)
        && (has(u8::is_ascii_digit)
            || has(u8::is_ascii_uppercase)
            || value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A time span as `30m`, `2h`, `7d` or `1w`; minutes are the least that is told apart.
fn duration(text: &str) -> Option<Duration> {
    let is_written =
        text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_written.then(|| humantime::parse_duration(text).ok())?
}

/// A moment so long ago, to the minute, so that it stands still for as long.
fn before(now: Timestamp, ago: Duration) -> Timestamp {
    const MINUTE: i64 = 60_000;
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    let moment = now.millis().saturating_sub(ago).max(0);
    Timestamp::from_millis(moment - moment.rem_euclid(MINUTE))
}

/// A number as an operator writes it, with `k` for thousands, `m` for millions and `b` for milliards.
fn number(text: &str) -> Option<Amount> {
    let digits = text.replace(',', "");
    let (digits, zeros) = match digits.char_indices().next_back()? {
        (at, 'k' | 'K') => (&digits[..at], 3),
        (at, 'm' | 'M') => (&digits[..at], 6),
        (at, 'b' | 'B') => (&digits[..at], 9),
        _ => (digits.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // The point moves to the right by as many digits as the letter stands for.
    let moved = fraction.len().min(zeros);
    let shifted = format!("{whole}{}{}", &fraction[..moved], "0".repeat(zeros - moved));
    let (whole, rest) = (if whole == "0" { shifted.trim_start_matches('0') } else { &shifted }, &fraction[moved..]);
    if digits.ends_with('.') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let text = if rest.is_empty() { whole.to_owned() } else { format!("{whole}.{rest}") };
    Amount::parse(&text, u8::try_from(rest.len()).ok()?).ok()
}

/// Whether a word is a number with its thousands grouped.
fn is_grouped(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) && word.contains(',')
}
