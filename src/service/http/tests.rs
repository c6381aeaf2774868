use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::post;
use proptest::prelude::*;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::*;
use crate::domain::Timestamp;
use crate::service::app_state::StartPhase;
use crate::service::chain::Pace;
use crate::service::clock::ServiceClock;
use crate::service::keys::{ApiKeys, KeyHolder, NewKey};
use crate::service::ledger::{Ledger, LedgerLocation, NewWorkspace, RequestError};
use crate::service::rate_limit::RateLimits;

mod fuzzed;
mod slow;

/// What every request passes through, around handlers that go wrong.
fn service_around(router: Router) -> RoutedService {
    let ledger = Arc::new(Ledger::open(&LedgerLocation::Memory, Pace::USUAL).unwrap());
    let keys = ApiKeys::open(&ledger).unwrap();
    let clock = ServiceClock::manual(Timestamp::from_millis(0));
    RoutedService::new(router, Arc::new(AppState::new(ledger, keys, RateLimits::new(None), clock, StartPhase::Ready)))
}

async fn answer_of(core: RoutedService, path: &str) -> (StatusCode, Value) {
    let response: Response = core.handle_with_request_id(Request::get(path).body(Body::empty()).unwrap()).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn a_panic_is_an_error_of_the_service_and_says_nothing_more() {
    async fn panicking_handler() {
        panic!("the secret is 42")
    }
    let (status, body) =
        answer_of(service_around(Router::new().route("/v2/users", get(panicking_handler))), "/v2/users?userId=7").await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        body,
        json!({ "statusCode": 500, "path": "/v2/users", "timestamp": "1970-01-01T00:00:00.000Z",
                "message": "Internal server error" })
    );
}

