//! Sends requests that change state. Nothing else in this program does.
//!
//! It must be known afterwards whether a request may have been executed, so nothing is automatic here: each request has
//! a connection of its own and is sent once, without redirects and retries. A failure to connect then proves that no
//! byte of the request left, and after that the outcome is unknown until the service reports it.

mod echo;
#[cfg(test)]
mod tests;
mod verdict;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, RequestBuilder};

use super::http_config::{self, HttpConfig, secret_header};
use super::request_bytes::route;
use super::request_pacer::RequestPacer;
use super::skew::ClockComparison;
use super::{BaseUrl, Connection, ConnectionError, Reader, WireNames, envelope};
use crate::domain::Amount;
use crate::domain::comparison::Expectation;
use crate::domain::order::RequestBytes;
use crate::domain::outcome::AttemptResult;
use crate::journal::{SendPermit, crash};
use verdict::ResponseView;

/// Sends to one service, under one key. Created when a payment is reviewed and dropped after it was sent.
#[derive(Debug, Clone)]
pub struct Operator {
    access: HttpConfig,
    wallet_secret: Option<HeaderValue>,
    wire: WireNames,
    http: Client,
    comparison: Option<Arc<ClockComparison>>,
    pace: Arc<RequestPacer>,
}

/// The time that a send may take beyond the limits of its connection: the machine may be busy.
const SLACK: Duration = Duration::from_secs(1);

/// The most bytes of an answer that are read. The answer to a change is one object.
const LARGEST: usize = 1024 * 1024;

impl Operator {
    /// Checks the parameters of a connection, and loads the trusted certificates. Nothing is sent yet.
    pub fn new(connection: Connection) -> Result<Self, ConnectionError> {
        let mut access = HttpConfig::new(&connection)?;
        access.limits.body = access.limits.body.min(LARGEST);
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
        Ok(Self { access, wallet_secret, wire, http, comparison: None, pace: Arc::default() })
    }

    /// Shares the clock comparison and the rate limit of a reader of the same service.
    #[must_use]
    pub fn beside(self, reader: &Reader) -> Self {
        Self { comparison: reader.clock_comparison.clone(), pace: Arc::clone(&reader.pacer), ..self }
    }

    pub fn base_url(&self) -> &BaseUrl {
        &self.access.base
    }

    /// The longest time that a send can take. An order without an answer by then will have none.
    pub fn send_timeout(&self) -> Duration {
        self.access.limits.connect.saturating_add(self.access.limits.request).saturating_add(SLACK)
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
            return verdict::not_sent(&format!(
                "the order is for {to}, but this console is connected to another service"
            ));
        }
        self.post(order.request_bytes(), &Expectation::from_order(order.order(), usual_fee)).await
    }

    async fn post(&self, frozen: &RequestBytes, expected: &Expectation<'_>) -> AttemptResult {
        let request = match self.request(frozen) {
            Ok(request) => request,
            Err(why) => return verdict::not_sent(why),
        };
        self.pace.acquire().await;
        let asking = ClockComparison::begin(self.comparison.as_ref());
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return verdict::from_transport_error(&error),
        };
        asking.end(envelope::response_date(response.headers()));
        // For tests that kill the program: the request has left, and no byte of the answer was used.
        crash::reached(crash::AFTER_SEND);
        let http_config::BufferedResponse { status, headers, body } = self.access.read_response(response).await;
        match body {
            Ok(body) => {
                let reply =
                    ResponseView { status, headers: &headers, body: &body, max_depth: self.access.limits.depth };
                verdict::from_response(frozen, expected, &reply, &self.wire)
            }
            Err(failure) => verdict::from_truncated_response(status, &failure),
        }
    }

    fn request(&self, frozen: &RequestBytes) -> Result<RequestBuilder, &'static str> {
        let method = match frozen.method.as_str() {
            "POST" => Method::POST,
            "PATCH" => Method::PATCH,
            _ => return Err("the recorded request does not change anything"),
        };
        if (frozen.method.as_str(), frozen.path.as_str()) != route(frozen.operation) {
            return Err("the recorded request is for a different operation from the one it is recorded for");
        }
        let mut request = self
            .http
            .request(method, self.access.base.operation_url(&frozen.path, &[]))
            .header(AUTHORIZATION, self.access.authorization.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(frozen.body.clone());
        if let Some(secret) = self.wallet_secret.as_ref().filter(|_| self.wire.needs_wallet_secret(&frozen.path)) {
            request = request.header("x-wallet-secret", secret.clone());
        }
        Ok(request)
    }
}
