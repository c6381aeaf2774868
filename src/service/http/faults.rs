//! Ways in which a service can go wrong, so that tests of a client can have them from a real one.
//!
//! Only Rust code that holds a running service can set a fault; no request and no argument can.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use serde_json::Value;

use super::refusal::Refused;
use crate::service::clock::ServiceClock;

mod spoil;

/// What goes wrong with every request until it is set otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// Connections are refused, and those that stand are cut.
    Down,
    /// The connection is cut before an answer, after the request was executed.
    HangsUp,
    /// 401.
    KeyRejected,
    /// 403.
    Forbidden,
    /// 503 with `Retry-After`.
    Busy {
        /// What `Retry-After` says.
        retry_after: Duration,
    },
    /// 429 with `Retry-After`.
    TooMany {
        /// What `Retry-After` says.
        retry_after: Duration,
    },
    /// The request is executed at once and its answer comes late.
    Late(Duration),
    /// The answer ends in its middle.
    Truncated,
    /// 200 with a page for people.
    Html,
    /// 200 with a body of 256 MiB.
    Huge,
    /// Every value of the answer has another type than the specification says.
    OddlyTyped,
    /// Every text of the answer carries control characters and escape sequences. Identifiers, times and amounts are
    /// spared, since a spoilt one would hide all that follows from it.
    EscapeSequences,
}

impl Fault {
    /// What it is, for the name of a scenario.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::None => "the service works",
            Self::Down => "the service is down",
            Self::HangsUp => "the service hangs up before it answers",
            Self::KeyRejected => "the service rejects the key",
            Self::Forbidden => "the service forbids it to the key",
            Self::Busy { .. } => "the service is busy",
            Self::TooMany { .. } => "the service wants fewer requests",
            Self::Late(_) => "the service answers late",
            Self::Truncated => "the service's answers are truncated",
            Self::Html => "the service answers with a page for people",
            Self::Huge => "the service's answers are huge",
            Self::OddlyTyped => "the service's answers are oddly typed",
            Self::EscapeSequences => "the service's texts carry escape sequences",
        }
    }
}

/// The fault that is set, and how often it has fired since.
#[derive(Debug, Clone)]
pub(in crate::service) struct Faults(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clock: ServiceClock,
    set: RwLock<(Fault, Option<String>)>,
    fired: AtomicU64,
}

impl Faults {
    /// No fault yet.
    pub(in crate::service) fn new(clock: ServiceClock) -> Self {
        Self(Arc::new(Inner { clock, set: RwLock::new((Fault::None, None)), fired: AtomicU64::new(0) }))
    }

    /// Sets a fault for every path that starts so; the count begins anew.
    pub(in crate::service) fn set(&self, fault: Fault, paths: Option<&str>) {
        let mut set = self.0.set.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        *set = (fault, paths.map(str::to_owned));
        self.0.fired.store(0, Ordering::SeqCst);
    }

    /// How often the fault has fired since it was set.
    pub(in crate::service) fn fired(&self) -> u64 {
        self.0.fired.load(Ordering::SeqCst)
    }

    /// Counts what fired elsewhere.
    pub(in crate::service) fn count(&self, times: u64) {
        self.0.fired.fetch_add(times, Ordering::SeqCst);
    }

    fn on(&self, path: &str) -> Fault {
        let set = self.0.set.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let meant = set.1.as_deref().is_none_or(|paths| path.starts_with(paths));
        if meant { set.0 } else { Fault::None }
    }
}

/// Lets a request pass through the fault that is set.
pub(super) async fn pass(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let fault = faults.on(&path);
    if matches!(fault, Fault::None | Fault::Down) {
        return next.run(request).await;
    }
    faults.count(1);
    let refuse = |refused: Refused| refused.answer(&path, faults.0.clock.now());
    let busy = |status, retry_after| Refused {
        retry_after: Some(retry_after),
        ..Refused::one(status, "the service is busy, ask again later")
    };
    match fault {
        Fault::None | Fault::Down => next.run(request).await,
        Fault::HangsUp => {
            let (mut parts, _unsent) = next.run(request).await.into_parts();
            parts.headers.remove(CONTENT_LENGTH);
            // A body that fails before its first byte makes the connection end without an answer.
            Response::from_parts(parts, Body::from_stream(stream::iter([Err::<Bytes, _>(Cut)])))
        }
        Fault::KeyRejected => refuse(Refused::unauthorized("the API key is not known")),
        Fault::Forbidden => refuse(Refused::one(StatusCode::FORBIDDEN, "the API key lacks the permission")),
        Fault::Busy { retry_after } => refuse(busy(StatusCode::SERVICE_UNAVAILABLE, retry_after)),
        Fault::TooMany { retry_after } => refuse(busy(StatusCode::TOO_MANY_REQUESTS, retry_after)),
        Fault::Late(delay) => {
            let response = next.run(request).await;
            tokio::time::sleep(delay).await;
            response
        }
        Fault::Truncated => truncated(next.run(request).await).await,
        Fault::Html => (
            StatusCode::OK,
            [(CONTENT_TYPE, "text/html; charset=utf-8")],
            "<!doctype html><title>Sign in</title><p>Please sign in to use this network.</p>",
        )
            .into_response(),
        Fault::Huge => huge(),
        Fault::OddlyTyped => rewritten(next.run(request).await, spoil::mistype).await,
        Fault::EscapeSequences => rewritten(next.run(request).await, spoil::deface).await,
    }
}

/// Why a body ends before its end.
#[derive(Debug, thiserror::Error)]
#[error("cut by a fault")]
struct Cut;

/// Says the whole length, sends half.
async fn truncated(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let half = whole.slice(..whole.len() / 2);
    // The connection writes out what it has when it must wait for more, and so the half arrives before the cut.
    let cut = stream::once(async {
        tokio::task::yield_now().await;
        Err(Cut)
    });
    Response::from_parts(parts, Body::from_stream(stream::iter([Ok(half)]).chain(cut)))
}

/// A list whose one text is 256 MiB long, made as it is read.
fn huge() -> Response {
    const CHUNK: &[u8] = &[b'A'; 64 * 1024];
    const CHUNKS: usize = 256 * 1024 * 1024 / CHUNK.len();
    let head = Bytes::from_static(br#"{"success":true,"totalPage":1,"pageNo":1,"pageLimit":100,"data":[{"note":""#);
    let tail = Bytes::from_static(br#""}]}"#);
    let parts = std::iter::once(head)
        .chain(std::iter::repeat_n(Bytes::from_static(CHUNK), CHUNKS))
        .chain(std::iter::once(tail))
        .map(Ok::<_, std::convert::Infallible>);
    ([(CONTENT_TYPE, "application/json; charset=utf-8")], Body::from_stream(stream::iter(parts))).into_response()
}

/// The same answer with its JSON changed.
async fn rewritten(response: Response, change: impl FnOnce(&mut Value)) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    change(&mut value);
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(value.to_string()))
}
