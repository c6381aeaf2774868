//! Enforces approvals: a request that moves money is executed only with the signatures that the service's own rules ask for.
//!
//! Every change passes through [`ChangeRequest`](super::request::ChangeRequest), which asks here by the operation's row in
//! [`operations`](super::operations); the handlers know nothing of it. An approved order is executed once, whatever
//! idempotency key its request has: the ledger records it in the commit of its effect.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::error_response::ErrorResponse;
use super::operation::{Operation, PaymentFieldNames};
use crate::domain::approval::{APPROVALS_HEADER, NotApproved, PaymentFacts, ReceivedRequest, check_received};
use crate::domain::{Amount, OrderId, Text};
use crate::service::app_state::AppState;
use crate::service::ledger::WorkspaceNumber;

/// Begins the message of a refusal.
const APPROVAL_REQUIRED: &str = "approval_required";

/// The order that was approved; `None` where nothing is enforced, or no rule is for the request.
pub(super) async fn require_approvals(
    app_state: &Arc<AppState>,
    workspace_number: WorkspaceNumber,
    operation: &Operation,
    headers: &HeaderMap,
    (body, bytes): (&Value, &[u8]),
) -> Result<Option<OrderId>, ErrorResponse> {
    let (Some(policy), Some(fields)) = (&app_state.approvals, operation.payment) else { return Ok(None) };
    let workspace = app_state.run_in_ledger(move |ledger, _| ledger.workspace(workspace_number)).await?;
    let request = ReceivedRequest {
        method: operation.method,
        path: operation.path,
        body: bytes,
        // A header that is no text is no base64 either.
        approvals: headers.get(APPROVALS_HEADER).map(|value| value.to_str().unwrap_or_default()),
        environment: &workspace.environment,
    };
    check_received(policy, &fields.read_payment_facts(body), request, app_state.clock.now())
        .map_err(|fault| not_approved(&fault))
}

fn not_approved(fault: &NotApproved) -> ErrorResponse {
    ErrorResponse::with_message(StatusCode::FORBIDDEN, format!("{APPROVAL_REQUIRED}: {fault}"))
}

impl PaymentFieldNames {
    /// What the rules look at. A field that is missing or malformed is not known.
    fn read_payment_facts(self, body: &Value) -> PaymentFacts {
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(Text::clean);
        PaymentFacts { token: text(self.token), chain: self.chain.and_then(text), amount: self.amount(body) }
    }

    fn amount(self, body: &Value) -> Option<Amount> {
        let amount =
            |object: &Value| Amount::parse_as_written(object.get(self.amount)?.as_str()?, Amount::MAX_DECIMALS).ok();
        let Some(list) = self.recipients else { return amount(body) };
        let mut amounts = body.get(list)?.as_array()?.iter().map(amount);
        let first = amounts.next()??;
        amounts.try_fold(first, |total, next| total.checked_add_rescaled(next?))
    }
}
