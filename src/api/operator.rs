//! Sends requests that change state. Nothing else in this program does.
//!
//! It must be known afterwards whether a request may have been executed, so nothing is automatic here: each request has
//! a connection of its own and is sent once, without redirects and retries. A failure to connect then proves that no
//! byte of the request left, and after that the outcome is unknown until the service reports it.

mod attempt_outcome;
mod response_check;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, StatusCode};

use super::clock_comparison::ClockComparison;
use super::http_config::{self, HttpConfig, secret_header};
use super::request_pacer::RequestPacer;
use super::{BaseUrl, Connection, ConnectionError, Limits, Reader, WireNames, envelope};
use crate::domain::Amount;
use crate::domain::approval::{APPROVALS_HEADER, ApprovalsHeaderFault, SignedStatement, StatementKind, encode_header};
use crate::domain::comparison::ExpectedReport;
use crate::domain::order::{OrderApproval, RequestBytes};
use crate::domain::outcome::AttemptResult;
use crate::journal::{SendPermit, crash};
use attempt_outcome::ResponseView;

/// Sends to one service, under one key. Created when a payment is reviewed and dropped after it was sent.
#[derive(Debug, Clone)]
pub struct Operator {
    http_config: HttpConfig,
    wallet_secret: Option<HeaderValue>,
    wire_names: WireNames,
    http_client: Client,
    clock_comparison: Option<Arc<ClockComparison>>,
    pacer: Arc<RequestPacer>,
}

/// The time that a send may take beyond the limits of its connection: the machine may be busy.
const SEND_SLACK: Duration = Duration::from_secs(1);

/// The most bytes of an answer that are read. The answer to a change is one object.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// What an answer that is at hand already says of its request: of the past of a sample business. It uses up the permit.
#[expect(clippy::needless_pass_by_value, reason = "a permit is for one answer")]
pub fn interpret_answer(permit: SendPermit, status: u16, body: &str, wire: &WireNames) -> AttemptResult {
    let expected = ExpectedReport::from_order(permit.order(), None);
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let max_depth = Limits::default().depth;
    let reply = ResponseView { status, headers: &headers, body, max_depth };
    attempt_outcome::from_response(permit.request_bytes(), &expected, &reply, wire)
}

/// The header for a service that enforces approvals: the signatures that propose and approve.
fn approvals_header(approval: &OrderApproval, permit: &SendPermit) -> Result<String, ApprovalsHeaderFault> {
    let is_counted =
        |statement: &&SignedStatement| matches!(statement.kind, StatementKind::Propose | StatementKind::Approve);
    let statements = approval.statements.iter().map(|(_, statement)| statement).filter(is_counted);
    encode_header(
        &approval.file,
        &permit.request_bytes().body,
        statements.map(|statement| statement.signature.as_str()),
    )
}

impl Operator {
    /// Checks the parameters of a connection, and loads the trusted certificates. Nothing is sent yet.
    pub fn new(connection: Connection) -> Result<Self, ConnectionError> {
        let mut access = HttpConfig::new(&connection)?;
        access.limits.body = access.limits.body.min(MAX_ANSWER_BYTES);
        let Connection { wallet_secret, wire_names: wire, .. } = connection;
        let wallet_secret =
            wallet_secret.map(|secret| secret_header("", &secret).ok_or(ConnectionError::WalletSecret)).transpose()?;
        // Connecting has its own limit within the whole, to tell a slow connection from a missing answer. Without a
        // pool no request meets a connection that the service has just closed.
        let longest = access.limits.connect.saturating_add(access.limits.request);
        let http = access
            .builder()
            .and_then(|builder| builder.timeout(longest).pool_max_idle_per_host(0).build())
            .map_err(|error| ConnectionError::Client(http_config::client_build_error(&error)))?;
        Ok(Self {
            http_config: access,
            wallet_secret,
            wire_names: wire,
            http_client: http,
            clock_comparison: None,
            pacer: Arc::default(),
        })
    }

