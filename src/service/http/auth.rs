//! Who calls, and whether the call may change anything.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::Response;

use super::refusal::Refused;
use crate::service::desk::Desk;

/// The resources whose state-changing requests need the wallet secret as well.
const GUARDED: &[&str] = &["/v2/accounts", "/v2/wallets", "/v2/transactions", "/v2/swap"];

/// Lets a request in whose key is known, with its holder for the handlers. Nothing of it is executed otherwise.
pub(super) async fn admit(
    State(desk): State<Arc<Desk>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let headers = request.headers();
    let key = bearer(headers).ok_or_else(|| Refused::unauthorized("Authorization: Bearer <API key> is required"))?;
    let secret = headers.get("x-wallet-secret").and_then(|value| value.to_str().ok());
    let holder = desk.keys.holder(key, secret).ok_or_else(|| Refused::unauthorized("the API key is not known"))?;
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let guarded = GUARDED.iter().any(|path| request.uri().path().starts_with(path));
    if changes && guarded && !holder.may_change {
        return Err(Refused::unauthorized(match secret {
            None => "x-wallet-secret is required",
            Some(_) => "the wallet secret is not the one of this API key",
        }));
    }
    request.extensions_mut().insert(holder);
    Ok(next.run(request).await)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}
