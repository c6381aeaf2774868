//! Parses one word of a filter into terms, or into an error that states what would be right.

use std::time::Duration;

use super::{AmountBound, FilterContext, FilterField, FilterTerm, RowPredicate, fold_case, split_field};
use crate::domain::{Amount, Direction, FinalStatuses, Period, SubType, Timestamp};

pub(super) const TIME_HINT: &str = "write 2026-11-01, 2026-11 or 2026-11-01T12:30 (UTC), or yesterday, monday or -7d";
pub(super) const ADDRESS_OR_TIME_HINT: &str =
    "takes a time (2026-11-01, yesterday, monday, -7d) or a part of an address (0x3f2a)";
pub(super) const DATE_HINT: &str = "date: takes 2026-11-01, 11-01, 12:30, today or monday (UTC)";
pub(super) const DIRECTION_HINT: &str = "dir: takes in or out";
pub(super) const AMOUNT_HINT: &str = "amount: write amount:>=1000.50 or amount:>5k, with >, >=, < or <=, or its digits";
pub(super) const VALUE_HINT: &str = "value: write value:>1000 or value:<=5k, with >, >=, < or <=";
pub(super) const NO_PRICES: &str = "value: needs quotes, and none were read; amount: compares plain amounts";
pub(super) const AGE_HINT: &str = "age: write age:>30m, age:<2h or age:>7d, with >, >=, < or <=";
pub(super) const NO_CLOCK: &str = "write a time as 2026-11-01 here";

/// Usual status words of services, the commonest first. The list is open: other words can be searched in quotes.
const USUAL_STATUSES: [&str; 24] = [
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

/// The terms of a word; none where it restricts nothing yet.
///
/// # Errors
/// What would be right, where the word cannot be anything that its field holds.
pub(super) fn parse_filter_word(word: &str, context: &FilterContext) -> Result<Vec<FilterTerm>, String> {
    let (field, value) = match (word.strip_prefix('"'), split_field(word)) {
        (Some(quoted), _) => (None, quoted.strip_suffix('"').unwrap_or(quoted)),
        (None, Some((field, value))) => (Some(field), value),
        (None, None) => (None, word),
    };
    if let (None, Some(name)) = (field, unknown_field(word)) {
        return Err(format!("no field is called {name}; \"{word}\" in quotes searches everywhere"));
    }
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let tests = match field {
        Some(FilterField::From) => {
            parse_address_or_time(value, context, "from:", |period| RowPredicate::NotBefore(period.start))
        }
        Some(FilterField::To) => {
            parse_address_or_time(value, context, "to:", |period| RowPredicate::Before(period.end))
        }
        Some(FilterField::Date) => parse_date(value, context),
        Some(FilterField::Age) => parse_age(value, context),
        Some(FilterField::Amount) => parse_amount(value),
        Some(FilterField::Value) => parse_value(value, context),
        Some(FilterField::Direction) => {
            let words = [Direction::Incoming, Direction::Outgoing].map(|one| one.word().to_owned());
            if words.iter().any(|word| word.starts_with(&fold_case(value))) {
                parse_text(field, value)
            } else {
                Err(DIRECTION_HINT.into())
            }
        }
        Some(FilterField::Status) => {
            let FinalStatuses { ok, failed } = &context.words;
            let own = ok.iter().chain(failed).map(String::as_str);
            let known: Vec<&str> = USUAL_STATUSES.iter().copied().chain(own).collect();
            parse_vocabulary(field, value, "status", &known)
        }
        Some(FilterField::SubType) => parse_vocabulary(field, value, "type", SubType::KNOWN),
        _ => parse_text(field, value),
    }?;
    // A word of commas alone would search for an empty text.
    let asks = |test: &RowPredicate| !matches!(test, RowPredicate::Contains(needle) if needle.is_empty());
    Ok(tests.into_iter().filter(asks).map(|test| FilterTerm { field, predicate: test }).collect())
}

/// The field name in a word, if no field has that name.
fn unknown_field(word: &str) -> Option<&str> {
    let (name, value) = word.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && !value.starts_with('/') && split_field(word).is_none()).then_some(name)
}

#[expect(clippy::unnecessary_wraps, reason = "what other words mean may be an error, and all are read alike")]
fn parse_text(field: Option<FilterField>, value: &str) -> Result<Vec<RowPredicate>, String> {
    let mut needle = fold_case(value);
    if matches!(field, None | Some(FilterField::Amount)) && has_valid_thousands_groups(&needle) {
        needle.retain(|c| c != ',');
    }
    Ok(vec![RowPredicate::Contains(needle)])
}

/// A word of an open list, such as a status. A service's own words are searched in quotes, without the field.
fn parse_vocabulary(
    field: Option<FilterField>,
    value: &str,
    name: &str,
    known: &[&str],
) -> Result<Vec<RowPredicate>, String> {
    let needle = fold_case(value);
    if known.iter().any(|word| fold_case(word).contains(&needle)) {
        return parse_text(field, value);
    }
    let usual = known.iter().take(3).map(|word| fold_case(word)).collect::<Vec<_>>().join(", ");
    Err(format!("{name}: takes {usual} …; for another word of the service type \"{value}\" in quotes"))
}

