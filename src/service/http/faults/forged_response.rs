//! Answers that no service ought to give, made from nothing or from the right one.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, DATE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::fault::FaultBody;
use crate::domain::Timestamp;
use crate::service::http::error_response::ErrorResponse;
use crate::service::http::middleware::http_date;

/// Why a body ends before its end.
#[derive(Debug, thiserror::Error)]
#[error("cut by a fault")]
struct CutOff;

const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// The whole body of an answer.
pub(super) async fn whole(body: Body) -> Bytes {
    to_bytes(body, usize::MAX).await.unwrap_or_default()
}

/// A connection that ends without an answer: a body that fails before its first byte does that.
pub(super) fn cut_off() -> Response {
    Response::new(Body::from_stream(stream::iter([Err::<Bytes, _>(CutOff)])))
}

/// Says the whole length, and sends so many bytes of it; half of them where that is not said. Tells whether anything is
/// missing.
pub(super) async fn cut_after(response: Response, bytes: Option<usize>) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let whole = whole(body).await;
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let bytes = bytes.unwrap_or(whole.len() / 2);
    if bytes >= whole.len() {
        return (Response::from_parts(parts, Body::from(whole)), false);
    }
    let head = whole.slice(..bytes);
    // The connection writes out what it has when it must wait for more, and so the head arrives before the cut.
    let cut = stream::once(async {
        tokio::task::yield_now().await;
        Err(CutOff)
    });
    let shown = stream::iter((!head.is_empty()).then_some(Ok(head)));
    (Response::from_parts(parts, Body::from_stream(shown.chain(cut))), true)
}

/// Byte by byte, with a pause after each.
pub(super) async fn drip(response: Response, pause: Duration) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = whole(body).await;
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let drops = stream::unfold(whole, move |mut left| async move {
        if left.is_empty() {
            return None;
        }
        sleep(pause).await;
        let drop = left.split_to(1);
        Some((Ok::<_, Infallible>(drop), left))
    });
    Response::from_parts(parts, Body::from_stream(drops))
}

/// Any status with a body that may be wrong for it.
pub(super) fn status(status: u16, told: FaultBody, path: &str, now: Timestamp) -> Response {
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let sentence = match status {
        400 => "the request cannot be done",
        404 => "wallet not found",
        422 => "amount must be a string",
        status if status >= 500 => "Internal server error",
        _ => "the request was refused",
    };
    match told {
        FaultBody::ErrorBody => ErrorResponse::with_message(code, sentence).to_response(path, now),
        FaultBody::IdempotencyKeyUsed => {
            ErrorResponse::with_message(code, "idempotencyKey was already used").to_response(path, now)
        }
        FaultBody::OtherStatus => {
            let other = if status == 500 { 400 } else { 500 };
            let body = json!({ "statusCode": other, "path": path, "timestamp": now.to_string(), "message": sentence });
            (code, [(CONTENT_TYPE, JSON)], body.to_string()).into_response()
        }
        FaultBody::Empty => code.into_response(),
        FaultBody::HtmlPage => {
            let reason = code.canonical_reason().unwrap_or("Something");
            let page = format!("<!doctype html><title>{status} {reason}</title><h1>{status} {reason}</h1>");
            (code, [(CONTENT_TYPE, HTML)], page).into_response()
        }
        FaultBody::SuccessFalse => {
            (code, [(CONTENT_TYPE, JSON)], json!({ "success": false, "message": sentence }).to_string()).into_response()
        }
        FaultBody::ForeignJson => {
            (code, [(CONTENT_TYPE, JSON)], json!({ "error": { "code": status } }).to_string()).into_response()
        }
    }
}

/// A page for people, as the network of a hotel gives it to everybody.
pub(super) fn page() -> Response {
    let page = "<!doctype html><title>Sign in</title><p>Please sign in to use this network.</p>";
    ([(CONTENT_TYPE, HTML)], page).into_response()
}

/// Sends elsewhere: the same path and query at another address.
pub(super) fn redirect(status: u16, to: SocketAddr, uri: &Uri) -> Response {
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::TEMPORARY_REDIRECT);
    let path = uri.path_and_query().map_or("/", axum::http::uri::PathAndQuery::as_str);
    (code, [(LOCATION, format!("http://{to}{path}"))]).into_response()
}

