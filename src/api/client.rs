//! A connection to a service: its address, its key and its limits.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use secrecy::SecretString;
use tokio::sync::OnceCell;

use super::base_url::{BaseUrl, BaseUrlError};
use super::clock_comparison::ClockComparison;
use super::http_config::{self, BufferedResponse, HttpConfig};
use super::request_pacer::RequestPacer;
use super::{ClockFn, Route, WireNames, body, envelope};
use crate::domain::{Failure, FailureReason, Redaction, Skew, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub connect: Duration,
    /// The longest time from the request to the last byte of its answer.
    pub request: Duration,
    /// The most bytes of a decoded body.
    pub body: usize,
    /// The deepest nesting of objects and lists.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), request: Duration::from_secs(15), body: 8 * 1024 * 1024, depth: 64 }
    }
}

#[derive(Debug, Clone)]
pub struct Connection {
    /// Without a version.
    pub base_url: String,
    /// Sent to the base address and nowhere else.
    pub api_key: SecretString,
    /// The secret that some changes need beside the key. No read carries it, and it is redacted from answers.
    pub wallet_secret: Option<SecretString>,
    /// All secrets of the profile, to redact from answers. The key and the wallet secret above are added on connecting.
    pub redaction: Redaction,
    pub limits: Limits,
    /// The names that the specification leaves out.
    pub wire_names: WireNames,
    pub route: Route,
}

#[derive(Debug, Clone)]
pub struct ProbeResult {
    /// The service's time, by the `Date` of its answer, whatever the answer was.
    pub date: Option<Timestamp>,
    /// Whether it answered as the specification requires.
    pub outcome: Result<(), Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectionError {
    #[error(transparent)]
    Address(#[from] BaseUrlError),
    #[error("the API key contains spaces, line breaks or other characters that no key has; copy it again")]
    Key,
    #[error("the wallet secret contains spaces, line breaks or other characters that no secret has; copy it again")]
    WalletSecret,
    #[error("the connection cannot be set up: {0}")]
    Client(String),
}

/// Idle connections kept for later requests. One console uses a few at a time; several that share them, more.
const MAX_IDLE_CONNECTIONS: usize = 64;

/// Reads from one service. It has no method that changes state. Clones share one pool of connections.
#[derive(Debug, Clone)]
pub struct Reader {
    http_config: HttpConfig,
    pub(super) wire_names: Arc<WireNames>,
    http_client: Arc<OnceCell<Client>>,
    pub(super) clock_comparison: Option<Arc<ClockComparison>>,
    pub(super) pacer: Arc<RequestPacer>,
}

impl Reader {
    /// Checks the parameters of a connection. Nothing is sent, and nothing slow is done.
    pub fn new(connection: Connection) -> Result<Self, ConnectionError> {
        let access = HttpConfig::new(&connection)?;
        Ok(Self {
            http_config: access,
            wire_names: Arc::new(connection.wire_names),
            http_client: Arc::default(),
            clock_comparison: None,
            pacer: Arc::default(),
        })
    }

    /// A reader of the same service under another user's key and secrets. Both share the connections: a key is sent
    /// with each request.
    pub fn with_key(&self, api_key: &SecretString, redaction: Redaction) -> Result<Self, ConnectionError> {
        let access = self.http_config.with_key(api_key, redaction)?;
        Ok(Self { http_config: access, pacer: Arc::default(), ..self.clone() })
    }

    /// A reader that compares the date of each answer with a clock.
    #[must_use]
    pub fn with_clock(&self, clock: ClockFn) -> Self {
        Self { clock_comparison: Some(Arc::new(ClockComparison::new(clock))), ..self.clone() }
    }

    /// The skew of that clock, by the latest answer with a date.
    pub fn skew(&self) -> Skew {
        self.clock_comparison.as_ref().map_or(Skew::Unknown, |comparison| comparison.skew())
    }

    pub fn base_url(&self) -> &BaseUrl {
        &self.http_config.base
    }

    /// Requests one operation and returns the body of its 2xx answer.
    pub(super) async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<String, Failure> {
        self.send_get(path, query, &mut None).await
    }

    /// Requests the counts of the workspace, which every reading key may see and which cost a service little.
    pub async fn probe(&self) -> ProbeResult {
        let mut date = None;
        let body = self.send_get("/v2/users/stats", &[], &mut date).await;
        ProbeResult { date, outcome: body.and_then(|body| envelope::Payload::parse(&body)?.object().map(drop)) }
    }

    /// Requests one operation. `date` becomes the time of the service's clock, if an answer has it.
    async fn send_get(
        &self,
        path: &str,
        query: &[(&str, &str)],
        date: &mut Option<Timestamp>,
    ) -> Result<String, Failure> {
        let http = self.http_client.get_or_try_init(async || self.build_client()).await?;
        let request = http
            .get(self.http_config.base.operation_url(path, query))
            .header(AUTHORIZATION, self.http_config.authorization.clone())
            .header(CONTENT_TYPE, "application/json");
        let limits = &self.http_config.limits;
        self.pacer.acquire().await;
        let asking = ClockComparison::begin_request(self.clock_comparison.as_ref());
        let response =
            request.send().await.map_err(|error| failure_from_http_error(&error, FailureReason::ConnectionLost))?;
        // Set before the body is read, which may fail.
        *date = envelope::response_date(response.headers());
        asking.end_request(*date);
        let BufferedResponse { status, headers, body } = self.http_config.read_response(response).await;
        if status.is_success() {
            let body = body?;
            body::check_depth(&body, limits.depth)?;
            return Ok(body);
        }
        // The status is enough if the body of an error cannot be read.
        let body = body.unwrap_or_default();
        let body = if body::check_depth(&body, limits.depth).is_ok() { body } else { String::new() };
        Err(envelope::failure_from_response(status, &headers, &body))
    }

    pub(super) async fn get_page(
        &self,
        path: &str,
        query: &[(&str, &str)],
        page_no: u64,
        limit: u64,
    ) -> Result<String, Failure> {
        let [page_no, limit] = [page_no.to_string(), limit.to_string()];
        let mut query = query.to_vec();
        query.push((&self.wire_names.page_no, &page_no));
        query.push((&self.wire_names.page_limit, &limit));
        self.get(path, &query).await
    }

    /// Built when first needed: over https it loads the machine's certificates, which must not delay the first frame.
    fn build_client(&self) -> Result<Client, Failure> {
        let built = self.http_config.builder().and_then(|builder| {
            builder
                .timeout(self.http_config.limits.request)
                .pool_idle_timeout(Duration::from_secs(30))
                .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
                .build()
        });
        built.map_err(|error| Failure::from_read(FailureReason::Unreachable, &http_config::client_build_error(&error)))
    }
}

/// The failure for an error of the HTTP library; `otherwise` if it is neither a time-out nor a connection error.
pub(super) fn failure_from_http_error(error: &reqwest::Error, otherwise: FailureReason) -> Failure {
    let reason = if error.is_timeout() {
        FailureReason::TimedOut
    } else if error.is_connect() {
        FailureReason::Unreachable
    } else {
        otherwise
    };
    let mut message = root_cause(error);
    // Two authorities of one name, as after a renewal, differ by their signatures only.
    if message.contains("UnknownIssuer") || message.contains("BadSignature") {
        message.push_str(
            "; if the service has its own certificate authority, name its certificate with ca_file in the profile",
        );
    }
    Failure::from_read(reason, &message)
}

/// The innermost cause, which is the specific one. It names no address.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
