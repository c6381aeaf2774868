//! Start-up check and time-out of requests.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::error_response::ErrorResponse;
use crate::service::app_state::{AppState, StartPhase};

/// Time-out of a request, including its body. A job that it started in the ledger runs to its end all the same.
const REQUEST_TIME_OUT: Duration = Duration::from_secs(30);

/// Rejects requests with 503 while the sample business is being created.
pub(super) fn require_ready(app_state: &AppState) -> Result<(), ErrorResponse> {
    let phase = app_state.phase.borrow().clone();
    match phase {
        StartPhase::Ready => Ok(()),
        StartPhase::MakingSample { done, total } => Err(ErrorResponse::unavailable(
            format!("creating the sample business: {done} of {total}"),
            Duration::from_secs(1),
        )),
        StartPhase::Failed(reason) => {
            Err(ErrorResponse::internal(&format!("the sample business could not be created: {reason}")))
        }
    }
}

/// Answers 503 after the time-out.
pub(super) async fn with_time_out(answer: impl Future<Output = Response>) -> Response {
    timeout(REQUEST_TIME_OUT, answer).await.unwrap_or_else(|_elapsed| {
        ErrorResponse::unavailable(
            "the request took longer than 30 s; whether it was executed is not known",
            Duration::from_secs(1),
        )
        .into_response()
    })
}
