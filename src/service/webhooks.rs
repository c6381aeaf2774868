//! Webhooks: delivers events about successful transactions to receivers, each at least once, in order of occurrence.
//!
//! A rejected event is retried later and does not delay those behind it, unless the receiver accepts nothing at all:
//! then the receiver is paused, longer each time. The log reports the first failure, each change of the reply, and the
//! recovery.
//!
//! An event stays in the ledger's outbox from the commit that it reports until its receiver has answered 2xx or the
//! event is a day old. Identifier and bytes are the same at every attempt, so that a receiver recognises duplicates.
//! Events are signed: `X-Webhook-Signature` is the HMAC-SHA256 of `X-Webhook-Timestamp`, a point and the body, in hex,
//! under the secret that the service prints at its start.

mod health;
mod receiver;

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret, SecretString};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::app_state::AppState;
use super::error::ServiceError;
use super::ledger::{OutboxEvent, RequestError};
use crate::domain::{Timestamp, webhook_hints};

use health::{DeliveryResult, ReceiverHealth};
pub use receiver::{WebhookUrl, WebhookUrlError};

/// Time-out of a delivery.
const DELIVERY_TIME_OUT: Duration = Duration::from_secs(10);
/// Pause after the first failed attempt; doubles after each further one.
const FIRST_RETRY_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_RETRY_PAUSE: Duration = Duration::from_hours(1);
/// An event older than this is dropped.
const MAX_EVENT_AGE: Duration = Duration::from_hours(24);
/// Events read from the outbox at once.
const EVENTS_PER_READ: u32 = 32;
/// The longest sleep, however late the next event is due.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);
/// How long the ledger is left alone after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// One client for all receivers.
pub(super) fn webhook_client(receivers: &[WebhookUrl]) -> Result<Client, ServiceError> {
    // Another part of the program may have installed the provider already.
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .timeout(DELIVERY_TIME_OUT)
        .user_agent(concat!("bursar/", env!("CARGO_PKG_VERSION")));
    // Without TLS receivers, a machine without root certificates will do.
    let builder = if receivers.iter().any(WebhookUrl::is_encrypted) {
        builder
    } else {
        builder.tls_certs_only(std::iter::empty())
    };
    builder.build().map_err(|error| ServiceError::Webhooks(error.to_string()))
}

/// Passes events on to another receiver, as they came.
#[derive(Debug, Clone)]
pub struct WebhookForwarder {
    client: Client,
    receiver: WebhookUrl,
}

impl WebhookForwarder {
    pub fn new(receiver: WebhookUrl) -> Result<Self, ServiceError> {
        Ok(Self { client: webhook_client(std::slice::from_ref(&receiver))?, receiver })
    }

    /// The status of the receiver's answer, or why there is none, within a time-out.
    pub async fn post_event(
        &self,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        time_out: Duration,
    ) -> Result<u16, String> {
        let request = self.client.post(self.receiver.as_str()).timeout(time_out);
        let request = request.header("content-type", "application/json").body(body);
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        match request.send().await {
            Ok(answer) => Ok(answer.status().as_u16()),
            // The URL may contain a token of the receiver and is left out.
            Err(error) => Err(error.without_url().to_string()),
        }
    }
}

