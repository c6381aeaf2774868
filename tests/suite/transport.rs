//! A service that answers late, half, wrong, hugely or elsewhere: each is told apart, and none is believed.

use std::io::Write;
use std::time::Duration;

use bursar::api::{Connection, ConnectionError, Limits, Reader, Route, WireNames};
use bursar::domain::{Direction, Failure, FailureReason, MayHaveHappened, Redaction, UserId};

use crate::fake_service::{Answer, FakeService, KEY, answer, ok};

const EMPTY_PAGE: &str = r#"{"success":true,"data":[],"totalPage":0,"pageNo":1,"pageLimit":100}"#;

/// Limits that a test can wait for.
fn short() -> Limits {
    Limits { request: Duration::from_millis(150), ..Limits::default() }
}

async fn failure(answer: Answer) -> Failure {
    let is_endless = matches!(answer, Answer::Silence(_) | Answer::Drip(..));
    let service = FakeService::new(vec![answer]).await;
    let limits = if is_endless { short() } else { Limits::default() };
    let failure = ask(&service.reader_with(limits)).await.unwrap_err();
    assert_eq!(failure.may_have_happened, MayHaveHappened::No, "a read changes nothing");
    failure
}

async fn ask(reader: &Reader) -> Result<usize, Failure> {
    reader.fetch_transactions(&Direction::Incoming, 1, 100).await.map(|page| page.items.len())
}

