//! `/v2/accounts`.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;

use super::fields::{Fields, json_body};
use super::query::Query;
use super::refusal::{Refused, json};
use crate::service::desk::Desk;
use crate::service::keys::Holder;
use crate::service::ledger::render;

/// `POST /v2/accounts`.
pub(super) async fn create(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let key = fields.required_uuid("idempotencyKey");
    let name = fields.required_text("name");
    fields.done()?;
    let answer =
        desk.execute(holder, Some(key), "POST /v2/accounts", body, move |books| books.create_account(&name)).await?;
    Ok(json(StatusCode::CREATED, answer))
}

/// `GET /v2/accounts`, with lists.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let paging = query.paging();
    query.done()?;
    let answer = desk.work(move |ledger, _| render::bytes(&ledger.accounts(holder.tenant, paging)?)).await?;
    Ok(json(StatusCode::OK, answer))
}