    /// Shares the clock comparison and the rate limit of a reader of the same service.
    #[must_use]
    pub fn sharing_limits_of(self, reader: &Reader) -> Self {
        Self { clock_comparison: reader.clock_comparison.clone(), pacer: Arc::clone(&reader.pacer), ..self }
    }

    pub fn base_url(&self) -> &BaseUrl {
        &self.http_config.base
    }

    /// The longest time that a send can take. An order without an answer by then will have none.
    pub fn send_timeout(&self) -> Duration {
        self.http_config.limits.connect.saturating_add(self.http_config.limits.request).saturating_add(SEND_SLACK)
    }

    /// Sends an order once, byte for byte as it was confirmed, and returns the result. Every failure is an outcome;
    /// there is no error beside it.
    ///
    /// It ends within [`Operator::send_timeout`]. Dropping the future before that would abandon a payment: the caller
    /// runs it to its end on a task of its own, and records the result.
    ///
    /// The answer is compared with what the order expects; `usual_fee` is the highest fee of past payments of its
    /// token.
    pub async fn send(&self, order: SendPermit, usual_fee: Option<Amount>) -> AttemptResult {
        let to = &order.destination().base_url;
        if to.as_str() != self.base_url().as_str() {
            return attempt_outcome::not_sent(&format!(
                "the order is for {to}, but this console is connected to another service"
            ));
        }
        let approvals = match order.order().approval.as_ref().map(|approval| approvals_header(approval, &order)) {
            None => None,
            Some(Ok(header)) => Some(header),
            Some(Err(fault)) => return attempt_outcome::not_sent(&format!("the approvals cannot go with it: {fault}")),
        };
        let expected = ExpectedReport::from_order(order.order(), usual_fee);
        self.send_request(order.request_bytes(), approvals.as_deref(), &expected).await
    }

    async fn send_request(
        &self,
        frozen: &RequestBytes,
        approvals: Option<&str>,
        expected: &ExpectedReport<'_>,
    ) -> AttemptResult {
        let mut request = match self.build_request(frozen) {
            Ok(request) => request,
            Err(reason) => return attempt_outcome::not_sent(reason),
        };
        if let Some(approvals) = approvals {
            request = request.header(APPROVALS_HEADER, approvals);
        }
        self.pacer.acquire().await;
        let asking = ClockComparison::begin_request(self.clock_comparison.as_ref());
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return attempt_outcome::from_transport_error(&error),
        };
        asking.end_request(envelope::response_date(response.headers()));
        // For tests that kill the program: the request has left, and no byte of the answer was used.
        crash::reached(crash::AFTER_SEND);
        let http_config::BufferedResponse { status, headers, body } = self.http_config.read_response(response).await;
        match body {
            Ok(body) => {
                let reply =
                    ResponseView { status, headers: &headers, body: &body, max_depth: self.http_config.limits.depth };
                attempt_outcome::from_response(frozen, expected, &reply, &self.wire_names)
            }
            Err(failure) => attempt_outcome::from_truncated_response(status, &failure),
        }
    }

    fn build_request(&self, frozen: &RequestBytes) -> Result<RequestBuilder, &'static str> {
        let method = match frozen.method.as_str() {
            "POST" => Method::POST,
            "PATCH" => Method::PATCH,
            _ => return Err("the recorded request does not change anything"),
        };
        if (frozen.method.as_str(), frozen.path.as_str()) != frozen.operation.route() {
            return Err("the recorded request is for a different operation from the one it is recorded for");
        }
        let mut request = self
            .http_client
            .request(method, self.http_config.base.operation_url(&frozen.path, &[]))
            .header(AUTHORIZATION, self.http_config.authorization.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(frozen.body.clone());
        if let Some(secret) = self.wallet_secret.as_ref().filter(|_| self.wire_names.needs_wallet_secret(&frozen.path))
        {
            request = request.header("x-wallet-secret", secret.clone());
        }
        Ok(request)
    }
}
