//! Listens for webhooks: hints that it is worth reading now. Their amounts are never used.
//!
//! ```text
//!  connection ──▶ path, method, no browser ──▶ signed? ──▶ rate of bodies ──▶ body ──▶ signature
//!                                       Hints, once a second at most ◀── rate of hints ◀──┘
//! ```
//!
//! Each step costs less than the next, so that a burst of garbage costs nearly nothing: few connections at a time, one
//! request on each, short time-outs, short bodies. A flood ends as one report a second, and a sender without the secret
//! cannot use up the rate of signed hints.

mod signature;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::domain::{Redaction, Text, Timestamp, WebhookHints, WebhookRejection};

pub use signature::{SignatureOptions, SignatureScheme};

/// Connections that are served at once; further ones are closed.
const MAX_CONNECTIONS: usize = 16;
/// The longest time of a connection, from its first byte to the answer.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest body, in bytes. Events are a tenth of that.
const MAX_BODY_BYTES: usize = 64 * 1024;
/// The longest request head, in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Bodies read and verified a minute, for each hint allowed a minute: wrongly signed bodies use up this rate only.
const BODY_CHECKS_PER_HINT: u32 = 50;
/// Headers that browsers send for a page's request. Services send none of them.
const BROWSER_HEADERS: [&str; 2] = ["origin", "sec-fetch-site"];
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// The pause after the system failed to accept a connection.
const ACCEPT_RETRY_PAUSE: Duration = Duration::from_millis(100);
/// How the names of headers about an event begin.
const HEADER_PREFIX: &str = "x-webhook-";
/// The longest topic that is shown, in characters.
const MAX_TOPIC_CHARS: usize = 60;

#[derive(Debug, Clone)]
pub struct WebhookOptions {
    pub address: SocketAddr,
    /// As in `/events`.
    pub path: String,
    /// Without a signature anybody who reaches the address can make the console read, and nothing else.
    pub signature: Option<SignatureOptions>,
    /// Hints accepted a minute. Up to fifty times as many are checked for their signatures.
    pub per_minute: u32,
    /// The secrets of the profile, which no event may bring onto a screen.
    pub redaction: Redaction,
}

/// An event whose signature is right, as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedEvent {
    pub topic: Option<Text>,
    /// Its headers of the `x-webhook-` kind, with their names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Takes an event; `false` lets the sender send it again.
pub type EventSink = Arc<dyn Fn(SignedEvent) -> BoxFuture<'static, bool> + Send + Sync>;

pub type ClockFn = Arc<dyn Fn() -> Timestamp + Send + Sync>;
pub type HintSink = Arc<dyn Fn(WebhookHints) + Send + Sync>;

/// Listens until it is dropped.
#[derive(Debug)]
pub struct WebhookListener {
    address: SocketAddr,
    _tasks: JoinSet<()>,
}

impl WebhookListener {
    /// Binds the address and starts listening. `reports` is called with the hints, soon after the first and then at
    /// most once a second.
    ///
    /// # Errors
    /// When the address cannot be bound.
    pub async fn open(listening: WebhookOptions, now: ClockFn, reports: HintSink) -> std::io::Result<Self> {
        Self::open_with_events(listening, now, reports, None).await
    }

    /// The same, and gives each signed event to `events`, whose word decides the answer.
    ///
    /// # Errors
    /// When the address cannot be bound.
    pub async fn open_with_events(
        listening: WebhookOptions,
        now: ClockFn,
        reports: HintSink,
        events: Option<EventSink>,
    ) -> std::io::Result<Self> {
        let socket = TcpListener::bind(listening.address).await?;
        let address = socket.local_addr()?;
        let ear = Arc::new(ListenerState {
            options: listening,
            now,
            events,
            bodies_checked: Mutex::default(),
            hints_accepted: Mutex::default(),
            hints: Mutex::default(),
            hints_changed: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(report_hints(Arc::clone(&ear), reports));
        tasks.spawn(accept_connections(ear, socket));
        Ok(Self { address, _tasks: tasks })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

struct ListenerState {
    options: WebhookOptions,
    now: ClockFn,
    events: Option<EventSink>,
    /// Bodies read in the current minute.
    bodies_checked: Mutex<MinuteCount>,
    /// Hints accepted in the current minute.
    hints_accepted: Mutex<MinuteCount>,
    hints: Mutex<WebhookHints>,
    hints_changed: Notify,
}

/// A minute, counted from 1970, and the count in it.
type MinuteCount = (i64, u32);

async fn accept_connections(ear: Arc<ListenerState>, socket: TcpListener) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // Connections end with this task.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            arrival = socket.accept() => match arrival {
                Ok((stream, _)) => match Arc::clone(&places).try_acquire_owned() {
                    Ok(place) => {
                        let ear = Arc::clone(&ear);
                        connections.spawn(async move {
                            serve_connection(&ear, stream).await;
                            drop(place);
                        });
                    }
                    Err(_) => ear.record_rejection(WebhookRejection::TooMany),
                },
                Err(_) => sleep(ACCEPT_RETRY_PAUSE).await,
            },
            Some(_ended) = connections.join_next() => {}
        }
    }
}