/// Which approvals a change needs is known by its operation.
#[tokio::test]
async fn a_change_that_is_no_operation_does_not_reach_its_handler() {
    async fn handler(_change: request::ChangeRequest) -> StatusCode {
        StatusCode::CREATED
    }
    let ledger = Ledger::open(&LedgerLocation::Memory, Pace::USUAL).unwrap();
    let start = Timestamp::from_millis(0);
    let workspace_number = ledger.create_workspace(NewWorkspace::with_random_id("Test", "testnet"), start).unwrap();
    let holder =
        KeyHolder { workspace_number, key_number: 1, permissions: NewKey::owner().permissions, knows_secret: true };
    let operation = operations::find_operation(&Method::POST, "/v2/users").unwrap();
    let unlisted = Router::new().route("/v2/users", post(handler)).layer(Extension(holder));
    let listed = unlisted.clone().layer(Extension(operation));
    let mut statuses = Vec::new();
    for router in [unlisted, listed] {
        let request = Request::post("/v2/users").header("content-type", "application/json").body(Body::from("{}"));
        statuses.push(service_around(router).handle_with_request_id(request.unwrap()).await.status());
    }
    assert_eq!(statuses, [StatusCode::INTERNAL_SERVER_ERROR, StatusCode::CREATED]);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_takes_too_long_is_given_up() {
    let waits = Router::new().route("/v2/users", get(std::future::pending::<()>));
    let (status, body) = answer_of(service_around(waits), "/v2/users").await;
    assert_eq!((status, &body["statusCode"]), (StatusCode::SERVICE_UNAVAILABLE, &json!(503)));
}

#[tokio::test]
async fn an_error_that_a_library_made_gets_the_common_body_too() {
    let odd = Router::new().route("/v2/users", get(|| async { StatusCode::UNSUPPORTED_MEDIA_TYPE }));
    let (status, body) = answer_of(service_around(odd), "/v2/users").await;
    assert_eq!((status, &body["message"]), (StatusCode::BAD_REQUEST, &json!("the body must be application/json")));
}

#[tokio::test]
async fn an_idempotency_key_is_kept_with_method_and_path_as_the_specification_writes_them() {
    let start = Timestamp::from_millis(0);
    let ledger = Arc::new(Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap());
    let workspace_number = ledger.create_workspace(NewWorkspace::with_random_id("Test", "testnet"), start).unwrap();
    let keys = ApiKeys::open(&ledger).unwrap();
    let minted = keys.create(workspace_number, &NewKey::owner(), start).unwrap();
    let clock = ServiceClock::manual(start);
    let app_state =
        Arc::new(AppState::new(Arc::clone(&ledger), keys, RateLimits::new(None), clock.clone(), StartPhase::Ready));
    let key = Uuid::new_v4();
    let body = json!({ "idempotencyKey": key, "name": "Reserve" });
    let request = Request::post("/v2/accounts?by=hand")
        .header("authorization", format!("Bearer {}", minted.api_key.expose_secret()))
        .header("x-wallet-secret", minted.wallet_secret.expose_secret())
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    let pipeline = request_pipeline(
        router(OptionalRoutes { lists: false, control: false }),
        app_state,
        Faults::new(clock, CancellationToken::new()),
        RequestLog::default(),
    );
    let response = pipeline.handle(request).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let answer = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    // Keys are kept for ever, so a ledger that older code wrote must still know its requests again.
    let second = ledger.execute_once_per_key(
        workspace_number,
        start,
        Some(key),
        ("POST /v2/accounts", &body),
        |_| -> Result<(), RequestError> { Err(RequestError::bad_request("executed twice")) },
    );
    assert_eq!(second, Ok(answer.to_vec()));
}

/// A service in memory, and how its owner comes in.
struct TestService {
    pipeline: RequestPipeline,
    ledger: Arc<Ledger>,
    /// The header of a key that may do everything.
    key: String,
    secret: String,
}

fn open_test_service() -> TestService {
    let start = Timestamp::from_millis(0);
    let ledger = Arc::new(Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap());
    let workspace_number = ledger.create_workspace(NewWorkspace::with_random_id("Test", "testnet"), start).unwrap();
    let keys = ApiKeys::open(&ledger).unwrap();
    let minted = keys.create(workspace_number, &NewKey::owner(), start).unwrap();
    let clock = ServiceClock::manual(start);
    let app_state =
        Arc::new(AppState::new(Arc::clone(&ledger), keys, RateLimits::new(None), clock.clone(), StartPhase::Ready));
    let pipeline = request_pipeline(
        router(OptionalRoutes { lists: true, control: false }),
        app_state,
        Faults::new(clock, CancellationToken::new()),
        RequestLog::default(),
    );
    let (key, secret) = (minted.api_key.expose_secret().to_owned(), minted.wallet_secret.expose_secret().to_owned());
    TestService { pipeline, ledger, key: format!("Bearer {key}"), secret }
}

/// Any JSON, mostly with names that operations ask for.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        proptest::sample::select(vec!["USDC", "ETH", "base", "1", "0.5", "on_chain", "success", "internal_transfer"])
            .prop_map(Value::from),
        any::<u128>().prop_map(|number| json!(Uuid::from_u128(number))),
    ];
    let names = [
        "idempotencyKey",
        "walletId",
        "userId",
        "accountId",
        "subWalletId",
        "blockchain",
        "chain",
        "coin",
        "token",
        "amount",
        "fromCoin",
        "toCoin",
        "fromAmount",
        "withdrawalAddress",
        "to",
        "name",
        "email",
        "refId",
        "isActive",
        "status",
        "destination",
        "fromAddress",
        "toAddress",
        "fromWalletId",
        "toWalletId",
        "fee",
        "clientTxId",
        "queue",
        "metadata",
        "nonsense",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map(proptest::sample::select(names.to_vec()), inner, 0..12)
                .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

/// How often each parser of requests is tried, forty requests at a time. A long campaign sets `BURSAR_CASES`.
fn case_count() -> u32 {
    std::env::var("BURSAR_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: case_count(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_header_says_nobody_comes_in_by_it_and_nothing_fails(
        headers in proptest::collection::vec(
            (0..4_usize, prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..90),
                "(Bearer|bearer|Basic|) ?(bursar_key_)?[0-9a-f]{0,64} ?".prop_map(String::into_bytes),
                "application/[a-z]{0,8}(; ?charset=[a-z0-9-]{0,9})?".prop_map(String::into_bytes),
            ]), 40),
    ) {
        let TestService { pipeline, key, secret, .. } = open_test_service();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let body = json!({ "idempotencyKey": Uuid::from_u128(1), "name": "Reserve" }).to_string();
        for (which, value) in headers {
            let Ok(value) = axum::http::HeaderValue::from_bytes(&value) else { continue };
            let mut request = Request::post("/v2/accounts").header("authorization", &key)
                .header("x-wallet-secret", &secret).header("content-type", "application/json")
                .body(Body::from(body.clone())).unwrap();
            let name = ["authorization", "x-wallet-secret", "content-type", "x-request-id"][which];
            request.headers_mut().insert(name, value);
            let status = runtime.block_on(pipeline.handle(request)).status().as_u16();
            let expected: &[u16] = match name {
                "x-request-id" => &[201],
                "content-type" => &[201, 400],
                _ => &[401],
            };
            prop_assert!(expected.contains(&status), "{name}: {status}");
        }
    }

    #[test]
    fn whatever_a_change_says_it_is_done_or_refused_and_never_fails(
        bodies in proptest::collection::vec(prop_oneof![
            json_value().prop_map(|body| body.to_string().into_bytes()),
            proptest::collection::vec(any::<u8>(), 0..200),
        ], 40),
    ) {
        let TestService { pipeline, key, secret, .. } = open_test_service();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let changes = operations::ALL.iter().filter(|operation| operation.method != "GET").cycle();
        for (operation, body) in changes.zip(bodies) {
            let request = Request::builder().method(operation.method).uri(operation.path)
                .header("authorization", &key).header("x-wallet-secret", &secret)
                .header("content-type", "application/json").body(Body::from(body)).unwrap();
            let status = runtime.block_on(pipeline.handle(request)).status().as_u16();
            prop_assert!([200, 201, 400, 404, 422].contains(&status), "{} {}: {status}", operation.method, operation.path);
        }
    }

    #[test]
    fn whatever_a_read_asks_it_is_answered_or_refused_and_never_fails(
        queries in proptest::collection::vec("[ -~]{0,60}|((pageNo|pageLimit|userId|txType|coin|chain|hash|subWalletId)=[0-9a-z%]{0,12}&){0,5}", 40),
    ) {
        let TestService { pipeline, key, .. } = open_test_service();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let reads = operations::ALL.iter().filter(|operation| operation.method == "GET").cycle();
        for (operation, query) in reads.zip(queries) {
            let Ok(uri) = format!("{}?{query}", operation.path).parse::<axum::http::Uri>() else { continue };
            let request = Request::builder().uri(uri).header("authorization", &key).body(Body::empty()).unwrap();
            let status = runtime.block_on(pipeline.handle(request)).status().as_u16();
            prop_assert!([200, 400, 404, 422].contains(&status), "{}?{query}: {status}", operation.path);
        }
    }
}

#[test]
fn every_operation_has_a_route_and_every_key_finds_it_by_that() {
    let TestService { pipeline, .. } = open_test_service();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for operation in operations::ALL {
        let method: axum::http::Method = operation.method.parse().unwrap();
        assert!(operations::find_operation(&method, operation.path).is_some());
        let request = Request::builder().method(method).uri(operation.path).body(Body::empty()).unwrap();
        let status = runtime.block_on(pipeline.handle(request)).status();
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{} {}", operation.method, operation.path);
    }
}
