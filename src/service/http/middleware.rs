//! The pipeline around the router.
//!
//! It is plain code instead of a stack of layers: axum wraps each route in its layers and clones them per request,
//! which costs more than all of this work.

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
use super::request_log::RequestLog;
use super::tenant_router::TenantRouter;
use super::{LARGEST_BODY, admission, error_response};
use crate::domain::Timestamp;
use crate::service::app_state::AppState;

/// What serves the requests of a port.
#[derive(Debug, Clone)]
pub(in crate::service) enum Dispatcher {
    Single(RequestPipeline),
    /// Many services, selected by API key.
    MultiTenant(TenantRouter),
}

impl Dispatcher {
    pub(in crate::service) async fn handle(&self, request: Request) -> Response {
        match self {
            Self::Single(pipeline) => pipeline.handle(request).await,
            Self::MultiTenant(tenant_router) => tenant_router.pipeline_for(&request).handle(request).await,
        }
    }
}

/// The outermost stage: records requests, then applies faults.
#[derive(Debug, Clone)]
pub(in crate::service) struct RequestPipeline {
    request_log: RequestLog,
    faults: Faults,
    core: RoutedService,
}

impl RequestPipeline {
    pub(super) fn new(request_log: RequestLog, faults: Faults, core: RoutedService) -> Self {
        Self { request_log, faults, core }
    }

    pub(in crate::service) async fn handle(&self, request: Request) -> Response {
        let request = self.request_log.record(request).await;
        let mut response = self.faults.apply(request, &self.core).await;
        // Otherwise hyper would send the machine's time, which may differ from the ledger's clock.
        if let Entry::Vacant(place) = response.headers_mut().entry(DATE)
            && let Some(date) = http_date(self.core.app_state.clock.now())
        {
            place.insert(date);
        }
        response
    }
}

/// A time in the format of HTTP headers.
pub(super) fn http_date(moment: Timestamp) -> Option<HeaderValue> {
    let date = moment.to_utc()?.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    HeaderValue::try_from(date).ok()
}

/// The router and its state.
#[derive(Debug, Clone)]
pub(super) struct RoutedService {
    router: Router,
    app_state: Arc<AppState>,
}

impl RoutedService {
    pub(super) fn new(router: Router, app_state: Arc<AppState>) -> Self {
        Self { router, app_state }
    }

    /// Answers under a fresh request identifier, sent as `X-Request-Id` and logged.
    pub(super) async fn handle_with_request_id(&self, request: Request) -> Response {
        let id = Uuid::new_v4();
        let path = request.uri().path().to_owned();
        // The query is left out: it may identify customers, and logs are kept for long.
        let span = tracing::info_span!("request", %id, method = %request.method(), path);
        let mut response = self.route_with_limits(request, &path).instrument(span.clone()).await;
        if let Ok(value) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
            response.headers_mut().insert("x-request-id", value);
        }
        span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
        response
    }

    /// Gives every error the common body, whether from a handler, the router, a limit or a panic.
    async fn route_with_limits(&self, mut request: Request, path: &str) -> Response {
        DefaultBodyLimit::max(LARGEST_BODY).apply(&mut request);
        request.extensions_mut().insert(Arc::clone(&self.app_state));
        let answering = admission::with_time_out(self.router.clone().oneshot(request).map(|Ok(response)| response));
        let answered = AssertUnwindSafe(answering).catch_unwind().await;
        error_response::give_errors_common_body(
            answered.unwrap_or_else(error_response::panic_response),
            path,
            &self.app_state.clock,
        )
    }
}
