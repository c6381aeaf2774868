//! The error body of the specification, for every response that is not a success.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::domain::Timestamp;
use crate::service::clock::ServiceClock;
use crate::service::ledger::RequestError;

/// A failed request, before its path and time are known; [`give_errors_common_body`] completes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorResponse {
    pub(super) status: StatusCode,
    pub(super) message: Message,
    /// For `Retry-After`, where waiting helps.
    pub(super) retry_after: Option<Duration>,
}

/// The `message` of the error body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Message {
    One(String),
    /// One sentence per parameter: status 422 only.
    Many(Vec<String>),
}

impl ErrorResponse {
    /// 400: well formed, but cannot be done.
    pub(super) fn bad_request(sentence: impl Into<String>) -> Self {
        Self::with_message(StatusCode::BAD_REQUEST, sentence)
    }

    /// 401: missing or unknown key.
    pub(super) fn unauthorized(sentence: impl Into<String>) -> Self {
        Self::with_message(StatusCode::UNAUTHORIZED, sentence)
    }

    /// 403: a valid key without the permission.
    pub(super) fn forbidden(sentence: impl Into<String>) -> Self {
        Self::with_message(StatusCode::FORBIDDEN, sentence)
    }

    /// 404: no such object, route or method.
    pub(super) fn not_found(sentence: impl Into<String>) -> Self {
        Self::with_message(StatusCode::NOT_FOUND, sentence)
    }

    /// 422: parameters missing or malformed, one sentence each.
    pub(super) fn unprocessable(problems: Vec<String>) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, message: Message::Many(problems), retry_after: None }
    }

    /// 503.
    pub(super) fn unavailable(sentence: impl Into<String>, retry_after: Duration) -> Self {
        Self { retry_after: Some(retry_after), ..Self::with_message(StatusCode::SERVICE_UNAVAILABLE, sentence) }
    }

    /// 500. The cause goes to the log, not to the caller.
    pub(super) fn internal(cause: &dyn fmt::Display) -> Self {
        tracing::error!(%cause, "a request failed");
        Self::with_message(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error")
    }

    /// For a library's bare status code. Statuses outside the specification become the one it has for the same fault.
    pub(super) fn from_status(status: StatusCode) -> Self {
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Self::bad_request("the body is larger than 1 MiB"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::bad_request("the body must be application/json"),
            status if status.is_server_error() => Self::internal(&status),
            status => Self::bad_request(status.canonical_reason().unwrap_or("bad request").to_lowercase()),
        }
    }

    pub(super) fn with_message(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, message: Message::One(sentence.into()), retry_after: None }
    }

    /// The response with the full error body.
    pub(super) fn to_response(&self, path: &str, now: Timestamp) -> Response {
        let message = match (&self.message, self.status) {
            // The specification has an array for 422 only, and always.
            (Message::One(sentence), StatusCode::UNPROCESSABLE_ENTITY) => Message::Many(vec![sentence.clone()]),
            (message, _) => message.clone(),
        };
        let body = ErrorBody { status_code: self.status.as_u16(), path, timestamp: now.to_string(), message };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(wait) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        }
        response
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorBody<'a> {
    status_code: u16,
    path: &'a str,
    timestamp: String,
    message: Message,
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<RequestError> for ErrorResponse {
    fn from(refusal: RequestError) -> Self {
        match refusal {
            refusal @ RequestError::NotFound(_) => Self::not_found(refusal.to_string()),
            RequestError::BadRequest(sentence) => Self::bad_request(sentence),
            RequestError::Conflict(sentence) => Self::with_message(StatusCode::CONFLICT, sentence),
            RequestError::Unprocessable(problems) => Self::unprocessable(problems),
            RequestError::Internal(cause) => Self::internal(&cause),
        }
    }
}

/// Gives every error the common body, whether from a handler, the router, a limit or a panic.
pub(super) fn give_errors_common_body(mut response: Response, path: &str, clock: &ServiceClock) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let refused =
        response.extensions_mut().remove::<ErrorResponse>().unwrap_or_else(|| ErrorResponse::from_status(status));
    refused.to_response(path, clock.now())
}

/// 404 for an unknown path or method, in the wording of the specification's services.
pub(super) async fn unknown_route_response(request: Request) -> ErrorResponse {
    ErrorResponse::not_found(format!("Cannot {} {}", request.method(), request.uri().path()))
}

/// A success whose body is already serialised.
pub(super) fn json_response(status: StatusCode, body: impl Into<Bytes>) -> Response {
    (status, [(CONTENT_TYPE, "application/json; charset=utf-8")], body.into()).into_response()
}

/// 500 after a handler panicked; the panic itself went to the log.
#[expect(clippy::needless_pass_by_value, reason = "whoever catches a panic is handed its payload")]
pub(super) fn panic_response(payload: Box<dyn Any + Send>) -> Response {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
    ErrorResponse::internal(&text).into_response()
}