/// A time bound, or a part of the address.
fn parse_address_or_time(
    value: &str,
    context: &FilterContext,
    name: &str,
    bound: impl FnOnce(Period) -> RowPredicate,
) -> Result<Vec<RowPredicate>, String> {
    if looks_like_date(value) {
        return Period::parse(value).map(|period| vec![bound(period)]).ok_or_else(|| TIME_HINT.into());
    }
    if let Some(period) = parse_relative_period(value, context)? {
        return Ok(vec![bound(period)]);
    }
    if is_part_of_address(value) { parse_text(None, value) } else { Err(format!("{name} {ADDRESS_OR_TIME_HINT}")) }
}

/// A period relative to now: `today`, `yesterday`, a weekday, or `-7d` for the moment that long ago.
fn parse_relative_period(value: &str, context: &FilterContext) -> Result<Option<Period>, String> {
    let Some(period) = value.strip_prefix('-').map(parse_duration).map(|ago| ago.ok_or(TIME_HINT)).transpose()? else {
        let Some(now) = context.now else {
            return if Period::parse_named(value, Timestamp::from_millis(0)).is_some() {
                Err(NO_CLOCK.into())
            } else {
                Ok(None)
            };
        };
        return Ok(Period::parse_named(value, now));
    };
    let moment = minutes_before(context.now.ok_or(NO_CLOCK)?, period);
    Ok(Some(Period { start: moment, end: moment }))
}

fn parse_date(value: &str, context: &FilterContext) -> Result<Vec<RowPredicate>, String> {
    if let Some(period) = parse_relative_period(value, context)? {
        return Ok(vec![RowPredicate::NotBefore(period.start), RowPredicate::Before(period.end)]);
    }
    if let Some(period) = Period::parse(value).filter(|_| value.contains(['T', 't'])) {
        return Ok(vec![RowPredicate::NotBefore(period.start), RowPredicate::Before(period.end)]);
    }
    let is_written = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':'));
    if is_written { parse_text(Some(FilterField::Date), value) } else { Err(DATE_HINT.into()) }
}

/// Older rows are before the moment.
fn parse_age(value: &str, context: &FilterContext) -> Result<Vec<RowPredicate>, String> {
    let (side, age) = AmountBound::parse_prefix(value).ok_or(AGE_HINT)?;
    let moment = minutes_before(context.now.ok_or(NO_CLOCK)?, parse_duration(age).ok_or(AGE_HINT)?);
    Ok(vec![match side {
        AmountBound::Above | AmountBound::AtLeast => RowPredicate::Before(moment),
        AmountBound::Below | AmountBound::AtMost => RowPredicate::NotBefore(moment),
    }])
}

fn parse_amount(value: &str) -> Result<Vec<RowPredicate>, String> {
    let Some((side, bound)) = AmountBound::parse_prefix(value) else {
        let is_digits = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        return if is_digits { parse_text(Some(FilterField::Amount), value) } else { Err(AMOUNT_HINT.into()) };
    };
    Ok(vec![RowPredicate::Amount(side, parse_number(bound).ok_or(AMOUNT_HINT)?)])
}

fn parse_value(value: &str, context: &FilterContext) -> Result<Vec<RowPredicate>, String> {
    let (side, bound) = AmountBound::parse_prefix(value).ok_or(VALUE_HINT)?;
    let bound = parse_number(bound).ok_or(VALUE_HINT)?;
    if context.prices.prices.is_empty() {
        return Err(NO_PRICES.into());
    }
    Ok(vec![RowPredicate::Value(side, bound, context.prices.clone())])
}

/// Whether the value is a date: no address begins with a year and a hyphen, and four digits alone are more likely a
/// year than a part of an address.
fn looks_like_date(value: &str) -> bool {
    let (year, rest) = value.split_at_checked(4).unwrap_or((value, ""));
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && ("1970".."2200").contains(&year);
    is_year && (rest.is_empty() || rest.starts_with('-'))
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
fn minutes_before(now: Timestamp, ago: Duration) -> Timestamp {
    const MINUTE: i64 = 60_000;
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    let moment = now.millis().saturating_sub(ago).max(0);
    Timestamp::from_millis(moment - moment.rem_euclid(MINUTE))
}

/// A number as an operator writes it, with `k` for thousands, `m` for millions and `b` for billions (10^9).
fn parse_number(text: &str) -> Option<Amount> {
    let digits = text.replace(',', "");
    let (digits, zeros) = match digits.char_indices().next_back()? {
        (at, 'k' | 'K') => (&digits[..at], 3),
        (at, 'm' | 'M') => (&digits[..at], 6),
        (at, 'b' | 'B') => (&digits[..at], 9),
        _ => (digits.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // The suffix moves the point to the right by that many digits.
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

fn has_valid_thousands_groups(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) && word.contains(',')
}
