//! What every request passes through before its route, and its answer on the way back.
//!
//! It is one piece of code around the router and no stack of layers: those wrap each route and are copied for each
//! request, which costs more than all that they do.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::HeaderValue;
use axum::http::header::{DATE, Entry};
use axum::response::Response;
use futures::FutureExt;
use tower::ServiceExt;
use tracing::Instrument;
use uuid::Uuid;

use super::faults::Faults;
use super::lobby::Lobby;
use super::tap::Tap;
use super::{LARGEST_BODY, gate, refusal};
use crate::domain::Timestamp;
use crate::service::desk::Desk;

/// Who answers at a door.
#[derive(Debug, Clone)]
pub(in crate::service) enum Reception {
    /// One service.
    One(Front),
    /// Many, each to those who have its key.
    Many(Lobby),
}

impl Reception {
    /// The answer to a request, whatever becomes of it.
    pub(in crate::service) async fn answer(&self, request: Request) -> Response {
        match self {
            Self::One(front) => front.answer(request).await,
            Self::Many(lobby) => lobby.front_for(&request).answer(request).await,
        }
    }
}

/// The service as connections see it: whoever listens in hears of a request first, and faults that are set come between
/// it and the rest.
#[derive(Debug, Clone)]
pub(in crate::service) struct Front {
    tap: Tap,
    faults: Faults,
    core: Core,
}

impl Front {
    pub(super) fn new(tap: Tap, faults: Faults, core: Core) -> Self {
        Self { tap, faults, core }
    }

    /// The answer to a request, whatever becomes of it.
    pub(in crate::service) async fn answer(&self, request: Request) -> Response {
        let request = self.tap.hear(request).await;
        let mut response = self.faults.pass(request, &self.core).await;
        // Left alone, the server would tell the machine's time, which need not be that of the ledger.
        if let Entry::Vacant(place) = response.headers_mut().entry(DATE)
            && let Some(date) = http_date(self.core.desk.clock.now())
        {
            place.insert(date);
        }
        response
    }
}

/// A moment as headers write it.
pub(super) fn http_date(moment: Timestamp) -> Option<HeaderValue> {
    let date = moment.to_utc()?.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    HeaderValue::try_from(date).ok()
}

/// The service itself: its routes, its desk, and what every request passes through on the way there.
#[derive(Debug, Clone)]
pub(super) struct Core {
    router: Router,
    desk: Arc<Desk>,
}

impl Core {
    pub(super) fn new(router: Router, desk: Arc<Desk>) -> Self {
        Self { router, desk }
    }

    /// Answers a request under an identifier, which the answer carries as `X-Request-Id` and the log as well.
    pub(super) async fn answer(&self, request: Request) -> Response {
        let id = Uuid::new_v4();
        let path = request.uri().path().to_owned();
        // The query is left out: it may name customers, and a log outlives its reason.
        let span = tracing::info_span!("request", %id, method = %request.method(), path);
        let mut response = self.execute(request, &path).instrument(span.clone()).await;
        if let Ok(value) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
            response.headers_mut().insert("x-request-id", value);
        }
        span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
        response
    }

    /// Gives every error the common body: of a handler, the router, a limit or a panic.
    async fn execute(&self, mut request: Request, path: &str) -> Response {
        DefaultBodyLimit::max(LARGEST_BODY).apply(&mut request);
        request.extensions_mut().insert(Arc::clone(&self.desk));
        let answering = gate::in_time(self.router.clone().oneshot(request).map(|Ok(response)| response));
        let answered = AssertUnwindSafe(answering).catch_unwind().await;
        refusal::dress(answered.unwrap_or_else(refusal::of_panic), path, &self.desk.clock)
    }
}
