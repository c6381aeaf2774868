//! `/v2/transactions` and what lies below it.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use uuid::Uuid;

use super::fields::{Fields, json_body};
use super::query::Query;
use super::refusal::{Refused, json};
use crate::domain::Direction;
use crate::service::desk::Desk;
use crate::service::keys::Holder;
use crate::service::ledger::{Listing, NewWithdrawal, render};

/// `POST /v2/transactions/withdraw`.
pub(super) async fn withdraw(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let key = fields.required_uuid("idempotencyKey");
    let withdrawal = NewWithdrawal {
        wallet: fields.required_uuid("walletId"),
        token: fields.required_text("token"),
        blockchain: fields.required_text("blockchain"),
        address: fields.required_text("withdrawalAddress"),
        amount: fields.required_text("amount"),
        ref_id: fields.text("refId"),
        note: fields.text("note"),
        key: Some(key),
    };
    // No resource shows the metadata again; it counts when two requests under one key are compared.
    fields.object("metadata");
    fields.done()?;
    let operation = "POST /v2/transactions/withdraw";
    let answer = desk.execute(holder, Some(key), operation, body, move |books| books.withdraw(&withdrawal)).await?;
    Ok(json(StatusCode::CREATED, answer))
}

/// `GET /v2/transactions`.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let direction = match query.text("txType").as_deref() {
        None => None,
        Some("incoming") => Some(Direction::Incoming),
        Some("outgoing") => Some(Direction::Outgoing),
        Some(_) => {
            query.problem("txType must be incoming or outgoing");
            None
        }
    };
    let listing = Listing {
        direction,
        user: narrowed(&mut query, "userId"),
        wallet: narrowed(&mut query, "walletId"),
        account: narrowed(&mut query, "accountId"),
        paging: query.paging(),
    };
    query.done()?;
    let answer =
        desk.work(move |ledger, now| render::bytes(&ledger.transactions(holder.tenant, &listing, now)?)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// An identifier to narrow a list to. One in another form belongs to nothing, and so does the nil one.
fn narrowed(query: &mut Query, name: &str) -> Option<Uuid> {
    query.text(name).map(|text| Uuid::try_parse(&text).unwrap_or_else(|_| Uuid::nil()))
}
