//! Answers to a payment, of any bytes: only the service's own clear word ends an attempt.

use reqwest::StatusCode;
use serde_json::Value;

use super::properties::judge_body;
use super::{KEY, Outcome};
use crate::fuzzing::{target, text};

/// Statuses that a payment's answer may have, and the one that nobody has.
const STATUSES: [u16; 20] =
    [100, 200, 201, 202, 204, 301, 307, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 599];

/// An answer, also where a text in it was cut between the two halves of a character: it is JSON, and no text.
fn parse_mended_json(body: &str) -> Value {
    let mut mended = body.to_owned();
    for (at, _) in body.match_indices("\\u") {
        let half = |hex: &str| u16::from_str_radix(hex, 16).is_ok_and(|unit| (0xd800..0xe000).contains(&unit));
        if body.get(at + 2..at + 6).is_some_and(half) {
            mended.replace_range(at + 2..at + 6, "fffd");
        }
    }
    serde_json::from_str(body).or_else(|_| serde_json::from_str(&mended)).unwrap_or_default()
}

#[test]
fn an_answer_ends_an_attempt_only_where_it_says_so_of_this_request() {
    let accepted = format!(r#"{{"success":true,"data":{{"id":"a","idempotencyKey":"{KEY}","status":"pending"}}}}"#);
    let accepted = [b"\x02", accepted.as_bytes()].concat();
    let unreadable =
        [b"\x02", format!(r#"{{"success":true,"data":{{"idempotencyKey":"{KEY}\ud800"}}}}"#).as_bytes()].concat();
    let seeds: [&[u8]; 9] = [
        &accepted,
        &unreadable,
        b"\x01{\"success\":\" TRUE \",\"data\":{\"idempotencyKey\":\"another\"}}",
        b"\x07{\"statusCode\":400,\"path\":\"/v2/transactions/withdraw\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":\"no\"}",
        b"\x0d{\"statusCode\":\"422\",\"message\":[\"amount is required\"]}",
        b"\x0a{\"statusCode\":404,\"path\":\"/elsewhere\",\"message\":\"Cannot POST /elsewhere\"}",
        b"\x12<html>",
        b"\x10{\"statusCode\":500}",
        b"\x01{\"success\":false,\"data\":{}}",
    ];
    target(&seeds, |input| {
        let (first, body) = input.split_first().unwrap_or((&0, &[]));
        let (status, body) = (STATUSES[usize::from(*first) % STATUSES.len()], text(body));
        let answered = judge_body(status, body);
        let json = parse_mended_json(body);
        let word =
            |value: &Value| value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_ascii_lowercase());
        match answered.outcome {
            Outcome::Accepted => {
                assert!((200..300).contains(&status), "{status} {body}");
                assert!(word(&json["success"]) == "true" && json["data"].is_object(), "{body}");
                let key = &json["data"]["idempotencyKey"];
                assert!(key.is_null() || word(key).is_empty() || word(key) == KEY, "{body}");
            }
            Outcome::Refused | Outcome::Declined => {
                assert!(matches!(status, 400 | 404 | 422), "{status} {body}");
                assert_eq!(word(&json["statusCode"]).trim_end_matches(".0"), status.to_string(), "{body}");
            }
            Outcome::ProbablyRefused { .. } => assert!((400..500).contains(&status), "{status} {body}"),
            Outcome::NotSent => panic!("an answer came: {status} {body}"),
            Outcome::Unknown => {}
        }
        if matches!(status, 408 | 409 | 425)
            || !(StatusCode::from_u16(status).unwrap().is_success() || (400..500).contains(&status))
        {
            assert_eq!(answered.outcome, Outcome::Unknown, "{status} {body}");
        }
        assert!(!answered.message.is_empty() && answered.status == Some(status));
    });
}
