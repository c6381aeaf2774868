use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

mod fuzzed;

const NOW: Timestamp = Timestamp::from_millis(1_767_614_400_000);
/// Computed with: printf '%s' '1767614400.{"a":1}' | openssl dgst -sha256 -hmac secret
const EXAMPLE_SIGNATURE: &str = "6b02b95f4ef078aefc96c0eec496de667c9897598146cf73c9e0b9f891aa88bc";

fn signature(scheme: SignatureScheme) -> SignatureOptions {
    SignatureOptions {
        scheme,
        header: "x-webhook-signature".into(),
        timestamp_header: "x-webhook-timestamp".into(),
        secret: "secret".to_owned().into(),
    }
}

async fn open_listener(
    signature: Option<SignatureOptions>,
    per_minute: u32,
) -> (WebhookListener, UnboundedReceiver<WebhookHints>) {
    let (sender, reports) = unbounded_channel();
    let redaction = Redaction::default();
    redaction.add_secret(Redaction::WALLET_SECRET, "ws_0123456789");
    let (address, path) = (([127, 0, 0, 1], 0).into(), "/events".into());
    let listening = WebhookOptions { address, path, signature, per_minute, redaction };
    let hint_sink: HintSink = Arc::new(move |hints| {
        let _the_test_ended = sender.send(hints);
    });
    (WebhookListener::open(listening, Arc::new(|| NOW), hint_sink).await.unwrap(), reports)
}

/// Sends bytes as they are; returns the status of the answer, if there is one.
async fn send_raw(listener: &WebhookListener, bytes: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(listener.address()).await.unwrap();
    let _it_may_be_closed_early = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _or_be_reset = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}

fn post_request(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes()
}

fn signature_headers(timestamp: &str, signature: &str) -> String {
    format!("x-webhook-timestamp: {timestamp}\r\nx-webhook-signature: {signature}\r\n")
}

/// All that is told until so many came in, however they are put together.
async fn collect_reports(reports: &mut UnboundedReceiver<WebhookHints>, count: u32) -> WebhookHints {
    let mut all = WebhookHints::default();
    while all.received + all.rejected.values().sum::<u32>() < count {
        let hints = timeout(Duration::from_secs(20), reports.recv()).await.expect("a report was awaited").unwrap();
        all.received += hints.received;
        all.topics.extend(hints.topics);
        for (reason, count) in hints.rejected {
            *all.rejected.entry(reason).or_default() += count;
        }
    }
    all
}

