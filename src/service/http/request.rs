//! Extractors for handlers: a request that reads, or one that changes something.
//!
//! Handlers only name their parameters and the ledger call. Parameter problems, workspace, status and envelope are
//! handled here, so that no handler can forget to check its parameters.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, MatchedPath, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde::Serialize;
use uuid::Uuid;

use super::approvals;
use super::error_response::{ErrorResponse, json_response};
use super::fields::{BodyFields, json_body};
use super::operation::Operation;
use super::query::QueryParameters;
use crate::domain::{OrderId, Timestamp};
use crate::service::app_state::AppState;
use crate::service::keys::KeyHolder;
use crate::service::ledger::{Ledger, Page, RequestError, UnitOfWork, WorkspaceNumber, render};

pub(super) type HandlerResult = Result<Response, ErrorResponse>;

/// The bytes of a response, and whether they may be cached.
type CacheableBody = (Vec<u8>, bool);

/// A request that changes nothing, with its parameters in the query.
pub(super) struct ReadRequest {
    pub(super) query: QueryParameters,
    app_state: Arc<AppState>,
    workspace_number: WorkspaceNumber,
    /// Path and query: the key in the response cache.
    path_and_query: String,
}

impl<S: Send + Sync> FromRequestParts<S> for ReadRequest {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ErrorResponse> {
        let app_state = app_state_of(parts)?;
        let path_and_query = parts.uri.to_string();
        let query = QueryParameters::from_uri(&parts.uri, app_state.max_page_rows.load(Ordering::SeqCst));
        Ok(Self { query, app_state, workspace_number: workspace_number_of(parts)?, path_and_query })
    }
}

impl ReadRequest {
    /// Answers with one resource or an unpaged list, in the success envelope.
    pub(super) async fn respond<T: Serialize>(
        self,
        read: impl FnOnce(&Ledger, WorkspaceNumber, Timestamp) -> Result<T, RequestError> + Send + 'static,
    ) -> HandlerResult {
        self.respond_with_bytes(|ledger, workspace_number, now| {
            Ok((render::bytes_in_envelope(&read(ledger, workspace_number, now)?)?, false))
        })
        .await
    }

    /// The same for data that changes only with a write, not with time.
    pub(super) async fn respond_cached<T: Serialize>(
        self,
        read: impl FnOnce(&Ledger, WorkspaceNumber) -> Result<T, RequestError> + Send + 'static,
    ) -> HandlerResult {
        self.respond_with_bytes(|ledger, workspace_number, _| {
            Ok((render::bytes_in_envelope(&read(ledger, workspace_number)?)?, true))
        })
        .await
    }

    /// Answers with one page, in the list envelope.
    pub(super) async fn respond_page<T: Serialize>(
        self,
        read: impl FnOnce(&Ledger, WorkspaceNumber, Timestamp) -> Result<Page<T>, RequestError> + Send + 'static,
    ) -> HandlerResult {
        self.respond_page_cached_if(read, |_| false).await
    }

    /// The same, cached if `is_cacheable` holds for every row of the page: the row changes only with a write.
    pub(super) async fn respond_page_cached_if<T: Serialize>(
        self,
        read: impl FnOnce(&Ledger, WorkspaceNumber, Timestamp) -> Result<Page<T>, RequestError> + Send + 'static,
        is_cacheable: impl Fn(&T) -> bool + Send + 'static,
    ) -> HandlerResult {
        self.respond_with_bytes(move |ledger, workspace_number, now| {
            let page = read(ledger, workspace_number, now)?;
            Ok((render::bytes_without_envelope(&page)?, page.data.iter().all(is_cacheable)))
        })
        .await
    }

    async fn respond_with_bytes(
        self,
        read: impl FnOnce(&Ledger, WorkspaceNumber, Timestamp) -> Result<CacheableBody, RequestError> + Send + 'static,
    ) -> HandlerResult {
        let Self { query, app_state, workspace_number, path_and_query, .. } = self;
        query.require_no_problems()?;
        // Read the version first: any write during the read invalidates the entry.
        let version = app_state.ledger.version();
        if let Some(cached) = app_state.response_cache.get(version, workspace_number, &path_and_query) {
            return Ok(json_response(StatusCode::OK, cached));
        }
        let (body, is_cacheable) =
            app_state.run_in_ledger(move |ledger, now| read(ledger, workspace_number, now)).await?;
        let body = Bytes::from(body);
        if is_cacheable {
            app_state.response_cache.insert(version, workspace_number, path_and_query, &body);
        }
        Ok(json_response(StatusCode::OK, body))
    }
}

