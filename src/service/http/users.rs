//! `/v2/users` and what lies below it.

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
use crate::service::desk::Desk;
use crate::service::keys::Holder;
use crate::service::ledger::{NewUser, UserPatch, render};

/// `POST /v2/users`. It has no idempotency key: each request makes a user.
pub(super) async fn create(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let (email, display_name, ref_id) = names(&mut fields);
    fields.done()?;
    let user = NewUser { email, display_name, ref_id };
    let answer = desk.execute(holder, None, "POST /v2/users", body, move |books| books.create_user(&user)).await?;
    Ok(json(StatusCode::CREATED, answer))
}

/// `PATCH /v2/users`.
pub(super) async fn change(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refused> {
    let body = json_body(&headers, &body)?;
    let mut fields = Fields::of(&body);
    let user = fields.required_text("userId");
    let (email, display_name, ref_id) = names(&mut fields);
    fields.done()?;
    let patch = UserPatch { user: known(&user)?, email, display_name, ref_id };
    let answer = desk.execute(holder, None, "PATCH /v2/users", body, move |books| books.patch_user(&patch)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// What both of them take, of which something must be there: a user without any could never be told from another.
fn names(fields: &mut Fields<'_>) -> (Option<String>, Option<String>, Option<String>) {
    let names = (fields.text("email"), fields.text("displayName"), fields.text("refId"));
    if names == (None, None, None) {
        fields.problem("one of email, displayName and refId is required");
    }
    if names.0.as_deref().is_some_and(|email| !email.contains('@')) {
        fields.problem("email must be an address for mail");
    }
    names
}

/// `GET /v2/users?userId=`.
pub(super) async fn get_one(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let user = query.required_text("userId");
    query.done()?;
    one(&desk, holder, &user).await
}

/// `GET /v2/users`, with lists: one user, or all of them page by page.
pub(super) async fn get_one_or_list(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let user = query.text("userId");
    let paging = query.paging();
    query.done()?;
    if let Some(user) = user {
        return one(&desk, holder, &user).await;
    }
    let answer = desk.work(move |ledger, _| render::bytes(&ledger.users(holder.tenant, paging)?)).await?;
    Ok(json(StatusCode::OK, answer))
}

async fn one(desk: &Desk, holder: Holder, user: &str) -> Result<Response, Refused> {
    let user = known(user)?;
    let answer = desk.work(move |ledger, _| render::body(&ledger.user(holder.tenant, user)?)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// `GET /v2/users/balances?userId=`.
pub(super) async fn balances(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let user = query.required_text("userId");
    query.done()?;
    let user = known(&user)?;
    let answer = desk.work(move |ledger, _| render::body(&ledger.balances(holder.tenant, user)?)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// `GET /v2/users/stats`: of one user, or of the whole workspace.
pub(super) async fn stats(
    State(desk): State<Arc<Desk>>,
    Extension(holder): Extension<Holder>,
    uri: Uri,
) -> Result<Response, Refused> {
    let mut query = Query::of(&uri);
    let user = query.text("userId");
    query.done()?;
    let user = user.as_deref().map(known).transpose()?;
    let answer = desk.work(move |ledger, now| render::body(&ledger.stats(holder.tenant, user, now)?)).await?;
    Ok(json(StatusCode::OK, answer))
}

/// A user's identifier is a string to the specification, so one that is no UUID is no malformed one: nobody has it.
fn known(user: &str) -> Result<Uuid, Refused> {
    Uuid::try_parse(user).map_err(|_| Refused::not_found("user not found"))
}
