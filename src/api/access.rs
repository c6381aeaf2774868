//! What reading and changing share: where the service is, under which key, and the way to it.

use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use secrecy::{ExposeSecret, SecretString};

use super::client::cause;
use super::{BaseUrl, Connection, ConnectionError, Limits, Route};

/// Where a service is, and what it takes to be heard there.
#[derive(Debug, Clone)]
pub(super) struct Access {
    pub(super) base: BaseUrl,
    pub(super) api_key: SecretString,
    pub(super) authorization: HeaderValue,
    pub(super) limits: Limits,
    route: Route,
}

impl Access {
    /// Checks what is needed. Nothing is sent, and nothing slow is done.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let base = BaseUrl::read(&connection.base_url)?;
        let api_key = connection.api_key.clone();
        let authorization = header("Bearer ", &api_key).ok_or(ConnectionError::Key)?;
        let (limits, route) = (connection.limits.clone(), connection.route.clone());
        Ok(Self { base, api_key, authorization, limits, route })
    }

    /// The same under another key.
    pub(super) fn under(&self, api_key: SecretString) -> Result<Self, ConnectionError> {
        let authorization = header("Bearer ", &api_key).ok_or(ConnectionError::Key)?;
        Ok(Self { api_key, authorization, ..self.clone() })
    }

    /// A client that follows nothing, repeats nothing, and reads nothing from the environment.
    pub(super) fn builder(&self) -> reqwest::Result<ClientBuilder> {
        // Installed once for the process; a second time is refused, and that is as good.
        let _already_installed = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .connect_timeout(self.limits.connect)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http1_only()
            .tcp_nodelay(true)
            .https_only(!self.base.is_plain());
        self.route.apply(builder, self.base.is_plain())
    }
}

/// Why a client could not be made, in words that help.
pub(super) fn fault(error: &reqwest::Error) -> String {
    let cause = cause(error);
    if cause.contains("CA certificates") {
        "this machine has no certificates to check the service with; install its package ca-certificates, or name the \
         certificate of the service's authority with ca_file"
            .to_owned()
    } else {
        cause
    }
}

/// A header that carries a secret and does not show it; `None` if the secret is empty or holds what no header can.
pub(super) fn header(scheme: &str, secret: &SecretString) -> Option<HeaderValue> {
    let secret = secret.expose_secret();
    if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let mut value = HeaderValue::try_from(format!("{scheme}{secret}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}
