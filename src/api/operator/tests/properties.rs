//! Laws of judging: whatever comes, only the service's own clear word ends an attempt.

use proptest::prelude::*;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::super::attempt_outcome::{ResponseView, from_response};
use super::*;

pub(super) fn judge_body(status: u16, body: &str) -> AttemptResult {
    let status = StatusCode::from_u16(status).unwrap();
    let reply = ResponseView { status, headers: &HeaderMap::new(), body, max_depth: 64 };
    let (frozen, wire) = (payment_request(), WireNames::default());
    from_response(&frozen, &expectation_of(&decode(&frozen, &wire).unwrap()), &reply, &wire)
}

/// Bodies close to those that mean something.
fn answer_body() -> impl Strategy<Value = String> {
    let success = prop_oneof![Just("true"), Just("false"), Just("\"true\""), Just("1"), Just("null"), Just("[]")];
    let data = prop_oneof![Just("{}"), Just("[]"), Just("null"), Just(r#"{"id":"a"}"#), Just("\"a\""), Just("{")];
    let code =
        prop_oneof![(200_u16..600).prop_map(|code| code.to_string()), Just("null".into()), Just("\"400\"".into())];
    prop_oneof![
        (success, data).prop_map(|(success, data)| format!(r#"{{"success":{success},"data":{data}}}"#)),
        code.prop_map(|code| format!(r#"{{"statusCode":{code},"message":"no"}}"#)),
        any::<String>(),
        Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_clear_words_end_an_attempt(status in 100_u16..1000, body in answer_body()) {
        let json: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
        let says_success = json["success"] == true || json["success"] == "true";
        let code = json["statusCode"].as_str().map_or_else(|| json["statusCode"].to_string(), str::to_owned);
        let names_status = code == format!("{status}");
        let expected = match status {
            200..300 if says_success && json["data"].is_object() => Outcome::Accepted,
            400 | 404 | 422 if names_status => Outcome::Declined,
            408 | 409 | 425 => Outcome::Unknown,
            400..500 => Outcome::ProbablyRefused { wait: None },
            _ => Outcome::Unknown,
        };
        let answered = judge_body(status, &body);
        prop_assert_eq!(answered.outcome, expected);
        prop_assert_eq!(answered.status, Some(status));
        prop_assert!(!answered.message.is_empty());
        prop_assert!(answered.raw.as_deref().unwrap_or_default() == body);
    }
}

#[test]
fn only_so_much_of_an_answer_is_kept() {
    let long = format!(r#"{{"success":true,"data":{{"id":"a","note":"{}"}}}}"#, "é".repeat(64 * 1024));
    let raw = judge_body(200, &long).raw.unwrap();
    assert!(long.starts_with(&raw) && (64 * 1024 - 1..=64 * 1024).contains(&raw.len()), "{}", raw.len());
    assert_eq!(judge_body(200, &long).outcome, Outcome::Accepted);
}
