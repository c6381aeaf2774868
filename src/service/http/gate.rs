//! When requests are let through, and for how long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

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

/// Numbers requests for the log and gives up on those that take too long.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = timeout(LONGEST, next.run(request)).await.unwrap_or_else(|_elapsed| {
        Refused::busy("the request took longer than 30 s; whether it was executed is not known", Duration::from_secs(1))
            .into_response()
    });
    // The query is left out: it may name customers, and a log outlives its reason.
    tracing::debug!(number, %method, path, status = response.status().as_u16(), "answered");
    response
}
