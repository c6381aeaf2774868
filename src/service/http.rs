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
use axum::routing::{get, post};

use super::Options;
use super::app_state::AppState;
use middleware::RoutedService;

pub(super) use faults::Faults;
pub use faults::{Fault, FaultBody, FaultRule, Named, PaymentField, RowDamage};
pub(super) use listener::{HttpListener, bind_listener};
pub(super) use middleware::{Dispatcher, RequestPipeline};
pub use request_log::{RecordedRequest, RequestLog};
pub(super) use tenant_router::{TenantRoute, TenantRouter};

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
    let document = move |Extension(desk): Extension<Arc<AppState>>| async move {
        let enforces = desk.approvals.is_some();
        let document = openapi::document(optional, enforces, desk.base_url.get().map(String::as_str));
        document.map(|body| error_response::json_response(StatusCode::OK, body))
    };
    let operations = operation_routes(optional.lists);
    let operations = if optional.control { operations.merge(control::routes()) } else { operations };
    operations
        .route_layer(from_fn(auth::authenticate))
        .route("/healthz", get(health::check))
        .route("/openapi.json", get(document))
        .fallback(error_response::unknown_route_response)
        .method_not_allowed_fallback(error_response::unknown_route_response)
}

pub(super) fn request_pipeline(
    router: Router,
    desk: Arc<AppState>,
    faults: Faults,
    tap: RequestLog,
) -> RequestPipeline {
    RequestPipeline::new(tap, faults, RoutedService::new(router, desk))
}

/// The operations, without authentication.
fn operation_routes(with_lists: bool) -> Router {
    let mut users = get(users::get_one);
    let mut accounts = post(accounts::create);
    let mut wallets = post(wallets::create).patch(wallets::change);
    if with_lists {
        users = get(users::get_one_or_list);
        accounts = accounts.get(accounts::list);
        wallets = wallets.get(wallets::list);
    }
    Router::new()
        .route("/v2/users", users.post(users::create).patch(users::change))
        .route("/v2/users/balances", get(users::balances))
        .route("/v2/users/stats", get(users::stats))
        .route("/v2/accounts", accounts)
        .route("/v2/wallets", wallets)
        .route("/v2/transactions", get(transactions::list))
        .route("/v2/transactions/withdraw", post(transactions::withdraw))
        .route("/v2/transactions/withdraw/batch", post(transactions::withdraw_batch))
        .route("/v2/swap", post(swaps::create))
        .merge(v1_routes(with_lists))
        .route("/v1/blockchains/tokens-with-blockchains", get(tokens::list))
}

fn v1_routes(with_lists: bool) -> Router {
    use v1::{sandbox, sub_wallets, swaps, withdrawals};
    let router = Router::new()
        .route("/v1/sub-wallet/create", post(sub_wallets::create))
        .route("/v1/sub-wallet", get(sub_wallets::get_one))
        .route("/v1/sub-wallet/address", post(sub_wallets::create_address))
        .route("/v1/sub-wallet/assets", get(sub_wallets::assets))
        .route("/v1/sub-wallet/deposit/list", get(sub_wallets::list_deposits))
        .route("/v1/sub-wallet/transfer/list", get(sub_wallets::list_transfers))
        .route("/v1/sub-wallet/deposit", get(sub_wallets::list_deposits_of_sub_wallet))
        .route("/v1/sub-wallet/withdraw", get(sub_wallets::list_withdrawals_of_sub_wallet))
        .route("/v1/withdraw/create", post(withdrawals::create))
        .route("/v1/sandbox/sub-wallet/deposit", post(sandbox::deposit))
        .route("/v1/sandbox/wallet/address", post(sandbox::create_prime_address))
        .route("/v1/sandbox/sub-wallet/assets", get(sandbox::sub_wallet_assets))
        .route("/v1/sandbox/wallet/assets", get(sandbox::wallet_assets))
        .route("/v1/sandbox/wallet/address/list", get(sandbox::list_prime_addresses))
        .route("/v1/instant-swap/quote", get(swaps::quote))
        .route("/v1/instant-swap", post(swaps::execute))
        .route("/v1/swap/pairs", get(swaps::list_swap_pairs));
    if with_lists { router.route("/v1/sub-wallet/list", get(sub_wallets::list)) } else { router }
}

#[cfg(test)]
mod tests;