/// Delivers all events to one receiver, until `stop`.
pub(super) async fn run_sender(
    app_state: Arc<AppState>,
    client: Client,
    receiver: WebhookUrl,
    secret: SecretString,
    stop: CancellationToken,
) {
    let mut sender = WebhookSender { app_state, client, receiver, secret, health: ReceiverHealth::default() };
    loop {
        // Subscribe first: an event announced during the delivery wakes the next iteration.
        let mut announced = sender.app_state.outbox_changed.subscribe();
        let wait = match sender.send_due_events(&stop).await {
            Ok(None) => None,
            // Capped, since a clock that was ahead may be set back meanwhile.
            Ok(Some(next)) => Some(sender.app_state.clock.now().age(next).min(LONGEST_SLEEP)),
            Err(error) => {
                tracing::error!(%error, "the outbox failed");
                Some(AFTER_FAILURE)
            }
        };
        let due = async {
            match wait {
                Some(wait) => sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            _ = announced.changed() => {}
            () = stop.cancelled() => return,
        }
    }
}

struct WebhookSender {
    app_state: Arc<AppState>,
    client: Client,
    receiver: WebhookUrl,
    secret: SecretString,
    health: ReceiverHealth,
}

impl WebhookSender {
    /// Sends what is due; returns when something is due next.
    async fn send_due_events(&mut self, stop: &CancellationToken) -> Result<Option<Timestamp>, RequestError> {
        loop {
            if let Some(until) = self.health.paused_until(self.app_state.clock.now()) {
                return Ok(Some(until));
            }
            let url = self.receiver.as_str().to_owned();
            let due =
                self.app_state.run_in_ledger(move |ledger, now| ledger.due_events(&url, now, EVENTS_PER_READ)).await?;
            if due.is_empty() {
                let url = self.receiver.as_str().to_owned();
                return self.app_state.run_in_ledger(move |ledger, _| ledger.next_delivery_time(&url)).await;
            }
            for delivery in due {
                let delivery_result = tokio::select! {
                    delivery_result = self.send_event(&delivery) => delivery_result,
                    () = stop.cancelled() => return Ok(None),
                };
                self.record_delivery(&delivery, delivery_result == DeliveryResult::Accepted).await?;
                let now = self.app_state.clock.now();
                if let Some(news) = self.health.record_reply(delivery_result, now) {
                    tracing::warn!(receiver = %self.receiver.redacted(), "{news}");
                }
                if self.health.paused_until(now).is_some() {
                    break;
                }
            }
        }
    }

    /// Sends one event. Redirects are not followed: an event is meant for the configured address only.
    async fn send_event(&self, delivery: &OutboxEvent) -> DeliveryResult {
        let timestamp = self.app_state.clock.now().millis().div_euclid(1_000).to_string();
        let signature = sign_body(&self.secret, &timestamp, &delivery.body);
        let request = self
            .client
            .post(self.receiver.as_str())
            .header("content-type", "application/json")
            .header("x-webhook-id", delivery.id.to_string())
            .header("x-webhook-timestamp", timestamp)
            .header("x-webhook-signature", signature)
            .body(delivery.body.clone());
        match request.send().await {
            Ok(answer) if answer.status().is_success() => DeliveryResult::Accepted,
            Ok(answer) => {
                let status = answer.status().as_u16();
                tracing::debug!(event = %delivery.id, status, "a receiver rejected an event");
                DeliveryResult::Rejected(status)
            }
            Err(error) => {
                // The URL may contain a token of the receiver and is left out.
                tracing::debug!(event = %delivery.id, error = %error.without_url(), "a receiver could not be reached");
                DeliveryResult::NoAnswer
            }
        }
    }

    async fn record_delivery(&self, delivery: &OutboxEvent, accepted: bool) -> Result<(), RequestError> {
        let (event, url) = (delivery.event, self.receiver.as_str().to_owned());
        let (created, attempts) = (delivery.created_at, delivery.attempts);
        self.app_state
            .run_in_ledger(move |ledger, now| {
                if accepted {
                    return ledger.remove_delivery(event, &url);
                }
                if created.age(now) >= MAX_EVENT_AGE {
                    tracing::error!(event, "an event is a day old and was never accepted; it is dropped");
                    return ledger.remove_delivery(event, &url);
                }
                ledger.postpone_delivery(event, &url, now.plus(retry_pause(attempts)))
            })
            .await
    }
}

/// Pause after a failed attempt that `attempts` others preceded.
pub(super) fn retry_pause(attempts: u32) -> Duration {
    FIRST_RETRY_PAUSE.saturating_mul(1_u32.checked_shl(attempts).unwrap_or(u32::MAX)).min(LONGEST_RETRY_PAUSE)
}

/// The signature of a body; `timestamp` is in seconds since 1970.
fn sign_body(secret: &SecretString, timestamp: &str, body: &[u8]) -> String {
    webhook_hints::sign_webhook(secret.expose_secret().as_bytes(), timestamp, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_signed_with_its_time() {
        // Computed with: printf '%s' '1767614400.{"a":1}' | openssl dgst -sha256 -hmac secret
        let signed = sign_body(&"secret".to_owned().into(), "1767614400", br#"{"a":1}"#);
        assert_eq!(signed, SIGNED);
    }

    const SIGNED: &str = "6b02b95f4ef078aefc96c0eec496de667c9897598146cf73c9e0b9f891aa88bc";

    #[test]
    fn pauses_double_up_to_an_hour() {
        let pauses: Vec<_> = [0, 1, 2, 11, 12, 31, 32, 1_000].map(|attempts| retry_pause(attempts).as_secs()).into();
        assert_eq!(pauses, [1, 2, 4, 2_048, 3_600, 3_600, 3_600, 3_600]);
    }
}
