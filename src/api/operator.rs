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

use super::access::{self, Access, header};
use super::freeze::route;
use super::pace::Pace;
use super::skew::Comparison;
use super::{BaseUrl, Connection, ConnectionError, Reader, WireNames, envelope};
use crate::domain::Amount;
use crate::domain::comparison::Expectation;
use crate::domain::intent::Frozen;
use crate::domain::outcome::Answered;
use crate::journal::{Order, crash};
use verdict::Reply;

/// Sends to one service, under one key. Opened when a payment is reviewed and let go after it was sent.
#[derive(Debug, Clone)]
pub struct Operator {
    access: Access,
    wallet_secret: Option<HeaderValue>,
    wire: WireNames,
    http: Client,
    comparison: Option<Arc<Comparison>>,
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
        let mut access = Access::new(&connection)?;
        access.limits.body = access.limits.body.min(LARGEST);
        let Connection { wallet_secret, wire, .. } = connection;
        let wallet_secret =
            wallet_secret.map(|secret| header("", &secret).ok_or(ConnectionError::WalletSecret)).transpose()?;
        // Connecting has its own limit inside of the whole: what takes too long there is told apart from an answer
        // that does not come. Without a pool no request meets a connection that the other side has just closed.
        let longest = access.limits.connect.saturating_add(access.limits.request);
        let http = access
            .builder()
            .and_then(|builder| builder.timeout(longest).pool_max_idle_per_host(0).build())
            .map_err(|error| ConnectionError::Client(access::fault(&error)))?;
        Ok(Self { access, wallet_secret, wire, http, comparison: None, pace: Arc::default() })
    }

    /// The same beside what reads of the service: its answers tell the same clock's time, and its requests count with those
    /// reads.
    #[must_use]
    pub fn beside(self, reader: &Reader) -> Self {
        Self { comparison: reader.comparison.clone(), pace: Arc::clone(&reader.pace), ..self }
    }

    /// Where it sends to.
    pub fn base_url(&self) -> &BaseUrl {
        &self.access.base
    }

    /// The longest time that a send can take. An order that has no answer after it will have none.
    pub fn gives_up_after(&self) -> Duration {
        self.access.limits.connect.saturating_add(self.access.limits.request).saturating_add(SLACK)
    }

    /// Sends an order once, byte for byte as it was confirmed, and says what came of it. Whatever happens is an outcome;
    /// there is no error beside it.
    ///
    /// It ends within [`Operator::gives_up_after`]. To drop it before that is to hang up on a payment: whoever calls
    /// lets it run to its end on a task of its own, and records what it says.
    ///
    /// What it answers is compared with what the order expects; `usual_fee` is the highest fee that past payments of its
    /// token took.
    pub async fn send(&self, order: Order, usual_fee: Option<Amount>) -> Answered {
        let to = &order.destination().base_url;
        if to.as_str() != self.base_url().as_str() {
            return verdict::not_sent(&format!(
                "the order goes to {to}, and this console is connected to another place"
            ));
        }
        self.post(order.frozen(), &Expectation::of(order.intent(), usual_fee)).await
    }

    /// Sends the frozen bytes once.
    async fn post(&self, frozen: &Frozen, expected: &Expectation<'_>) -> Answered {
        let request = match self.request(frozen) {
            Ok(request) => request,
            Err(why) => return verdict::not_sent(why),
        };
        self.pace.turn().await;
        let asking = Comparison::begin(self.comparison.as_ref());
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return verdict::of_error(&error),
        };
        asking.end(envelope::date(response.headers()));
        // For tests that kill the program: the request has left, and nobody has looked at what came back.
        crash::reached(crash::AFTER_SEND);
        let access::Reply { status, headers, body } = self.access.receive(response).await;
        match body {
            Ok(body) => {
                let reply = Reply { status, headers: &headers, body: &body, deepest: self.access.limits.depth };
                verdict::of_reply(frozen, expected, &reply, &self.wire)
            }
            Err(failure) => verdict::cut_short(status, &failure),
        }
    }

    /// The request, byte for byte as it was frozen.
    fn request(&self, frozen: &Frozen) -> Result<RequestBuilder, &'static str> {
        let method = match frozen.method.as_str() {
            "POST" => Method::POST,
            "PATCH" => Method::PATCH,
            _ => return Err("the noted request does not change anything"),
        };
        if (frozen.method.as_str(), frozen.path.as_str()) != route(frozen.operation) {
            return Err("the noted request goes to another operation than the one that it is noted for");
        }
        let mut request = self
            .http
            .request(method, self.access.base.operation(&frozen.path, &[]))
            .header(AUTHORIZATION, self.access.authorization.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(frozen.body.clone());
        if let Some(secret) = self.wallet_secret.as_ref().filter(|_| self.wire.wants_wallet_secret(&frozen.path)) {
            request = request.header("x-wallet-secret", secret.clone());
        }
        Ok(request)
    }
}
