//! Listens for webhooks: hints that it is worth reading now. What they say of money is never looked at.
//!
//! ```text
//!  connection ──▶ path, method, no browser ──▶ signed? ──▶ how many bodies of late ──▶ body ──▶ signature
//!                                            Hints, once a second at most ◀── how many hints of late ◀──┘
//! ```
//!
//! Each step costs less than the one behind it, so that a burst of garbage costs nearly nothing: few connections at a
//! time, one request on each, little patience, short bodies. A flood ends as one report a second, and who has no secret
//! cannot use up what is left for those who sign.

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
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::domain::{HintRejection, Hints, Redaction, Text, Timestamp};

pub use signature::{Scheme, Signature};

/// Connections that are served at once; further ones are closed.
const AT_ONCE: usize = 16;
/// How long a connection may take, from its first byte to the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest body. Events are a tenth of that.
const LONGEST: usize = 64 * 1024;
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
/// How many bodies a minute are read and checked, for each that may be heard: what is wrongly signed counts among them
/// alone.
const CHECKED: u32 = 50;
/// What browsers say of a page that makes them send something. Services are none.
const OF_BROWSERS: [&str; 2] = ["origin", "sec-fetch-site"];
/// How far apart reports are.
const REPORTS: Duration = Duration::from_secs(1);
/// How long to wait after the system could not give a connection.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// The longest topic that is shown.
const LONGEST_TOPIC: usize = 60;

/// What is listened for.
#[derive(Debug, Clone)]
pub struct WebhookOptions {
    /// Where.
    pub address: SocketAddr,
    /// The path of the requests, as in `/events`.
    pub path: String,
    /// How they are signed. Without it anybody who reaches the address can make the console read, and nothing else.
    pub signature: Option<Signature>,
    /// How many a minute are heard. Up to fifty times as many are checked for their signatures.
    pub per_minute: u32,
    /// The secrets of the profile, which no event may bring onto a screen.
    pub redaction: Redaction,
}

/// Tells the time.
pub type ClockFn = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// Takes a report.
pub type HintSink = Arc<dyn Fn(Hints) + Send + Sync>;

/// Listens until it is dropped.
#[derive(Debug)]
pub struct WebhookListener {
    address: SocketAddr,
    _tasks: JoinSet<()>,
}

impl WebhookListener {
    /// Takes the address and begins to listen. `reports` gets what came in, soon after the first and then at most once a
    /// second.
    ///
    /// # Errors
    /// When the address cannot be taken.
    pub async fn open(listening: WebhookOptions, now: ClockFn, reports: HintSink) -> std::io::Result<Self> {
        let socket = TcpListener::bind(listening.address).await?;
        let address = socket.local_addr()?;
        let ear = Arc::new(ListenerState {
            listening,
            now,
            checked: Mutex::default(),
            heard: Mutex::default(),
            hints: Mutex::default(),
            news: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(report(Arc::clone(&ear), reports));
        tasks.spawn(accept(ear, socket));
        Ok(Self { address, _tasks: tasks })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// What connections share.
struct ListenerState {
    listening: WebhookOptions,
    now: ClockFn,
    /// Bodies that were read of late.
    checked: Mutex<MinuteCount>,
    /// Hints that were heard of late.
    heard: Mutex<MinuteCount>,
    hints: Mutex<Hints>,
    news: Notify,
}

/// A minute, counted from 1970, and how many there were in it.
type MinuteCount = (i64, u32);

async fn accept(ear: Arc<ListenerState>, socket: TcpListener) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    // They end with this task.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            arrival = socket.accept() => match arrival {
                Ok((stream, _)) => match Arc::clone(&places).try_acquire_owned() {
                    Ok(place) => {
                        let ear = Arc::clone(&ear);
                        connections.spawn(async move {
                            serve(&ear, stream).await;
                            drop(place);
                        });
                    }
                    Err(_) => ear.refuse(HintRejection::TooMany),
                },
                Err(_) => sleep(AFTER_FAILURE).await,
            },
            Some(_ended) = connections.join_next() => {}
        }
    }
}

/// One request on one connection.
async fn serve(ear: &Arc<ListenerState>, stream: TcpStream) {
    let service = service_fn(|request| async { Ok::<_, Infallible>(ear.answer(request).await) });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    if !matches!(timeout(PATIENCE, connection).await, Ok(Ok(()))) {
        ear.refuse(HintRejection::Incomplete);
    }
}

