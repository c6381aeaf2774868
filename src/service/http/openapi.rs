//! `/openapi.json`: the interface in the words of `OpenAPI` 3.1, written by the handlers themselves.
//!
//! Each operation of the table is run once with notes in place of a body: it asks for its parameters, says of which type
//! its answer would be, and is stopped before it does anything.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use super::notes::{Envelope, Noted, Notes, object};
use super::operations::{self, Operation};
use crate::service::desk::Desk;

/// The document of the routes that are served.
pub(super) async fn document(routes: Router, desk: Arc<Desk>, with_lists: bool) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut schemas = Map::new();
    for operation in operations::ALL.iter().filter(|operation| operation.documented || with_lists) {
        let notes = Notes::default();
        let mut request = Request::new(Body::empty());
        *request.method_mut() = operation.method.parse().unwrap_or_default();
        *request.uri_mut() = operation.path.parse().unwrap_or_default();
        request.extensions_mut().insert(notes.clone());
        request.extensions_mut().insert(Arc::clone(&desk));
        let Ok(_nothing_was_done) = routes.clone().oneshot(request).await;
        let noted = notes.read();
        schemas.extend(noted.schemas.clone());
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.to_ascii_lowercase()] = described(operation, noted);
    }
    schemas.insert("Error".into(), error_body());
    paths.insert("/healthz".into(), health());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Wallet and Transfer Service, embedded in bursar",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Amounts in requests are strings of decimal digits. A request under an idempotency key is \
                executed once; the same request again gets the first answer byte for byte, another one under the same \
                key is refused with 400. Prices stand still for half a minute of the clock.",
        },
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": {
            "apiKey": { "type": "http", "scheme": "bearer" },
            "walletSecret": { "type": "apiKey", "in": "header", "name": "x-wallet-secret" },
        } },
    })
}

fn described(operation: &Operation, noted: Noted) -> Value {
    let mut security = json!({ "apiKey": [] });
    if operation.secret {
        security["walletSecret"] = json!([]);
    }
    let done = if operation.method == "POST" { "201" } else { "200" };
    let mut responses = Map::new();
    responses.insert(done.into(), json!({ "description": "Done", "content": content(&answer(&noted)) }));
    let errors = [
        ("400", "It cannot be done; nothing was"),
        ("401", "The API key or the wallet secret is missing or wrong"),
        ("403", "The API key lacks the permission, or the caller's address is not trusted"),
        ("404", "There is no such object"),
        ("422", "Parameters are missing or malformed; each is named"),
        ("429", "Too many requests; Retry-After says when to ask again"),
        ("500", "The service failed"),
        ("503", "Not now; Retry-After says when to ask again"),
    ];
    for (status, words) in errors {
        let body = json!({ "$ref": "#/components/schemas/Error" });
        responses.insert(status.into(), json!({ "description": words, "content": content(&body) }));
    }
    let mut described = json!({
        "summary": operation.summary,
        "description": format!("Needs the permission `{}`.", operation.permission.word()),
        "tags": [operation.path.trim_start_matches('/').split('/').next().unwrap_or_default()],
        "security": [security],
        "responses": responses,
    });
    if operation.method == "GET" {
        let parameters = noted.parameters.into_iter().map(|parameter| {
            let (name, required, schema) = (parameter.name, parameter.required, parameter.schema);
            json!({ "name": name, "in": "query", "required": required, "schema": schema })
        });
        described["parameters"] = parameters.collect();
    } else {
        described["requestBody"] = json!({ "required": true, "content": content(&object(noted.parameters)) });
    }
    described
}

fn content(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

/// The envelope of an answer.
fn answer(noted: &Noted) -> Value {
    let success = json!({ "const": true });
    match &noted.answer {
        Some((Envelope::Success, data)) => json!({
            "type": "object", "required": ["success", "data"], "properties": { "success": success, "data": data },
        }),
        Some((Envelope::List, row)) => {
            let count = json!({ "type": "integer", "minimum": 0 });
            json!({
                "type": "object", "required": ["success", "data", "totalPage", "pageNo", "pageLimit"],
                "properties": {
                    "success": success, "data": { "type": "array", "items": row },
                    "totalPage": count, "pageNo": count, "pageLimit": count,
                },
            })
        }
        None => json!({}),
    }
}

fn error_body() -> Value {
    json!({
        "type": "object", "required": ["statusCode", "path", "timestamp", "message"],
        "properties": {
            "statusCode": { "type": "integer" },
            "path": { "type": "string" },
            "timestamp": { "type": "string", "format": "date-time" },
            "message": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
        },
    })
}

fn health() -> Value {
    let status = json!({ "type": "object", "required": ["status"], "properties": { "status": { "type": "string" } } });
    json!({ "get": {
        "summary": "Whether the service answers",
        "security": [],
        "responses": {
            "200": { "description": "It does", "content": content(&status) },
            "503": { "description": "It does not", "content": content(&status) },
        },
    } })
}
