//! What tests of a client learn from a service that runs beside them.

use reqwest::Method;
use serde_json::json;

use super::test_service::{TestService, send_and_read};

const PATH: &str = "/v2/transactions/withdraw";

#[tokio::test]
async fn the_tap_hears_every_request_and_the_bytes_of_every_change() {
    let house = TestService::open().await;
    let payment = house.payment().await;
    let tap = house.service.record_requests();
    house.get("/v2/transactions?txType=outgoing").await;
    let body = format!(" {payment} ");
    let request = house.request(Method::POST, PATH).header("content-type", "application/json").body(body.clone());
    assert_eq!(send_and_read(request).await.status, 201);
    let requests = house.service.record_requests().requests();
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[0].method.as_str(), requests[0].path.as_str()), ("GET", "/v2/transactions"));
    assert_eq!((requests[0].query.as_str(), requests[0].body.len()), ("txType=outgoing", 0));
    assert_eq!(requests[1].body, body.as_bytes());
    assert!(requests[1].headers.contains(&"x-wallet-secret".to_owned()), "{:?}", requests[1].headers);
    let (key, secret) = house.keys();
    let debug_text = format!("{requests:?}");
    assert!(!debug_text.contains(&key) && !debug_text.contains(&secret), "values of headers are not kept");
    assert_eq!((tap.count("POST", PATH), tap.count("GET", PATH), tap.changes().len()), (1, 0, 1));
    tap.clear();
    assert_eq!(tap.requests(), []);
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_with_the_tap_open_too() {
    let house = TestService::open().await;
    let _tap = house.service.record_requests();
    let huge = house.request(Method::POST, PATH).header("content-type", "application/json").body("x".repeat(1_100_000));
    send_and_read(huge).await.expect_error(400, PATH);
}

#[tokio::test]
async fn payments_are_found_in_the_ledger_by_key_and_by_reference() {
    let house = TestService::open().await;
    let payment = house.payment().await;
    let key = payment["idempotencyKey"].as_str().unwrap().parse().unwrap();
    assert_eq!(house.service.find_payments_with_key(key).unwrap(), []);
    house.post(PATH, &payment).await;
    let payments = house.service.find_payments_with_key(key).unwrap();
    assert_eq!(payments.len(), 1);
    assert_eq!(json!(payments[0].ref_id), payment["refId"]);
    assert!(house.service.find_payments_with_reference("invoice-2291").unwrap().contains(&payments[0]));
    assert_eq!(house.service.find_payments_with_reference("invoice-0").unwrap(), []);
}