/// Tells what came in: soon after the first, then with pauses.
async fn report(ear: Arc<ListenerState>, reports: HintSink) {
    loop {
        ear.news.notified().await;
        let hints = std::mem::take(&mut *ear.hints.lock().unwrap_or_else(PoisonError::into_inner));
        if !hints.is_empty() {
            reports(hints);
            sleep(REPORTS).await;
        }
    }
}

impl ListenerState {
    fn refuse(&self, why: HintRejection) {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner).record_rejection(why);
        self.news.notify_one();
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<String> {
        let status = match self.hear(request).await {
            Ok(topic) => {
                self.hints.lock().unwrap_or_else(PoisonError::into_inner).record(topic);
                self.news.notify_one();
                StatusCode::NO_CONTENT
            }
            Err(why) => {
                self.refuse(why);
                match why {
                    HintRejection::WrongPath => StatusCode::NOT_FOUND,
                    HintRejection::Browser => StatusCode::FORBIDDEN,
                    HintRejection::Unsigned | HintRejection::WrongSignature | HintRejection::Expired => {
                        StatusCode::UNAUTHORIZED
                    }
                    HintRejection::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
                    HintRejection::TooMany => StatusCode::TOO_MANY_REQUESTS,
                    HintRejection::Incomplete => StatusCode::BAD_REQUEST,
                }
            }
        };
        let mut response = Response::new(String::new());
        *response.status_mut() = status;
        response
    }

    /// What a request is about, if it is signed; or why it is refused.
    async fn hear(&self, request: Request<Incoming>) -> Result<Option<Text>, HintRejection> {
        if request.method().as_str() != "POST" || request.uri().path() != self.listening.path {
            return Err(HintRejection::WrongPath);
        }
        // Any page can have a browser on this machine send something here.
        if OF_BROWSERS.iter().any(|name| request.headers().contains_key(*name)) {
            return Err(HintRejection::Browser);
        }
        let now = (self.now)();
        let signed =
            self.listening.signature.as_ref().map(|signature| (signature, signature.claim(request.headers(), now)));
        let signed = signed.map(|(signature, claim)| claim.map(|claim| (signature, claim))).transpose()?;
        if request.body().size_hint().lower() > u64::try_from(LONGEST).unwrap_or(u64::MAX) {
            return Err(HintRejection::TooLong);
        }
        let heard = self.listening.per_minute;
        count(&self.checked, now, heard.saturating_mul(CHECKED))?;
        let body = body(request.into_body()).await?;
        let Some((signature, claim)) = signed else { return count(&self.heard, now, heard).map(|()| None) };
        signature.verify(&claim, &body)?;
        count(&self.heard, now, heard)?;
        Ok(topic(&self.listening.redaction.apply(String::from_utf8_lossy(&body).into_owned())))
    }
}

/// Counts one more of this minute, unless there were too many.
fn count(of_late: &Mutex<MinuteCount>, now: Timestamp, most: u32) -> Result<(), HintRejection> {
    let minute = now.millis().div_euclid(60_000);
    let mut of_late = of_late.lock().unwrap_or_else(PoisonError::into_inner);
    if of_late.0 != minute {
        *of_late = (minute, 0);
    }
    if of_late.1 >= most {
        return Err(HintRejection::TooMany);
    }
    of_late.1 += 1;
    Ok(())
}

/// The body of a request, up to the longest that is read.
async fn body(mut incoming: Incoming) -> Result<Vec<u8>, HintRejection> {
    let mut whole = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut incoming).poll_frame(context)).await {
        let data: Bytes = frame.map_err(|_| HintRejection::Incomplete)?.into_data().unwrap_or_default();
        if whole.len() + data.len() > LONGEST {
            return Err(HintRejection::TooLong);
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole)
}

/// What an event says it is about; for a line in a list, and nothing else.
fn topic(body: &str) -> Option<Text> {
    let event: serde_json::Value = serde_json::from_str(body).ok()?;
    let word = ["topic", "event", "type"].into_iter().find_map(|name| event.get(name)?.as_str())?;
    let short: String = word.chars().take(LONGEST_TOPIC).collect();
    Some(Text::clean(&short))
}
