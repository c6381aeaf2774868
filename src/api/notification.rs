//! Posts notifications to a URL of the operator, signed as the service's webhooks are.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use secrecy::{ExposeSecret, SecretString};

use super::http_config::client_build_error;
use crate::domain::{Timestamp, webhook_hints};

const TIME_OUT: Duration = Duration::from_secs(10);

/// Where notifications are posted: https, or http on this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct NotificationUrl(Url);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotificationUrlError {
    #[error("{0}; write an address as in https://alerts.example.com/treasury")]
    Form(String),
    #[error("a notification names balances, so it goes over https, or to this machine; use https://")]
    Unencrypted,
    #[error("a user name or password does not belong in it; use signed or secret_file")]
    Credentials,
}

impl NotificationUrl {
    pub fn parse(text: &str) -> Result<Self, NotificationUrlError> {
        let url = Url::parse(text).map_err(|error| NotificationUrlError::Form(error.to_string()))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NotificationUrlError::Credentials);
        }
        match url.scheme() {
            "https" if !host.is_empty() => Ok(Self(url)),
            "http" if is_here => Ok(Self(url)),
            "http" => Err(NotificationUrlError::Unencrypted),
            other => Err(NotificationUrlError::Form(format!("{other} is not https"))),
        }
    }

    /// The origin: path and query may contain a token of the receiver.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

impl fmt::Debug for NotificationUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NotificationUrl({})", self.origin())
    }
}

/// Posts notifications to one URL.
#[derive(Debug)]
pub struct NotificationSender {
    url: NotificationUrl,
    secret: Option<SecretString>,
    client: Client,
}

impl NotificationSender {
    /// # Errors
    /// If this machine has no certificates to verify the receiver with.
    pub fn new(url: NotificationUrl, secret: Option<SecretString>) -> Result<Self, String> {
        // Installed once for the process; a second attempt is refused, which does no harm.
        let _already_installed = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .timeout(TIME_OUT)
            .user_agent(concat!("bursar/", env!("CARGO_PKG_VERSION")));
        let is_encrypted = url.0.scheme() == "https";
        let builder = if is_encrypted { builder } else { builder.tls_certs_only(std::iter::empty()) };
        let client = builder.build().map_err(|error| client_build_error(&error))?;
        Ok(Self { url, secret, client })
    }

    /// Posts a body under an identifier, which stays the same at every attempt.
    ///
    /// # Errors
    /// Why the receiver did not accept it.
    pub async fn post(&self, id: &str, body: &str, now: Timestamp) -> Result<(), String> {
        let timestamp = now.millis().div_euclid(1_000).to_string();
        let mut request = self
            .client
            .post(self.url.0.clone())
            .header("content-type", "application/json")
            .header("x-webhook-id", id)
            .header("x-webhook-timestamp", &timestamp);
        if let Some(secret) = &self.secret {
            let signature = webhook_hints::sign_webhook(secret.expose_secret().as_bytes(), &timestamp, body.as_bytes());
            request = request.header("x-webhook-signature", signature);
        }
        match request.body(body.to_owned()).send().await {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(format!("{} answered {}", self.url.origin(), answer.status().as_u16())),
            // The URL may contain a token of the receiver and is left out.
            Err(error) => Err(format!("{} cannot be reached: {}", self.url.origin(), error.without_url())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_reached_over_tls_or_on_this_machine_and_shows_no_token() {
        for text in ["https://alerts.example/x", "http://127.0.0.1:9000/e", "http://[::1]:9/", "http://localhost/"] {
            assert!(NotificationUrl::parse(text).is_ok(), "{text}");
        }
        for text in ["http://alerts.example/", "ftp://127.0.0.1/", "alerts.example", "", "https://a:b@alerts.example/"]
        {
            assert!(NotificationUrl::parse(text).is_err(), "{text}");
        }
        let url = NotificationUrl::parse("https://alerts.example/hook/s3cret?key=t0ken").unwrap();
        assert_eq!(
            (url.origin().as_str(), format!("{url:?}").as_str()),
            ("https://alerts.example", "NotificationUrl(https://alerts.example)")
        );
    }
}