/// A request that changes something, with its parameters in a JSON object as body.
pub(super) struct ChangeRequest {
    pub(super) fields: BodyFields,
    app_state: Arc<AppState>,
    workspace_number: WorkspaceNumber,
    operation: String,
    /// Executed once, where approvals are enforced.
    approved_order: Option<OrderId>,
    /// Status of a success: 201 after POST, 200 otherwise.
    status: StatusCode,
}

impl<S: Send + Sync> FromRequest<S> for ChangeRequest {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ErrorResponse> {
        let (parts, body) = request.into_parts();
        let app_state = app_state_of(&parts)?;
        let workspace_number = workspace_number_of(&parts)?;
        // An operation is method and route as in the specification's tables. It is stored with idempotency keys for
        // ever, so it must not depend on how routers are nested.
        let path = parts
            .extensions
            .get::<MatchedPath>()
            .ok_or_else(|| ErrorResponse::internal(&"a handler without a route"))?;
        let path = path.as_str().to_owned();
        // Attached with the check of the key. Without it nobody could say what has to be approved.
        let matched = parts.extensions.get::<&Operation>().copied();
        let matched = matched.ok_or_else(|| ErrorResponse::internal(&"a change that is no operation"))?;
        let operation = format!("{} {path}", parts.method);
        let headers = parts.headers.clone();
        let status = if parts.method == Method::POST { StatusCode::CREATED } else { StatusCode::OK };
        let key = parts.extensions.get::<KeyHolder>().map_or(0, |holder| holder.key_number);
        let Some(_on_its_way) = app_state.uploads.begin_upload(key) else {
            let sentence =
                "too many request bodies with this API key are on their way; send them whole, or fewer at once";
            let wait = Some(Duration::from_secs(1));
            return Err(ErrorResponse {
                retry_after: wait,
                ..ErrorResponse::with_message(StatusCode::TOO_MANY_REQUESTS, sentence)
            });
        };
        // Read through the request, since the size limit is among its extensions.
        let body = Bytes::from_request(Request::from_parts(parts, body), state).await;
        let body = body.map_err(|rejection| ErrorResponse::from_status(rejection.status()))?;
        let value = json_body(&headers, &body)?;
        let approved_order =
            approvals::require_approvals(&app_state, workspace_number, matched, &headers, (&value, &body)).await?;
        let fields = BodyFields::from_body(value);
        Ok(Self { fields, app_state, workspace_number, operation, approved_order, status })
    }
}

impl ChangeRequest {
    /// Executes the change on every call, and answers in the success envelope.
    pub(super) async fn execute<T: Serialize + 'static>(
        self,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> HandlerResult {
        self.execute_with_optional_key(None, op).await
    }

    /// Executes the change once under its idempotency key; a repeated request gets the same bytes.
    pub(super) async fn execute_once<T: Serialize + 'static>(
        self,
        key: Uuid,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> HandlerResult {
        self.execute_with_optional_key(Some(key), op).await
    }

    async fn execute_with_optional_key<T: Serialize + 'static>(
        self,
        key: Option<Uuid>,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> HandlerResult {
        let request = self.fields.into_valid_body()?;
        let approved = self.approved_order;
        let op = move |books: &mut UnitOfWork<'_>| {
            approved.map_or(Ok(()), |order| books.claim_order(order))?;
            op(books)
        };
        let body = self.app_state.execute_once_per_key(self.workspace_number, key, self.operation, request, op).await?;
        Ok(json_response(self.status, body))
    }
}

fn app_state_of(parts: &Parts) -> Result<Arc<AppState>, ErrorResponse> {
    parts
        .extensions
        .get::<Arc<AppState>>()
        .cloned()
        .ok_or_else(|| ErrorResponse::internal(&"a request was brought to no desk"))
}

/// The workspace of the caller's key, attached by [`super::auth::authenticate`].
fn workspace_number_of(parts: &Parts) -> Result<WorkspaceNumber, ErrorResponse> {
    let holder = parts.extensions.get::<KeyHolder>();
    holder
        .map(|holder| holder.workspace_number)
        .ok_or_else(|| ErrorResponse::internal(&"a route is served without admission"))
}
