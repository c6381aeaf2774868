//! Sends requests that change state. Nothing else in this program does.
//!
//! What counts is to know afterwards whether a request may have been executed, so nothing happens here by itself: each
//! request goes over a connection of its own, once, with no redirect followed and nothing repeated. A failure to
//! connect is then proof that no byte of the request left, and anything later is not known until the service says it.

mod echo;
#[cfg(test)]
mod tests;
mod verdict;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, RequestBuilder};

use super::http_config::{self, HttpConfig, secret_header};
use super::pace::Pace;
use super::request_bytes::route;
use super::skew::ClockComparison;
use super::{BaseUrl, Connection, ConnectionError, Reader, WireNames, envelope};
use crate::domain::Amount;
use crate::domain::comparison::Expectation;
use crate::domain::intent::RequestBytes;
use crate::domain::outcome::AttemptResult;
use crate::journal::{SendPermit, crash};
use verdict::ResponseView;

/// Sends to one service, under one key. Opened when a payment is reviewed and let go after it was sent.
#[derive(Debug, Clone)]
pub struct Operator {
    access: HttpConfig,
    wallet_secret: Option<HeaderValue>,
    wire: WireNames,
    http: Client,
    comparison: Option<Arc<ClockComparison>>,
    pace: Arc<Pace>,
}

/// What a send may take beyond the limits of its connection: the machine may be busy.
const SLACK: Duration = Duration::from_secs(1);

/// The most bytes of an answer that are read. What a change answers is one object.
const LARGEST: usize = 1024 * 1024;

impl Operator {
    /// Checks what is needed to change something at a service, and reads the certificates that are trusted. Nothing is
    /// sent yet.
    pub fn new(connection: Connection) -> Result<Self, ConnectionError> {
        let mut access = HttpConfig::new(&connection)?;
        access.limits.body = access.limits.body.min(LARGEST);
        let Connection { wallet_secret, wire_names: wire, .. } = connection;
        let wallet_secret =
            wallet_secret.map(|secret| secret_header("", &secret).ok_or(ConnectionError::WalletSecret)).transpose()?;
        // Connecting has its own limit inside of the whole: what takes too long there is told apart from an answer
        // that does not come. Without a pool no request meets a connection that the other side has just closed.
        let longest = access.limits.connect.saturating_add(access.limits.request);
        let http = access
            .builder()
            .and_then(|builder| builder.timeout(longest).pool_max_idle_per_host(0).build())
            .map_err(|error| ConnectionError::Client(http_config::client_build_error(&error)))?;
        Ok(Self { access, wallet_secret, wire, http, comparison: None, pace: Arc::default() })
    }

    /// The same beside what reads of the service: its answers tell the same clock's time, and its requests count with those
    /// reads.
    #[must_use]
    pub fn beside(self, reader: &Reader) -> Self {
        Self { comparison: reader.clock_comparison.clone(), pace: Arc::clone(&reader.pace), ..self }
    }

    /// Where it sends to.
    pub fn base_url(&self) -> &BaseUrl {
        &self.access.base
    }

    /// The longest time that a send can take. An order that has no answer after it will have none.
    pub fn send_timeout(&self) -> Duration {
        self.access.limits.connect.saturating_add(self.access.limits.request).saturating_add(SLACK)
    }

    /// Sends an order once, byte for byte as it was confirmed, and says what came of it. Whatever happens is an outcome;
    /// there is no error beside it.
    ///
    /// It ends within [`Operator::send_timeout`]. To drop it before that is to hang up on a payment: whoever calls
    /// lets it run to its end on a task of its own, and records what it says.
    ///
    /// What it answers is compared with what the order expects; `usual_fee` is the highest fee that past payments of its
    /// token took.
    pub async fn send(&self, order: SendPermit, usual_fee: Option<Amount>) -> AttemptResult {
        let to = &order.destination().base_url;
        if to.as_str() != self.base_url().as_str() {
            return verdict::not_sent(&format!(
                "the order is for {to}, but this console is connected to another service"
            ));
        }
        self.post(order.request_bytes(), &Expectation::from_order(order.intent(), usual_fee)).await
    }

    /// Sends the frozen bytes once.
    async fn post(&self, frozen: &RequestBytes, expected: &Expectation<'_>) -> AttemptResult {
        let request = match self.request(frozen) {
            Ok(request) => request,
            Err(why) => return verdict::not_sent(why),
        };
        self.pace.turn().await;
        let asking = ClockComparison::begin(self.comparison.as_ref());
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return verdict::from_transport_error(&error),
        };
        asking.end(envelope::response_date(response.headers()));
        // For tests that kill the program: the request has left, and nobody has looked at what came back.
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

    /// The request, byte for byte as it was frozen.
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