#[tokio::test]
async fn no_answer_half_an_answer_and_a_trickle_end_in_time() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{".to_vec();
    assert_eq!(failure(Answer::Silence(Vec::new())).await.reason, FailureReason::TimedOut);
    assert_eq!(failure(Answer::Silence(b"HTTP/1.1 200".to_vec())).await.reason, FailureReason::TimedOut);
    assert_eq!(failure(Answer::Silence(head.clone())).await.reason, FailureReason::TimedOut);
    assert_eq!(failure(Answer::Drip(head, Duration::from_millis(5))).await.reason, FailureReason::TimedOut);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_broken() {
    let cut = |bytes: &[u8]| failure(Answer::Bytes(bytes.to_vec()));
    assert_eq!(cut(b"").await.reason, FailureReason::ConnectionLost);
    assert_eq!(cut(b"HTTP/1.1 200 OK\r\nContent-Le").await.reason, FailureReason::ConnectionLost);
    assert_eq!(
        cut(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"success\":true").await.reason,
        FailureReason::ConnectionLost
    );
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"suc\r\n";
    assert_eq!(cut(chunked).await.reason, FailureReason::ConnectionLost);
    assert_eq!(cut(b"SSH-2.0-OpenSSH_9.9\r\n\r\n").await.reason, FailureReason::ConnectionLost);
}

#[tokio::test]
async fn nobody_at_the_address_is_unreachable() {
    let service = FakeService::json(EMPTY_PAGE).await;
    let reader = service.reader();
    assert_eq!(ask(&reader).await, Ok(0));
    // The listener is closed when its task has ended, which dropping only asks for.
    drop(service);
    while let Ok(items) = ask(&reader).await {
        assert_eq!(items, 0);
        tokio::task::yield_now().await;
    }
    let failure = ask(&reader).await.unwrap_err();
    assert_eq!(failure.reason, FailureReason::Unreachable);
    assert!(failure.detail.contains("refused"), "{failure}");
}

#[tokio::test]
async fn what_is_no_envelope_is_not_understood() {
    for (body, beginning) in [
        ("<!DOCTYPE html><html><body>Welcome</body></html>", "a web page came instead of JSON"),
        ("", "not JSON"),
        ("OK", "not JSON"),
        (r#"{"success":true,"data":[{"id":"a"}"#, "not JSON"),
        ("\"text\"", "neither an envelope nor a list"),
        (r#"{"success":true}"#, "the envelope has no data"),
        (r#"{"success":true,"data":null}"#, "the envelope has no data"),
        (r#"{"success":true,"data":{"id":"a"}}"#, "data is not a list"),
        (r#"{"success":true,"data":"a"}"#, "data is not a list"),
        (r#"{"success":false,"data":[]}"#, "success is false"),
        (r#"{"success":false,"message":"try later"}"#, "success is false: try later"),
    ] {
        let failure = failure(ok(body)).await;
        assert_eq!(failure.reason, FailureReason::NotUnderstood, "{body}");
        assert!(failure.detail.starts_with(beginning), "{failure}");
    }
    let rejected = failure(ok(r#"{"success":false,"message":"Invalid API key"}"#)).await;
    assert_eq!(rejected.reason, FailureReason::KeyRejected);
    assert_eq!(failure(answer("204 No Content", "", "")).await.reason, FailureReason::NotUnderstood);
}

#[tokio::test]
async fn bodies_are_read_no_further_than_their_limit() {
    let limits = Limits { body: 1000, ..Limits::default() };
    let service = FakeService::json(&format!("{{\"data\":[],\"x\":\"{}\"}}", "y".repeat(2000))).await;
    assert_eq!(ask(&service.reader_with(limits.clone())).await.unwrap_err().reason, FailureReason::TooLarge);

    let endless = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned() + &"5\r\n     \r\n".repeat(300);
    let unsaid = FakeService::new(vec![Answer::Silence(endless.into_bytes())]).await;
    assert_eq!(ask(&unsaid.reader_with(limits.clone())).await.unwrap_err().reason, FailureReason::TooLarge);

    let fits = FakeService::json(EMPTY_PAGE).await;
    assert_eq!(ask(&fits.reader_with(limits)).await, Ok(0));
}

#[tokio::test]
async fn a_small_body_that_unfolds_into_a_huge_one_is_stopped() {
    let bomb = FakeService::new(vec![answer("200 OK", "Content-Encoding: gzip\r\n", gzip(64 * 1024 * 1024, ""))]).await;
    let failure = ask(&bomb.reader()).await.unwrap_err();
    assert_eq!(failure.reason, FailureReason::TooLarge, "{failure}");
    let sound = answer("200 OK", "Content-Encoding: gzip\r\n", gzip(1000, EMPTY_PAGE));
    assert_eq!(ask(&FakeService::new(vec![sound]).await.reader()).await, Ok(0));
}

#[tokio::test]
async fn deep_nesting_is_refused_before_anything_walks_into_it() {
    let deep = format!(
        r#"{{"success":true,"data":[{{"id":"a","metadata":{}1{}}}]}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(failure(ok(&deep)).await.reason, FailureReason::NotUnderstood);
    let usual = format!(r#"{{"success":true,"data":[{{"id":"a","metadata":{}1{}}}]}}"#, "[".repeat(60), "]".repeat(60));
    assert_eq!(ask(&FakeService::json(&usual).await.reader()).await, Ok(1));
}

#[tokio::test]
async fn redirects_are_not_followed_and_the_other_place_hears_nothing() {
    let decoy = FakeService::json(EMPTY_PAGE).await;
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let failure = failure(answer(status, &format!("Location: {}/v2/transactions\r\n", decoy.base_url), "")).await;
        assert_eq!(failure.reason, FailureReason::Redirected);
        assert!(failure.detail.contains(&decoy.base_url), "{failure}");
    }
    assert_eq!(decoy.heads(), Vec::<String>::new());
}

#[tokio::test]
async fn nothing_is_asked_twice_by_itself() {
    for bytes in
        [&b""[..], b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 503 Oh\r\nContent-Length: 0\r\n\r\n"]
    {
        let service = FakeService::new(vec![Answer::Bytes(bytes.to_vec())]).await;
        assert!(ask(&service.reader()).await.is_err());
        assert_eq!(service.heads().len(), 1);
    }
}

/// The service's error body.
fn error(status: &str, message: &str) -> Answer {
    let code = status.split(' ').next().unwrap();
    let body = format!(
        r#"{{"statusCode":{code},"path":"/v2/transactions","timestamp":"2025-03-12T12:00:00.000Z","message":{message}}}"#
    );
    answer(status, "", body)
}

#[tokio::test]
async fn refusals_are_told_apart() {
    let busy = |too_many| FailureReason::Busy { too_many, retry_after: None };
    let refusal = |status| FailureReason::Refused { status };
    for (answer, reason, detail) in [
        (error("400 Bad Request", "\"no such thing\""), refusal(400), "no such thing"),
        (
            error("400 Bad Request", "\"Your API key was revoked\""),
            FailureReason::KeyRejected,
            "Your API key was revoked",
        ),
        (error("400 Bad Request", "\"Forbidden resource\""), FailureReason::Forbidden, "Forbidden resource"),
        (error("401 Unauthorized", "\"who are you\""), FailureReason::KeyRejected, "who are you"),
        (error("403 Forbidden", "\"not from here\""), FailureReason::Forbidden, "not from here"),
        (error("404 Not Found", "\"Cannot GET /v2/users\""), FailureReason::NotFound, "Cannot GET /v2/users"),
        (error("404 Not Found", "\"no such API key\""), FailureReason::NotFound, "no such API key"),
        (
            error("422 Unprocessable", r#"["txType is required","pageNo is no number"]"#),
            refusal(422),
            "txType is required; pageNo is no number",
        ),
        (error("429 Too Many", "\"API key is over its limit\""), busy(true), "API key is over its limit"),
        (error("500 Oh", "\"unauthorized call to the vault\""), refusal(500), "unauthorized call to the vault"),
        (error("500 Oh", "null"), refusal(500), ""),
        (answer("502 Bad Gateway", "", "<html>nginx</html>"), refusal(502), "without the service's error body"),
        (answer("503 Unavailable", "", ""), busy(false), "without the service's error body"),
        (answer("500 Oh", "", r#"{"statusCode":401,"message":"x"}"#), FailureReason::KeyRejected, "x"),
        (answer("418 Teapot", "", r#"{"error":"short and stout"}"#), refusal(418), "short and stout"),
    ] {
        let failure = failure(answer).await;
        assert_eq!((failure.reason, failure.detail.as_str()), (reason, detail));
    }
}

#[tokio::test]
async fn a_wait_is_read_from_seconds_and_from_dates_by_the_services_own_clock() {
    let date = "Date: Wed, 12 Mar 2025 12:00:00 GMT\r\n";
    for (headers, seconds) in [
        ("Retry-After: 7\r\n".to_owned(), Some(7)),
        (format!("{date}Retry-After: Wed, 12 Mar 2025 12:01:30 GMT\r\n"), Some(90)),
        (format!("{date}Retry-After: Wed, 12 Mar 2025 11:00:00 GMT\r\n"), Some(0)),
        ("Retry-After: Wed, 12 Mar 2025 12:01:30 GMT\r\n".to_owned(), None),
        ("Retry-After: 99999999999999999999999\r\n".to_owned(), Some(86_400)),
        ("Retry-After: -1\r\n".to_owned(), None),
        ("Retry-After: soon\r\n".to_owned(), None),
        ("Retry-After: \r\n".to_owned(), None),
    ] {
        for (status, too_many) in [("429 Too Many", true), ("503 Unavailable", false)] {
            let reason = failure(answer(status, &headers, "")).await.reason;
            assert_eq!(
                reason,
                FailureReason::Busy { too_many, retry_after: seconds.map(Duration::from_secs) },
                "{headers}"
            );
        }
    }
}

#[tokio::test]
async fn what_a_service_says_is_made_harmless_cut_short_and_never_repeats_the_key() {
    let message = serde_json::to_string(&format!("\u{1b}[2J{KEY}\u{202e}{}", "very ".repeat(100))).unwrap();
    let failure = failure(error("400 Bad Request", &message)).await;
    assert!(failure.detail.starts_with("�[2J(key)�very very"), "{failure}");
    assert_eq!(failure.detail.chars().count(), 200);
    assert!(!format!("{failure} {failure:?}").contains(KEY));
}

#[tokio::test]
async fn escape_sequences_in_every_field_stay_text() {
    let evil = "\\u001b[2J\\u001b]52;c;AAAA\\u0007\\u202e\\u200b\\u0085";
    let names = [
        "refId",
        "tokenName",
        "tokenSymbol",
        "blockchain",
        "status",
        "txSubType",
        "txType",
        "note",
        "fromAddress",
        "toAddress",
        "txHash",
        "feeToken",
        "tokenAddress",
        "userId",
        "walletId",
        "accountId",
        "transactionGroupId",
    ];
    let fields = names.map(|name| format!("\"{name}\":\"{evil}\"")).join(",");
    let service = FakeService::json(&format!(r#"{{"success":true,"data":[{{"id":"a",{fields}}}]}}"#)).await;
    let page = service.reader().fetch_transactions(&Direction::Incoming, 1, 100).await.unwrap();
    let debug_text = format!("{:?}", page.items);
    assert!(!debug_text.contains("\\u{"), "nothing is left that Debug would have to escape: {debug_text}");
    assert_eq!(page.items[0].user, None, "an identifier with hidden characters is none");
    assert_eq!(page.items[0].note.as_deref(), Some("�[2J�]52;c;AAAA�"));
}

#[test]
fn a_connection_is_checked_before_anything_is_sent() {
    let connection = |base_url: &str, key: &str| Connection {
        base_url: base_url.into(),
        api_key: key.into(),
        wallet_secret: None,
        redaction: Redaction::default(),
        limits: Limits::default(),
        wire_names: WireNames::default(),
        route: Route::default(),
    };
    let error = Reader::new(connection("http://api.example.com", KEY)).unwrap_err();
    assert!(error.to_string().contains("in the clear"), "{error}");
    for key in ["", "two words", "line\nbreak", "schlüssel"] {
        assert_eq!(Reader::new(connection("https://api.example.com", key)).unwrap_err(), ConnectionError::Key);
    }
    let reader = Reader::new(connection("https://api.example.com", KEY)).unwrap();
    assert!(!format!("{reader:?}").contains(KEY));
}

#[tokio::test]
async fn a_user_without_an_identifier_is_not_understood() {
    let service = FakeService::json(r#"{"success":true,"data":{"displayName":"Ada"}}"#).await;
    let failure = service.reader().fetch_user(&UserId::from_text("a")).await.unwrap_err();
    assert_eq!(failure.reason, FailureReason::NotUnderstood);
}

/// Compressed bytes: so many blanks, and a text after them.
fn gzip(blanks: usize, text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let block = [b' '; 8192];
    for start in (0..blanks).step_by(block.len()) {
        gzip.write_all(&block[..block.len().min(blanks - start)]).unwrap();
    }
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}
