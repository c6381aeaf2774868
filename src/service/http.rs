//! HTTP in front of the ledger: routes, and the pipeline that every request passes through.
//!
//! ```text
//!   connection ▶ tap ▶ faults ▶ request id ▶ error body ▶ panic ▶ time limit ▶ size limit ▶ route
//!              └───────────────────────── RequestPipeline ──────────────────────────────┘
//!   route ▶ key ▶ rate limit ▶ permission ▶ phase ▶ approvals ▶ handler ▶ ledger
//! ```
//!
//! A request carries its [`AppState`], so one router serves any number of services. Where many share a port, a
//! [`tenant_router`] picks the pipeline by the request's key.

mod accounts;
mod admission;
mod approvals;
mod auth;
mod connection_slots;
mod control;
mod duplicate_members;
mod error_response;
mod faults;
mod fields;
mod health;
mod listener;
mod middleware;
mod openapi;
mod operation;
mod operations;
mod query;
mod request;
mod request_log;
mod swaps;
mod tenant_router;
mod tokens;
mod transactions;
mod users;
mod v1;
mod wallets;

use std::sync::Arc;

use axum::Extension;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::get;

use super::Options;
use super::app_state::AppState;
use middleware::RoutedService;

pub(super) use faults::Faults;
pub use faults::{Fault, FaultBody, FaultPreset, FaultRule, PaymentField, RowFieldDamage};
pub(super) use listener::{HttpListener, bind_listener};
pub(super) use middleware::{Dispatcher, RequestPipeline};
pub use request_log::{RecordedRequest, RequestLog};
pub(super) use tenant_router::{TenantRegistration, TenantRouter};

/// In bytes.
const LARGEST_BODY: usize = 1024 * 1024;

/// Routes beyond those of the specification.
#[derive(Debug, Clone, Copy)]
pub(super) struct OptionalRoutes {
    /// Lists of accounts, wallets and users.
    pub(super) lists: bool,
    /// Control requests.
    pub(super) control: bool,
}

impl Options {
    pub(super) fn optional_routes(&self) -> OptionalRoutes {
        OptionalRoutes { lists: self.with_lists, control: self.with_control }
    }
}

/// Every route of the service.
pub(super) fn router(optional: OptionalRoutes) -> Router {
    let document = move |Extension(app_state): Extension<Arc<AppState>>| async move {
        let enforces = app_state.approvals.is_some();
        let document = openapi::document(optional, enforces, app_state.base_url.get().map(String::as_str));
        document.map(|body| error_response::json_response(StatusCode::OK, body))
    };
    let routes = operations::routes(operations::ALL, optional.lists);
    let routes = if optional.control { routes.merge(control::routes()) } else { routes };
    routes
        .route_layer(from_fn(auth::authenticate))
        .route("/healthz", get(health::check))
        .route("/openapi.json", get(document))
        .fallback(error_response::unknown_route_response)
        .method_not_allowed_fallback(error_response::unknown_route_response)
}

pub(super) fn request_pipeline(
    router: Router,
    app_state: Arc<AppState>,
    faults: Faults,
    tap: RequestLog,
) -> RequestPipeline {
    RequestPipeline::new(tap, faults, RoutedService::new(router, app_state))
}

#[cfg(test)]
mod tests;
