//! Single JSON values: texts, whole numbers, booleans and times. A number is parsed from its digits as received, never
//! via a binary fraction.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::domain::Timestamp;

/// The text of a string, or the digits of a number as received; `None` for anything else.
pub(super) fn parse_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    match json.as_bytes().first()? {
        b'"' => match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            // Valid JSON without escapes needs no decoding.
            Some(plain) if memchr::memchr(b'\\', plain.as_bytes()).is_none() => Some(Cow::Borrowed(plain)),
            _ => serde_json::from_str::<Borrowed<'_>>(json).ok().map(|Borrowed(text)| text),
        },
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(json)),
        _ => None,
    }
}

/// serde borrows a text behind a newtype only.
#[derive(serde::Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

/// A whole number, as a number (`3`, `3.0`) or as a text (`"3"`).
pub(super) fn parse_integer(raw: &RawValue) -> Option<u64> {
    let text = parse_text(raw)?;
    let digits = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => &text,
    };
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// A boolean, as such or as the text `true` or `false`; case is ignored.
pub(super) fn parse_bool(raw: &RawValue) -> Option<bool> {
    let text = match raw.get() {
        "true" => return Some(true),
        "false" => return Some(false),
        json if json.starts_with('"') => parse_text(raw)?,
        _ => return None,
    };
    match text.trim() {
        word if word.eq_ignore_ascii_case("true") => Some(true),
        word if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// ISO 8601 with a zone, or whole milliseconds since 1970 as a number or a text.
pub(super) fn parse_time(raw: &RawValue) -> Option<Timestamp> {
    let text = parse_text(raw)?;
    let text = text.trim();
    Timestamp::parse_iso(text).or_else(|| {
        let millis = text.parse::<i64>().ok().filter(|_| !text.starts_with('+'))?;
        // A time outside the calendar is an error, not a time.
        let time = Timestamp::from_millis(millis);
        time.to_utc().map(|_| time)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn whole_numbers_come_as_numbers_and_as_texts() {
        for (json, expected) in [
            ("3", Some(3)),
            ("\"3\"", Some(3)),
            ("3.0", Some(3)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("-3", None),
            ("3.5", None),
            ("3e2", None),
            ("\"+3\"", None),
            ("\"\"", None),
            ("\".0\"", None),
            ("\"3.\"", None),
            ("true", None),
            ("null", None),
            ("[3]", None),
        ] {
            assert_eq!(parse_integer(&raw(json)), expected, "{json}");
        }
    }

    #[test]
    fn booleans_come_as_such_and_as_texts() {
        for (json, expected) in [
            ("true", Some(true)),
            ("\"TRUE\"", Some(true)),
            ("\"false\"", Some(false)),
            ("false", Some(false)),
            ("\"yes\"", None),
            ("1", None),
            ("null", None),
            ("{}", None),
        ] {
            assert_eq!(parse_bool(&raw(json)), expected, "{json}");
        }
    }

    #[test]
    fn times_come_as_iso_texts_and_as_milliseconds() {
        let noon = Some(Timestamp::from_millis(1_741_780_800_000));
        for (json, expected) in [
            ("\"2025-03-12T12:00:00Z\"", noon),
            ("\"2025-03-12T12:00:00.000Z\"", noon),
            ("\"2025-03-12T13:00:00.000+01:00\"", noon),
            ("1741780800000", noon),
            ("\"1741780800000\"", noon),
            ("1741780800000.5", None),
            ("9999999999999999999", None),
            ("9000000000000000000", None),
            ("\"yesterday\"", None),
            ("\"2025-03-12T12:00:00\"", None),
            ("null", None),
            ("false", None),
        ] {
            assert_eq!(parse_time(&raw(json)), expected, "{json}");
        }
    }

    #[test]
    fn digits_stay_as_they_came() {
        let digits = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(parse_text(&raw(digits)).unwrap(), digits);
        assert_eq!(parse_text(&raw("1.50e+3")).unwrap(), "1.50e+3");
        assert_eq!(parse_text(&raw("\"a\\u0041\"")).unwrap(), "aA");
        assert_eq!(parse_text(&raw("\"\\ud800\"")), None);
        assert_eq!(parse_text(&raw("true")), None);
    }
}
