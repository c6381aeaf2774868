//! Records requests, for tests that prove which bytes were sent, and how often.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::Method;

use super::LARGEST_BODY;

/// A request as it arrived, whatever its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRequest {
    /// Such as `POST`.
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Without the question mark; empty if there is none.
    pub query: String,
    /// Header names in lower case, sorted. Values are not recorded: they contain keys.
    pub headers: Vec<String>,
    /// The exact body of a `POST` or `PATCH`; empty for others.
    pub body: Bytes,
}

/// Records every request once opened.
#[derive(Debug, Clone, Default)]
pub struct RequestLog(Arc<Mutex<Option<Vec<RecordedRequest>>>>);

impl RequestLog {
    /// Starts recording, or continues.
    pub(in crate::service) fn start_recording(&self) -> Self {
        self.lock_requests().get_or_insert_default();
        self.clone()
    }

    /// Every request since the start, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.lock_requests().clone().unwrap_or_default()
    }

    /// All but `GET` requests.
    pub fn changes(&self) -> Vec<RecordedRequest> {
        self.requests().into_iter().filter(|arrived| arrived.method != "GET").collect()
    }

    /// Number of requests with this method and path.
    pub fn count(&self, method: &str, path: &str) -> usize {
        let requests = self.lock_requests();
        requests.iter().flatten().filter(|arrived| arrived.method == method && arrived.path == path).count()
    }

    pub fn clear(&self) {
        if let Some(requests) = self.lock_requests().as_mut() {
            requests.clear();
        }
    }

    /// Records a request, if recording is on, and returns it.
    pub(super) async fn record(&self, request: Request) -> Request {
        if self.lock_requests().is_none() {
            return request;
        }
        let (parts, body) = request.into_parts();
        let changes = matches!(parts.method, Method::POST | Method::PATCH);
        // A body beyond the limit is rejected later; one byte above the limit is enough for that.
        let bytes =
            to_bytes(body, LARGEST_BODY + 1).await.unwrap_or_else(|_| Bytes::from(vec![b' '; LARGEST_BODY + 1]));
        let mut headers: Vec<String> = parts.headers.keys().map(|name| name.as_str().to_owned()).collect();
        headers.sort_unstable();
        let arrived = RecordedRequest {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers,
            body: if changes { bytes.clone() } else { Bytes::new() },
        };
        self.lock_requests().get_or_insert_default().push(arrived);
        Request::from_parts(parts, Body::from(bytes))
    }

    fn lock_requests(&self) -> std::sync::MutexGuard<'_, Option<Vec<RecordedRequest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