async fn serve_connection(ear: &Arc<ListenerState>, stream: TcpStream) {
    let service = service_fn(|request| async { Ok::<_, Infallible>(ear.respond(request).await) });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(CONNECTION_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    if !matches!(timeout(CONNECTION_TIMEOUT, connection).await, Ok(Ok(()))) {
        ear.record_rejection(WebhookRejection::Incomplete);
    }
}

/// Reports hints: soon after the first, then with pauses.
async fn report_hints(ear: Arc<ListenerState>, reports: HintSink) {
    loop {
        ear.hints_changed.notified().await;
        let hints = std::mem::take(&mut *ear.hints.lock().unwrap_or_else(PoisonError::into_inner));
        if !hints.is_empty() {
            reports(hints);
            sleep(REPORT_INTERVAL).await;
        }
    }
}

impl ListenerState {
    fn record_rejection(&self, reason: WebhookRejection) {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner).record_rejection(reason);
        self.hints_changed.notify_one();
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<String> {
        let status = match self.verify_request(request).await {
            Ok(event) => {
                let topic = event.as_ref().and_then(|event| event.topic.clone());
                self.hints.lock().unwrap_or_else(PoisonError::into_inner).record(topic);
                self.hints_changed.notify_one();
                let is_taken = match (event, &self.events) {
                    (Some(event), Some(events)) => events(event).await,
                    _ => true,
                };
                if is_taken { StatusCode::NO_CONTENT } else { StatusCode::BAD_GATEWAY }
            }
            Err(reason) => {
                self.record_rejection(reason);
                match reason {
                    WebhookRejection::WrongPath => StatusCode::NOT_FOUND,
                    WebhookRejection::Browser => StatusCode::FORBIDDEN,
                    WebhookRejection::Unsigned | WebhookRejection::WrongSignature | WebhookRejection::Expired => {
                        StatusCode::UNAUTHORIZED
                    }
                    WebhookRejection::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
                    WebhookRejection::TooMany => StatusCode::TOO_MANY_REQUESTS,
                    WebhookRejection::Incomplete => StatusCode::BAD_REQUEST,
                }
            }
        };
        let mut response = Response::new(String::new());
        *response.status_mut() = status;
        response
    }

    /// The event of a signed request, and nothing of one that need not be signed; or why it is refused.
    async fn verify_request(&self, request: Request<Incoming>) -> Result<Option<SignedEvent>, WebhookRejection> {
        if request.method().as_str() != "POST" || request.uri().path() != self.options.path {
            return Err(WebhookRejection::WrongPath);
        }
        // Any web page can make a browser on this machine send a request here.
        if BROWSER_HEADERS.iter().any(|name| request.headers().contains_key(*name)) {
            return Err(WebhookRejection::Browser);
        }
        let now = (self.now)();
        let signed =
            self.options.signature.as_ref().map(|signature| (signature, signature.read_claim(request.headers(), now)));
        let signed = signed.map(|(signature, claim)| claim.map(|claim| (signature, claim))).transpose()?;
        if request.body().size_hint().lower() > u64::try_from(MAX_BODY_BYTES).unwrap_or(u64::MAX) {
            return Err(WebhookRejection::TooLong);
        }
        let per_minute = self.options.per_minute;
        count_in_minute(&self.bodies_checked, now, per_minute.saturating_mul(BODY_CHECKS_PER_HINT))?;
        let headers = webhook_headers(request.headers());
        let body = read_body(request.into_body()).await?;
        let Some((signature, claim)) = signed else {
            return count_in_minute(&self.hints_accepted, now, per_minute).map(|()| None);
        };
        signature.verify(&claim, &body)?;
        count_in_minute(&self.hints_accepted, now, per_minute)?;
        let topic = event_topic(&self.options.redaction.apply(String::from_utf8_lossy(&body).into_owned()));
        Ok(Some(SignedEvent { topic, headers, body }))
    }
}

/// Counts one more in the current minute, unless the limit is reached.
fn count_in_minute(of_late: &Mutex<MinuteCount>, now: Timestamp, most: u32) -> Result<(), WebhookRejection> {
    let minute = now.millis().div_euclid(60_000);
    let mut of_late = of_late.lock().unwrap_or_else(PoisonError::into_inner);
    if of_late.0 != minute {
        *of_late = (minute, 0);
    }
    if of_late.1 >= most {
        return Err(WebhookRejection::TooMany);
    }
    of_late.1 += 1;
    Ok(())
}

async fn read_body(mut incoming: Incoming) -> Result<Vec<u8>, WebhookRejection> {
    let mut whole = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut incoming).poll_frame(context)).await {
        let data: Bytes = frame.map_err(|_| WebhookRejection::Incomplete)?.into_data().unwrap_or_default();
        if whole.len() + data.len() > MAX_BODY_BYTES {
            return Err(WebhookRejection::TooLong);
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole)
}

fn webhook_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let of_webhooks = headers.iter().filter(|(name, _)| name.as_str().starts_with(HEADER_PREFIX));
    of_webhooks.filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))).collect()
}

/// The topic that an event names, used only for a line in a list.
fn event_topic(body: &str) -> Option<Text> {
    let event: serde_json::Value = serde_json::from_str(body).ok()?;
    let word = ["topic", "event", "type"].into_iter().find_map(|name| event.get(name)?.as_str())?;
    let short: String = word.chars().take(MAX_TOPIC_CHARS).collect();
    Some(Text::clean(&short))
}
