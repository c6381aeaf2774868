//! When requests are let through, and for how long.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::error_response::ErrorResponse;
use crate::service::app_state::{AppState, StartPhase};

/// How long a request may take, its body included. What it began in the ledger runs to its end all the same.
const LONGEST: Duration = Duration::from_secs(30);

/// Turns requests away while the sample business is made.
pub(super) fn require_ready(desk: &AppState) -> Result<(), ErrorResponse> {
    let phase = desk.phase.borrow().clone();
    match phase {
        StartPhase::Ready => Ok(()),
        StartPhase::MakingSample { done, total } => Err(ErrorResponse::unavailable(
            format!("creating the sample business: {done} of {total}"),
            Duration::from_secs(1),
        )),
        StartPhase::Failed(why) => {
            Err(ErrorResponse::internal(&format!("the sample business could not be created: {why}")))
        }
    }
}

/// Gives up on a request that takes too long.
pub(super) async fn with_time_out(answer: impl Future<Output = Response>) -> Response {
    timeout(LONGEST, answer).await.unwrap_or_else(|_elapsed| {
        ErrorResponse::unavailable(
            "the request took longer than 30 s; whether it was executed is not known",
            Duration::from_secs(1),
        )
        .into_response()
    })
}