/// Says in `Retry-After` at which moment to come back, and in `Date` which one it is now.
pub(super) fn name_the_moment(response: &mut Response, now: Timestamp, wait: Duration) {
    for (name, moment) in [(DATE, now), (RETRY_AFTER, now.plus(wait))] {
        if let Some(value) = http_date(moment) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// The beginning and the end of a list whose one text is as long as somebody makes it.
const HEAD: &[u8] = br#"{"success":true,"totalPage":1,"pageNo":1,"pageLimit":100,"data":[{"note":""#;
const TAIL: &[u8] = br#""}]}"#;

/// A list whose one text is 256 MiB long, made as it is read.
pub(super) fn huge() -> Response {
    const CHUNK: &[u8] = &[b'A'; 64 * 1024];
    const CHUNKS: usize = 256 * 1024 * 1024 / CHUNK.len();
    let parts = std::iter::once(HEAD).chain(std::iter::repeat_n(CHUNK, CHUNKS)).chain(std::iter::once(TAIL));
    let parts = parts.map(|part| Ok::<_, Infallible>(Bytes::from_static(part)));
    ([(CONTENT_TYPE, JSON)], Body::from_stream(stream::iter(parts))).into_response()
}

/// A list whose one text is 157 MiB long, compressed to one, and without the sum at its end: whoever reads that far has
/// lost already.
///
/// The one compressor here writes runs alone: in deflate's fixed code a repetition of 258 bytes takes 13 bits, so that
/// eight of them are 13 whole bytes, which repeat.
pub(super) fn bomb() -> Response {
    const BLOCKS: usize = 80_000;
    let mut bits = DeflateWriter::default();
    // One last block, with the fixed code.
    bits.push(0b011, 3);
    bits.literals(HEAD);
    bits.literals(b"A");
    // What repeats begins on a byte of its own.
    while bits.used != 0 {
        bits.run();
    }
    let mut block = DeflateWriter::default();
    (0..8).for_each(|_| block.run());
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    bytes.append(&mut bits.bytes);
    (0..BLOCKS).for_each(|_| bytes.extend_from_slice(&block.bytes));
    let mut end = DeflateWriter::default();
    end.literals(TAIL);
    end.push(0, 7);
    end.flush();
    bytes.append(&mut end.bytes);
    ([(CONTENT_TYPE, JSON), (CONTENT_ENCODING, "gzip")], bytes).into_response()
}

/// Bits as deflate packs them: the lowest of each byte first.
#[derive(Default)]
struct DeflateWriter {
    bytes: Vec<u8>,
    last: u8,
    used: u8,
}

impl DeflateWriter {
    /// A number, its lowest bit first.
    fn push(&mut self, value: u16, count: u8) {
        for place in 0..count {
            if value >> place & 1 == 1 {
                self.last |= 1 << self.used;
            }
            self.used += 1;
            if self.used == 8 {
                self.flush();
            }
        }
    }

    /// A word of a Huffman code, its highest bit first.
    fn code(&mut self, word: u16, length: u8) {
        for place in (0..length).rev() {
            self.push(word >> place & 1, 1);
        }
    }

    /// ASCII characters.
    fn literals(&mut self, text: &[u8]) {
        for byte in text {
            self.code(0x30 + u16::from(*byte), 8);
        }
    }

    /// The last character 258 times more: length code 285, distance code 0.
    fn run(&mut self) {
        self.code(0b1100_0101, 8);
        self.code(0, 5);
    }

    fn flush(&mut self) {
        if self.used > 0 {
            self.bytes.push(self.last);
            (self.last, self.used) = (0, 0);
        }
    }
}

/// A million brackets, one in the other.
pub(super) fn deep() -> Response {
    const DEPTH: usize = 1_000_000;
    let body = format!("{{\"success\":true,\"data\":{}{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    ([(CONTENT_TYPE, JSON)], body).into_response()
}

/// The same answer with its JSON changed, and whether anything of it was.
pub(super) async fn rewritten(response: Response, change: impl FnOnce(&mut Value) -> bool) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let bytes = whole(body).await;
    let mut changed = false;
    let body = match serde_json::from_slice::<Value>(&bytes) {
        Ok(mut value) => {
            changed = change(&mut value);
            if changed { Bytes::from(value.to_string()) } else { bytes }
        }
        Err(_) => bytes,
    };
    parts.headers.remove(CONTENT_LENGTH);
    (Response::from_parts(parts, Body::from(body)), changed)
}

/// The same answer with the text of its JSON changed, and whether anything of it was.
pub(super) async fn retold(response: Response, change: impl FnOnce(&Value) -> Option<String>) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let bytes = whole(body).await;
    let changed = serde_json::from_slice::<Value>(&bytes).ok().and_then(|value| change(&value));
    parts.headers.remove(CONTENT_LENGTH);
    let is_changed = changed.is_some();
    (Response::from_parts(parts, Body::from(changed.map_or(bytes, Bytes::from))), is_changed)
}
