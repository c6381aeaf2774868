//! `/control`: requests that make a service of a test network do at once what a test waits for. They exist only where
//! the service was started with them, and only in workspaces on test networks.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::{Extension, Router};

use super::error_response::{ErrorResponse, json_response};
use super::operations;
use super::request::{ChangeRequest, HandlerResult};
use crate::service::app_state::AppState;
use crate::service::control;
use crate::service::keys::KeyHolder;
use crate::service::ledger::{DepositOutcome, InjectedDeposit, render};

/// The environment of workspaces on test networks.
const TEST_ENVIRONMENT: &str = "testnet";
/// The longest move of the clock.
const LONGEST_ADVANCE: Duration = Duration::from_hours(24 * 366);
/// The most payments that are ordered to fail.
const MOST_FAILURES: u32 = 1_000;
/// The most events that are sent again.
const MOST_EVENTS: u32 = 1_000;

pub(super) fn routes() -> Router {
    operations::routes(operations::CONTROL, false).route_layer(from_fn(require_test_environment))
}

/// Refuses control requests in a workspace whose money may be real.
async fn require_test_environment(request: Request, next: Next) -> Result<Response, ErrorResponse> {
    let app_state = request.extensions().get::<Arc<AppState>>().cloned();
    let holder = request.extensions().get::<KeyHolder>().copied();
    let (Some(app_state), Some(holder)) = (app_state, holder) else {
        return Err(ErrorResponse::internal(&"a control request was brought to no workspace"));
    };
    let workspace = app_state.run_in_ledger(move |ledger, _| ledger.workspace(holder.workspace_number)).await?;
    if workspace.environment != TEST_ENVIRONMENT {
        return Err(ErrorResponse::forbidden(format!(
            "control requests are accepted in workspaces on {TEST_ENVIRONMENT} only; this one is on {}",
            workspace.environment
        )));
    }
    Ok(next.run(request).await)
}

pub(super) async fn inject_deposit(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let wallet = fields.required_identifier("walletId");
    let (token, amount) = (fields.required_text("token"), fields.required_text("amount"));
    let from = fields.text("fromAddress");
    let outcome = match fields.choice("status", &["pending", "success", "failed"]).as_deref() {
        Some("success") => DepositOutcome::Success,
        Some("failed") => DepositOutcome::Failed,
        _ => DepositOutcome::Pending,
    };
    let new = InjectedDeposit { wallet, token, amount, from, outcome };
    request.execute(move |books| books.inject_deposit(&new)).await
}

pub(super) async fn advance_clock(
    Extension(app_state): Extension<Arc<AppState>>,
    mut request: ChangeRequest,
) -> HandlerResult {
    let text = request.fields.required_text("advance");
    let by = humantime::parse_duration(&text).ok().filter(|by| !by.is_zero() && *by <= LONGEST_ADVANCE);
    if by.is_none() && !request.fields.has_problems() {
        request.fields.add_problem("advance must be a time of up to a year, as in 90s, 10m or 1day");
    }
    request.fields.into_valid_body()?;
    let clock_change = control::advance_clock(&app_state, by.unwrap_or_default()).await?;
    Ok(json_response(StatusCode::CREATED, render::bytes_in_envelope(&clock_change)?))
}

pub(super) async fn fail_payments(mut request: ChangeRequest) -> HandlerResult {
    let count = request.fields.count("count", 0..=MOST_FAILURES).unwrap_or(1);
    request.execute(move |books| books.order_failures(count)).await
}

pub(super) async fn replay_webhooks(mut request: ChangeRequest) -> HandlerResult {
    let last = request.fields.count("last", 1..=MOST_EVENTS).unwrap_or(MOST_EVENTS);
    request.execute(move |books| books.replay_events(last)).await
}

pub(super) async fn reset(Extension(app_state): Extension<Arc<AppState>>, request: ChangeRequest) -> HandlerResult {
    request.fields.into_valid_body()?;
    let reset = control::reset(&app_state).await?;
    Ok(json_response(StatusCode::CREATED, render::bytes_in_envelope(&reset)?))
}
