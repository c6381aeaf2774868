//! `/v2/wallets`.

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
use crate::service::ledger::{NewWallet, WalletPatch, render};

/// `POST /v2/wallets`.
pub(super) async fn create(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let key = fields.required_uuid("idempotencyKey");
    let wallet = NewWallet {
        account: fields.required_uuid("accountId"),
        user: fields.uuid("userId"),
        blockchain: fields.required_text("blockchain"),
        name: fields.text("name"),
        ref_id: fields.text("refId"),
        auto_sweep: fields.flag("autoSweep").unwrap_or(false),
    };
    fields.done()?;
    let answer =
        desk.execute(holder, Some(key), "POST /v2/wallets", body, move |books| books.create_wallet(&wallet)).await?;
    Ok(json(StatusCode::CREATED, answer))
}

/// `PATCH /v2/wallets`. The specification gives it no idempotency key, and it needs none: done twice it is done.
pub(super) async fn change(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let patch = WalletPatch {
        wallet: fields.required_uuid("walletId"),
        user: fields.uuid("userId"),
        name: fields.text("name"),
        is_active: fields.flag("isActive"),
        auto_sweep: fields.flag("autoSweep"),
    };
    fields.done()?;
    let answer = desk.execute(holder, None, "PATCH /v2/wallets", body, move |books| books.patch_wallet(&patch)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// `GET /v2/wallets`, with lists.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let paging = query.paging();
    query.done()?;
    let answer = desk.work(move |ledger, _| render::bytes(&ledger.wallets(holder.tenant, paging)?)).await?;
    Ok(json(StatusCode::OK, answer))
}