#[tokio::test]
async fn what_is_signed_is_heard_and_nothing_else() {
    let (listener, mut reports) = open_listener(Some(signature(SignatureScheme::TimestampBody)), 100).await;
    let body = r#"{"a":1}"#;
    let cases = [
        (post_request("/events", &signature_headers("1767614400", EXAMPLE_SIGNATURE), body), 204),
        (post_request("/events", &signature_headers("1767614400", &format!("sha256={EXAMPLE_SIGNATURE}")), body), 204),
        (post_request("/events", "", body), 401),
        (post_request("/events", &format!("x-webhook-signature: {EXAMPLE_SIGNATURE}\r\n"), body), 401),
        (post_request("/events", &signature_headers("1767614400", EXAMPLE_SIGNATURE), r#"{"a":2}"#), 401),
        (post_request("/events", &signature_headers("1767614400", "zz"), body), 401),
        (post_request("/events", &signature_headers("1767614401", EXAMPLE_SIGNATURE), body), 401),
        (post_request("/events", &signature_headers("1767610000", EXAMPLE_SIGNATURE), body), 401),
        (post_request("/elsewhere", &signature_headers("1767614400", EXAMPLE_SIGNATURE), body), 404),
        (b"GET /events HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(), 404),
        (
            post_request(
                "/events",
                &signature_headers("1767614400", EXAMPLE_SIGNATURE),
                &"x".repeat(MAX_BODY_BYTES + 1),
            ),
            413,
        ),
    ];
    for (bytes, status) in &cases {
        assert_eq!(send_raw(&listener, bytes).await, Some(*status), "{}", String::from_utf8_lossy(&bytes[..60]));
    }
    let report = collect_reports(&mut reports, 11).await;
    assert_eq!(report.received, 2);
    let refused = [
        (WebhookRejection::WrongPath, 2),
        (WebhookRejection::Unsigned, 2),
        (WebhookRejection::WrongSignature, 3),
        (WebhookRejection::Expired, 1),
        (WebhookRejection::TooLong, 1),
    ];
    assert_eq!(report.rejected, refused.into());
}

#[tokio::test]
async fn a_body_alone_may_be_what_is_signed() {
    let (listener, mut reports) = open_listener(Some(signature(SignatureScheme::Body)), 100).await;
    let mut code = new_hmac(b"secret");
    hmac::Mac::update(&mut code, br#"{"topic":"wallets:deposit.success"}"#);
    let by_body = hex::encode(hmac::Mac::finalize(code).into_bytes());
    let headers = format!("x-webhook-signature: {by_body}\r\n");
    assert_eq!(
        send_raw(&listener, &post_request("/events", &headers, r#"{"topic":"wallets:deposit.success"}"#)).await,
        Some(204)
    );
    assert_eq!(collect_reports(&mut reports, 1).await.topics, ["wallets:deposit.success".into()]);
}

#[tokio::test]
async fn a_topic_that_repeats_a_secret_is_told_without_it() {
    let (listener, mut reports) = open_listener(Some(signature(SignatureScheme::Body)), 100).await;
    let body = r#"{"topic":"\u0077s_0123456789 was changed"}"#;
    let mut code = new_hmac(b"secret");
    hmac::Mac::update(&mut code, body.as_bytes());
    let headers = format!("x-webhook-signature: {}\r\n", hex::encode(hmac::Mac::finalize(code).into_bytes()));
    assert_eq!(send_raw(&listener, &post_request("/events", &headers, body)).await, Some(204));
    assert_eq!(collect_reports(&mut reports, 1).await.topics, ["(wallet secret) was changed".into()]);
}

fn new_hmac(key: &[u8]) -> hmac::Hmac<sha2::Sha256> {
    hmac::KeyInit::new_from_slice(key).unwrap()
}

#[tokio::test]
async fn a_flood_is_told_in_a_few_reports_and_only_so_many_a_minute_are_looked_at() {
    let (listener, mut reports) = open_listener(None, 5).await;
    for index in 0..40 {
        let status = send_raw(&listener, &post_request("/events", "", r#"{"topic":"unsigned"}"#)).await;
        assert_eq!(status, Some(if index < 5 { 204 } else { 429 }));
    }
    let first = reports.recv().await.unwrap();
    let report = collect_reports(&mut reports, 40 - first.received - first.rejected.values().sum::<u32>()).await;
    assert_eq!(first.received + report.received, 5);
    assert_eq!(report.topics, [], "what nobody signed is not repeated");
}

#[tokio::test]
async fn who_has_no_secret_does_not_use_up_what_is_left_for_those_who_sign() {
    let (listener, mut reports) = open_listener(Some(signature(SignatureScheme::TimestampBody)), 2).await;
    let forged = post_request("/events", &signature_headers("1767614400", EXAMPLE_SIGNATURE), r#"{"a":2}"#);
    for _ in 0..20 {
        assert_eq!(send_raw(&listener, &forged).await, Some(401));
    }
    let good = post_request("/events", &signature_headers("1767614400", EXAMPLE_SIGNATURE), r#"{"a":1}"#);
    for status in [204, 204, 429] {
        assert_eq!(send_raw(&listener, &good).await, Some(status));
    }
    // Nor are bodies without a good signature read without an end.
    for index in 23..110 {
        assert_eq!(send_raw(&listener, &forged).await, Some(if index < 100 { 401 } else { 429 }), "{index}");
    }
    assert_eq!(collect_reports(&mut reports, 110).await.received, 2);
}

#[tokio::test]
async fn no_page_can_ring_through_a_browser() {
    let (listener, mut reports) = open_listener(None, 100).await;
    for header in ["origin: https://page.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Origin: null\r\n"] {
        assert_eq!(send_raw(&listener, &post_request("/events", header, "{}")).await, Some(403), "{header}");
    }
    assert_eq!(send_raw(&listener, &post_request("/events", "", "{}")).await, Some(204));
    let report = collect_reports(&mut reports, 4).await;
    assert_eq!((report.received, report.rejected), (1, [(WebhookRejection::Browser, 3)].into()));
}

#[tokio::test]
async fn garbage_is_refused_and_leaves_the_ear_open() {
    let (listener, mut reports) = open_listener(Some(signature(SignatureScheme::TimestampBody)), 100).await;
    for garbage in [
        &b"\0\0\0\0"[..],
        b"POST",
        b"\x16\x03\x01\x02\0\x01",
        &vec![b'A'; 100_000],
        b"POST /events HTTP/1.1\r\ncontent-length: 9\r\n\r\nx",
    ] {
        // The other side hangs up after it.
        let mut stream = TcpStream::connect(listener.address()).await.unwrap();
        let _it_may_be_closed_early = stream.write_all(garbage).await;
        let _gone_already = stream.shutdown().await;
        let mut answer = Vec::new();
        let _or_be_reset = stream.read_to_end(&mut answer).await;
    }
    let good = post_request("/events", &signature_headers("1767614400", EXAMPLE_SIGNATURE), r#"{"a":1}"#);
    assert_eq!(send_raw(&listener, &good).await, Some(204));
    let report = collect_reports(&mut reports, 6).await;
    assert_eq!(report.received, 1);
}
