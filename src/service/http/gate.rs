//! When requests are let through, and for how long.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;
use tracing::Instrument;
use uuid::Uuid;

use super::refusal::Refused;
use crate::service::desk::{Desk, Phase};

/// How long a request may take, its body included. What it began in the ledger runs to its end all the same.
const LONGEST: Duration = Duration::from_secs(30);

/// Turns requests away while the sample business is made.
pub(super) async fn ready(State(desk): State<Arc<Desk>>, request: Request, next: Next) -> Result<Response, Refused> {
    let phase = desk.phase.borrow().clone();
    match phase {
        Phase::Ready => Ok(next.run(request).await),
        Phase::Preparing { done, total } => {
            Err(Refused::busy(format!("making the sample: {done} of {total}"), Duration::from_secs(1)))
        }
        Phase::Failed(why) => Err(Refused::failed(&format!("the sample business could not be made: {why}"))),
    }
}

/// Gives up on requests that take too long.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    timeout(LONGEST, next.run(request)).await.unwrap_or_else(|_elapsed| {
        Refused::busy("the request took longer than 30 s; whether it was executed is not known", Duration::from_secs(1))
            .into_response()
    })
}

/// Gives every request an identifier, which its answer carries as `X-Request-Id` and the log as well.
pub(super) async fn named(request: Request, next: Next) -> Response {
    let id = Uuid::new_v4();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("request", %id, %method, path);
    let mut response = next.run(request).instrument(span.clone()).await;
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert("x-request-id", value);
    }
    // The query is left out: it may name customers, and a log outlives its reason.
    span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
    response
}
