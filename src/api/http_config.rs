//! What [`Reader`](super::Reader) and [`Operator`](super::Operator) share: address, key, limits and route.

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use super::client::root_cause;
use super::{BaseUrl, Connection, ConnectionError, Limits, Route, body};
use crate::domain::{Failure, Redaction};

#[derive(Debug, Clone)]
pub(super) struct HttpConfig {
    pub(super) base: BaseUrl,
    pub(super) authorization: HeaderValue,
    pub(super) limits: Limits,
    redaction: Redaction,
    route: Route,
}

/// An answer, read to its end, with all secrets redacted.
pub(super) struct BufferedResponse {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Result<String, Failure>,
}

impl HttpConfig {
    /// Checks the parameters. Nothing is sent, and nothing slow is done.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let base = BaseUrl::parse(&connection.base_url)?;
        let authorization = secret_header("Bearer ", &connection.api_key).ok_or(ConnectionError::Key)?;
        let (limits, route, redaction) =
            (connection.limits.clone(), connection.route.clone(), connection.redaction.clone());
        redaction.add_secret(Redaction::KEY, connection.api_key.expose_secret());
        if let Some(secret) = &connection.wallet_secret {
            redaction.add_secret(Redaction::WALLET_SECRET, secret.expose_secret());
        }
        Ok(Self { base, authorization, limits, redaction, route })
    }

    /// The same with another key and its owner's secrets.
    pub(super) fn with_key(&self, api_key: &SecretString, redaction: Redaction) -> Result<Self, ConnectionError> {
        let authorization = secret_header("Bearer ", api_key).ok_or(ConnectionError::Key)?;
        redaction.add_secret(Redaction::KEY, api_key.expose_secret());
        Ok(Self { authorization, redaction, ..self.clone() })
    }

    /// Reads an answer to its end. Every answer passes here, to reads and to changes: secrets are redacted before
    /// anything else sees it.
    pub(super) async fn read_response(&self, response: Response) -> BufferedResponse {
        let status = response.status();
        let mut headers = response.headers().clone();
        for value in headers.values_mut() {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let clean = self.redaction.apply(text.clone());
            if clean != text {
                *value = HeaderValue::try_from(clean).unwrap_or(HeaderValue::from_static(""));
            }
        }
        let body = body::read_limited(response, &self.limits).await.map(|body| self.redaction.apply(body));
        BufferedResponse { status, headers, body }
    }

    /// A client without redirects and retries that reads nothing from the environment.
    pub(super) fn builder(&self) -> reqwest::Result<ClientBuilder> {
        // Installed once for the process; a second attempt is refused, which does no harm.
        let _already_installed = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .connect_timeout(self.limits.connect)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http1_only()
            .tcp_nodelay(true)
            .https_only(!self.base.is_unencrypted());
        self.route.apply(builder, self.base.is_unencrypted())
    }
}

pub(super) fn client_build_error(error: &reqwest::Error) -> String {
    let cause = root_cause(error);
    if cause.contains("CA certificates") {
        "this machine has no certificates to verify the service with; install the package ca-certificates, or name the \
         certificate of the service's authority with ca_file"
            .to_owned()
    } else {
        cause
    }
}

/// A header with a secret, which it does not show; `None` if the secret is empty or has characters that no header can.
///
/// Its bytes are wiped when the last request that carries it is dropped. The HTTP library's copies are not: it writes
/// each request into a buffer of its own, and TLS encrypts from another, which are freed as they are.
pub(super) fn secret_header(scheme: &str, secret: &SecretString) -> Option<HeaderValue> {
    let secret = secret.expose_secret();
    if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    // With its final capacity from the start: a buffer that grows leaves a copy behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(scheme.len() + secret.len()));
    bytes.extend_from_slice(scheme.as_bytes());
    bytes.extend_from_slice(secret.as_bytes());
    wiped_header(bytes)
}

/// A sensitive header with these very bytes, not a copy, so that they are wiped with it.
fn wiped_header(bytes: Zeroizing<Vec<u8>>) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(bytes)).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_a_header_stands_in_the_buffer_that_is_wiped_and_in_no_other() {
        let bytes = Zeroizing::new(b"Bearer key-of-the-harbour".to_vec());
        let place = bytes.as_ptr();
        let value = wiped_header(bytes).unwrap();
        assert_eq!((value.as_bytes().as_ptr(), value.clone().as_bytes().as_ptr()), (place, place));
        assert!(value.is_sensitive() && !format!("{value:?}").contains("harbour"));
        let value = secret_header("Bearer ", &SecretString::from("key-of-the-harbour")).unwrap();
        assert_eq!(value.as_bytes(), b"Bearer key-of-the-harbour");
        assert!(value.is_sensitive());
    }
}
