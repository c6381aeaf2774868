//! Authentication and permissions.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use super::admission;
use super::error_response::ErrorResponse;
use super::operation::Operation;
use super::operations;
use crate::service::app_state::AppState;
use crate::service::keys::{AuthError, KeyHolder};

#[derive(Debug, Clone, Copy)]
pub(super) struct PeerAddress(pub(super) IpAddr);

/// Admits a request whose key is valid for the caller's address and permits the operation, once the service is ready,
/// and attaches the [`KeyHolder`] and the [`Operation`] for the handlers. A rejected request executes nothing.
pub(super) async fn authenticate(mut request: Request, next: Next) -> Result<Response, ErrorResponse> {
    let app_state = request.extensions().get::<Arc<AppState>>().cloned();
    let app_state = app_state.ok_or_else(|| ErrorResponse::internal(&"a request was brought to no desk"))?;
    let headers = request.headers();
    let key = bearer_token(headers)
        .ok_or_else(|| ErrorResponse::unauthorized("Authorization: Bearer <API key> is required"))?;
    let secret = headers.get("x-wallet-secret").and_then(|value| value.to_str().ok());
    let peer = request.extensions().get::<PeerAddress>().map(|peer| peer.0);
    let holder = match app_state.keys.authenticate(key, secret, peer)? {
        Ok(holder) => holder,
        Err(AuthError::Unknown) => return Err(ErrorResponse::unauthorized("the API key is not known")),
        Err(AuthError::Untrusted) => {
            return Err(ErrorResponse::forbidden("the API key is restricted to other addresses than the caller's"));
        }
    };
    if let Some(wait) = app_state.rates.take_request(holder.key_number, app_state.clock.now()) {
        let sentence = "too many requests with this API key; ask again later";
        return Err(ErrorResponse {
            retry_after: Some(wait),
            ..ErrorResponse::with_message(StatusCode::TOO_MANY_REQUESTS, sentence)
        });
    }
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    // A method that the route does not have is rejected later, as an unknown route.
    if let Some(operation) = operations::find_operation(request.method(), &path) {
        require_permission_and_secret(&holder, operation, secret.is_some())?;
        request.extensions_mut().insert(operation);
    }
    admission::require_ready(&app_state)?;
    request.extensions_mut().insert(holder);
    Ok(next.run(request).await)
}

fn require_permission_and_secret(
    holder: &KeyHolder,
    operation: &Operation,
    has_secret: bool,
) -> Result<(), ErrorResponse> {
    if !holder.permissions.contains(operation.permission) {
        let word = operation.permission.name();
        return Err(ErrorResponse::forbidden(format!("the API key lacks the permission {word}")));
    }
    if operation.needs_wallet_secret && !holder.knows_secret {
        return Err(ErrorResponse::unauthorized(if has_secret {
            "the wallet secret is not the one of this API key"
        } else {
            "x-wallet-secret is required"
        }));
    }
    Ok(())
}

pub(super) fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}
