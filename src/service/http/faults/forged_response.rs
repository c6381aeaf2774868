//! Forged and altered responses.

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

/// The error that ends a body early.
#[derive(Debug, thiserror::Error)]
#[error("cut by a fault")]
struct ConnectionCutError;

const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

pub(super) async fn read_whole_body(body: Body) -> Bytes {
    to_bytes(body, usize::MAX).await.unwrap_or_default()
}

/// A body that fails before its first byte: the connection ends without an answer.
pub(super) fn unanswered_response() -> Response {
    Response::new(Body::from_stream(stream::iter([Err::<Bytes, _>(ConnectionCutError)])))
}

/// Announces the full length and sends `bytes` of the body, by default half. Returns whether anything is missing.
pub(super) async fn truncate_response(response: Response, bytes: Option<usize>) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let whole = read_whole_body(body).await;
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let bytes = bytes.unwrap_or(whole.len() / 2);
    if bytes >= whole.len() {
        return (Response::from_parts(parts, Body::from(whole)), false);
    }
    let head = whole.slice(..bytes);
    // Yield first: the connection flushes what it has while it waits, so the head arrives before the cut.
    let cut = stream::once(async {
        tokio::task::yield_now().await;
        Err(ConnectionCutError)
    });
    let beginning = stream::iter((!head.is_empty()).then_some(Ok(head)));
    (Response::from_parts(parts, Body::from_stream(beginning.chain(cut))), true)
}

/// Sends the body byte by byte, with a pause before each.
pub(super) async fn slow_response(response: Response, pause: Duration) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = read_whole_body(body).await;
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let drops = stream::unfold(whole, move |mut rest| async move {
        if rest.is_empty() {
            return None;
        }
        sleep(pause).await;
        let drop = rest.split_to(1);
        Some((Ok::<_, Infallible>(drop), rest))
    });
    Response::from_parts(parts, Body::from_stream(drops))
}

/// Any status with a body that may be wrong for it.
pub(super) fn status_response(status: u16, fault_body: FaultBody, path: &str, now: Timestamp) -> Response {
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let sentence = match status {
        400 => "the request cannot be done",
        404 => "wallet not found",
        422 => "amount must be a string",
        status if status >= 500 => "Internal server error",
        _ => "the request was refused",
    };
    match fault_body {
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

/// A sign-in page, as hotel networks answer.
pub(super) fn html_page_response() -> Response {
    let page = "<!doctype html><title>Sign in</title><p>Please sign in to use this network.</p>";
    ([(CONTENT_TYPE, HTML)], page).into_response()
}

/// A redirect to the same path and query at another address.
pub(super) fn redirect_response(status: u16, to: SocketAddr, uri: &Uri) -> Response {
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::TEMPORARY_REDIRECT);
    let path = uri.path_and_query().map_or("/", axum::http::uri::PathAndQuery::as_str);
    (code, [(LOCATION, format!("http://{to}{path}"))]).into_response()
}

/// Sets `Retry-After` to a date, and `Date` to the service's time.
pub(super) fn set_retry_after_date(response: &mut Response, now: Timestamp, wait: Duration) {
    for (name, moment) in [(DATE, now), (RETRY_AFTER, now.plus(wait))] {
        if let Some(value) = http_date(moment) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// Start and end of a list with a single long text.
const LIST_HEAD: &[u8] = br#"{"success":true,"totalPage":1,"pageNo":1,"pageLimit":100,"data":[{"note":""#;
const LIST_TAIL: &[u8] = br#""}]}"#;

/// A list with a text of 256 MiB, generated while it is read.
pub(super) fn huge_response() -> Response {
    const CHUNK: &[u8] = &[b'A'; 64 * 1024];
    const CHUNKS: usize = 256 * 1024 * 1024 / CHUNK.len();
    let parts = std::iter::once(LIST_HEAD).chain(std::iter::repeat_n(CHUNK, CHUNKS)).chain(std::iter::once(LIST_TAIL));
    let parts = parts.map(|part| Ok::<_, Infallible>(Bytes::from_static(part)));
    ([(CONTENT_TYPE, JSON)], Body::from_stream(stream::iter(parts))).into_response()
}

/// A list with a text of 157 MiB, compressed to one, without the checksum at its end: a client that reads so far has
/// lost already.
///
/// The compressor writes runs only: in deflate's fixed code a run of 258 bytes takes 13 bits, so eight runs are 13
/// whole bytes, which repeat.
pub(super) fn compression_bomb_response() -> Response {
    const BLOCKS: usize = 80_000;
    let mut bits = DeflateWriter::default();
    // One last block, with the fixed code.
    bits.push_bits(0b011, 3);
    bits.push_literals(LIST_HEAD);
    bits.push_literals(b"A");
    // The repeated bytes must begin on a byte boundary.
    while bits.used != 0 {
        bits.push_repeat();
    }
    let mut block = DeflateWriter::default();
    (0..8).for_each(|_| block.push_repeat());
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    bytes.append(&mut bits.bytes);
    (0..BLOCKS).for_each(|_| bytes.extend_from_slice(&block.bytes));
    let mut end = DeflateWriter::default();
    end.push_literals(LIST_TAIL);
    end.push_bits(0, 7);
    end.flush();
    bytes.append(&mut end.bytes);
    ([(CONTENT_TYPE, JSON), (CONTENT_ENCODING, "gzip")], bytes).into_response()
}

/// Deflate's bit order: the lowest bit of each byte first.
#[derive(Default)]
struct DeflateWriter {
    bytes: Vec<u8>,
    last: u8,
    used: u8,
}

impl DeflateWriter {
    /// A number, lowest bit first.
    fn push_bits(&mut self, value: u16, count: u8) {
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

    /// A Huffman code, highest bit first.
    fn push_huffman_code(&mut self, word: u16, length: u8) {
        for place in (0..length).rev() {
            self.push_bits(word >> place & 1, 1);
        }
    }

    fn push_literals(&mut self, text: &[u8]) {
        for byte in text {
            self.push_huffman_code(0x30 + u16::from(*byte), 8);
        }
    }

    /// The last character 258 times more: length code 285, distance code 0.
    fn push_repeat(&mut self) {
        self.push_huffman_code(0b1100_0101, 8);
        self.push_huffman_code(0, 5);
    }

    fn flush(&mut self) {
        if self.used > 0 {
            self.bytes.push(self.last);
            (self.last, self.used) = (0, 0);
        }
    }
}

/// A million nested brackets.
pub(super) fn deeply_nested_response() -> Response {
    const DEPTH: usize = 1_000_000;
    let body = format!("{{\"success\":true,\"data\":{}{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    ([(CONTENT_TYPE, JSON)], body).into_response()
}

/// Changes a response's JSON; returns whether it changed.
pub(super) async fn rewrite_json(response: Response, change: impl FnOnce(&mut Value) -> bool) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let bytes = read_whole_body(body).await;
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

/// Replaces a response's JSON text; returns whether it changed.
pub(super) async fn rewrite_json_as_text(
    response: Response,
    change: impl FnOnce(&Value) -> Option<String>,
) -> (Response, bool) {
    let (mut parts, body) = response.into_parts();
    let bytes = read_whole_body(body).await;
    let changed = serde_json::from_slice::<Value>(&bytes).ok().and_then(|value| change(&value));
    parts.headers.remove(CONTENT_LENGTH);
    let is_changed = changed.is_some();
    (Response::from_parts(parts, Body::from(changed.map_or(bytes, Bytes::from))), is_changed)
}
