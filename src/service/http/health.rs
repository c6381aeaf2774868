//! `/healthz`: health check for monitoring, without a key.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::json;

use crate::service::app_state::{AppState, StartPhase};

/// 200 while requests are answered and the ledger can be read, 503 otherwise.
pub(super) async fn check(Extension(app_state): Extension<Arc<AppState>>) -> Response {
    let phase = app_state.phase.borrow().clone();
    let (status, body) = match phase {
        StartPhase::MakingSample { done, total } => {
            (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": "preparing", "done": done, "total": total }))
        }
        StartPhase::Failed(_) => (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": "failed" })),
        StartPhase::Ready if app_state.ledger.damage_reason().is_some() => {
            (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": "failed" }))
        }
        StartPhase::Ready => match app_state.run_in_ledger(|ledger, _| ledger.workspaces()).await {
            Ok(_) => (StatusCode::OK, json!({ "status": "ok" })),
            Err(error) => {
                tracing::error!(%error, "the ledger cannot be read");
                (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": "failed" }))
            }
        },
    };
    (status, Json(body)).into_response()
}
