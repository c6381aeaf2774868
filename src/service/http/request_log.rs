//! What arrived: for tests that prove that exactly the reviewed bytes were sent, and how often.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::Method;

use super::LARGEST_BODY;

/// A request as it arrived, whatever became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRequest {
    /// The method, such as `POST`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without its question mark; empty where there is none.
    pub query: String,
    /// The names of its headers in small letters, in the order of the alphabet. Their values are not kept: they hold
    /// keys.
    pub headers: Vec<String>,
    /// The body of a request that changes something, byte for byte; empty for others.
    pub body: Bytes,
}

/// Hears every request, once somebody listens.
#[derive(Debug, Clone, Default)]
pub struct RequestLog(Arc<Mutex<Option<Vec<RecordedRequest>>>>);

impl RequestLog {
    /// Begins to listen, or goes on. What arrived before is not known.
    pub(in crate::service) fn open(&self) -> Self {
        self.heard().get_or_insert_default();
        self.clone()
    }

    /// Every request since, in the order in which they arrived.
    pub fn all(&self) -> Vec<RecordedRequest> {
        self.heard().clone().unwrap_or_default()
    }

    /// Those that would change something: `POST` and `PATCH`.
    pub fn changes(&self) -> Vec<RecordedRequest> {
        self.all().into_iter().filter(|arrived| arrived.method != "GET").collect()
    }

    /// How many there were of a method and a path.
    pub fn count(&self, method: &str, path: &str) -> usize {
        let heard = self.heard();
        heard.iter().flatten().filter(|arrived| arrived.method == method && arrived.path == path).count()
    }

    /// Forgets what arrived so far.
    pub fn clear(&self) {
        if let Some(heard) = self.heard().as_mut() {
            heard.clear();
        }
    }

    /// Notes a request down, if somebody listens, and gives it back.
    pub(super) async fn record(&self, request: Request) -> Request {
        if self.heard().is_none() {
            return request;
        }
        let (parts, body) = request.into_parts();
        let changes = matches!(parts.method, Method::POST | Method::PATCH);
        // A body beyond the limit is refused behind this all the same: one byte more than the limit shows that.
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
        self.heard().get_or_insert_default().push(arrived);
        Request::from_parts(parts, Body::from(bytes))
    }

    fn heard(&self) -> std::sync::MutexGuard<'_, Option<Vec<RecordedRequest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
