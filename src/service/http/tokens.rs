//! `/v1/blockchains/tokens-with-blockchains`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use super::query::Query;
use super::refusal::{Refused, json};
use crate::service::desk::Desk;
use crate::service::keys::Holder;
use crate::service::ledger::render;

/// `GET /v1/blockchains/tokens-with-blockchains`, narrowed by symbol and by chain.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let (token, blockchain) = (query.text("token"), query.text("blockchain"));
    let paging = query.paging();
    query.done()?;
    let answer = desk
        .work(move |ledger, _| {
            render::bytes(&ledger.tokens(holder.tenant, token.as_deref(), blockchain.as_deref(), paging)?)
        })
        .await?;
    Ok(json(StatusCode::OK, answer))
}
